from __future__ import annotations

import pytest

from agents.confidence import cosine, covered


def test_what_is_covered_is_a_share_of_the_mass():
    assert covered({1: 3.0, 2: 1.0}, {1, 9}) == pytest.approx(0.75)
    assert covered({1: 3.0, 2: 1.0}, ()) == 0.0
    assert covered({}, {1}) == 0.0


def test_the_best_cosine_of_the_fields_both_have():
    query = {"dense_docs": [1.0, 0.0], "dense_code": [0.0, 1.0]}
    assert cosine(query, {"dense_docs": [0.6, 0.8]}) == pytest.approx(0.6)
    assert cosine(query, {"dense_code": [0.6, 0.8]}) == pytest.approx(0.8)
    assert cosine(query, {"image": [1.0, 0.0]}) == 0.0
