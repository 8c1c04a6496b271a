from __future__ import annotations

import math

import pytest

from agents.confidence import cosine, matched_mass, term_weights, unseen_idf
from memory.vector import Hit, SparseVector
from tests.agents.library import ROWS, chunk


def hit(score: float, sparse: SparseVector | None) -> Hit:
    return Hit(chunk(*ROWS[0]), score, {}, sparse)


def test_an_unseen_term_has_the_highest_idf():
    assert unseen_idf(10) == pytest.approx(math.log(1 + 10.5 / 0.5))


def test_idf_is_the_score_by_the_stored_weight():
    weights = term_weights({"uuid": 7}, {"uuid": [hit(3.0, SparseVector((5, 7), (9.0, 1.5)))]}, 10)
    assert weights == {7: pytest.approx(2.0)}


def test_a_term_nobody_has_counts_in_full():
    assert term_weights({"uuid": 7, "noon": 8}, {"uuid": [], "noon": [hit(1.0, None)]}, 10) == {
        7: unseen_idf(10),
        8: unseen_idf(10),
    }


def test_the_matched_mass_is_a_share():
    assert matched_mass({1: 3.0, 2: 1.0}, SparseVector((1, 9), (0.1, 5.0))) == pytest.approx(0.75)
    assert matched_mass({1: 3.0}, None) == 0.0
    assert matched_mass({}, SparseVector((1,), (1.0,))) == 0.0


def test_the_best_cosine_of_the_fields_both_have():
    query = {"dense_docs": [1.0, 0.0], "dense_code": [0.0, 1.0]}
    assert cosine(query, {"dense_docs": [0.6, 0.8]}) == pytest.approx(0.6)
    assert cosine(query, {"dense_code": [0.6, 0.8]}) == pytest.approx(0.8)
    assert cosine(query, {"image": [1.0, 0.0]}) == 0.0
