"""Positions and the definitions around them."""

from __future__ import annotations

from indexing.facts import Definition
from indexing.languages.enclosing import Enclosing, Span


def test_the_innermost_one_counts_and_what_a_function_defines_is_the_functions():
    spans = [
        Span(40, 50, Definition("helper", "function", 4, 4)),
        Span(0, 100, Definition("Till", "class", 1, 9)),
        Span(30, 60, Definition("open", "function", 3, 5)),
        Span(110, 120, Definition("LIMIT", "constant", 10, 10)),
    ]
    enclosing = Enclosing(spans)
    assert [span.definition.name for span in enclosing.kept] == ["Till", "Till.open", "LIMIT"]
    assert [enclosing.name_at(p) for p in (5, 45, 60, 99, 100, 115)] == ["Till", "Till.open", "Till", "Till", "", ""]
