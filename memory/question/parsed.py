"""`ParsedQuestion`: what was read from a question; no later step looks at the raw text again."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Final, Literal

from memory.embedders.english import ENGLISH

if TYPE_CHECKING:
    from memory.question.described import Described
    from memory.question.pasted import Frame

WordKind = Literal["identifier", "hyphenated", "joined", "capitalised", "quoted", ""]
PastedKind = Literal["fence", "indented", "trace", "error", "log", "json", "code"]
_NAMES: Final = frozenset({"identifier", "hyphenated", "joined", "capitalised"})
_SENTENCE: Final = 3
_CODE: Final = frozenset({"fence", "indented", "code"})
_LOGGED: Final = frozenset({"fence", "error", "log"})
_STOPS: Final = ("!", ".", ":")
"""Two words are a name, with one of these behind them a sentence."""
_MOST_MESSAGES, _LONGEST_MESSAGE = 6, 300
OURS: Final = frozenset({"our", "ours", "my", "mine", "this"})
"""How people call what is in hand."""
PLACES: Final = frozenset([
    "repo", "repository", "monorepo", "project", "codebase", "package", "library", "app", "application", "service",
    "system",
])  # fmt: skip
_OVERVIEW: Final = frozenset({
    "overview", "purpose", "summary", "summarize", "summarise", "explain", "describe", "give", "show", "tell", "brief",
})  # fmt: skip
"""What is said of all of a project."""
_READMES: Final = frozenset({"readme.md", "readme.markdown", "readme.rst", "readme.adoc", "readme.txt", "readme"})
"""What tells what a project is, in its root, in small letters."""
_POINTING: Final = frozenset({"this", "these", "following", "above", "below"})
_MENTIONED: Final = frozenset({"identifier", "hyphenated", "capitalised", "quoted"})


class QueryType(Enum):
    """What kind of question it is (001 §3.1)."""

    ENTITY_LOOKUP = "entity_lookup"
    RELATIONSHIP = "relationship"
    SIMILARITY = "similarity"
    PATTERN = "pattern"
    CROSS_PROJECT = "cross_project"
    LOCAL_ONLY = "local_only"
    MULTI_HOP = "multi_hop"


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the question, or a phrase in quotes.

    ticked: it is in backticks; kind: how it is written: `OrderSaga`, `charge_card`, `a.b` and what is in backticks are
    identifiers, `a-b` is hyphenated, `and/or` and `3am` are joined, '' is an ordinary word; pasted: it is in what was
    pasted, or in an error's message.
    """

    text: str
    kind: WordKind = ""
    pasted: bool = False
    ticked: bool = False

    @property
    def is_name(self) -> bool:
        """Whether it is written as no ordinary word is."""
        return self.kind in _NAMES


@dataclass(frozen=True, slots=True)
class Pasted:
    """A part that the reader did not write: code, a trace, a message, a log, JSON."""

    kind: PastedKind
    text: str


@dataclass(frozen=True, slots=True)
class Vote:
    """A type, its share (0..1) of what the nearest example questions say, and the nearest of that type."""

    query_type: QueryType
    share: float
    example: str


