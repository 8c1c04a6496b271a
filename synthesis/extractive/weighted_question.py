"""What is asked, as weighed words: how much of a question a text holds, and in which order its words stand."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

from memory.question.described import USING, relations_of
from synthesis.terms import stem, terms, tokens

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from collections.abc import Set as AbstractSet

    from memory.question import ParsedQuestion


_FRAME: Final = terms(
    "anyone code company different example explain find give handle happen library list look organisation organization"
    " other package pattern people project repo repository say show similar system team tell thing use way work"
)
_FRAME_WEIGHT: Final = 0.25
"""Words with which one asks say little of what is asked, however rare they are in files."""
_ALL_PARTS: Final = 0.85
_PART: Final = 0.5
_BEGINNING: Final = 3
WHOLE: Final = 0.8
"""From this share of the question on, a file that it names is all that is asked for."""
_LEAST_CLAUSE: Final = 0.1
"""A clause with less of the question's weight says too little to be looked for by itself, as "follow it for me"."""


@dataclass(frozen=True, slots=True)
class WeightedWord:
    """A word of the question: its term, those of its parts where it is a name of several, and its weight."""

    whole: str
    parts: frozenset[str]
    weight: float

    def held(self, terms: AbstractSet[str]) -> float:
        """How much of it (0..1) these terms hold: some of a name's parts count little."""
        if self.whole in terms:
            return 1.0
        if not self.parts:
            return 0.0
        return _ALL_PARTS if self.parts <= terms else _PART * len(self.parts & terms) / len(self.parts)

    def occurs(self, text: str) -> bool:
        """Whether a text has it, or all its parts:
        each at the beginning of a word, or of one that is joined to another.
        """
        return _begins(self.whole, text) or (bool(self.parts) and all(_begins(part, text) for part in self.parts))


@dataclass(frozen=True)
class WeightedQuestion:
    """A question and its words that weigh something, in order; a rare one weighs more."""

    question: ParsedQuestion
    words: tuple[WeightedWord, ...]

    @classmethod
    def of(cls, question: ParsedQuestion, given: Mapping[str, float] | None, texts: Iterable[str]) -> WeightedQuestion:
        """A question with the weights that the index gives its words; without them, with their rarity in these texts.

        Args:
            question: as it was read.
            given: IDF by word in small letters.
            texts: what was found.
        """
        if given is None:
            weights = _rarity(terms(question.text), texts)
        else:
            weights = {}
            for word, weight in given.items():
                term = stem(word.replace("_", ""))
                weights[term] = max(weight, weights.get(term, 0.0))
        found = []
        for token in tokens(question.text):
            known = [weights[term] for term in (token.whole, *token.parts) if term in weights]
            if known:
                weight = max(known) * (_FRAME_WEIGHT if token.whole in _FRAME else 1.0)
                found.append(WeightedWord(token.whole, token.parts, weight))
        return cls(question, tuple(found))

    @cached_property
    def clauses(self) -> dict[str, WeightedQuestion]:
        """The questions that a compound one is made of, each with its own words; none of one that is not, nor those
        without a word that weighs something.
        """
        found = {}
        for clause in self.question.clauses if len(self.question.clauses) > 1 else ():
            own = {token.whole for token in tokens(clause)}
            words = tuple(word for word in self.words if word.whole in own)
            if math.fsum(word.weight for word in set(words)) >= _LEAST_CLAUSE * self.total:
                found[clause] = WeightedQuestion(self.question, words)
        return found

    @cached_property
    def terms(self) -> frozenset[str]:
        """The terms of all words and of their parts."""
        return frozenset().union(*({word.whole} | word.parts for word in self.words))

    @cached_property
    def _verbs(self) -> dict[str, frozenset[str]]:
        """The types of relation that the verbs of the prose say, by verb; `uses` says none before another."""
        said = {word.text: relations_of(word.text.casefold()) for word in self.question.words if not word.pasted}
        return {word: types for word, types in said.items() if types and types != USING}

    def verbs_of(self, types: AbstractSet[str]) -> frozenset[str]:
        """The terms of the verbs that ask for relations of these types: `consumes` asks for what subscribes."""
        return terms(" ".join(word for word, meant in self._verbs.items() if not meant.isdisjoint(types)))

    @cached_property
    def _each(self) -> tuple[WeightedWord, ...]:
        return tuple({word.whole: word for word in self.words}.values())

    @cached_property
    def total(self) -> float:
        """The weight of all words."""
        return math.fsum(word.weight for word in self._each)

    @cached_property
    def _beginnings(self) -> re.Pattern[str]:
        return re.compile("|".join(sorted({re.escape(term[:_BEGINNING]) for term in self.terms})) or r"(?!)")

    @cached_property
    def _texts(self) -> dict[str, frozenset[str] | None]:
        return {}

    def held(self, text: str) -> frozenset[str] | None:
        """The question's terms that a text holds;
        None where it has not the beginning of any, which needs no parsing.
        """
        if text not in self._texts:
            begins = self._beginnings.search(text.lower()) is not None
            self._texts[text] = self.terms & terms(text) if begins else None
        return self._texts[text]

    def names(self, name: str) -> bool:
        """Whether the question holds a name, its parts joined in whatever way."""
        own = tokens(name)
        return bool(own) and all(
            token.whole in self.terms or (bool(token.parts) and token.parts <= self.terms) for token in own
        )

    def names_file(self, path: str) -> bool:
        """Whether the question names this file, by its path or the end of it, or asks for what introduces a project."""
        named = any(path == one or path.endswith(f"/{one}") for one in self.question.paths)
        return named or path.casefold() in self.question.introductions

    def asks_only_for(self, project: str, path: str) -> bool:
        """Whether a file that the question names is all that it asks for."""
        share = self.share(terms(f"{project} {path}".replace("/", " ")))
        return self.names_file(path) and round(share, 6) >= WHOLE

    def mass(self, held: AbstractSet[str]) -> float:
        """The weight of the question's words that these terms hold."""
        own = self.terms.intersection(held)
        if own not in self._masses:
            self._masses[own] = math.fsum(word.weight * word.held(own) for word in self._each)
        return self._masses[own]

    @cached_property
    def _masses(self) -> dict[frozenset[str], float]:
        return {frozenset(): 0.0}

    def share(self, held: AbstractSet[str]) -> float:
        """How much of the question (0..1) these terms hold."""
        return self.mass(held) / self.total if self.total else 0.0

    def places(self, held: AbstractSet[str]) -> list[int]:
        """Where in the question, counted in words that weigh something, words stand that these terms hold."""
        return [place for place, word in enumerate(self.words) if word.held(held) >= _ALL_PARTS]


def _rarity(wanted: frozenset[str], texts: Iterable[str]) -> dict[str, float]:
    held = [wanted & terms(text) for text in texts]
    counts = Counter(term for one in held for term in one)
    many = len(held)
    return {t: 1.0 + math.log(1.0 + (many - counts[t] + 0.5) / (counts[t] + 0.5)) for t in sorted(wanted)}


def _begins(term: str, text: str) -> bool:
    """`retry` is where `retries`, `_retry` and `maxRetry` are."""
    cut = term[:-1] if term.endswith("y") and len(term) > _BEGINNING else term
    lowered, at = text.replace("İ", "I").lower(), -1  # the one letter that is two in lower case
    while (at := lowered.find(cut, at + 1)) >= 0:
        before = text[at - 1 : at]
        if not before.isalnum() or (not "A" <= before <= "Z" and text.startswith(cut.capitalize(), at)):
            return True
    return False
