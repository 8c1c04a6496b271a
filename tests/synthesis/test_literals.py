from __future__ import annotations

import pytest

from synthesis.literals import literals, says


def test_what_is_taken_word_for_word():
    claim = "`a_b` waits 2.5 seconds, 3 times (x.py:12), v1.2.3, UUID4; ``x `y` z`` and “so be it”, 1,500 in all."
    assert literals(claim) == ["a_b", "x `y` z", "so be it"]


def test_a_comma_at_the_end_of_what_is_taken_is_the_lines_own():
    assert says('f(\n    .expect("no logger"),\n)', '.expect("no logger"),')


def test_backticks_do_not_reach_over_lines():
    assert literals("```python\nx = y\n```") == []


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ("timeout=5.0", "5"),
        ("LIMIT = 10_000", "10,000"),
        ("tried three times", "3"),
        ("wait 250ms", "250"),
        ("def charge(self, card):", "charge"),
        ("CREATE TABLE Customers (", "customers"),
        ("PRIMARY KEY (tenant_id,\n  number)", "PRIMARY KEY (tenant_id, number)"),
        ('TEMPLATES = {\n  "a": "b",\n}', 'TEMPLATES = {"a": "b"}'),
        ("CREATE TABLE products (\n  sku TEXT\n);", "CREATE TABLE products ( …)"),
        ("one two three four", "one … three"),
        ("call(...)", "..."),
    ],
)
def test_said(text, literal):
    assert says(text, literal)


@pytest.mark.parametrize(
    ("text", "literal"),
    [
        ("timeout=15", "5"),
        ("timeout=5.5", "5"),
        ("class ConnectionPool:", "pool"),
        ("process_payment(order)", "process_pay"),
        ("one two three four", "three … one"),
        ("nothing", "..."),
    ],
)
def test_not_said(text, literal):
    assert not says(text, literal)
