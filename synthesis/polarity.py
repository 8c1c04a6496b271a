"""What a text affirms and what it denies, word by word."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from synthesis.terms import terms

__all__ = ["contradicted"]

_DENIAL: Final = frozenset(
    [
        "not",
        "no",
        "never",
        "nor",
        "neither",
        "none",
        "nobody",
        "nothing",
        "without",
        "cannot",
        "nowhere",
        "rather",
        "instead",
    ]
)
_REFUSAL: Final = frozenset(
    [
        "refuse",
        "refuses",
        "refused",
        "reject",
        "rejected",
        "forbid",
        "forbids",
        "forbidden",
        "prevent",
        "prevents",
        "prevented",
        "avoid",
        "avoids",
        "unless",
        "despite",
        "unlike",
        "lack",
        "lacks",
        "missing",
        "final",
    ]
)
"""What denies without a `not`: enough to bear one."""
_AFFIRMING: Final = frozenset(
    {("nothing", "but"), ("not", "only"), ("no", "more"), ("not", "just"), ("not", "null"), ("rather", "long")}
)
_RESTRICTING: Final = frozenset(["if", "when", "where", "whether", "that", "who", "whoever", "what", "unless"])
_ADVERBS: Final = frozenset(["even", "ever", "always", "yet", "longer", "already", "simply", "directly", "at"])
_ASSERTING: Final = frozenset(["not", "no", "never", "nobody", "cannot"])
_WEIGHTLESS: Final = frozenset(
    ["a", "an", "and", "are", "as", "be", "is", "it", "its", "of", "or", "the", "to", "does", "do"]
)
_WORD = re.compile(r"\w+(?:['\u2019]\w+)?|[,.;:()?!]")
_TYPE = re.compile(r"(?:->|\||=)\s*None\b")
_PIECE = re.compile(r"(?<=[.;!?])\s+|(?<=[,;:{}()\[\]'\"])\n|\n(?=\s{4}|\t|\s*\n)")
_REACH: Final = 3


@dataclass(frozen=True, slots=True)
class _Polarity:
    """Words that a text affirms, those next to a denial, and those within its reach; and the clauses that deny."""

    affirmed: frozenset[str]
    denied: frozenset[str]
    near: frozenset[str]
    clauses: tuple[tuple[str, ...], ...]


def contradicted(claim: str, lines: str) -> str | None:
    """The word that one of the two denies and the other affirms; `not` where the claim denies, and the sentence of the lines
    that is most like it does not.
    """
    ours, theirs = _polarity(claim, restricted=True), _polarity(lines, restricted=False)
    opposed = (ours.denied & theirs.affirmed) - ours.affirmed - theirs.near
    opposed |= (theirs.denied & ours.affirmed) - theirs.affirmed - ours.near
    if opposed:
        return min(opposed)
    return "not" if any(not _denied_too(clause, lines) for clause in ours.clauses) else None


def _denied_too(clause: tuple[str, ...], lines: str) -> bool:
    """Whether the sentence, or the line of code, that has most of a clause's words denies something."""
    wanted = _compared(list(clause))
    pieces = [(_words(piece), piece) for piece in _PIECE.split(lines)]
    shared = [(len(wanted & _compared(words)), words) for words, _ in pieces]
    most = max((count for count, _ in shared), default=0)
    return any(not (_DENIAL | _REFUSAL).isdisjoint(_without_null(words)) for count, words in shared if count == most)


def _without_null(words: list[str]) -> list[str]:
    return [pair[0] for pair in _pairs(words) if pair not in _AFFIRMING]


def _pairs(words: list[str]) -> list[tuple[str, str]]:
    """Each word with the one behind it, the last with none."""
    return list(pairwise([*words, ""]))


def _compared(words: list[str]) -> frozenset[str]:
    kept = [word for word in words if word not in _WEIGHTLESS and word not in _DENIAL and word[0].isalnum()]
    return frozenset(kept).union(*(terms(word) for word in kept))


def _words(text: str) -> list[str]:
    found = _WORD.findall(_TYPE.sub(" ", text))
    return [part for word in found for part in re.sub(r"n['\u2019]t$", " not", word.lower()).split()]


def _polarity(text: str, *, restricted: bool) -> _Polarity:
    """restricted: a denial behind `if`, `that` and their like counts too, and reaches to the sentence's end."""
    affirmed, denied, near = set[str](), set[str](), set[str]()
    clauses: list[tuple[str, ...]] = []
    for clause in _clauses(_words(text), ".;:?!()" if restricted else ",.;:?!()"):
        left, first, last = 0, False, frozenset[str]()
        denials = _denials(clause)
        for place, word in enumerate(clause):
            meaning = terms(word) if word not in _ADVERBS else frozenset()
            if place in denials:
                near |= last
                left, first = (len(clause) if restricted else _REACH), "than" not in clause[place + 2 :]
                first = first and (restricted or (len(denials) == 1 and _RESTRICTING.isdisjoint(clause[:place])))
                continue
            if left and meaning:
                near |= meaning
                denied |= meaning if first else frozenset()
                left, first = left - 1, False
            else:
                affirmed |= meaning
            if restricted and word in _REFUSAL:
                left = len(clause)
            last = meaning or last
    for clause in _clauses(_words(text), ",.;:?!()") if restricted else ():
        asserts = [n for n in _denials(clause) if clause[n] in _ASSERTING and _RESTRICTING.isdisjoint(clause[:n])]
        if asserts and "but" not in clause[asserts[0] :] and "than" not in clause[asserts[0] :]:
            clauses.append(tuple(clause))
    return _Polarity(frozenset(affirmed), frozenset(denied), frozenset(near), tuple(clauses))


def _denials(clause: list[str]) -> list[int]:
    return [n for n, pair in enumerate(_pairs(clause)) if pair[0] in _DENIAL and pair not in _AFFIRMING]


def _clauses(words: list[str], ends: str) -> list[list[str]]:
    found: list[list[str]] = [[]]
    for word in words:
        if word in ends:
            found.append([])
        elif word[0].isalnum() or word[0] == "_":
            found[-1].append(word)
    return found