@dataclass(frozen=True)
class ParsedQuestion:
    """A question that was read.

    text: as it was asked; prose: without what was pasted and without web addresses; frames: the places a trace points
    at; thrown: the message of the first error; paths: what is written as a path or with a file's ending; clauses: the
    questions it is made of; only_in: the words behind "only in", which limit it to projects; only_kind: the corpus that
    it limits itself to; described: a thing that it describes instead of naming it; is_idle: no word of it can be
    searched for; is_courtesy: it greets or thanks, and asks nothing; projects: those it names, as far as they may be
    seen; types: what kind it may be of, the likeliest first; added_names and wordings: what a language model read in
    it.
    """

    text: str
    prose: str
    pasted: tuple[Pasted, ...] = ()
    frames: tuple[Frame, ...] = ()
    thrown: str = ""
    words: tuple[Word, ...] = ()
    paths: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()
    only_in: str = ""
    only_kind: Literal["code", "docs", ""] = ""
    described: Described | None = None
    is_idle: bool = False
    is_courtesy: bool = False
    projects: tuple[str, ...] = ()
    types: tuple[Vote, ...] = ()
    added_names: tuple[str, ...] = ()
    wordings: tuple[str, ...] = ()

    @cached_property
    def parts(self) -> tuple[str, ...]:
        """The texts by which it may be found: all of it, and where something was copied, the prose and what was copied:
        pasted parts and quoted sentences.
        """
        quoted = (w.text for w in self.words if w.kind == "quoted" and len(w.text.split()) >= _SENTENCE)
        copied = "\n".join([*(part.text for part in self.pasted), *quoted])
        return tuple(dict.fromkeys((self.text, self.prose, copied))) if copied else (self.text,)

    @cached_property
    def messages(self) -> tuple[str, ...]:
        """What may stand in a file as it is: sentences in quotes, the lines of fences, errors and logs, and of each
        what is in front of a colon, behind which a message is filled.
        """
        quoted = [one.text for one in self.words if one.kind == "quoted" or one.ticked]
        lines = [line.strip() for part in self.pasted if part.kind in _LOGGED for line in part.text.splitlines()]
        begun = [text.partition(": ")[0] for text in (*quoted, *lines)]
        found = [text for text in (*quoted, *lines, *begun) if len(text.split()) + text.endswith(_STOPS) >= _SENTENCE]
        return tuple(dict.fromkeys(text[:_LONGEST_MESSAGE] for text in found))[:_MOST_MESSAGES]

    @property
    def named_paths(self) -> tuple[str, ...]:
        """The paths that its writer names, without those of what was pasted alone."""
        return tuple(path for path in self.paths if path in self.prose)

    @property
    def is_sample(self) -> bool:
        """Whether code was pasted and nothing else: what it names is what it uses, not where its like is found."""
        kinds = {part.kind for part in self.pasted}
        is_trace = bool(self.frames and self.thrown)  # a comment in code may name a line too
        return bool(kinds & _CODE) and not is_trace and kinds <= _CODE | {"json"}

    @property
    def lacks_sample(self) -> bool:
        """Whether it points at what was not pasted: "code similar to this", and nothing that it names."""
        pointing = any(word.text.casefold() in _POINTING for word in self.words)
        named = any(name.kind != "capitalised" for name in self.names)  # "this Python code" names a language
        return pointing and not (self.pasted or named or self.paths)

    @property
    def is_overview(self) -> bool:
        """Whether it asks what "this project" is, and nothing of it."""
        return self.is_of_hand and self._asks_nothing_of(frozenset())

    @cached_property
    def introductions(self) -> frozenset[str]:
        """The files of a project's root that answer who names projects and asks nothing of them, in small letters."""
        return _READMES if self.projects and self._asks_nothing_of(self.project_words) else frozenset()

    @cached_property
    def project_words(self) -> frozenset[str]:
        """The names of its projects and their parts, in small letters: `bell-tower`, `bell` and `tower`."""
        names = [project.casefold() for project in self.projects]
        return frozenset(part for name in names for part in (name, *name.split("-")))

    def _asks_nothing_of(self, named: frozenset[str]) -> bool:
        """Whether it says nothing beside these words but what is said of all of a project."""
        words = (word.text.casefold() for word in self.words)
        return not self.pasted and (named | PLACES | OURS | _OVERVIEW | ENGLISH).issuperset(words)

    @property
    def is_of_hand(self) -> bool:
        """Whether it speaks of "this project", or of "our service"."""
        words = [word.text.casefold() for word in self.words]
        return any(one in OURS and other in PLACES for one, other in pairwise(words))

    @cached_property
    def names(self) -> tuple[Word, ...]:
        """The words of the prose that are written as names or quoted, each once, in their order."""
        found = {word.text: word for word in reversed(self.words) if word.kind in _MENTIONED and not word.pasted}
        return tuple(dict.fromkeys(found[word.text] for word in self.words if word.text in found))

    def holds(self, name: str) -> bool:
        """Whether a name is in it as it is written, in any case."""
        return name.casefold() in self._folded

    @cached_property
    def _folded(self) -> str:
        return self.text.casefold()

    @cached_property
    def mentions(self) -> tuple[str, ...]:
        """What the question names, and the functions of a pasted trace."""
        functions = [frame.function for frame in self.frames if frame.function]
        return tuple(dict.fromkeys([*(name.text for name in self.names), *functions, *self.added_names]))
