"""What a question describes instead of naming it: "What calls the service that uses Customer?" is two relations in a
row, and each clause inside a clause is one more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Final

from memory.embedders.english import ENGLISH, stemmer
from memory.entities import ALSO, OWNING, STRUCTURAL, VERBS
from memory.question.parsed import Word

_PRONOUNS: Final = frozenset({"that", "which", "who"})
_ARTICLES: Final = frozenset({"the", "a", "an", "any", "all", "every", "each", "those"})
_FURTHEST_ARTICLE: Final = 3
_USE: Final = frozenset({"use", "uses", "used", "using"})
USING: Final = frozenset(VERBS) - STRUCTURAL - OWNING - {"DEPLOYS"}
"""Whoever calls, imports or reads a thing uses it; whoever brings it into being does not."""
_WHICH: Final = frozenset({"which", "what"})
_DO: Final = frozenset({"do", "does", "did"})
_BE: Final = frozenset({"is", "are", "was", "were"})
_NO_VERBS: Final = ("er", "ers", "or", "ors", "ion", "ions")


@dataclass(frozen=True, slots=True)
class Step:
    """A relation to follow. types: one of these; onward: from its source to its target."""

    types: frozenset[str]
    onward: bool


@dataclass(frozen=True, slots=True)
class Described:
    """A thing that is described by its relation to others, and what is asked about it.

    kind: what it is called, `service`; wanted: what the question calls that which it asks for, where it does; names:
    the words that name the others; first: the step from these to the thing; then: the step from the thing to what is
    asked for; further: between these two, what is described by the thing, and so on outwards, each with its kind and
    the step to it.
    """

    kind: str
    wanted: str
    names: tuple[str, ...]
    first: Step
    then: Step
    further: tuple[tuple[str, Step], ...] = ()


def find_described(words: Sequence[Word]) -> Described | None:
    """The thing that a question describes in a clause behind it; None where no clause of known verbs is.

    Args:
        words: the question's, in their order.
    """
    folded = [word.text.casefold() for word in words]
    places = [
        place for place, word in enumerate(folded[1:-1], start=1) if word in _PRONOUNS and _describes(folded, place)
    ]
    return _described([word.text for word in words], folded, places) if places else None


def _describes(folded: Sequence[str], place: int) -> bool:
    """Whether a pronoun's clause is about the thing before it: one with an article, or with a verb right behind it."""
    if not _ARTICLES.isdisjoint(folded[max(0, place - _FURTHEST_ARTICLE) : place - 1]):
        return True
    return folded[place - 1] not in ENGLISH and relations_of(folded[place + 1]) is not None


def _described(texts: Sequence[str], folded: Sequence[str], places: Sequence[int]) -> Described | None:
    verbs = {n: types for n, word in enumerate(folded) if n + 1 not in places and (types := relations_of(word))}
    outer_clauses = _outer_clauses(folded, places, verbs)
    if outer_clauses is None:
        return None
    start, place = places[0], places[len(outer_clauses)]
    inside, before = [n for n in verbs if n > place], [n for n in verbs if n < start]
    asks_onward = not before and not _DO.isdisjoint(folded[:start])
    if not inside or not (before or (asks_onward and len(inside) > 1)):
        return None
    inner, outer = inside[0], inside[-1] if asks_onward else before[-1]
    names = [n for n in range(place + 1, len(folded)) if n not in {inner, outer} and folded[n] not in ENGLISH]
    acts = all(n > inner for n in names)  # "that uses Customer"; in "that Customer uses" it is what is acted on
    wanted = folded[1] if folded[0] in _WHICH and folded[1] not in ENGLISH and 1 not in verbs else ""
    return (
        Described(
            folded[place - 1],
            wanted,
            tuple(texts[n] for n in names),
            Step(verbs[inner], onward=acts == _is_passive(folded, inner)),
            Step(verbs[outer], onward=asks_onward != _is_passive(folded, outer)),
            tuple(reversed(outer_clauses)),
        )
        if names
        else None
    )


def _outer_clauses(
    folded: Sequence[str], places: Sequence[int], verbs: Mapping[int, frozenset[str]]
) -> list[tuple[str, Step]] | None:
    """The clauses that lead to another clause and name nothing ("the class that calls the class that …"), the outermost
    first; None where one has not one verb, which is not understood.
    """
    clauses = list[tuple[str, Step]]()
    for place, deeper in pairwise(places):
        between = range(place + 1, deeper - 1)
        is_relation = any(n > deeper and (folded[n - 1] not in _BE or _is_passive(folded, n)) for n in verbs)
        if not is_relation or any(n not in verbs and folded[n] not in ENGLISH for n in between):
            break
        told = [n for n in between if n in verbs]
        if len(told) != 1:
            return None
        clauses.append((folded[place - 1], Step(verbs[told[0]], onward=_is_passive(folded, told[0]))))
    return clauses


def _is_passive(folded: Sequence[str], verb: int) -> bool:
    return folded[verb + 1 : verb + 2] == ["by"]


def relations_of(word: str) -> frozenset[str] | None:
    """The types of relation that a verb says; None where it is no such verb."""
    if word in _USE:
        return USING
    return None if word.endswith(_NO_VERBS) else _verbs().get(stemmer()(word))


@cache
def _verbs() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for type_, phrase in [*VERBS.items(), *ALSO.items()]:
        for word in phrase.split():
            if word not in ENGLISH:
                found.setdefault(stemmer()(word), set()).add(type_)
    return {word: frozenset(types) for word, types in found.items()}
