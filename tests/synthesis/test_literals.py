from __future__ import annotations

import pytest

from synthesis.literals import literals, misnumbered, says


def test_what_is_taken_word_for_word():
    claim = "`a_b` waits 2.5 seconds, 3 times (x.py:12), v1.2.3, UUID4; ``x `y` z`` and “so be it”, 1,500 in all."
    assert literals(claim) == ["a_b", "x `y` z", "so be it"]


def test_a_comma_at_the_end_of_what_is_taken_is_the_lines_own():
    assert says('f(\n    .expect("no logger"),\n)', '.expect("no logger"),')


def test_a_single_sign_is_not_taken_word_for_word():
    assert literals("`|` and `&` are `<=` to `n` and `7`") == ["<=", "n", "7"]


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


@pytest.mark.parametrize(
    ("claim", "lines"),
    [
        ("waits 1.5 seconds", "LOCK_TIMEOUT_MS = 1500"),  # 1.5 * 1 s = 1500 * 0.001 s
        ("waits 20 minutes", "LOCKOUT = timedelta(minutes=20)"),
        ("waits 12 seconds", "RELAY_TIMEOUT = 12.0"),  # a bare number is in the base unit
        ("report_year: 2024", "params:\n  report_year: 2024"),  # the key above is no part of the name
        ("waits 20 seconds", "timeout_s: int = 20"),
        ("two weeks", "after 14 days"),  # 2 * 604,800 s = 14 * 86,400 s
        ("three attempts", "ATTEMPTS = 3"),
        ("10,000 writes", "SEALED = 10_000"),
        ("one of them", "none at all"),
        ("19 scenarios", "Nineteen scenarios"),
        ("up to 32 callers", "thirty-two callers at most"),
        ("2 ms", "2,000 µs"),
        ("15 minutes", "a quarter of an hour"),
        ("30 minutes", "half an hour"),
        ("port 5432 of PostgreSQL 16", 'image: postgres:16-alpine\nports: ["5432:5432"]'),
        ("of 3.4 ms 1.2 ms", "of 3.4 ms 1.5 are the vectors and 1.2 the permission"),  # the unit is told once
        ("takes minutes", "takes some minutes"),
        ("stays for days", "for 48 hours"),  # a unit without a number is held against others without one alone
        ("it is [0ma word", ""),
    ],
)
def test_the_same_amount(claim, lines):
    assert misnumbered(claim, lines) is None


@pytest.mark.parametrize(
    ("claim", "lines", "said"),
    [
        ("waits 12 minutes", "RELAY_TIMEOUT = 12.0", "12 minutes"),
        ("waits 20 hours", "timedelta(minutes=20)", "20 hours"),
        ("waits 3 MB", "after 3 seconds", "3 mb"),
        ("six attempts", "ATTEMPTS = 3", "six"),
        ("takes weeks", "that takes seconds", "weeks"),
        ("1.2 MB", "of 3.4 ms 1.2 are the permission", "1.2 mb"),
        ("it is number 7", "number 17", "7"),
    ],
)
def test_another_amount(claim, lines, said):
    assert misnumbered(claim, lines) == f"the cited lines do not say {said}"


def test_how_many_sources_there_are_is_said_by_none_of_them():
    assert misnumbered("The two keys differ", "PORT = 5432", sources=2) is None
    assert misnumbered("The two keys differ", "PORT = 5432", sources=1) == "the cited lines do not say two"
    assert misnumbered("After two hours", "after 14 days", sources=2) == "the cited lines do not say two hours"


def test_a_small_count_is_held_against_a_number_that_the_claim_leaves_out():
    assert misnumbered("It takes two keys", "def sign(self, key, other): return 1") is None
    assert misnumbered("It takes two keys of 64 characters", "two are needed: of 64 characters") is None
    assert misnumbered("It takes two keys", "keys[:5]") == "the cited lines do not say two"
    assert misnumbered("It takes four keys", "def sign(self, key, other)") == "the cited lines do not say four"
    assert misnumbered("It takes 2 keys", "def sign(self, key, other)") == "the cited lines do not say 2"
    assert misnumbered("It waits two hours", "it waits") == "the cited lines do not say two hours"
