from __future__ import annotations

from math import exp

import pytest

from agents.file_ranking import best_chunk, decayed_sum, score_files, votes
from memory.entities import Entity, Evidence, Relationship
from memory.statements import FoundStatement

A, B, C = ("shop", "a.py"), ("shop", "b.py"), ("bank", "c.py")
FILES = {"a1": A, "a2": A, "a3": A, "a4": A, "a5": A, "a6": A, "b1": B}


def found(coverage: float, path: str, *evidence: Evidence, project: str = "shop") -> FoundStatement:
    source, target = Entity("till", "service", "shop"), Entity("ledger", "service", "bank")
    return FoundStatement(Relationship(source, "CALLS", target, project, path, (3,), evidence=evidence), coverage)


def test_a_file_is_as_near_as_its_nearest_chunk():
    assert best_chunk({"a1": 0.2, "a2": 0.7, "b1": 0.4}, FILES) == {A: 0.7, B: 0.4}


def test_the_nearest_chunk_may_be_below_zero():
    assert best_chunk({"a1": -0.4, "a2": -0.1}, FILES) == {A: -0.1}


def test_each_further_chunk_counts_three_tenths_of_the_one_before():
    summed = decayed_sum({"a1": 2.0, "a2": 10.0, "a3": 5.0, "b1": 11.0}, FILES)
    assert summed[A] == pytest.approx(10.0 + 0.3 * 5.0 + 0.09 * 2.0)  # 11.68: three chunks before the one of b
    assert summed[B] == 11.0


def test_no_more_than_five_chunks_of_a_file_count():
    six = dict.fromkeys(["a1", "a2", "a3", "a4", "a5", "a6"], 1.0)
    five = dict.fromkeys(["a1", "a2", "a3", "a4", "a5"], 1.0)
    assert decayed_sum(six, FILES)[A] == pytest.approx(1 + 0.3 + 0.09 + 0.027 + 0.0081)
    assert decayed_sum(six, FILES) == decayed_sum(five, FILES)


def test_a_statement_votes_with_the_cube_of_what_it_holds():
    assert votes([found(0.5, "a.py")]) == {A: pytest.approx(1 - exp(-(0.5**3)))}  # 0.1175
    assert votes([found(1.0, "a.py")]) == {A: pytest.approx(1 - exp(-1))}  # 0.6321


def test_the_votes_of_several_statements_come_together():
    voted = votes([found(0.8, "a.py"), found(0.5, "a.py"), found(0.5, "b.py")])
    assert voted[A] == pytest.approx(1 - exp(-(0.512 + 0.125)))  # 0.4711
    assert voted[B] == pytest.approx(1 - exp(-0.125))


def test_a_statement_votes_for_every_file_that_proves_it_once():
    pieces = (Evidence("r", "bank", "c.py", 9), Evidence("r", "shop", "a.py", 7), Evidence("r", "bank", "c.py", 2))
    vote = pytest.approx(1 - exp(-(0.5**3)))
    assert votes([found(0.5, "a.py", *pieces)]) == {A: vote, C: vote}


def test_a_statement_that_no_file_proves_votes_for_none():
    assert votes([found(0.9, "")]) == {}
    assert votes([]) == {}


def test_scores_are_shares_of_the_best_and_the_weighed_votes():
    scores = score_files({A: 0.4, B: 0.8}, {A: 0.5}, vote_weight=0.8, weights={})
    assert scores == {A: pytest.approx(0.4 / 0.8 + 0.8 * 0.5), B: pytest.approx(1.0)}  # 0.9 and 1


def test_a_file_that_votes_alone_name_has_the_lowest_of_the_hybrid_scores():
    scores = score_files({A: 0.8, B: 0.2}, {C: 0.5}, vote_weight=0.8, weights={})
    assert scores[C] == pytest.approx(0.2 / 0.8 + 0.8 * 0.5)  # 0.65


def test_a_projects_weight_multiplies_all_of_a_score():
    scores = score_files({A: 0.5, C: 0.5}, {A: 0.5, C: 0.5}, vote_weight=0.8, weights={"bank": 1.2})
    assert scores == {A: pytest.approx(1 + 0.4), C: pytest.approx((1 + 0.4) * 1.2)}


def test_without_hybrid_scores_the_votes_decide():
    assert score_files({}, {A: 0.5}, vote_weight=0.8, weights={}) == {A: pytest.approx(0.4)}
    assert score_files({A: 0.0}, {A: 0.5}, vote_weight=0.8, weights={}) == {A: pytest.approx(0.4)}
    assert score_files({}, {}, vote_weight=0.8, weights={}) == {}
