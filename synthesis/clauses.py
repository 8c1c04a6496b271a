"""The clauses of a text: what each says, what it denies, and whether it says so or only supposes it.

Sentences and lines of code are read alike. The words by which a clause is known are English's closed classes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from synthesis.literals import NUMBERS
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
