"""Whether a sentence denies what its lines affirm, or affirms what they deny, clause by clause.

What is told in the lines' own words is compared with them. A denial is held to be theirs where they have none of its
words, or where what is most like it there denies, refuses or restricts anything itself: that is no evidence against it.

A clause says what it says, denies something, and says so or only supposes it. Sentences and lines of code are read
alike. The words by which a clause is known are English's closed classes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from synthesis.literals import NUMBERS, QUOTED
from synthesis.terms import stem, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable


def words(text: str) -> frozenset[str]:
    """A class of words, written with blanks between them."""
    return frozenset(text.split())


OF_VERBS: Final = words("not never")
"""Denials that stand with a verb."""
DENIALS: Final = OF_VERBS | words("no nor neither none nobody nothing without nowhere")
_CONDITIONS: Final = words("if when where whether whenever wherever unless until")
_NO_DENIALS: Final = frozenset(
    [("no", word) for word in words("matter more later less")]
    + [("not", word) for word in words("only just least even much enough")]
)
_JOINTS: Final = words("and but while whereas because since so although though")
_SUPPOSING: Final = _CONDITIONS | words("that which who whoever whom whose whatever what")
_AUXILIARIES: Final = words(
    "is are was were has have had does do did can could may might must will would should shall ca wo"
)
_SUBJECTS: Final = words("it they we you i a an the this these its their our no nobody nothing")
_CONTINUES: Final = words(", after to of in")
"""In front of `which`, so that it supposes nothing."""
_LIGHT: Final = (
    _AUXILIARIES
    | _SUBJECTS
    | DENIALS
    | words(
        """and as at be been being by for from in into of on or so them those to with that there which who what also
        both all each every he she his even ever yet already simply anything anybody any longer then far still once
        own except but unless instead rather directly"""
    )
)
"""Words that mean nothing by themselves here. Particles do: `down`, `off`, `up`."""
_MARKS: Final = frozenset(",.;:()?!")
_VALUE = re.compile(r"(?:->|[|=,(:\[]|\breturn|\belse)\s*None\b")
"""Python's, where it is a type or a value and denies nothing."""
_NOT_NULL = re.compile(r"\bnot null\b", re.IGNORECASE)
_NOT = re.compile(r"(?:n['\u2019]t|(?<=can)not)$")
_WORD = re.compile(r"[!<>]=|\d+(?:[.,]\d+)*|\w+(?:[.'\u2019]\w+)*|[,.;:()?!]")
_PIECE = re.compile(r"(?<=[.;!?])\s+|(?<=[,;:{}()\[\]'\"])\n|\n(?=\s{4}|\t|\s*\n|[-*|#])")


@dataclass(frozen=True)
class Clause:
    """A part of a sentence, with the number of the sentence and the mark or word that opens it; supposed where it
    states nothing: behind `if`, `who`, `what` and their like.
    """

    sentence: int
    opener: str = ""
    supposed: bool = False
    words: list[str] = field(default_factory=list)

    @cached_property
    def denials(self) -> list[int]:
        """The places of the words that deny."""
        pairs = enumerate(pairwise([*self.words, ""]))
        return [place for place, pair in pairs if pair[0] in DENIALS and pair not in _NO_DENIALS]

    @cached_property
    def meaning(self) -> frozenset[str]:
        """What it says, in stems."""
        return meaning_of(self.words)

    def denied(self, place: int) -> frozenset[str]:
        """What a denial is about: the first word with a meaning behind it; of one that ends a clause (`knows nobody`)
        the last before it.
        """
        before = () if self.words[place] in OF_VERBS else reversed(self.words[:place])
        order = [*self.words[place + 1 :], *before]
        return next((found for word in order if (found := meaning_of([word]))), frozenset())


def meaning_of(some: Iterable[str]) -> frozenset[str]:
    """The stems of words, of a name of several those of its parts."""
    return frozenset(part for word in some if word not in _LIGHT for part in _parts(word))


def shared(ours: frozenset[str], theirs: frozenset[str]) -> frozenset[str]:
    """Those of ours that the others have, or one of their family (`register`, `registration`)."""
    begun = {word[:5] for word in theirs if len(word) > 4}
    return frozenset(word for word in ours if word in theirs or (len(word) > 5 and word[:5] in begun))


def clauses_of(text: str) -> list[Clause]:
    """Cut at marks, at joints, and around what is supposed: `a test (that sleeps) is sent back`."""
    found = [clause for number, piece in enumerate(_PIECE.split(text)) for clause in _cut(number, _words(piece))]
    return [clause for clause in found if clause.words]


def _cut(number: int, some: list[str]) -> list[Clause]:
    now, outer, before, verbs = Clause(number), None, "", 0
    found = [now]
    for word in some:
        supposes = word in _SUPPOSING and not (word == "which" and before in _CONTINUES)
        if word in _MARKS or word in _JOINTS or supposes:
            outer = (outer if now.supposed else now) if supposes else None
            now, verbs = Clause(number, word, supposes), 0
            found.append(now)
        else:
            is_verb = word in _AUXILIARIES or word == "never"
            if outer and is_verb and now.words and (verbs or _begins_with_verb(now)):
                now, outer = (outer, None) if now.opener not in _CONDITIONS else (now, outer)
            verbs += is_verb
            now.words.append(word)
        before = word
    return found


def _begins_with_verb(clause: Clause) -> bool:
    """Whether a clause that supposes begins with its verb (`that sleeps`), so that the next verb is another's."""
    return clause.opener != "whose" and clause.words[0] not in _AUXILIARIES | _SUBJECTS


def _words(text: str) -> list[str]:
    found = _WORD.findall(_NOT_NULL.sub("required", _VALUE.sub(" ", text)).lower())
    return [part for word in found for part in _NOT.sub(" not", word).split()]


def _parts(word: str) -> frozenset[str]:
    if word in NUMBERS and word != "one":
        return frozenset([f"{NUMBERS[word]:g}"])
    return frozenset().union(*(token.parts or {token.whole} for token in tokens(word))) or frozenset([stem(word)])


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
