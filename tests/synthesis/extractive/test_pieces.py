"""Pieces of the best files: what they are cut to."""

from __future__ import annotations

import pytest

from memory.observations import Location, NormalizedObservation
from memory.question import read_question
from synthesis.extractive.pieces import pieces_of
from synthesis.extractive.sources import CitedSource
from synthesis.extractive.weighted_question import WeightedQuestion

ASKED = WeightedQuestion.of(read_question("Who rings the bell?"), None, ())


def source(text: str) -> CitedSource:
    lines = tuple(text.splitlines())
    observation = NormalizedObservation(text, "vector:qdrant", "tower", 0.5, "code", id="x")
    return CitedSource(observation, Location("tower", "x.py", 1, len(lines)), lines, range(len(lines)))


def calls(count: int) -> str:
    return "    pull(rope)\n" * count


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        (
            f"def ring(bell):\n{calls(11)}\n\ndef wax():\n{calls(9)}",
            1,
            12,
        ),  # what a line opens is whole up to twelve lines
        (f"def oil():\n{calls(6)}    ring(bell)\n\n\ndef wax():\n{calls(9)}", 1, 8),  # what it is in, up to eight
        (f"def oil():\n{calls(20)}    ring(bell)\n{calls(20)}", 21, 24),  # of a longer unit there are four lines
    ],
)
def test_a_piece_is_a_short_unit_or_a_few_lines_of_a_longer(text, first, last):
    [piece] = pieces_of(ASKED, [source(text)])
    assert (piece.lines.start, piece.lines.stop - 1) == (first, last)
