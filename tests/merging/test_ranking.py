from __future__ import annotations

from collections import Counter
from dataclasses import asdict, replace

import pytest

from configs.settings import RankingSettings
from memory.observations import Location, VectorObservation
from memory.shared import MemoryEntry
from merging import ResultMerger
from merging.normalise import normalise
from merging.ranking import boosts_of, rank_observations, score, standings
from tests.merging.making import graph, text


def entries(agent, *ratings, comparable=False, common=0):
    """An agent's observations in its order; the first `common` have the text that others' have."""
    made = []
    for place, rating in enumerate(ratings, start=1):
        name = f"all {place}" if place <= common else f"{agent} {place}"
        observation = VectorObservation(f"thing {name}", f"{agent}{place}.md", "billing", rating, None, "code")
        made.append(
            MemoryEntry(
                f"{agent}-{place}",
                observation.content,
                agent,
                rating,
                is_belief_candidate=True,
                observation=observation,
                place=0 if comparable else place,
            )
        )
    return made


def found(*lists, weights=None):
    pairs = [(entry, normalise(entry)) for of in lists for entry in of]
    stood = standings(pairs, weights or {})
    return {entry.id: (stood[o.id].worth, stood[o.id].place) for entry, o in pairs if o.id in stood}


def test_a_neutral_weight_does_not_undo_what_a_conflict_took():
    versions = [("new", 0.6, 2), ("old", 0.9, 1)]
    made = [
        MemoryEntry(
            name,
            f"{name} text",
            "vector",
            0.5,
            is_belief_candidate=True,
            observation=VectorObservation(
                f"{name} text",
                "a.md",
                "billing",
                rating,
                None,
                "documentation",
                locations=(Location("billing", "a.md", 1, 1),),
                metadata={"last_updated": time},
            ),
        )
        for name, rating, time in versions
    ]
    for weights in ({}, {"vector": 1.0}):
        merged = ResultMerger(RankingSettings(agent_weights=weights), max_per_file=2).merge_entries(made, None)
        assert [(o.content, round(o.score, 2)) for o in merged.observations] == [("new text", 0.6), ("old text", 0.45)]


def first_ten(*lists, **ranking):
    merged = ResultMerger(RankingSettings(**ranking)).merge_entries([entry for of in lists for entry in of], None)
    return Counter(observation.agent for observation in merged.observations[:10])


class TestWorth:
    def test_of_a_place_is_that_of_the_worst_agents_there(self):
        assert found(entries("a", 1.0, 1.0, 1.0), entries("b", 0.9, 0.5), entries("c", 0.7, 0.6, 0.2)) == {
            "a-1": (0.7, 1), "a-2": (0.5, 2), "a-3": (0.2, 3),
            "b-1": (0.7, 1), "b-2": (0.5, 2),
            "c-1": (0.7, 1), "c-2": (0.5, 2), "c-3": (0.2, 3),
        }  # fmt: skip

    def test_never_rises_with_the_place(self):
        assert found(entries("a", 0.3, 0.9)) == {"a-1": (0.3, 1), "a-2": (0.3, 2)}

    def test_comparable_ratings_stay_and_are_the_others_measure(self):
        assert found(entries("ours", 0.4, 0.8, comparable=True), entries("a", 1.0, 1.0)) == {
            "a-1": (0.8, 1),
            "a-2": (0.4, 2),
        }
        assert found(entries("ours", 0.4, 0.8, comparable=True)) == {}

    @pytest.mark.specification("001 §5.3 base")
    def test_is_weighed(self):
        weights = {"a": 0.5, "ours": 2.0}
        lists = [entries("ours", 0.4, comparable=True), entries("a", 1.0), entries("b", 1.0)]
        assert found(*lists, weights=weights) == {"ours-1": (0.8, 0), "a-1": (0.2, 1), "b-1": (0.4, 1)}

    @pytest.mark.specification("001 §7.2 attention")
    def test_no_weight_decides_between_two_orders(self):
        given = [*entries("a", 0.1), *entries("b", 0.9)]
        turned = [replace(one, attention_weight=1 - one.attention_weight) for one in given]
        merger = ResultMerger(RankingSettings())
        first, second = ([o.id for o in merger.merge_entries(of, None).observations] for of in (given, turned))
        assert first == second


class TestFirstPlaces:
    OTHERS = (entries("b", *(0.9 - n / 50 for n in range(12))), entries("c", *(0.6 - n / 50 for n in range(12))))

    def test_of_one_that_is_sure_of_everything_are_as_many_as_the_others(self):
        assert first_ten(entries("a", *[1.0] * 12), *self.OTHERS)["a"] <= 4
        assert first_ten(entries("a", *[1.0] * 12, comparable=True), *self.OTHERS)["a"] == 10

    @pytest.mark.specification("001 §5.2 best")
    def test_what_several_found_is_not_the_surest_ones(self):
        shared = [
            entries(agent, *[rating] * 12, common=5) for agent, rating in (("a", 0.5), ("b", 0.4), ("zealot", 1.0))
        ]
        assert first_ten(*shared)["zealot"] <= 4

    @pytest.mark.specification("001 §5.3 base")
    def test_go_by_the_agents_order_not_by_its_ratings(self):
        merged = ResultMerger(RankingSettings()).merge_entries(entries("a", 0.2, 0.9, 0.5), None)
        assert [o.content for o in merged.observations] == ["thing a 1", "thing a 2", "thing a 3"]
        assert [o.confidence for o in merged.observations] == [0.2, 0.9, 0.5]

    @pytest.mark.specification("001 §5.3 base")
    def test_beside_ours_are_none_of_one_that_is_sure_of_nothing(self):
        ours = entries("b", *(0.9 - n / 50 for n in range(12)), comparable=True)
        assert first_ten(entries("a", *[0.05] * 12), ours)["a"] == 0

    def test_of_an_agent_that_weighs_more_are_more(self):
        lists = [entries("a", *(0.9 - n / 50 for n in range(12))), *self.OTHERS]
        assert first_ten(*lists)["a"] <= 4 < first_ten(*lists, agent_weights={"a": 2.0})["a"]


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

    @pytest.mark.specification(
        "001 §2.2 step 4", "001 §5.3 agreement", "001 §5.3 entities", "001 §5.3 local", "001 §5.3 length"
    )
    @pytest.mark.specification("001 §1 confidence")
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
        turned = [replace(low, attention_weight=0.6), replace(high, attention_weight=0.4)]
        assert [o.content for o in rank_observations(turned)] == ["a", "b"]
        better = text("c", confidence=0.500001, attention_weight=0.0)
        assert [o.content for o in rank_observations([low, high, better])] == ["c", "b", "a"]

    def test_then_the_id(self):
        first, second = text("a", id="x-1"), text("b", id="x-2")
        assert [o.id for o in rank_observations([second, first])] == ["x-1", "x-2"]

    def test_nothing(self):
        assert rank_observations([]) == []


def test_every_boost_is_a_setting():
    given = {"agreement_boost": 0.1, "graph_entity_boost": 0.2, "local_boost": 0.3, "length_penalty": 0.4}
    assert boosts_of(RankingSettings(**given)) == given
