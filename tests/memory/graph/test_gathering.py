from __future__ import annotations

from memory.graph import queries
from memory.graph.gathering import gathered


def test_rows_of_several_parts_come_in_the_texts_order_and_a_ghost_with_its_own_as_one():
    def found(name, held, length):
        return {"e_id": name, "held": held, "length": length}

    parts = [[found("b", 2, 9), found("c", 1, 3)], [found("a", 2, 9), found("b", 2, 9), found("d", 1, 2)]]
    assert [row["e_id"] for row in gathered(queries.FIND_TEXT, parts, 3)] == ["a", "b", "d"]
    assert [row["e_id"] for row in gathered(queries.GET, parts, 9)] == ["a", "b", "c", "d"]
    assert gathered("any text", parts[:1], 1) == parts[0]  # the engine has cut it
