from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import pytest

from configs.settings import RankingSettings
from memory.errors import InvalidInputError
from memory.observations import GraphObservation, LocalObservation, Location, VectorObservation
from memory.shared import MemoryEntry, SharedWorkingMemory
from merging import Dropped, MergeResult, ResultMerger
from tests.merging.making import text


def entry(number, content, path, line=1, project="p"):
    at = Location(project, path, line, line + 1)
    observation = VectorObservation(content, path, project, 1.0 - number / 100, None, "code", (at,))
    return MemoryEntry(str(number), content, "vector", 0.5, True, observation)  # noqa: FBT003 - a positional field


def merged(entries, permission=None, **limits):
    return ResultMerger(RankingSettings(), **limits).merge_entries(entries, permission)


def test_what_is_shown_is_not_dropped():
    assert merged([entry(0, "apples are red", "a.py")]).dropped == ()


def test_what_became_of_the_others_is_worked_out_when_asked_for():
    result = merged([entry(0, "apples are red", "a.py"), entry(1, "apples are red", "b.py")])
    assert replace(result, trace=tuple).dropped == ()
    assert replace(result, trace=tuple) == result
    assert result.dropped == result.dropped != ()


def test_a_copy_was_folded_into_what_was_kept():
    result = merged([entry(0, "apples are red", "a.py"), entry(1, "apples are red", "b.py")])
    [kept] = result.observations
    [gone] = result.dropped
    assert gone == Dropped(gone.id, "vector", "deduplicate", kept.id, Location("p", "b.py", 1, 2))
    assert kept.duplicates[0].location == gone.location


def test_a_hit_in_the_same_file_was_folded_into_its_best():
    result = merged([entry(0, "apples are red", "a.py"), entry(1, "pears hang on other trees", "a.py", line=9)])
    [best] = result.observations
    assert [(one.stage, one.into) for one in result.dropped] == [("limits", best.id)]


def test_what_ranks_below_the_last_place_was_cut():
    result = merged([entry(0, "apples are red", "a.py"), entry(1, "pears hang on other trees", "b.py")], max_total=1)
    assert [(one.stage, one.into) for one in result.dropped] == [("limits", None)]


def test_what_may_not_be_seen_is_not_told_of():
    entries = [entry(0, "apples are red", "a.py"), entry(1, "pears hang on other trees", "b.py", project="secret")]
    result = merged(entries, frozenset({"p"}))
    assert [o.content for o in result.observations] == ["apples are red"]
    assert result.dropped == ()


def test_every_observation_is_shown_or_dropped_once():
    entries = [
        entry(number, f"thing {number} of many kinds x{number * 7}", f"f{number % 4}.py", number)
        for number in range(12)
    ]
    result = merged(entries, max_total=3)
    ids = [o.id for o in result.observations] + [one.id for one in result.dropped]
    assert len(ids) == len(set(ids)) == 12


def local(content, place="CLAUDE.md:3-9", score=0.5, project="billing", **fields):
    path, _, lines = place.partition(":")
    at = (Location(project, path, *map(int, lines.split("-"))),)
    return LocalObservation(content, path, None, score, "fact", project, at, **fields)


def vector(content, place="a.md:1-2", score=0.5, project="billing", **fields):
    path, _, lines = place.partition(":")
    at = (Location(project, path, *map(int, lines.split("-"))),)
    return VectorObservation(content, path, project, score, None, "documentation", at, **fields)


def edge(content="A calls B", score=0.5, projects=("billing",)):
    return GraphObservation(content, [], [], projects, 1, score, "relationship")


def entries(**found):
    return [
        MemoryEntry(f"{agent}-{n}", o.content, agent, 0.5, is_belief_candidate=True, observation=o)
        for agent, observations in found.items()
        for n, o in enumerate(observations, start=1)
    ]


def merger(**settings):
    return ResultMerger(RankingSettings(), **settings)


