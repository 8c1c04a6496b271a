"""The unit around a line, of what languages write alike."""

from __future__ import annotations

import pytest

from memory.text.units import CodeUnits, LineSpan, ProseUnits, units_of

PYTHON = '''import os


# Pays a bill.
@retried
def pay(
    amount: int,
) -> str:
    """Pay it."""
    if amount < 0:
        raise ValueError("negative")
    return "paid"


class Till:
    def ring(self) -> None:
        bell(1)

    def close(self) -> None:
        bell(2)
'''.splitlines()

CSHARP = """namespace Shop;

/// <summary>
/// Rings.
/// </summary>
public class Till
{
    public void Ring()
    {
        try
        {
            Bell(1);
        }
        catch (Exception e)
        {
            throw;
        }
    }
}
""".splitlines()

YAML = """services:
  # The cart.
  cart:
    image: cart
    ports:
      - 8080:8080
  till:
    image: till
---
kind: Secret
""".splitlines()


def shown(lines, line, most=15):
    """The text of the unit around the only line that holds a text."""
    [number] = [n for n, text in enumerate(lines) if line in text]
    return [units_of(lines, prose=False).around(number, most)[0]]


def lines_of(lines, spans):
    return [lines[n] for span in spans for n in range(span.first, span.last + 1)]


@pytest.mark.parametrize(
    "line", ["# Pays a bill.", "@retried", "def pay(", ") -> str:", "raise ValueError", 'return "paid"']
)
def test_a_function_with_its_comment_its_decorator_and_its_signature(line):
    assert shown(PYTHON, line) == [LineSpan(3, 11)]


def test_a_class_that_fits_is_whole_and_one_that_does_not_gives_its_method():
    assert shown(PYTHON, "bell(2)") == [LineSpan(14, 19)]
    assert shown(PYTHON, "bell(2)", 3) == [LineSpan(18, 19)]


def test_braces_on_lines_of_their_own_belong_to_what_is_above():
    assert shown(CSHARP, "public class") == [LineSpan(2, 18)] or shown(CSHARP, "public class", 20) == [LineSpan(2, 18)]
    assert shown(CSHARP, "throw;", 8) == [LineSpan(9, 16)]
    assert shown(CSHARP, "catch", 12) == [LineSpan(7, 17)]


def test_a_mapping_and_what_it_stands_in():
    assert shown(YAML, "- 8080", 5) == [LineSpan(1, 5)]
    units = CodeUnits(YAML)
    assert [YAML[n].strip() for n in units.owners(5)] == ["services:", "cart:", "ports:"]


def test_an_item_of_yaml_that_stands_as_far_left_as_its_key_is_of_that_key():
    lines = ["kafka:", "  ports:", "  - 9093:9093", "  volumes:", "  - name: data", "    size: 1"]
    units = CodeUnits(lines)
    assert [lines[n].strip() for n in units.owners(2)] == ["kafka:", "ports:"]
    assert [lines[n].strip() for n in units.owners(5)] == ["kafka:", "volumes:", "- name: data"]


def test_a_unit_ends_at_a_document_separator():
    assert shown(YAML, "kind") == [LineSpan(9, 9)]


def test_a_long_unit_is_cut_between_statements_and_never_before_the_line():
    body = [f"    step({n})" for n in range(40)]
    body[30] = "    if ready:"
    body[31] = "        go()"
    long = ["def run():", *body]
    [span] = CodeUnits(long).around(0, 10)
    assert span == LineSpan(0, 9)
    [span] = CodeUnits(long).around(32, 6)
    assert span.first <= 31
    assert span.last >= 32


def test_what_is_left_out_is_in_no_unit_of_others():
    lines = ["# Copyright", "# All rights reserved", "x = 1", "y = 2"]
    assert CodeUnits(lines, frozenset({0, 1})).around(2, 10) == (LineSpan(2, 3),)


PROSE = """# Shop

It sells.

## Carts

Carts are kept in Redis.

They are dropped after a day:

- at night
- one by one
""".splitlines()


def test_a_section_that_fits_is_whole():
    units = ProseUnits([*PROSE, *["", "## More", *["text"] * 30]])
    assert units.around(6, 15) == (LineSpan(4, 11),)
    assert units.owners(6) == [4]


def test_a_paragraph_of_a_long_section_with_those_around_it():
    lines = ["## Long", "", *[line for n in range(20) for line in (f"Sentence {n}.", "")]]
    [span] = ProseUnits(lines).around(22, 15)
    assert lines[22] in lines_of(lines, [span])
    assert 8 <= len(span) <= 12


