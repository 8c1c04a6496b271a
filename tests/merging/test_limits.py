from __future__ import annotations

from dataclasses import replace

import pytest

from memory.observations import Location, NormalizedObservation
from merging.conflicts import Conflict
from merging.limits import apply_limits, attach_relations, fold_files
from merging.ranking import rank_observations
from tests.merging.making import graph, text


def ranked(*observations):
    return rank_observations(observations)


def numbered(count, kind="vector"):
    return [
        text(f"{kind} {n}", f"{kind}{n}.py:1-2", kind=kind, agent=kind, confidence=0.9 - n / 100) for n in range(count)
    ]


def conflict(*sides):
    return Conflict(tuple(sides), "factual", "include_both", values=tuple(o.content for o in sides))


class TestFiles:
    def test_hits_in_one_file_are_one_observation(self):
        best, second = text("a", "f.py:10-20", confidence=0.9), text("b", "f.py:30-40", kind="local", confidence=0.5)
        third, other = text("c", "f.py", confidence=0.4), text("d", "g.py:1-2", confidence=0.3)
        found = fold_files(ranked(third, best, other, second), max_per_file=1)
        assert [o.content for o in found] == ["a", "d"]
        assert found[0].metadata["also"] == [
            {"id": second.id, "source": "local:f.py", "start_line": 30, "end_line": 40},
            {"id": third.id, "source": "vector:qdrant", "start_line": None, "end_line": None},
        ]
        assert found[0].metadata["source_file"] == "f.py"
        assert "also" not in found[1].metadata

    def test_unless_more_are_allowed(self):
        hits = [text(f"{n}", f"f.py:{n}0-{n}5", confidence=1 - n / 10) for n in range(1, 5)]
        found = fold_files(ranked(*hits), max_per_file=3)
        assert [o.content for o in found] == ["1", "2", "3"]
        assert [line["start_line"] for line in found[0].metadata["also"]] == [40]

    def test_of_one_name_in_two_projects_are_two(self):
        assert len(fold_files([text("a", "f.py:1-2"), text("b", "f.py:1-2", project="auth")], max_per_file=1)) == 2

    @pytest.mark.specification("001 §5.2 threshold")
    def test_instructions_and_the_graphs_statements_stay(self):
        rules = [text(f"rule {n}", f"CLAUDE.md:{n}-{n}", kind="local") for n in range(1, 4)]
        edges = [graph(f"A calls {n}", locations=rules[0].locations) for n in range(3)]
        notes = [text("note"), text("other note")]
        assert fold_files([*rules, *edges, *notes], max_per_file=1) == [*rules, *edges, *notes]

    @pytest.mark.specification("001 §4.1 recent")
    def test_what_a_caller_hands_over_is_of_no_file(self):
        recent = [text(f"chat {n}", "recent", kind="local", project=None) for n in range(2)]
        assert fold_files(recent, max_per_file=1) == recent
        wiki = [text(f"page {n}", "wiki.md", kind="local", project=None) for n in range(2)]
        assert len(fold_files(wiki, max_per_file=1)) == 1

    def test_what_is_kept_apart_neither_folds_nor_counts(self):
        first, second, third = (text(f"{n}", f"f.py:{n}0-{n}5", confidence=1 - n / 10) for n in range(1, 4))
        assert fold_files([first, second, third], max_per_file=1, apart=[first.id])[0] == first
        assert [o.id for o in fold_files([first, second, third], max_per_file=1, apart=[first.id])] == [
            first.id,
            second.id,
        ]


