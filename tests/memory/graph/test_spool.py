from __future__ import annotations

import pytest

from memory.graph.spool import Spool


def test_rows_come_back_in_their_order_and_as_they_were():
    rows = [{"id": "ü☃", "lines": [1, 2]}, {"id": "name \udcff", "lines": []}]  # a file's name need be no text
    with Spool() as spool:
        assert spool.put(rows) == 2
        assert spool.put(iter(rows[:1])) == 1
        assert spool.put([]) == 0
        assert list(spool.rows()) == [*rows, rows[0]]
        assert list(spool.rows()) == [*rows, rows[0]]


def test_it_is_gone_when_it_ends():
    with Spool() as spool:
        spool.put([{"id": "a"}])
    with pytest.raises(ValueError, match="closed"):
        spool.put([{"id": "b"}])
