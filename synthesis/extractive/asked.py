"""What is asked, as weighed words: how much of a question a text holds, and in which order its words stand."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from synthesis.terms import stem, terms, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from collections.abc import Set as AbstractSet

__all__ = ["Asked"]


@dataclass(frozen=True)
class Asked:
    """A question and the weight of each of its terms.

    weights: by term as `synthesis.terms` writes it; a rare one weighs more.
    """

    question: str
    weights: Mapping[str, float]

    @classmethod
    def of(cls, question: str, given: Mapping[str, float] | None, texts: Iterable[str]) -> Asked:
        """A question with the weights that the index gives its words; without them, with their rarity in these texts.

        Args:
            question: as it was asked.
            given: IDF by word in small letters.
            texts: what was found.
        """
        if given is not None:
            weights: dict[str, float] = {}
            for word, weight in given.items():
                term = stem(word.replace("_", ""))
                weights[term] = max(weight, weights.get(term, 0.0))
            return cls(question, weights)
        wanted = terms(question)
        held = [wanted & terms(text) for text in texts]
        counts = Counter(term for one in held for term in one)
        return cls(question, {term: _idf(len(held), counts[term]) for term in sorted(wanted)})

    @cached_property
    def total(self) -> float:
        """The weight of all terms."""
        return sum(self.weights.values())

    @cached_property
    def words(self) -> tuple[frozenset[str], ...]:
        """The terms of each of the question's words that weighs something, in order."""
        found = (word & self.weights.keys() for word in words(self.question))
        return tuple(word for word in found if word)

    def mass(self, held: AbstractSet[str]) -> float:
        """The weight of the question's terms among these."""
        return sum(weight for term, weight in self.weights.items() if term in held)

    def share(self, held: AbstractSet[str]) -> float:
        """How much of the question (0..1) these terms hold."""
        return self.mass(held) / self.total if self.total else 0.0

    def places(self, held: AbstractSet[str]) -> list[int]:
        """Where in the question, counted in words that weigh something, these terms stand."""
        return [place for place, word in enumerate(self.words) if word & held]


def _idf(population: int, holding: int) -> float:
    return math.log(1.0 + (population - holding + 0.5) / (holding + 0.5))
