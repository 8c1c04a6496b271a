"""What a rule is given, and which files one for programs reads."""

from __future__ import annotations

import re

import pytest

from extraction.facts import Definition
from extraction.rules import RULES, Source
from extraction.rules.port import is_code, program_language


def test_the_innermost_definition_around_a_line():
    source = Source("a.py", "", definitions=(Definition("A", "class", 1, 9), Definition("A.f", "method", 3, 5)))
    assert [source.around(n) for n in (1, 4, 9, 10)] == ["A", "A.f", "A", ""]


def test_the_line_of_a_part():
    source = Source("d/a.py", "x\ny\nx")
    assert source.name == "a.py"
    assert [source.line_of("x"), source.line_of("x", after=1), source.line_of("nowhere", after=2)] == [1, 3, 3]
    assert [source.line_of("y", after=2), source.line_of(re.compile("^[yz]$")), source.line_of("x.")] == [2, 2, 1]


def test_every_rule_has_a_name_of_its_own():
    assert len({rule.name for rule in RULES}) == len(RULES)


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("src/orders.py", "python"),
        ("web/App.tsx", "typescript"),
        ("tests/test_orders.py", ""),
        ("src/component-test/java/OrderPlaced.java", ""),
        ("README.md", ""),
        ("deploy/values.yaml", ""),
    ],
)
def test_the_language_of_a_program_that_is_no_test(path, language):
    assert program_language(path) == language
    assert is_code(path) == bool(language)
