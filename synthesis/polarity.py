"""Whether a sentence denies what its lines affirm, or affirms what they deny, clause by clause.

What is told in the lines' own words is compared with them. A denial may be told in other words, so one that is not is held
to be theirs where the sentence that is most like it denies, refuses or compares anything.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from synthesis.clauses import CONDITIONS, DENIALS, OF_VERBS, REFUSALS, Clause, clauses_of, meaning_of, shared, words
from synthesis.literals import NUMBERS, QUOTED
from synthesis.terms import stem

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["contradicted"]

_CONTRASTS: Final = words("except but unless instead rather besides directly")
"""Behind a denial: only a part of what is said is denied, or what is affirmed stands beside it."""
_HINTS: Final = REFUSALS | frozenset(
    map(stem, words("lack missing fail stop only otherwise out little few hardly rarely"))
)
_SIGNS: Final = words("except raise none final != >= <=")
"""What denies without a denial: in sentences, and in lines of code."""
_NUMBERS: Final = frozenset(map(stem, NUMBERS.keys() - {"one"}))
_TELLING: Final = 0.6
"""The share of what a sentence denies that a clause of the lines has when it tells just that."""


def contradicted(claim: str, lines: str) -> str | None:
    """The word that one of the two denies and the other affirms, `not` where only the sentence denies; else None."""
    bare = QUOTED.sub(lambda match: " ".join(w for w in re.findall(r"[\w.]+", match[0]) if w not in DENIALS), claim)
    ours, theirs = clauses_of(bare), clauses_of(lines)
    for place, clause in enumerate(ours):
        word = (_wrongly_denied if clause.denies else _wrongly_affirmed)(place, ours, theirs)
        if word:
            return word
    return None


def _wrongly_denied(place: int, ours: list[Clause], theirs: list[Clause]) -> str | None:
    clause, later = ours[place], ours[place + 1 :]
    at = next((n for n in clause.denials if clause.words[n] in OF_VERBS), clause.denials[0])
    of_verb, behind = clause.words[at] in OF_VERBS, clause.words[at + 1 :]
    beside = {clause.opener, *behind, *(one.opener for one in later[:1])} | {
        word for one in later for word in one.words if word == "instead"
    }
    if beside & _CONTRASTS or ("than" in behind and not of_verb) or behind[:2] in (["have", "to"], ["need", "to"]):
        return None
    about = clause.denied(at)
    if of_verb and not any(one.denies and shared(about, one.meaning) for one in theirs):
        told, strict = meaning_of(behind), clause.supposed and clause.opener not in CONDITIONS
        # `here, never there`: the denial has the words in front of it
        echoed = {one.sentence for one in theirs if one.opener in {",", ":"} and one.words[0] in OF_VERBS}
        for one in theirs:
            if (
                not one.denies
                and one.sentence not in echoed
                and (one.supposed or not strict)
                and _tells(one, about, told, clause)
            ):
                return min(about)
    return None if clause.supposed or _denied_near(clause, theirs, of_verb=of_verb) else "not"


def _tells(one: Clause, about: frozenset[str], told: frozenset[str], clause: Clause) -> bool:
    """Whether a clause of the lines says what is denied: its verb, a number of it, or most of its words."""
    if shared(about, one.meaning) or any(word[0].isdigit() or word in _NUMBERS for word in told & one.meaning):
        return True
    return not clause.supposed and len(shared(told, one.meaning)) >= max(2, _TELLING * len(told))


def _denied_near(clause: Clause, theirs: list[Clause], *, of_verb: bool) -> bool:
    """Whether the sentences of the lines that are most like it deny anything; where it denies that something is there
    (`has no limit`), any of them.
    """
    sentences: dict[int, list[Clause]] = {}
    for one in theirs:
        sentences.setdefault(one.sentence, []).append(one)
    alike = {n: len(shared(clause.meaning, _union(some))) for n, some in sentences.items()}
    near = [one for n, some in sentences.items() if not of_verb or alike[n] == max(alike.values()) for one in some]
    return any(_hints(word) for one in near for word in (one.opener, *one.words))


def _wrongly_affirmed(place: int, ours: list[Clause], theirs: list[Clause]) -> str | None:
    """The lines deny a word of the clause, and no clause of theirs that affirms is as much like it."""
    clause, first = ours[place], place
    while first and ours[first].opener == "," and ours[first - 1].sentence == clause.sentence:
        first -= 1
    own = ours[first : place + 1]
    if any(one.denies or any(word in _CONTRASTS or stem(word) in _HINTS for word in one.words) for one in own):
        return None
    # an infinitive states nothing (`8 seconds to answer`), but after `have`
    pairs = zip(["", "", *clause.words], ["", *clause.words], clause.words, strict=False)
    stated = meaning_of(word for two, one, word in pairs if one != "to" or two in {"have", "has", "had"})
    whole = _union(one for one in ours if one.sentence == clause.sentence)
    affirmed = [one.meaning for one in theirs if not one.denies]
    most = max((len(shared(stated, one)) for one in affirmed), default=0)
    for one in theirs:
        both, covered = shared(stated, one.meaning), len(shared(one.meaning, whole))
        if not one.denies or not both or one.supposed != clause.supposed:
            continue
        if not most and len(stated) > 1 and not clause.supposed and clause.opener != ",":
            return min(both)
        for about in map(one.denied, one.denials):
            known = any(shared(about, other) and len(shared(other, whole)) >= covered for other in affirmed)
            alike = len(both) > most or covered == len(one.meaning)
            if alike and not known and (shared(stated, about) or shared(about, stated)):
                return min(about)
    return None


def _hints(word: str) -> bool:
    return word in DENIALS | _CONTRASTS | _SIGNS or stem(word) in _HINTS or word.endswith("less")


def _union(clauses: Iterable[Clause]) -> frozenset[str]:
    return frozenset().union(*(clause.meaning for clause in clauses))
