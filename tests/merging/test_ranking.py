"""001 §5.3's arithmetic, with its values and with the product's."""

from __future__ import annotations

from dataclasses import asdict

import pytest

from configs.settings import RankingSettings
from merging.ranking import rank_observations, score
from tests.merging.making import graph, text

BOOSTS = ("agreement_boost", "graph_entity_boost", "local_boost", "length_penalty")
OURS = {key: value for key, value in asdict(RankingSettings()).items() if key in BOOSTS}


class TestScore:
    @pytest.mark.specification("001 §5.3 base")
    def test_confidence_alone(self):
        assert score(text("x", confidence=0.42)) == 0.42

    @pytest.mark.specification("001 §5.3 local")
    def test_local_is_team_curated(self):
        assert score(text("x", kind="local", confidence=0.5)) == 0.6  # 0.5 + 0.1
        assert score(text("x", kind="local", confidence=0.5), **OURS) == 0.5

    @pytest.mark.specification("001 §5.3 entities")
    def test_graph_with_entities(self):
        found = graph("x", confidence=0.5, entities_mentioned=("Customer",))
        assert score(found) == 0.65  # 0.5 + 0.15
        assert score(found, **OURS) == 0.5

    @pytest.mark.specification("001 §5.3 entities")
    def test_graph_without_entities_and_entities_without_graph(self):
        assert score(graph("x", confidence=0.5)) == 0.5
        assert score(text("x", confidence=0.5, entities_mentioned=("Customer",))) == 0.5

    @pytest.mark.specification("001 §5.3 agreement")
    def test_agreement_counts_sources(self):
        two = text("x", confidence=0.5, corroborated_by=("graph:billing", "local:billing"))
        assert score(two) == 0.7  # 0.5 + 2 · 0.1
        assert score(two, **OURS) == 0.5

    @pytest.mark.specification("001 §5.3 agreement")
    def test_agreement_beyond_three_adds_nothing(self):
        three = text("x", confidence=0.5, corroborated_by=("a", "b", "c"))
        four = text("x", confidence=0.5, corroborated_by=("a", "b", "c", "d"))
        assert score(three) == score(four) == 0.8

    @pytest.mark.specification("001 §5.3 length")
    @pytest.mark.parametrize(
        ("chars", "expected"),
        [(500, 0.5), (499, 0.5), (1, 0.5), (3000, 0.45), (5500, 0.4), (501, 0.49998)],  # − (chars − 500) / 5000 · 0.1
    )
    def test_length_penalty(self, chars, expected):
        assert score(text("x" * chars, confidence=0.5)) == expected

    def test_everything_at_once(self):
        # 0.5 + 0.1 · 1 + 0.15 − (1500 − 500) / 5000 · 0.1
        found = graph("x" * 1500, confidence=0.5, entities_mentioned=("A",), corroborated_by=("local:billing",))
        assert score(found) == 0.73
        assert score(found, **OURS) == 0.5

    def test_by_default_nothing_boosts(self):
        assert dict.fromkeys(BOOSTS, 0.0) == OURS

    def test_each_boost_can_be_set(self):
        found = graph("x" * 1500, confidence=0.1, entities_mentioned=("A",), corroborated_by=("b",))
        assert score(found, agreement_boost=1.0, graph_entity_boost=2.0, local_boost=4.0, length_penalty=0.5) == 3.0
        local = text("x", kind="local", confidence=0.0)
        assert score(local, agreement_boost=1.0, graph_entity_boost=2.0, local_boost=4.0, length_penalty=0.5) == 4.0

    def test_six_places(self):
        assert score(text("x", confidence=0.12345678)) == 0.123457


class TestOrder:
    @pytest.mark.specification("001 §5.3 order")
    def test_best_first_with_ranks_from_one(self):
        ranked = rank_observations([text("a", confidence=0.2), text("b", confidence=0.9), text("c", confidence=0.5)])
        assert [(o.content, o.rank, o.score) for o in ranked] == [("b", 1, 0.9), ("c", 2, 0.5), ("a", 3, 0.2)]

    def test_the_specifications_boosts_by_default(self):
        vector, local = text("v", confidence=0.63), text("l", kind="local", confidence=0.54)
        given = [vector, graph("g", confidence=0.5, entities_mentioned=("A",)), local]
        assert [(o.content, o.score) for o in rank_observations(given)] == [("g", 0.65), ("l", 0.64), ("v", 0.63)]
        assert [o.content for o in rank_observations(given, **OURS)] == ["v", "l", "g"]

    @pytest.mark.specification("001 §7.2 attention")
    def test_attention_breaks_ties_after_the_score(self):
        low, high = text("a", attention_weight=0.4), text("b", attention_weight=0.6)
        assert [o.content for o in rank_observations([low, high])] == ["b", "a"]
        better = text("c", confidence=0.500001, attention_weight=0.0)
        assert [o.content for o in rank_observations([low, high, better])] == ["c", "b", "a"]

    def test_then_the_id(self):
        first, second = text("a", id="x-1"), text("b", id="x-2")
        assert [o.id for o in rank_observations([second, first])] == ["x-1", "x-2"]

    def test_nothing(self):
        assert rank_observations([]) == []
