"""001 §5.2 and §5.3 by hand, with the settings of profile `spec`."""

from __future__ import annotations

import pytest

from configs import load_config
from merging import ResultMerger
from tests.merging.making import graph, text

SPEC = load_config("spec")
MERGER = ResultMerger(SPEC.ranking, similarity_threshold=SPEC.similarity_threshold)


@pytest.mark.specification("001 §5.3 base", "001 §5.3 agreement", "001 §5.3 entities", "001 §5.3 local")
@pytest.mark.specification("001 §5.3 length", "001 §5.3 order")
async def test_the_ranking():
    given = [
        text("base", confidence=0.72),  # 0.72
        text("agreed", confidence=0.5, corroborated_by=("graph:billing", "local:billing")),  # 0.5 + 2 · 0.1
        graph("entities", confidence=0.56, entities_mentioned=("Customer",)),  # 0.56 + 0.15
        graph("no entities", confidence=0.56),  # 0.56
        text("local", kind="local", confidence=0.55),  # 0.55 + 0.1
        text("l" * 3000, confidence=0.8),  # 0.8 − (3000 − 500) / 5000 · 0.1
        graph("a" * 1500, confidence=0.4, entities_mentioned=("A",), corroborated_by=("vector:auth",)),  # .4+.1+.15−.02
    ]
    ranked = await MERGER.rank(given)
    assert [(o.content[:11], o.score, o.rank) for o in ranked] == [
        ("l" * 11, 0.75, 1),
        ("base", 0.72, 2),
        ("entities", 0.71, 3),
        ("agreed", 0.7, 4),
        ("local", 0.65, 5),
        ("a" * 11, 0.63, 6),
        ("no entities", 0.56, 7),
    ]


@pytest.mark.specification("001 §2.2 step 4")
@pytest.mark.specification("001 §5.2 threshold", "001 §5.2 best", "001 §5.2 corroboration", "001 §5.2 boost")
async def test_the_duplicates():
    best = text("best", "a.md:1-2", confidence=0.9, vector=[1.0, 0.0])
    same = text("best", "d.md:1-2", project="auth", confidence=0.6, vector=[1.0, 0.0])
    near = text("near", "b.md:1-2", kind="local", confidence=0.8, vector=[0.86, 0.510294])  # cosine to the best: .86
    far = text("far", "c.md:1-2", project="crm", confidence=0.7, vector=[0.5, 0.866025])  # .5, and .872 to `near`
    kept = await MERGER.deduplicate([far, near, same, best])
    assert [(o.content, o.confidence, o.corroborated_by) for o in kept] == [
        ("best", 0.9, ("local:billing",)),  # by the letter min(1, 0.9 + 0.1), and 0.1 once more in the rank
        ("near", 0.8, ("vector:billing", "vector:crm")),  # it agrees with both, and is neither
        ("far", 0.7, ("local:billing",)),
    ]
    assert [at.path for at in kept[0].locations] == ["a.md", "d.md"]
    ranked = await MERGER.rank(kept)
    assert [(o.content, o.score) for o in ranked] == [
        ("near", 1.1),  # 0.8 + 2 · 0.1, and 0.1 as a local one
        ("best", 1.0),  # 0.9 + 0.1
        ("far", 0.8),
    ]
