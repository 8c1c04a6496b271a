"""Whether a sentence denies what its lines affirm, or affirms what they deny, clause by clause.

The words that deny are English's own, a closed class. A denial may be told in other words than the lines have, so it is
held to be theirs where anything near denies, refuses or compares; what is told in their own words is compared with them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from synthesis.literals import QUOTED
from synthesis.terms import stem, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["contradicted"]


def _class(words: str) -> frozenset[str]:
    return frozenset(words.split())


_OF_VERBS: Final = _class("not never")
_DENIALS: Final = _OF_VERBS | _class("no nor neither none nobody nothing without nowhere")
_NO_DENIALS: Final = frozenset(
    tuple(pair.split())
    for pair in (
        "nothing but",
        "no matter",
        "no more",
        "no later",
        "no less",
        "not only",
        "not just",
        "not least",
        "not even",
        "not at",
    )
)
_CONTRASTS: Final = _class("except but unless instead rather besides directly")
"""Behind a denial: only a part of what is said is denied, or what is affirmed stands beside it."""
_REFUSALS: Final = frozenset(map(stem, _class("refuse reject forbid prevent avoid deny")))
_HINTS: Final = _REFUSALS | frozenset(map(stem, _class("lack missing fail stop only otherwise out")))
_SIGNS: Final = _class("except raise none final != >= <=")
"""What denies without a denial: in sentences, and in lines of code."""
_JOINTS: Final = _class("and but while whereas because since so although though")
_CONDITIONS: Final = _class("if when where whether whenever wherever unless until")
_SUPPOSING: Final = _CONDITIONS | _class("that which who whoever whom whose whatever what")
_AUXILIARIES: Final = _class(
    "is are was were has have had does do did can could may might must will would should shall"
)
_SUBJECTS: Final = _class("it they we you i one a an the this these its their our no nobody nothing")
_LIGHT: Final = (
    _AUXILIARIES
    | _SUBJECTS
    | _DENIALS
    | _CONTRASTS
    | _class(
        """and as at be been being by for from in into of on or so them those to with that there which who what also both all
    each every he she his even ever always yet already simply anything anybody any longer then far still once own"""
    )
)
"""Words that mean nothing by themselves here. Particles do: `down`, `off`, `up`."""
_TELLING: Final = 0.6
"""The share of a denied clause's words that a clause of the lines has when it tells just that."""
_TYPE = re.compile(r"(?:->|\||=)\s*None\b")
_NOT_NULL = re.compile(r"\bnot null\b", re.IGNORECASE)
_WORD = re.compile(r"[!<>]=|\d+(?:[.,]\d+)*|\w+(?:[.'\u2019]\w+)*|[,.;:()?!]")
_PIECE = re.compile(r"(?<=[.;!?])\s+|(?<=[,;:{}()\[\]'\"])\n|\n(?=\s{4}|\t|\s*\n|[-*|#])")


@dataclass(frozen=True)
class _Clause:
    """A part of a sentence; supposed where it is no statement: behind `if`, `who`, `what` and their like."""

    sentence: int
    opener: str = ""
    supposed: bool = False
    words: list[str] = field(default_factory=list)

    @cached_property
    def denials(self) -> list[int]:
        """The places of the words that deny."""
        pairs = pairwise([*self.words, ""])
        return [place for place, pair in enumerate(pairs) if pair[0] in _DENIALS and pair not in _NO_DENIALS]

    @property
    def denies(self) -> bool:
        """Two denials are none."""
        return len(self.denials) % 2 == 1

    @cached_property
    def meaning(self) -> frozenset[str]:
        """What it says, in stems."""
        return _meaning(self.words)

    def denied(self, place: int) -> frozenset[str]:
        """What a denial is about: the first word with a meaning behind it, else the last before it."""
        order = [*self.words[place + 1 :], *reversed(self.words[:place])]
        return next((found for word in order if (found := _meaning([word]))), frozenset())


def contradicted(claim: str, lines: str) -> str | None:
    """The word that one of the two denies and the other affirms, None where there is none."""
    bare = QUOTED.sub(lambda match: " ".join(w for w in re.findall(r"[\w.]+", match[0]) if w not in _DENIALS), claim)
    ours, theirs = _clauses(bare), _clauses(lines)
    check = {True: _wrongly_denied, False: _wrongly_affirmed}
    found = (check[clause.denies](place, ours, theirs) for place, clause in enumerate(ours))
    return next((word for word in found if word), None)