def test_a_row_of_a_long_table_stands_under_its_header():
    table = ["| name | what |", "| --- | --- |", *[f"| n{n} | w{n} |" for n in range(30)]]
    assert lines_of(table, ProseUnits(table).around(20, 15)) == ["| name | what |", "| --- | --- |", "| n18 | w18 |"]


def test_a_heading_in_a_fence_is_none_and_half_a_fence_is_not_shown():
    lines = ["## Run", "", "Do this.", "", "```sh", "# not a heading", *["run"] * 30, "```", "", "Done."]
    assert ProseUnits(lines).around(2, 15) == (LineSpan(0, 2),)
    [span] = ProseUnits(lines).around(5, 40)
    assert span == LineSpan(0, 38)


def test_a_paragraph_of_a_long_function_with_the_next_where_there_is_room():
    steps = [line for n in range(12) for line in (f"    first{n}(bell)", f"    then{n}(bell)", "")]
    units = CodeUnits(["def ring(bell):", *steps])
    assert units.around(16, 15) == (LineSpan(10, 23),)
    assert units.around(16, 4) == (LineSpan(16, 19),)


def test_a_long_unit_is_cut_around_the_line_with_what_stands_before_it():
    body = [f"    step{n}(bell)" for n in range(40)]
    (span,) = CodeUnits(["def ring(bell):", *body]).around(30, 15)
    assert span == LineSpan(24, 38)  # fifteen lines, in turn after and before


GO = """\
package main

func moor(ship string) (
	string,
) {
	if ship == "" {
		return "none"
	}
	return ship
}
""".splitlines()
SECTIONS = """\
# Harbour

Ships moor here.

## Berths

There are three.
They are numbered.

### Fees

Ten.

## Tides

High.
""".splitlines()


@pytest.mark.specification("000 §8.2 window")
@pytest.mark.parametrize(
    ("lines", "prose", "span", "expected"),
    [
        (
            PYTHON,
            False,
            (10, 10),
            [(10, 10), (8, 10), (3, 11), (0, 19)],
        ),  # a statement, the function with its comment, the file
        (PYTHON, False, (15, 18), [(14, 19), (0, 19)]),
        (PYTHON, False, (3, 3), [(3, 11), (0, 19)]),  # a comment belongs to what it stands above
        (GO, False, (6, 6), [(6, 6), (5, 7), (2, 9), (0, 9)]),
        (YAML, False, (5, 5), [(5, 5), (4, 5), (1, 5), (0, 7), (0, 9)]),
        (SECTIONS, True, (6, 6), [(6, 7), (4, 7), (4, 11), (0, 15)]),
        (SECTIONS, True, (11, 11), [(11, 11), (9, 11), (4, 11), (0, 15)]),
    ],
)
def test_the_units_around_some_lines_from_the_smallest_to_the_file(lines, prose, span, expected):
    found = units_of(lines, prose=prose).enclosing(LineSpan(*span))
    assert [(one.first, one.last) for one in found] == expected


def test_sections_are_those_of_the_documents_language():
    lines = ["Harbour", "=======", "", "Ships.", "", "Berths", "------", "", "Three.", "", "More.", ""]
    found = units_of(lines, prose=True, lang="rst").enclosing(LineSpan(8, 8))
    assert [(one.first, one.last) for one in found] == [(8, 8), (5, 10), (0, 10)]


def test_the_file_is_shown_without_the_licence_above_it():
    lines = ["# Copyright", "x = 1", "y = 2"]
    units = units_of(lines, prose=False, left_out=frozenset({0}))
    assert list(units.enclosing(LineSpan(1, 2))) == [LineSpan(1, 2)]


def test_what_is_commented_out_at_the_margin_ends_no_unit_and_owns_nothing():
    lines = [
        "kafka:",
        "  image: kafka@sha256:1",
        "#    image: kafka:3.4",
        "  environment:",
        "    - DEBUG=yes",
        "redis:",
    ]
    units = CodeUnits(lines)
    assert units.owners(4) == [0, 3]
    assert next(units.enclosing(LineSpan(1, 4))) == LineSpan(0, 4)


def test_a_comment_at_the_margin_before_what_stands_there_begins_it():
    lines = ["def a():", "    return 1", "# of b", "def b():", "    return 2"]
    assert CodeUnits(lines).around(4, 3) == (LineSpan(2, 4),)
