"""What an extraction rule is: a small plug-in that reads one kind of file or framework (docs/design.md#extraction).

A rule sees one file and says what it finds there as clues; whether they agree is decided when all files are known:
- A `needs` and a `provides` of one `kind` and `key` are an edge of the need's relation; the project's own providers
  come first, and a common word (`COMMON_WORDS`) between two projects is a candidate only. A key must be spelled the
  same on both sides: normalise it in the rule.
- A clue's `entity` is the name of a definition in the same file, its own or one of `Findings.definitions`. Without one
  the clue belongs to the service whose file it is, else to the project (`Services.owner`); of kinds that end in
  `package` always to the project.
- Where a service is defined, found or called, use services.py: it knows the kinds that
  indexing/resolution/addresses.py joins (`service`, `variable`, `settings`), and addresses.py what counts as a host. A
  new manifest only yields `provides_service`, `lives_in` and `given`; a new client only `calls` and `reads_variable`.
- A service is one entity however many files define it; the others' definitions are its evidence, not entities.
- Of a setting nothing is kept but hosts, topics and names (docs/design.md#secrets).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, ClassVar, Final, Protocol, TypeAlias

from extraction.facts import Binding, Clue, Definition
from extraction.kinds import kind_of
from extraction.languages import Text, language_of

Fact: TypeAlias = Definition | Clue
_COMMON_WORDS: Final = """
    health status user users id db database api web app application service services main server client frontend backend
    gateway proxy worker cache redis postgres postgresql mysql mongo mongodb mariadb kafka rabbitmq
    zookeeper nginx test tests demo example data store admin ui site www host node master db1 queue broker elasticsearch
    type types name value item items event events message messages log logs config settings role roles session sessions
    migrations schema_version t
"""
COMMON_WORDS: Final = frozenset(_COMMON_WORDS.split())
"""Names that many things bear, which alone are no evidence; casefolded."""
COMMENT: Final = re.compile(r"^\s*(?://|#(?!\[)|\*|/\*|--)")
"""How a line begins that is a comment, in most languages."""


@dataclass(frozen=True, slots=True)
class Source:
    r"""One file as a rule sees it: line breaks are \n, and what its grammar found is there already. variables: what
    each is declared as or made from, parameters too.
    """

    path: str
    text: str
    project: str = ""
    definitions: tuple[Definition, ...] = ()
    texts: tuple[Text, ...] = ()
    variables: tuple[Binding, ...] = ()
    parsed: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)
    """What one rule has made of the text that the next needs too."""

    @property
    def name(self) -> str:
        return self.path.rsplit("/", 1)[-1]

    def around(self, line: int) -> str:
        """The qualified name of the innermost definition around a line; '' for none."""
        inside = [d for d in self.definitions if d.start_line <= line <= d.end_line]
        return min(inside, key=lambda d: (d.end_line - d.start_line, -d.start_line)).name if inside else ""

    def line_of(self, part: str | re.Pattern[str], after: int = 0) -> int:
        """The first line behind `after` that holds `part`, else the first of all; without one that after `after`."""
        pattern = re.compile(re.escape(part)) if isinstance(part, str) else part
        lines = self.text.split("\n")
        order = (*range(after, len(lines)), *range(after))
        return next((n + 1 for n in order if pattern.search(lines[n])), min(after + 1, len(lines)))


@dataclass(frozen=True, slots=True)
class Findings:
    """What a rule saw: definitions, clues, and under which name it is reported ('' = the rule's)."""

    definitions: Iterable[Definition] = ()
    clues: Iterable[Clue] = ()
    recognised: str = ""

    @classmethod
    def of(cls, facts: Iterable[Fact], recognised: str = "") -> Findings | None:
        rows = list(facts)
        definitions = [one for one in rows if isinstance(one, Definition)]
        clues = [one for one in rows if not isinstance(one, Definition)]
        return cls(definitions, clues, recognised) if rows else None


class Rule(Protocol):
    """A plug-in: one file here, one row in `RULES`, one test on real lines."""

    @property
    def name(self) -> str:
        """The framework's or format's name, as reports show it."""
        ...

    def reads(self, path: str) -> bool:
        """Whether it wants this file, by its path alone."""
        ...

    def find(self, source: Source) -> Findings | None:
        """What it sees there; None when the file is not what its name says. Never raises on any text."""
        ...


class FileRule:
    """A rule for the files whose path has the pattern `files`: it yields the facts that it sees, in any order. One that
    is reported under another name, or also where it sees nothing, has a `find` of its own.
    """

    name: ClassVar[str]
    files: ClassVar[re.Pattern[str]]

    def reads(self, path: str) -> bool:
        return self.files.search(path) is not None

    def find(self, source: Source) -> Findings | None:
        return Findings.of(self.facts(source))

    def facts(self, source: Source) -> Iterable[Fact]:
        """What it sees in a file."""
        raise NotImplementedError


@lru_cache(maxsize=64)  # all rules ask it of one file, then of the next
def program_language(path: str) -> str:
    """The language of a program's file; '' for a test and for what is no program."""
    language = language_of(path)
    return language.name if language is not None and kind_of(path, language.name) != "test" else ""


def is_code(path: str) -> bool:
    return program_language(path) != ""


class CodeRule(FileRule):
    """A rule for programs whose files end in one of `ends`; tests are left out."""

    ends: ClassVar[tuple[str, ...]] = ("",)

    def reads(self, path: str) -> bool:
        return path.endswith(self.ends) and is_code(path)