class TestCuts:
    def test_each_agent_has_its_share(self):
        found = apply_limits(ranked(*numbered(12), *numbered(3, "local")), max_per_agent=10, max_total=25).observations
        assert sum(o.agent == "vector" for o in found) == 10
        assert sum(o.agent == "local" for o in found) == 3
        assert [o.rank for o in found] == list(range(1, 14))
        assert "vector 10" not in {o.content for o in found}

    @pytest.mark.specification("001 §8 limits", "001 §5.2 threshold")
    def test_the_specifications_limits_by_default(self):
        found = apply_limits(ranked(*numbered(12), *numbered(12, "local"), *numbered(12, "other"))).observations
        assert len(found) == 25
        assert max(sum(o.agent == agent for o in found) for agent in ("vector", "local", "other")) == 10
        hits = [text(f"{n}", f"f.py:{n}0-{n}5") for n in range(1, 4)]
        assert len(apply_limits(ranked(*hits)).observations) == 1

    def test_the_best_of_all_remain_in_order(self):
        found = apply_limits(ranked(*numbered(5)), max_total=3).observations
        assert [(o.content, o.rank) for o in found] == [("vector 0", 1), ("vector 1", 2), ("vector 2", 3)]

    def test_ten_observations_are_ten_files(self):
        hits = [text(f"hit {n}", f"big.py:{n}0-{n}5", agent="vector", confidence=0.99) for n in range(1, 9)]
        found = apply_limits(ranked(*hits, *numbered(3)), max_per_agent=3).observations
        assert [o.content for o in found][1:] == ["vector 0", "vector 1"]

    def test_nothing(self):
        assert apply_limits([]).observations == []


class TestConflicts:
    @pytest.mark.specification("001 §5.4 kept")
    def test_all_sides_are_shown_in_the_places_of_the_last(self):
        given = ranked(*numbered(6))
        shown = apply_limits(given, [conflict(given[0], given[5])], max_total=3)
        assert [(o.content, o.rank) for o in shown.observations] == [("vector 0", 1), ("vector 1", 2), ("vector 5", 3)]
        assert [o.rank for o in shown.conflicts[0].observations] == [1, 3]

    @pytest.mark.specification("001 §8 limits")
    @pytest.mark.specification("001 §5.4 kept")
    def test_a_side_is_shown_beyond_its_agents_share(self):
        given = ranked(*numbered(4))
        shown = apply_limits(given, [conflict(given[1], given[3])], max_per_agent=2)
        assert [o.content for o in shown.observations] == ["vector 0", "vector 1", "vector 3"]

    @pytest.mark.specification("001 §5.2 threshold")
    def test_sides_of_one_file_are_not_folded(self):
        one, two = text("a", "f.py:10-20", confidence=0.9), text("b", "f.py:30-40", confidence=0.5)
        shown = apply_limits(ranked(one, two), [conflict(one, two)])
        assert len(shown.observations) == 2

    @pytest.mark.specification("001 §5.4 kept")
    def test_a_side_brings_those_of_its_other_conflicts(self):
        given = ranked(*numbered(8))
        chained = [conflict(given[5], given[6]), conflict(given[6], given[7]), conflict(given[0], given[7])]
        shown = apply_limits(given, chained, max_total=5)
        assert [o.content for o in shown.observations] == [f"vector {n}" for n in (0, 1, 5, 6, 7)]
        assert len(shown.conflicts) == 3
        too_many = apply_limits(given, chained, max_total=3)
        assert [o.content for o in too_many.observations] == ["vector 0", "vector 6", "vector 7"]
        assert len(too_many.conflicts) == 2

    @pytest.mark.specification("001 §5.4 kept")
    def test_one_nobody_sees_is_not_shown(self):
        given = ranked(*numbered(6))
        shown = apply_limits(given, [conflict(given[4], given[5])], max_total=3)
        assert [o.content for o in shown.observations] == ["vector 0", "vector 1", "vector 2"]
        assert shown.conflicts == []

    @pytest.mark.specification("001 §5.4 kept")
    def test_one_with_too_many_sides_is_not_shown_in_part(self):
        given = ranked(*numbered(6))
        shown = apply_limits(given, [conflict(*given)], max_total=3)
        assert [o.content for o in shown.observations] == ["vector 0", "vector 1", "vector 2"]
        assert shown.conflicts == []

    @pytest.mark.specification("001 §8 limits", "001 §5.4 kept")
    @pytest.mark.parametrize(
        ("most", "ranks", "conflicts"), [(2, (0, 1), 0), (3, (0, 1, 3), 1), (4, (0, 1, 2, 3), 1), (5, range(5), 2)]
    )
    def test_the_best_keeps_its_place_and_a_conflict_is_whole(self, most, ranks, conflicts):
        given = ranked(*numbered(5))
        shown = apply_limits(given, [conflict(given[2], given[4]), conflict(given[1], given[3])], max_total=most)
        assert [o.content for o in shown.observations] == [f"vector {rank}" for rank in ranks]
        assert len(shown.conflicts) == conflicts

    @pytest.mark.specification("001 §8 limits", "001 §5.4 kept")
    def test_one_with_too_many_sides_takes_no_place(self):
        given = ranked(*numbered(7))
        shown = apply_limits(given, [conflict(*given[1:])], max_total=3)
        assert [o.content for o in shown.observations] == ["vector 0", "vector 1", "vector 2"]
        assert shown.conflicts == []