class TestMerge:
    @pytest.mark.specification("001 §5.2 best")
    def test_of_one_text_what_weighs_more_is_kept(self):
        twice = entries(
            local=[local("Retry.", "a.md:1-2", score=0.5)], vector=[vector("Retry.", "b.md:1-2", score=0.6)]
        )
        for weights, kept in (({}, "vector"), ({"local": 1.3}, "local")):  # .65 to .6
            found = ResultMerger(RankingSettings(agent_weights=weights)).merge_entries(twice, None)
            assert [o.agent for o in found.observations] == [kept]

    def test_the_same_section_from_two_agents_is_one_and_no_agreement(self):
        found = merger().merge_entries(
            entries(local=[local("Retry.")], vector=[vector("Retry.", "CLAUDE.md:3-9")]), None
        )
        (kept,) = found.observations
        assert (kept.rank, kept.corroborated_by) == (1, ())
        assert found.counts.after_dedup == 1
        assert found.counts.source_agreement == 0.0

    def test_what_was_prepared_as_it_came_merges_alike(self):
        given = entries(
            local=[local("port: 1", "db.yaml:3-9")], vector=[vector("port: 2", "db.yaml:3-9")], graph=[edge()]
        )
        ours = merger()
        prepared = [replace(entry, prepared=ours.prepare(entry)) for entry in given]
        once, again = ours.merge_entries(given, None), ours.merge_entries(prepared, None)
        assert (once.observations, once.conflicts, once.counts) == (again.observations, again.conflicts, again.counts)
        assert len(once.conflicts) == 1

    @pytest.mark.specification("001 §2.2 step 4", "001 §5.3 local")
    def test_ranked_with_the_settings_boosts(self):
        given = entries(local=[local("l", score=0.5)], vector=[vector("v", score=0.54)])
        boosted = ResultMerger(RankingSettings(local_boost=0.1)).merge_entries(given, None).observations
        assert [(o.agent, o.score, o.rank) for o in boosted] == [("local", 0.6, 1), ("vector", 0.54, 2)]
        found = merger().merge_entries(given, None).observations
        assert [(o.agent, o.score, o.rank) for o in found] == [("vector", 0.54, 1), ("local", 0.5, 2)]
        long = entries(vector=[vector("x" * 5500)])
        assert ResultMerger(RankingSettings(length_penalty=0.2)).merge_entries(long, None).observations[0].score == 0.3

    @pytest.mark.specification("001 §5.3 order")
    def test_what_the_graph_says_stands_behind_the_files_that_prove_it(self):
        proven = replace(edge(score=0.9), locations=(Location("billing", "b.md", 1, 1),))
        given = entries(
            vector=[vector("v", "a.md:1-2", 0.8), vector("w", "b.md:1-2", 0.7), vector("x", "c.md:1-2", 0.6)],
            graph=[proven],
        )
        found = merger().merge_entries(given, None).observations
        assert [(o.content, o.rank) for o in found] == [("v", 1), ("w", 2), ("A calls B", 3), ("x", 4)]

    @pytest.mark.specification("001 §1 confidence", "001 §5.2 boost")
    def test_agreement_is_counted_once(self):
        given = entries(
            vector=[vector("a b", score=0.5, embedding=[1.0, 0.0], embedding_model="m")],
            local=[
                local("c d", "b.md:1-2", score=0.4, embedding=[1.0, 0.0], embedding_model="m"),
                local("alone", "c.md:1-2", score=0.3),
            ],
        )
        found = ResultMerger(RankingSettings(agreement_boost=0.07)).merge_entries(given, None)
        assert (found.observations[0].confidence, found.observations[0].score) == (0.5, 0.57)
        assert found.observations[0].corroborated_by == ("local:billing",)
        assert found.observations[1].corroborated_by == ("vector:billing",)
        assert found.counts.source_agreement == pytest.approx(2 / 3)

    @pytest.mark.specification("001 §2.2 step 4")
    def test_conflicts_are_resolved_and_counted(self):
        schema = vector("CREATE TABLE t (id UUID)", "db/a.sql:1-1", 0.9)
        document = vector("```sql\nCREATE TABLE t (id INT)\n```", "docs/a.md:1-3", 0.5)
        found = merger().merge_entries(entries(vector=[schema, document]), None)
        (conflict,) = found.conflicts
        assert [o.superseded_by for o in found.observations] == [None, found.observations[0].id]
        assert conflict.winner == found.observations[0].id
        assert [(o.rank, o.score) for o in conflict.observations] == [
            (o.rank, o.score) for o in sorted(found.observations, key=lambda o: o.id)
        ]
        assert (found.counts.conflicts_detected, found.counts.conflicts_resolved) == (1, 1)
        asked = merger(conflict_strategy={"factual": "ask_user"}).merge_entries(
            entries(vector=[schema, document]), None
        )
        assert (asked.counts.conflicts_detected, asked.counts.conflicts_resolved) == (1, 0)
        assert asked.conflicts[0].needs_user
        json.dumps(asked.conflicts[0].to_dict())

    @pytest.mark.specification("001 §7.2 attention")
    def test_beliefs_alone_conflict(self):
        given = [
            MemoryEntry(str(n), o.content, "vector", 0.5, is_belief_candidate=False, observation=o)
            for n, o in enumerate(
                [vector("CREATE TABLE t (id UUID)", "a.sql:1-1"), vector("CREATE TABLE t (id INT)", "b.sql:1-1")]
            )
        ]
        assert merger().merge_entries(given, None).conflicts == ()

    def test_a_bare_text_takes_part(self):
        note = MemoryEntry("graph-1", "Customer is in billing", "graph", 0.9, is_belief_candidate=True)
        (kept,) = merger().merge_entries([note], frozenset()).observations
        assert (kept.source, kept.confidence, kept.locations) == ("graph:memory", 0.9, ())

    def test_limits(self):
        given = entries(
            vector=[vector(f"hit {n}", f"{n}.md:1-2", 0.9 - n / 100) for n in range(20)],
            local=[local("one", "l.md:1-2")],
        )
        assert len(merger().merge_entries(given, None).observations) == 11
        assert len(merger(max_per_agent=20, max_total=15).merge_entries(given, None).observations) == 15
        one_file = entries(vector=[vector(f"hit {n}", f"f.md:{n}1-{n}2") for n in range(1, 4)])
        assert len(merger().merge_entries(one_file, None).observations) == 1
        assert len(merger(max_per_file=2).merge_entries(one_file, None).observations) == 2

    @pytest.mark.specification("001 §8 limits")
    def test_limits_by_default_are_the_specifications(self):
        given = entries(
            **{
                agent: [vector(f"{agent} {n}", f"{agent}{n}.md:1-2", 0.9) for n in range(12)]
                for agent in ("vector", "wiki", "mail")
            }
        )
        shown = merger().merge_entries(given, None).observations
        assert len(shown) == 25
        assert max(Counter(o.agent for o in shown).values()) == 10

    @pytest.mark.specification("001 §5.2 threshold")
    def test_the_threshold_by_default_is_the_specifications(self):
        first = vector("a b", "a.md:1-2", embedding=[1.0, 0.0], embedding_model="m")
        for near, share in (((0.851, 0.5251), 1.0), ((0.849, 0.5284), 0.0)):
            other = vector("c d", "b.md:1-2", project="auth", embedding=list(near), embedding_model="m")
            found = merger().merge_entries(entries(vector=[first, other]), None)
            assert (found.counts.after_dedup, found.counts.source_agreement) == (2, share)

    def test_threshold(self):
        given = entries(
            vector=[
                vector("a b", "a.md:1-2", embedding=[3.0, 4.0], embedding_model="m"),
                vector("c d", "b.md:1-2", project="auth", embedding=[4.0, 3.0], embedding_model="m"),
            ]
        )
        for threshold, share in ((0.96, 1.0), (0.97, 0.0)):
            assert merger(similarity_threshold=threshold).merge_entries(given, None).counts.source_agreement == share

    def test_nothing(self):
        found = merger().merge_entries([], frozenset())
        assert found.observations == ()
        assert found.counts.source_agreement == 0.0
        assert MergeResult().counts == found.counts

    def test_every_stage_is_timed_by_the_clock_given(self):
        ticks = iter([0.0, 0.001, 0.003, 0.006, 0.010, 0.015])
        found = merger(monotonic=lambda: next(ticks)).merge_entries([], None)
        assert {stage: round(ms, 6) for stage, ms in found.times_ms.items()} == {
            "normalise": 1.0, "deduplicate": 2.0, "conflicts": 3.0, "rank": 4.0, "limits": 5.0,
        }  # fmt: skip


