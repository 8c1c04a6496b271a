"""How rare a name is, by hand."""

from __future__ import annotations

from math import log

from indexing.resolution.references.links import RARE, rarity


def test_it_falls_from_one_in_one_component_to_nothing_in_all():
    assert rarity(1, 8) == 1.0  # log(9/1) / log(9)
    assert rarity(3, 8) == round(log(9 / 3) / log(9), 2) == 0.5
    assert rarity(4, 8) == round(log(9 / 4) / log(9), 2) == 0.37 < RARE
    assert rarity(9, 8) == 0.0
    assert rarity(1, 0) == 1.0
