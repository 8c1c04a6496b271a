"""How pieces become edges."""

from __future__ import annotations

from indexing.resolution.edges import Edges
from memory.entities import Entity, Evidence

A, B = Entity("A", project="p", path="a.py"), Entity("B", project="q", path="b.py")


def test_pieces_of_one_edge_come_together_and_a_confirmed_one_confirms_it():
    edges = Edges({"p"})
    late, early = Evidence("calls", "p", "a.py", 9), Evidence("calls", "p", "a.py", 3)
    far = Evidence("definition", "q", "b.py", 1)
    edges.add(A, "CALLS", B, path="a.py", lines=[9], evidence=[far, late], confirmed=False)
    edges.add(A, "CALLS", B, path="a.py", lines=[3], evidence=[early, far])
    (edge,) = edges.relationships()
    assert (edge.status, edge.lines, edge.evidence) == ("confirmed", (3, 9), (early, late, far))


def test_another_file_that_proves_it_is_another_edge_and_a_loop_is_none():
    edges = Edges({"p"})
    for path in ("z.py", "a.py"):
        edges.add(A, "CALLS", B, path=path, lines=[1], evidence=[], confirmed=False)
    edges.add(A, "CALLS", A, path="a.py", lines=[1], evidence=[])
    assert [(e.path, e.status) for e in edges.relationships()] == [("a.py", "candidate"), ("z.py", "candidate")]


def test_what_starts_in_another_project_is_left_out():
    edges = Edges({"p"})
    edges.add(B, "CALLS", A, path="b.py", lines=[1], evidence=[])
    edges.add(A, "CALLS", B, path="a.py", lines=[1], evidence=[])
    assert [e.source for e in edges.relationships()] == [A]