def _wrongly_denied(place: int, ours: list[_Clause], theirs: list[_Clause]) -> str | None:
    """The lines have the denied word and do not deny it, tell the clause in their words, or deny nothing near."""
    clause, later = ours[place], ours[place + 1 :]
    at = next((n for n in clause.denials if clause.words[n] in _OF_VERBS), clause.denials[0])
    of_verb, behind = clause.words[at] in _OF_VERBS, clause.words[at + 1 :]
    if {clause.opener, *(one.opener for one in later[:1])} & _CONTRASTS or "instead" in (
        w for c in later for w in c.words
    ):
        return None
    if not _CONTRASTS.isdisjoint(behind) or (not of_verb and "than" in behind):
        return None
    about, told = clause.denied(at), _meaning(behind)
    like = [
        one
        for one in theirs
        if not one.denies and (one.supposed or clause.opener in _CONDITIONS or not clause.supposed)
    ]
    if of_verb and not any(one.denies and _shared(about, one.meaning) for one in theirs):
        if any(_shared(about, one.meaning) for one in like):
            return min(about)
        enough = max(2, _TELLING * len(told))
        if not clause.supposed and any(len(_shared(told, one.meaning)) >= enough for one in like):
            return min(told)
    if clause.supposed:
        return None
    sentences: dict[int, list[_Clause]] = {}
    for one in theirs:
        sentences.setdefault(one.sentence, []).append(one)
    alike = {n: len(_shared(clause.meaning, _union(some))) for n, some in sentences.items()}
    near = [one for n, some in sentences.items() if not of_verb or alike[n] == max(alike.values()) for one in some]
    return None if any(_hints(word) for one in near for word in (one.opener, *one.words)) else "not"


def _wrongly_affirmed(place: int, ours: list[_Clause], theirs: list[_Clause]) -> str | None:
    """The lines deny a word of the clause, and no clause of theirs that affirms is as much like it."""
    clause, first = ours[place], place
    while first and ours[first].opener == "," and ours[first - 1].sentence == clause.sentence:
        first -= 1
    if any(one.denies or any(map(_qualifies, one.words)) for one in ours[first : place + 1]):
        return None
    # an infinitive states nothing (`8 seconds to answer`), but after `have`
    pairs = zip(["", "", *clause.words], ["", *clause.words], clause.words, strict=False)
    stated = _meaning(word for two, one, word in pairs if one != "to" or two in {"have", "has", "had"})
    whole = _union(one for one in ours if one.sentence == clause.sentence)
    affirmed = [one.meaning for one in theirs if not one.denies]
    most = max((len(_shared(stated, one)) for one in affirmed), default=0)
    for one in theirs:
        both = _shared(stated, one.meaning)
        if not one.denies or not both or one.supposed != clause.supposed:
            continue
        if not most and len(stated) > 1 and not clause.supposed and clause.opener != ",":
            return min(both)
        covered = len(_shared(one.meaning, whole))
        for about in map(one.denied, one.denials):
            known = any(_shared(about, other) and len(_shared(other, whole)) >= covered for other in affirmed)
            alike = len(both) > most or covered == len(one.meaning)
            if alike and not known and (_shared(stated, about) or _shared(about, stated)):
                return min(about)
    return None


def _hints(word: str) -> bool:
    return word in _DENIALS | _CONTRASTS | _SIGNS or stem(word) in _HINTS or word.endswith("less")


def _qualifies(word: str) -> bool:
    return word in _CONTRASTS or stem(word) in _HINTS


def _union(clauses: Iterable[_Clause]) -> frozenset[str]:
    return frozenset().union(*(clause.meaning for clause in clauses))


def _meaning(words: Iterable[str]) -> frozenset[str]:
    found = {part for word in words if word not in _LIGHT for part in _parts(word)}
    return frozenset("refus" if part in _REFUSALS else part for part in found)


def _parts(word: str) -> frozenset[str]:
    return frozenset().union(*(token.parts or {token.whole} for token in tokens(word))) or frozenset([stem(word)])


def _shared(ours: frozenset[str], theirs: frozenset[str]) -> frozenset[str]:
    """Those of ours that the others have, or one of their family (`register`, `registration`)."""
    begun = {word[:5] for word in theirs if len(word) > 4}
    return frozenset(word for word in ours if word in theirs or (len(word) > 5 and word[:5] in begun))


def _words(text: str) -> list[str]:
    found = _WORD.findall(_NOT_NULL.sub("required", _TYPE.sub(" ", text)).lower())
    return [part for word in found for part in re.sub(r"(?:n['\u2019]t|(?<=can)not)$", " not", word).split()]


def _clauses(text: str) -> list[_Clause]:
    """Cut at marks, at joints, and around what is supposed: `a test (that sleeps) is sent back`."""
    found: list[_Clause] = []
    for number, piece in enumerate(_PIECE.split(text)):
        now, outer, before, verbs = _Clause(number), None, "", 0
        found.append(now)
        words = _words(piece)
        for word, behind in pairwise([*words, ""]):
            told = word == "that" and (before == "so" or behind in _SUBJECTS)
            joins = word in _JOINTS and not (word == "and" and now.opener in _CONDITIONS) and before != "nothing"
            supposes = (
                word in _SUPPOSING and not told and (word != "which" or before not in {",", "after", "to", "of", "in"})
            )
            if word in ",.;:()?!" or joins or supposes or (told and before != "so"):
                if supposes and not now.supposed:
                    outer = now if now.words else None
                elif not supposes:
                    outer = None
                now, verbs = _Clause(number, word, supposes), 0
                found.append(now)
            elif (
                outer
                and now.opener not in _CONDITIONS
                and now.words
                and word in _AUXILIARIES
                and (verbs or now.words[0] not in _AUXILIARIES | _SUBJECTS)
            ):
                now, outer = outer, None
                now.words.append(word)
            else:
                verbs += word in _AUXILIARIES
                now.words.append(word)
            before = word
    return [clause for clause in found if clause.words]
