from __future__ import annotations

from indexing.stored import lots


def test_a_lot_ends_with_what_makes_it_enough():
    assert list(lots([2, 2, 1, 9, 3], lambda size: size, 4)) == [[2, 2], [1, 9], [3]]
    assert list(lots([0, 0], lambda size: size, 4)) == [[0, 0]]
    assert list(lots([], len, 4)) == []
