from __future__ import annotations

import pytest

from memory.observations import Location, NormalizedObservation
from synthesis.answer import also_at, graph_marker, lines_marker, observed_path, parse_markers, parse_place


def observation(source: str = "vector:qdrant", **more) -> NormalizedObservation:
    return NormalizedObservation("text", source, "billing", 0.5, "code", id="v-1", **more)


@pytest.mark.specification("001 §6.2 citations")
def test_each_form_is_built_and_read_back():
    at = Location("billing", "docs/a [1].md", 3, 9)
    built = [
        lines_marker(observation("local:a.md"), at),
        lines_marker(observation(), at),
        graph_marker(["orders/Service", "payments/Gateway"]),
        graph_marker(["billing/Customer"]),
    ]
    assert built == [
        "[local:docs/a [1%5D.md:3-9]",
        "[vector:billing/docs/a [1%5D.md:3-9]",
        "[graph:orders/Service→payments/Gateway]",
        "[graph:billing/Customer]",
    ]
    local, vector, path, entity = parse_markers(" and ".join(built))
    assert (local.path, local.lines) == ("docs/a [1].md", (3, 9))
    assert (vector.kind, vector.path) == ("vector", "billing/docs/a [1].md")
    assert path.names == ("orders/Service", "payments/Gateway")
    assert entity.names == ("billing/Customer",)


def test_without_lines_there_is_no_span():
    assert lines_marker(observation("local:CLAUDE.md"), None) == "[local:CLAUDE.md]"
    assert lines_marker(observation(metadata={"source_file": "a.py"}), None) == "[vector:billing/a.py]"
    assert lines_marker(observation(), None) == "[vector:billing]"
    assert lines_marker(observation("local:a\x1b[31m\nb]\u202e.md"), None) == "[local:a[31m b%5D.md]"
    assert parse_markers("[local:CLAUDE.md]")[0].lines is None


def test_a_models_habits_are_understood():
    [arrow, single] = parse_markers("[graph:A -> B] then [vector:p/a.py:7]")
    assert arrow.names == ("A", "B")
    assert single.lines == (7, 7)


@pytest.mark.parametrize("lines", ["0", "1-0", "9" * 5000])
def test_what_is_no_line_number_is_a_part_of_the_path(lines):
    assert parse_place(f"p/a.py:{lines}") == (f"p/a.py:{lines}", None)
    assert parse_markers(f"[vector:p/a.py:{lines}]")[0].lines is None


def test_the_path_comes_from_where_it_stands():
    assert observed_path(observation(locations=(Location("billing", "x.py", 1, 2),))) == "x.py"
    assert observed_path(observation(metadata={"path": "y.py"})) == "y.py"


def test_further_hits_of_a_file():
    at = Location("billing", "x.py", 1, 2)
    assert also_at(observation(locations=(at,), metadata={"also": [{"start_line": 5, "end_line": 6}]})) == [
        Location("billing", "x.py", 5, 6)
    ]
    assert also_at(observation(metadata={"also": [{"start_line": 5, "end_line": 6}]})) == []
    rows = [{"id": "v-2", "start_line": 5, "end_line": 6}, {"id": "v-3", "start_line": None, "end_line": None}]
    assert also_at(observation(locations=(at,), metadata={"also": rows})) == [Location("billing", "x.py", 5, 6)]
