"""Whether a sentence denies what its lines affirm, or affirms what they deny, clause by clause.

What is told in the lines' own words is compared with them. A denial is held to be theirs where they have none of its
words, or where what is most like it there denies, refuses or restricts anything itself: that is no evidence against it.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from synthesis.clauses import DENIALS, OF_VERBS, Clause, clauses_of, meaning_of, shared, words
from synthesis.literals import QUOTED
from synthesis.terms import stem

if TYPE_CHECKING:
    from collections.abc import Iterable

_CONTRASTS: Final = words("except but unless instead rather directly")
"""Behind a denial: only a part of what is said is denied, or what is affirmed stands beside it."""
_HINTS: Final = frozenset(map(stem, words("refuse reject forbid prevent avoid deny lack missing only otherwise out")))
"""What denies without a denial."""
_SIGNS: Final = words("raise except none != >= <=")
"""What lines of code have for a denial, often beside those that have its words."""
_TELLING: Final = 0.6
"""The share of what a sentence denies that a clause of the lines has when it tells just that."""


def contradicted(claim: str, lines: str) -> str | None:
    """The word that one of the two denies and the other affirms, `not` where only the sentence denies; else None."""
    ours, theirs = clauses_of(QUOTED.sub(lambda match: _named(match[0]), claim)), clauses_of(lines)
    for place, clause in enumerate(ours):
        word = (_wrongly_denied if clause.denials else _wrongly_affirmed)(place, ours, theirs)
        if word:
            return word
    return None


def _named(quoted: str) -> str:
    """What a quotation says a clause is about; what it denies is the lines' own, which another check sees to."""
    words = re.findall(r"[\w.]+", quoted.lower())
    return " ".join(words) if DENIALS.isdisjoint(words) else " “ "


def _wrongly_denied(place: int, ours: list[Clause], theirs: list[Clause]) -> str | None:
    clause, later = ours[place], ours[place + 1 :]
    at = next((n for n in clause.denials if clause.words[n] in OF_VERBS), clause.denials[0])
    of_verb, behind = clause.words[at] in OF_VERBS, clause.words[at + 1 :]
    beside = {clause.opener, *behind, *(one.opener for one in later[:1])}
    if beside & _CONTRASTS or any("instead" in one.words for one in later) or ("than" in behind and not of_verb):
        return None
    about, meant = clause.denied(at), meaning_of(behind)
    if any(shared(about, one.denied(n)) for one in theirs for n in one.denials) or _restricted(clause, about, theirs):
        return None
    if of_verb and any(_tells(one, about, meant, clause) for one in theirs if not one.denials):
        return min(about)
    if clause.supposed or not shared(meant, _union(theirs)) or _denied_near(clause, theirs):
        return None
    return "not"


def _restricted(clause: Clause, about: frozenset[str], theirs: list[Clause]) -> bool:
    """Whether the clauses of the lines that are most like it deny, refuse or restrict anything but what is denied: `is
    refused` is not what `is not refused` says.
    """
    alike = [len(shared(clause.meaning, one.meaning)) for one in theirs]
    near = [one for one, much in zip(theirs, alike, strict=True) if much and much == max(alike)]
    words = {word for one in near for word in (one.opener, *one.words)}
    return any(_qualifies(word) and meaning_of([word]).isdisjoint(about) for word in words)


def _tells(one: Clause, about: frozenset[str], meant: frozenset[str], clause: Clause) -> bool:
    """Whether a clause of the lines says what is denied: its verb, a number of it, or most of its words."""
    if shared(about, one.meaning) or any(word[0].isdigit() for word in meant & one.meaning):
        return True
    return not clause.supposed and len(shared(meant, one.meaning)) >= max(2, _TELLING * len(meant))


def _denied_near(clause: Clause, theirs: list[Clause]) -> bool:
    """Whether the sentences of the lines that are most like it deny anything, or the lines of code beside them."""
    sentences: dict[int, list[Clause]] = {}
    for one in theirs:
        sentences.setdefault(one.sentence, []).append(one)
    alike = {n: len(shared(clause.meaning, _union(some))) for n, some in sentences.items()}
    near = {n for n in sentences if alike[n] == max(alike.values())}
    beside = {n + step for n in near for step in (-1, 0, 1)}
    return any(
        (one.sentence in near and _qualifies(word)) or (one.sentence in beside and word in _SIGNS)
        for one in theirs
        for word in (one.opener, *one.words)
    )


def _wrongly_affirmed(place: int, ours: list[Clause], theirs: list[Clause]) -> str | None:
    """The lines deny a word of the clause, and no clause of theirs that affirms is as much like it."""
    clause, first = ours[place], place
    while first and ours[first].opener == "," and ours[first - 1].sentence == clause.sentence:
        first -= 1
    if any(_qualifies(word) for one in ours[first : place + 1] for word in one.words):
        return None
    # an infinitive states nothing (`8 seconds to answer`)
    stated = meaning_of(word for before, word in pairwise(["", *clause.words]) if before != "to")
    whole = _union(one for one in ours if one.sentence == clause.sentence)
    affirmed = [one.meaning for one in theirs if not one.denials]
    most = max((len(shared(stated, one)) for one in affirmed), default=0)
    for one in theirs:
        if not one.denials or one.supposed != clause.supposed:
            continue
        covered = len(shared(one.meaning, whole))
        alike = len(shared(stated, one.meaning)) > most or covered == len(one.meaning)
        for about in map(one.denied, one.denials):
            known = any(shared(about, other) and len(shared(other, whole)) >= covered for other in affirmed)
            if alike and not known and shared(stated, about):
                return min(about)
    return None


def _qualifies(word: str) -> bool:
    return word in DENIALS | _CONTRASTS or stem(word) in _HINTS


def _union(clauses: Iterable[Clause]) -> frozenset[str]:
    return frozenset().union(*(clause.meaning for clause in clauses))
