"""Where a message stands that a question quotes: an error, a line of a log, the words of a page.

    share(lines)     = (mass of the message's words there + of its neighbouring pairs there) / mass of all of both
    template(line)   = words of the line that are the message's / its words, five at least, where share(line) ≥ 0.3
    certainty(chunk) = (the best share of three lines of the chunk, or the best template)³

A message is looked for by itself, by its words, since they are lost among those of the question. What it was filled
with stands in no file, so a share is asked for, not the text; and a line whose words are all the message's is what was
filled. One that stands everywhere says nothing: more than three files that hold it as well as the best are none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from memory.vector.port import Hit

DEPTH: Final = 30
"""How many chunks are looked at for a message."""
_WINDOW: Final = 3
_LEAST: Final = 0.5
_TEMPLATE, _LEAST_WORDS = 0.3, 5
_NEAR: Final = 0.95
_MOST_FILES: Final = 3
_WORD: Final = re.compile(r"[^\W_]+")


def words_in(text: str) -> list[str]:
    """The words of a message, or of a line, as they compare."""
    return _WORD.findall(text.casefold())


@dataclass(frozen=True, slots=True)
class Message:
    """What a message's words weigh, in its order, and the terms by which it is looked for."""

    words: Sequence[str]
    weights: Mapping[str, float]
    terms: tuple[int, ...]

    def share(self, text: str) -> float:
        """How much of the message the best lines of a text hold, 0..1."""
        own, pairs = frozenset(self.words), frozenset(pairwise(self.words))
        total = self._mass(own, pairs)
        lines = [words_in(line) for line in text.split("\n")]
        best = 0.0
        for n in range(len(lines) if total > 0 else 0):
            window = [word for line in lines[n : n + _WINDOW] for word in line]
            if not own.isdisjoint(window):
                held = self._mass(own & {*window}, pairs & {*pairwise(window)}) / total
                best = max(best, held, self._template(lines[n], own, pairs, total))
        return best

    def _template(self, line: list[str], own: frozenset[str], pairs: frozenset[tuple[str, str]], total: float) -> float:
        """The share of a line's words that are the message's; 0 where it is too short, or holds too little of it."""
        words = [word for word in line if len(word) > 1]  # `%s` is none of them
        if len(words) < _LEAST_WORDS or self._mass(own & {*words}, pairs & {*pairwise(line)}) < _TEMPLATE * total:
            return 0.0
        return sum(word in own for word in words) / len(words)

    def _mass(self, words: frozenset[str], pairs: frozenset[tuple[str, str]]) -> float:
        each = [*words, *(word for pair in pairs for word in pair)]
        return sum(self.weights.get(word, 0.0) for word in each)


def quoting_chunks(messages: Sequence[tuple[Message, Sequence[Hit]]]) -> dict[str, tuple[Hit, float]]:
    """The chunks in which messages stand, by id, with how surely (0..1).

    Args:
        messages: each with the chunks that were found by its words.
    """
    found: dict[str, tuple[Hit, float]] = {}
    for message, hits in messages:
        shares = [(hit, message.share(hit.chunk.text)) for hit in hits]
        best = max((share for _, share in shares), default=0.0)
        holding = [(hit, share) for hit, share in shares if share >= max(_LEAST, _NEAR * best)]
        if len({(hit.chunk.project, hit.chunk.path) for hit, _ in holding}) <= _MOST_FILES:
            for hit, share in holding:
                found[hit.chunk.id] = hit, max(round(share**3, 6), found.get(hit.chunk.id, (hit, 0.0))[1])
    return found
