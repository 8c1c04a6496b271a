"""Rules as data: a structural pattern with metavariables, and what a match of it states (docs/rules.md).

A family's file is a rule: its patterns are tried on the files that use it, and what matches is stated as facts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from extraction.facts import Clue, Definition
from extraction.rules.port import Findings, Source
from extraction.rules.structure.declarations import class_around
from extraction.rules.structure.documents import TreePath, in_text, in_trees
from extraction.rules.structure.matches import Match, Place
from extraction.rules.structure.statements import STATEMENTS, Assertion, Fact, Fields
from extraction.rules.structure.syntax import is_left_out, language_at, root_of, text_of


@dataclass(frozen=True, slots=True)
class Row:
    """A rule: what it looks for, and `stated`, the statements and their fields.

    matchers: patterns by language, as ast-grep takes them; else `files` says which files, and `tree` where in their
    keys and values, or `pattern` what in their text. anchors: texts of which the file must contain one, else it isn't
    searched; within, without: what the head of the class around must contain, or must not; everywhere: in tests, too.
    """

    name: str
    stated: tuple[tuple[str, Fields], ...]
    matchers: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    files: re.Pattern[str] | None = None
    tree: TreePath | None = None
    pattern: re.Pattern[str] | None = None
    anchors: tuple[str, ...] = ()
    within: re.Pattern[str] | None = None
    without: re.Pattern[str] | None = None
    everywhere: bool = False

    def reads(self, path: str) -> bool:
        """Whether it wants this file, by its path alone."""
        if self.files is not None and self.files.fullmatch(path) is None:
            return False
        if self.files is not None and not self.everywhere and is_left_out(path):
            return False
        return not self.matchers or language_at(path) in self.matchers

    def counts(self, match: Place) -> bool:
        """Whether the class around a match of code is one that is meant."""
        if self.within is None and self.without is None:
            return True
        around = class_around(match.node)
        head = around.head if around else ""
        return not (self.within and not self.within.search(head)) and not (self.without and self.without.search(head))


@dataclass(frozen=True, slots=True)
class Family:
    """The rows of a file; `uses`: texts that a file contains which uses the framework."""

    name: str
    rows: tuple[Row, ...]
    uses: tuple[str, ...] = ()
    _languages: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        named = {name for row in self.rows for name in row.matchers}
        object.__setattr__(self, "_languages", frozenset(named))

    def reads(self, path: str) -> bool:
        """Whether one of its rules wants this file."""
        if language_at(path) in self._languages:
            return True
        return any(row.files is not None and row.reads(path) for row in self.rows)

    def find(self, source: Source) -> Findings | None:
        if self.uses and not any(sign in source.text for sign in self.uses):
            return None
        made = list(self._assertions(source))
        facts = list(_facts(made))
        definitions = {d.name: d for d in reversed(facts) if isinstance(d, Definition)}
        clues: dict[Clue, None] = dict.fromkeys(c for c in facts if not isinstance(c, Definition))
        return Findings(tuple(definitions.values()), tuple(clues), self.name) if facts else None

    def _assertions(self, source: Source) -> Iterator[Assertion]:
        rows = [row for row in self.rows if row.reads(source.path) and _may_match(row, source.text)]
        for row in rows:
            for match in _matches(row, source):
                if row.counts(match):
                    yield from (Assertion(row.name, name, fields, match) for name, fields in row.stated)


def _matches(row: Row, source: Source) -> Iterator[Place]:
    if row.tree is not None:
        yield from in_trees(row.tree, source)
    elif row.pattern is not None:
        yield from in_text(row.pattern, source)
    else:
        root, text = root_of(source), text_of(source)
        for node in root.find_all(row.matchers[language_at(source.path)]) if root else ():  # type: ignore[call-overload]  # a config
            span = node.range()
            yield Match(source, node, text, int(span.start.index), int(span.end.index))


def _may_match(row: Row, text: str) -> bool:
    return not row.anchors or any(anchor in text for anchor in row.anchors)


def _facts(made: list[Assertion]) -> Iterator[Fact]:
    """What the statements become; what is served or declared needs the prefixes beside it."""
    grouped: dict[str, list[Assertion]] = {}
    for one in made:
        grouped.setdefault(one.statement, []).append(one)
    scopes = [one for name, rows in grouped.items() if STATEMENTS[name].facts is None for one in rows]
    for name, rows in grouped.items():
        if make := STATEMENTS[name].facts:
            yield from make([*scopes, *rows] if STATEMENTS[name].scoped else rows)
