from __future__ import annotations

from memory.graph.cypher import PathStep, meet, simple_paths

# a -> b -> c -> d, a shortcut a -> c, and a hub h that reaches a hundred things and d.
LINE = [PathStep("a", "1", "b"), PathStep("b", "2", "c"), PathStep("c", "3", "d"), PathStep("a", "4", "c")]
HUB = [PathStep("h", f"h{n}", f"x{n}") for n in range(100)] + [PathStep("h", "to-d", "d")]


class Reader:
    """Answers from a list and remembers how many entities each round asked for."""

    def __init__(self, steps):
        self.steps = steps
        self.rounds = []

    async def __call__(self, direction, ids):
        self.rounds.append((direction, list(ids)))
        return [s for s in self.steps if (s.source if direction == "out" else s.target) in ids]


async def test_two_hops_meet_in_the_middle():
    reader = Reader(LINE)
    assert await meet(reader, ["b"], ["d"], 2) == {LINE[1], LINE[2]}
    assert reader.rounds == [("out", ["b"]), ("out", ["c"])]


async def test_the_smaller_frontier_is_expanded():
    reader = Reader([*LINE, *HUB])
    await meet(reader, ["h"], ["d"], 3)
    # Out of the hub come 101 entities, so the next rounds go backward from d (c, h), then from those two.
    assert reader.rounds == [("out", ["h"]), ("in", ["d"]), ("in", ["c", "h"])]


async def test_it_ends_when_one_side_is_exhausted():
    reader = Reader(LINE)
    await meet(reader, ["d"], ["a"], 4)
    assert reader.rounds == [("out", ["d"])]


def test_shortest_first_then_by_edge():
    found = list(simple_paths(LINE, {"a"}, {"d"}, 4))
    assert [[s.edge for s in path] for path in found] == [["4", "3"], ["1", "2", "3"]]


def test_a_cycle_is_no_path():
    cycle = [PathStep("a", "1", "b"), PathStep("b", "2", "a"), PathStep("b", "3", "b"), PathStep("b", "4", "c")]
    assert [[s.edge for s in path] for path in simple_paths(cycle, {"a"}, {"a", "c"}, 4)] == [["1", "4"]]
