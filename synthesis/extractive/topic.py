"""What a question is about and what would answer it: its terms by weight, the projects it names, a value or a list."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from memory.text import identifiers
from synthesis.extractive.boilerplate import asked_for
from synthesis.extractive.terms import question_terms, stem, terms

if TYPE_CHECKING:
    from collections.abc import Iterable

    from synthesis.extractive.boilerplate import Aside

__all__ = ["Topic", "asks_value", "named_projects", "topic_of"]

_MEASURED: Final = re.compile(
    r"\bhow (?:long|many|much|often|big|large)\b|^when\b"
    r"|\b(?:default|limit|timeout|version|port|size|maximum|minimum|interval|retention|type)s?\b",
    re.IGNORECASE,
)
_QUANTITY: Final = re.compile(r"\b(?:timeout|port|interval|retention|replica)s?\b", re.IGNORECASE)
_SEVERAL: Final = (
    r"(?:packages|projects|services|libraries|teams|repos|repositories|modules|applications|apps|components)"
)
_ENUMERATING: Final = re.compile(
    rf"\b(?:which|what|the|other|all|our|do|of)\s+(?:\w+\s+)?{_SEVERAL}\b|\b(?:each|every)\b", re.IGNORECASE
)
_WEAK: Final = frozenset(
    stem(word)
    for word in [
        "support",
        "supports",
        "provide",
        "provides",
        "offer",
        "offers",
        "allow",
        "allows",
        "need",
        "needs",
        "require",
        "requires",
        "define",
        "defines",
        "contain",
        "contains",
        "include",
        "includes",
        "implement",
        "implements",
        "default",
        "value",
        "number",
        "maximum",
        "minimum",
        "max",
        "min",
        "long",
        "many",
        "much",
        "big",
        "large",
        "often",
        "size",
        "name",
        "kind",
        "type",
        "version",
        "set",
        "sets",
        "get",
        "gets",
        "make",
        "makes",
        "take",
        "takes",
        "call",
        "calls",
        "fail",
        "fails",
        "read",
        "reads",
        "write",
        "writes",
        "argument",
        "parameter",
        "option",
        "new",
        "find",
        "compute",
        "know",
        "known",
        "come",
        "comes",
        "go",
        "goes",
        "end",
        "ends",
        "try",
        "keep",
        "kept",
    ]
)
_HYPHENED: Final = re.compile(r"\b([^\W\d_]+)-([^\W\d_]+)\b")
_QUOTED: Final = re.compile(r"`[^`]+`|\"[^\"]+\"")
_NAMED: Final = re.compile(r"`([^`]+)`|\"([^\"]+)\"|(?<=\s)((?:\w*[A-Z]\w*[/.]?)+\w*)")


@dataclass(frozen=True, slots=True)
class Topic:
    """terms: what an answer should hold; weak: those that any text might hold; named: those in quotes or with a capital.

    places: those of identifiers outside of quotes, which say where rather than what.
    projects: the projects that the question names, in its order; is_value: it asks for a number, a default, a version;
    phrases: words that mean more side by side than apart, in small letters; is_list: it asks for every project that …; asides: the notices and lists of changes that it is after.
    """

    question: str
    terms: frozenset[str]
    weak: frozenset[str]
    named: frozenset[str]
    places: frozenset[str]
    projects: tuple[str, ...]
    phrases: tuple[str, ...]
    is_value: bool
    is_list: bool
    asides: frozenset[Aside]

    @property
    def strong(self) -> frozenset[str]:
        """The terms that carry the topic; all of them when each is weak or a project's name."""
        names = frozenset[str]().union(*(terms(project) for project in self.projects))
        told = self.terms - names
        return told - self.weak - self.places or told - self.weak or told or self.terms

    @property
    def measured(self) -> frozenset[str]:
        """What the name of a value that answers holds: the quantity asked for (`port`), else what carries the topic."""
        return terms(" ".join(_QUANTITY.findall(self.question))) or self.strong

    def factor(self, term: str) -> float:
        """How much a term weighs beside the others: .4 for a weak one, 1.5 for one in quotes or with a capital."""
        return 0.4 if term in self.weak else 1.5 if term in self.named else 1.0


def topic_of(question: str, projects: Iterable[str] = ()) -> Topic:
    """The topic of a question over these projects."""
    wanted = question_terms(question)
    placed = terms(" ".join(name for name in identifiers(_QUOTED.sub(" ", question)) if "-" not in name))
    quoted = " ".join("".join(said) for said in _NAMED.findall(question))
    return Topic(
        question,
        wanted,
        wanted & (_WEAK | terms(" ".join(f"{one} {two}" for one, two in _HYPHENED.findall(question)))),
        wanted & terms(quoted) - placed,
        wanted & placed,
        named_projects(question, projects),
        _phrases(question, quoted),
        asks_value(question),
        bool(_ENUMERATING.search(question)),
        asked_for(question),
    )


def _phrases(question: str, quoted: str) -> tuple[str, ...]:
    """Two words that stand side by side in the question, and what is in quotes as a whole: `ca bundle`, `order.placed`."""
    words = re.findall(r"[\w-]+", question.casefold())
    pairs = [f"{a} {b}" for a, b in pairwise(words) if question_terms(a) & terms(a) and question_terms(b) & terms(b)]
    return (*pairs, *(word for word in quoted.casefold().split() if not word.isalnum()))


def asks_value(question: str) -> bool:
    """Whether a number, a default, a version or the like is what answers."""
    return bool(_MEASURED.search(question))


def named_projects(question: str, projects: Iterable[str]) -> tuple[str, ...]:
    """The projects that a question names as whole words, in the order it names them."""
    said = re.findall(r"[\w-]+", question.casefold())
    return tuple(
        sorted((p for p in set(projects) if p.casefold() in said), key=lambda p: (said.index(p.casefold()), p))
    )