class TestPermission:
    def test_what_is_outside_is_dropped(self):
        given = entries(
            vector=[vector("a"), vector("b", project="crm")],
            graph=[edge(projects=("billing", "crm"))],
            local=[local("c")],
        )
        found = merger().merge_entries(given, frozenset({"billing"}))
        assert sorted(o.content for o in found.observations) == ["a", "c"]

    def test_without_a_catalogue_nothing_is_checked(self):
        found = merger().merge_entries(entries(vector=[vector("b", project="crm")]), None)
        assert len(found.observations) == 1

    def test_an_outsider_leaves_no_trace(self):
        own = vector("same words", embedding=[1.0, 0.0], embedding_model="m")
        twin = vector("other words", project="crm", score=0.9, embedding=[1.0, 0.0], embedding_model="m")
        with_it = merger().merge_entries(entries(vector=[own, twin]), frozenset({"billing"}))
        assert (
            with_it.observations == merger().merge_entries(entries(vector=[own]), frozenset({"billing"})).observations
        )


class TestInterface:
    @pytest.mark.specification("001 §7.1 ResultMerger")
    async def test_merge_takes_what_agents_return(self):
        found = await merger().merge([edge(), vector("v", score=0.9), local("l", score=0.1)])
        assert [(o.agent, o.rank) for o in found] == [("vector", 1), ("graph", 2), ("local", 3)]
        facts = await merger().merge(
            [vector("CREATE TABLE t (id UUID)", "a.sql:1-1"), vector("CREATE TABLE t (id INT)", "b.sql:1-1")]
        )
        assert sum(o.superseded_by is not None for o in facts) == 1
        assert {o.attention_weight for o in found} == {0.5}
        assert [o.id.partition("-")[0] for o in found] == ["vector", "graph", "local"]

    async def test_merge_takes_the_entries_of_a_shared_memory_as_they_are(self):
        given = entries(vector=[vector("v", score=0.9)], local=[local("l", score=0.1)])
        assert await merger().merge(given) == list(merger().merge_entries(given, None).observations)

    @pytest.mark.specification("001 §7.1 ResultMerger")
    async def test_deduplicate_and_rank_use_its_settings(self):
        pair = [text("a b", vector=[3.0, 4.0]), text("c d", project="auth", vector=[4.0, 3.0])]
        for threshold, agreeing in ((0.96, 2), (0.97, 0)):
            kept = await merger(similarity_threshold=threshold).deduplicate(pair)
            assert sum(bool(o.corroborated_by) for o in kept) == agreeing
        boosted = ResultMerger(RankingSettings(local_boost=0.05))
        assert (await boosted.rank([text("l", kind="local", confidence=0.5)]))[0].score == 0.55

    async def test_a_snapshot_of_the_shared_memory(self):
        memory = SharedWorkingMemory("q")
        await memory.add_observation("a", "vector", 0.5, is_belief_candidate=True, observation=vector("a"))
        await memory.add_observation("A calls B", "graph", 0.9, observation=edge(score=0.9))
        found = merger().merge_entries(memory.snapshot(), frozenset({"billing"}))
        assert [o.content for o in found.observations] == ["A calls B", "a"]

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            ("max_per_agent", 0),
            ("max_total", 0),
            ("max_per_file", 0),
            ("similarity_threshold", 1.1),
            ("similarity_threshold", -0.1),
        ],
    )
    def test_settings_that_make_no_sense_are_refused_by_name(self, name, value):
        with pytest.raises(InvalidInputError, match=rf"^{name} is {value}\. Give a number from [01]"):
            merger(**{name: value})
        with pytest.raises(InvalidInputError, match=r"No conflict type 'x'"):
            merger(conflict_strategy={"x": "y"})

    def test_borders_of_the_settings_are_accepted(self):
        merger(max_per_agent=1, max_total=1, max_per_file=1, similarity_threshold=0.0)
        merger(similarity_threshold=1.0)