def attaching_ranked(*observations: NormalizedObservation) -> list[NormalizedObservation]:
    return [replace(one, rank=rank) for rank, one in enumerate(observations, start=1)]


def attached(*observations: NormalizedObservation) -> list[str]:
    found = attach_relations(attaching_ranked(*observations))
    return [one.content for one in found]


def at(*paths: str, project: str = "billing") -> tuple[Location, ...]:
    return tuple(Location(project, path, 7, 7) for path in paths)


A, B, C = (text(name, f"{name}.py:1-9") for name in "abc")


@pytest.mark.specification("001 §5.3 order")
def test_a_relation_stands_behind_the_file_that_proves_it():
    assert attached(graph("r", locations=at("b.py")), A, B, C) == ["a", "b", "r", "c"]


@pytest.mark.specification("001 §5.3 order")
def test_of_several_files_behind_the_last():
    assert attached(graph("r", locations=at("c.py", "a.py")), A, B, C) == ["a", "b", "c", "r"]


@pytest.mark.specification("001 §5.3 order")
def test_a_relation_of_which_a_file_is_not_listed_comes_after_all():
    assert attached(graph("r", locations=at("a.py", "gone.py")), A, B) == ["a", "b", "r"]
    assert attached(graph("r", locations=at("a.py", project="auth")), A, B) == ["a", "b", "r"]


def test_a_file_is_listed_where_its_text_is_shown_as_anothers():
    twin = replace(A, locations=(*A.locations, *at("twin.py", project="auth")))
    assert attached(twin, B, graph("r", locations=at("twin.py", project="auth"))) == ["a", "r", "b"]


@pytest.mark.specification("001 §5.3 order")
def test_what_names_no_place_keeps_its_own():
    assert attached(A, graph("r"), B) == ["a", "r", "b"]


@pytest.mark.specification("001 §5.3 order")
def test_files_keep_their_order_and_so_do_the_relations_of_one():
    relations = [graph(name, locations=at("a.py")) for name in ("r1", "r2")]
    assert attached(relations[0], B, relations[1], A, C) == ["b", "a", "r1", "r2", "c"]


def test_a_relation_that_ranked_below_its_file_comes_up_to_it():
    assert attached(A, B, C, graph("r", locations=at("a.py"))) == ["a", "r", "b", "c"]


def test_of_a_file_with_several_hits_the_first_counts():
    again = text("again", "a.py:40-49")
    assert attached(A, B, again, graph("r", locations=at("a.py"))) == ["a", "r", "b", "again"]


def test_without_files_the_order_stays():
    assert attached(graph("r1"), graph("r2", locations=at("a.py"))) == ["r1", "r2"]
    assert attached() == []


def test_what_does_not_move_is_the_same_object():
    given = attaching_ranked(A, B)
    assert all(one is other for one, other in zip(attach_relations(given), given, strict=True))
