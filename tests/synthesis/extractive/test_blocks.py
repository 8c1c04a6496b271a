"""Which pieces an answer shows."""

from __future__ import annotations

import pytest

from memory.observations import Location, NormalizedObservation
from memory.question import read_question
from memory.text.units import LineSpan
from synthesis.extractive.block import Block
from synthesis.extractive.blocks import chosen
from synthesis.extractive.sources import CitedSource
from synthesis.extractive.weighted_question import WeightedQuestion

ASKED = WeightedQuestion.of(read_question("retries"), None, ())


def piece(project: str, path: str, worth: float) -> Block:
    """One line, which no other piece has: five lines of an answer with its heading."""
    observation = NormalizedObservation(path, "vector:qdrant", project, 0.5, "code", id=path)
    lines = (f"retries of {project} {path}",)
    source = CitedSource(observation, Location(project, path, 1, 1), lines, range(1))
    return Block(source, (LineSpan(0, 0),), 0, worth)


def shown(pieces, **how):
    return [block.source.path for block in chosen(ASKED, pieces, **how)]


@pytest.mark.specification("001 §4.2 patterns")
def test_each_project_asked_about_has_one_before_any_has_its_second():
    pieces = [piece("auth", "a1", 1.0), piece("auth", "a2", 0.9), piece("crm", "c1", 0.8)]
    assert shown(pieces, lines=10) == ["a1", "a2"]  # room for two
    assert shown(pieces, lines=10, asks_several=True) == ["a1", "c1"]
    assert shown(pieces, lines=15, asks_several=True) == ["a1", "c1", "a2"]


@pytest.mark.specification("001 §10 A7")
def test_the_best_of_each_project_may_have_half_as_many_lines_more():
    pieces = [piece(name, name, 1.0) for name in ("auth", "billing", "crm", "web")]
    assert shown(pieces, lines=10) == ["auth", "billing"]
    assert shown(pieces, lines=10, asks_several=True) == ["auth", "billing", "crm"]
    pieces.insert(1, piece("auth", "again", 1.0))
    assert shown(pieces, lines=10, asks_several=True) == ["auth", "billing", "crm"]


@pytest.mark.specification("001 §4.2 patterns")
def test_of_several_projects_the_best_piece_of_each_is_worth_more_than_half_of_what_the_best_is():
    pieces = [piece("auth", "a", 1.0), piece("crm", "c", 0.56), piece("web", "w", 0.54), piece("crm", "d", 0.41)]
    assert shown(pieces, asks_several=True) == ["a", "c", "d"]
    assert shown(pieces) == ["a", "c", "w", "d"]  # of one project less is enough
    assert shown([pieces[0], piece("web", "w", 0.39)]) == ["a"]


def test_pieces_side_by_side_are_cited_as_one():
    lines = tuple(f"retries {n}" for n in range(30))
    observation = NormalizedObservation("x", "vector:qdrant", "auth", 0.5, "code", id="x")
    source = CitedSource(observation, Location("auth", "x", 1, 30), lines, range(30))
    parts = [Block(source, (LineSpan(n, n + 1),), n, 0.5) for n in (4, 0, 20)]
    together, apart = Block(source, (LineSpan(2, 3),), 2, more=tuple(parts)).runs
    assert [part.lines for part in together] == [range(1, 7)]
    assert [part.lines for part in apart] == [range(21, 23)]
