"""Whether a sentence tells the relations it cites: with a verb of their type, and in their direction."""

from __future__ import annotations

import re
from itertools import takewhile
from typing import TYPE_CHECKING, Final

from memory.embedders.english import ENGLISH
from memory.entities import ALSO, VERBS, Relationship
from synthesis.literals import QUOTED
from synthesis.terms import stem, terms

if TYPE_CHECKING:
    from collections.abc import Sequence


_ANY: Final = frozenset(map(stem, ("use", "used", "need", "depend", "rely", "connect")))
_INVERSE: Final = frozenset({stem(word) for word in ("belongs", "comes", "parent")})
"""Verbs that hold of the source of any relation."""
_WORD = re.compile(r"(?<!['\u2019]s )(?<!their )(?<!its )(?<![^\W\d_])[^\W\d_]+")
_BE = re.compile(r"\b(?:is|are|was|were|be|been|being|gets?|got)\b(?:\W+\w+){0,2}\W*$", re.IGNORECASE)
_IT = re.compile(r"\b(?:it|they)\b", re.IGNORECASE)
_RELATIVE = re.compile(r"\b(?:that|which|whom)\b\W*$", re.IGNORECASE)
_AGENT = re.compile(r"\W+(?:\w+\W+){0,1}?by\b", re.IGNORECASE)
_THROUGH = re.compile(r"\b(?:through|via|over|by way of)\W+$", re.IGNORECASE)
_PASSIVE = re.compile(r"\s+(?:is|are|was|were)\s+by\s+")  # what is left around a verb that stands alone
_CALLER = re.compile(r"\W+from\b", re.IGNORECASE)


def verbs_of(kind: str) -> frozenset[str]:
    """The stems of the verbs that tell a relation of this type, among them those that tell any."""
    return _own_verbs(kind) | _ANY


def _own_verbs(kind: str) -> frozenset[str]:
    main = VERBS.get(kind, kind.casefold().replace("_", " ")).split()[0]
    return frozenset(stem(verb) for verb in (main, *ALSO.get(kind, "").split()))


_TELLING: Final = frozenset().union(*map(verbs_of, VERBS)) | _INVERSE


def misstated(claim: str, relations: Sequence[Relationship], text: str) -> str | None:
    """What is wrong with how a sentence tells these relations, None when nothing is.

    Looked at is each verb that tells a relation and has two of the ends beside it, and whatever stands alone between
    two of them. `text` is the cited lines: a verb that they have themselves tells nothing else.
    """
    ends = {end.name for edge in relations for end in (edge.source, edge.target)}
    if not ends:
        return None
    spots = _mentions(claim, ends)
    between = [spot for spot in spots if len(ends) > 2 and _THROUGH.search(claim, 0, spot[0])]
    for _, _, name in between:
        if not all(
            any(name == end.name for end in side)
            for side in zip(*((e.source, e.target) for e in relations), strict=True)
        ):
            return f"the relations do not run through {name}"
    held = frozenset().union(*(verbs_of(edge.type) for edge in relations)) | _INVERSE | terms(text)
    quoted = [match.span() for match in QUOTED.finditer(claim)]
    for verb in _WORD.finditer(claim):
        if any(start < verb.start() < end for start, end in quoted):
            continue
        if not _says(claim, verb, spots):
            continue
        one, two = _around(claim, verb, spots)
        if one is None or two is None or one == two:
            continue
        if _leads(relations, two, one) and not _leads(relations, one, two):
            return f"the relation runs from {two} to {one}"
        if stem(verb[0].lower()) not in held:
            return f"the relation is not “{verb[0]}”"
    return None


def _says(claim: str, word: re.Match[str], spots: Sequence[tuple[int, int, str]]) -> bool:
    """Whether a word that is no end tells a relation, or by itself what one end does to the next: `is deleted by`."""
    if any(start <= word.start() < end for start, end, _ in spots):
        return False
    if stem(word[0].lower()) in _TELLING:
        return True
    before = [end for _, end, _ in spots if end <= word.start()]
    behind = [start for start, _, _ in spots if start >= word.end()]
    if not before or not behind or word[0].lower() in ENGLISH:
        return False
    others = f"{claim[before[-1] : word.start()]} {claim[word.end() : behind[0]]}"
    return others.isspace() or _PASSIVE.fullmatch(others) is not None


def _mentions(claim: str, ends: set[str]) -> list[tuple[int, int, str]]:
    """Where the ends are named, as they are called or by the last word of it (`the adapter`)."""
    called = {end.casefold(): end for end in ends} | {
        end.rpartition(".")[2].casefold(): end for end in ends if "_" in end
    }
    last = [(_last_word(end), end) for end in ends]
    called = {word: end for word, end in last if word and [w for w, _ in last].count(word) == 1} | called
    names = "|".join(re.escape(name) for name in sorted(called, key=len, reverse=True))
    found = re.finditer(rf"(?<![\w./])(?:{names})(?!\w|\.\w)", claim, re.IGNORECASE)
    return [(match.start(), match.end(), called[match[0].casefold()]) for match in found]


def _last_word(name: str) -> str:
    humps = re.findall(r"[A-Z][a-z]+", name)
    return humps[-1].casefold() if len(humps) > 1 and name.endswith(humps[-1]) else ""


def _around(claim: str, verb: re.Match[str], spots: Sequence[tuple[int, int, str]]) -> tuple[str | None, str | None]:
    """Who does it, and to whom: the ends before and behind the verb; the other way round in the passive, and both
    before it in a clause with `which`.
    """
    before = list(takewhile(lambda spot: spot[0] < verb.start(), spots))
    behind = spots[len(before) :]
    if stem(verb[0].lower()) in _INVERSE:
        return (behind[0][2] if behind else None), (before[-1][2] if before else None)
    by = _AGENT.match(claim, verb.end()) or (None if verb[0].startswith("import") else _CALLER.match(claim, verb.end()))
    passive = verb[0].endswith(("ed", "sent", "read")) and (by or _BE.search(claim, 0, verb.start()))
    if passive and (by or stem(verb[0]) not in _own_verbs("STORES_IN")):
        return (behind[0][2] if by and behind else None), (before[-1][2] if before else None)
    if not before:
        return None, None
    doer = before[0] if _IT.search(claim, before[-1][1], verb.start()) else before[-1]
    if len(before) > 1 and _RELATIVE.search(claim, before[-2][1], before[-1][0]):
        return doer[2], before[-2][2]
    return doer[2], behind[0][2] if behind else None


def _leads(relations: Sequence[Relationship], source: str, target: str) -> bool:
    """Whether the relations lead from one to the other, over several too."""
    reached, size = {source}, 0
    while len(reached) > size:
        size = len(reached)
        reached |= {edge.target.name for edge in relations if edge.source.name in reached}
    return target in reached
