from __future__ import annotations

from dataclasses import replace

from memory.observations import Location, NormalizedObservation
from merging.attaching import attach_relations
from tests.merging.making import graph, text


def ranked(*observations: NormalizedObservation) -> list[NormalizedObservation]:
    return [replace(one, rank=rank) for rank, one in enumerate(observations, start=1)]


def attached(*observations: NormalizedObservation) -> list[str]:
    found = attach_relations(ranked(*observations))
    assert [one.rank for one in found] == list(range(1, len(found) + 1))
    return [one.content for one in found]


def at(*paths: str, project: str = "billing") -> tuple[Location, ...]:
    return tuple(Location(project, path, 7, 7) for path in paths)


A, B, C = (text(name, f"{name}.py:1-9") for name in "abc")


def test_a_relation_stands_behind_the_file_that_proves_it():
    assert attached(graph("r", locations=at("b.py")), A, B, C) == ["a", "b", "r", "c"]


def test_of_several_files_behind_the_last():
    assert attached(graph("r", locations=at("c.py", "a.py")), A, B, C) == ["a", "b", "c", "r"]


def test_a_relation_of_which_a_file_is_not_listed_comes_after_all():
    assert attached(graph("r", locations=at("a.py", "gone.py")), A, B) == ["a", "b", "r"]
    assert attached(graph("r", locations=at("a.py", project="auth")), A, B) == ["a", "b", "r"]
    assert attached(graph("r"), A, B) == ["a", "b", "r"]


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
    given = ranked(A, B)
    assert all(one is other for one, other in zip(attach_relations(given), given, strict=True))
