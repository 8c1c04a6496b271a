from __future__ import annotations

import pytest

from agents.evidence.blocks import Blocks, only_imports, without_notice

PYTHON = '''\
import os


# The desk.
class Desk:
    """Moors ships."""

    @property
    def berths(self):
        if self.open:
            return 3
        else:
            return 0

    def moor(self, ship):
        return ship
'''.splitlines()
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
YAML = """\
services:
  web:
    image: web
    environment:
      - API=api:80
      - PORT=80
  api:
    image: api
""".splitlines()
MARKDOWN = """\
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


def nested(lines, lang, span):
    """All blocks around a span, found by letting in a longer one each time."""
    blocks, found = Blocks(lines, lang), []
    for most in range(1, len(lines) + 1):
        block = blocks.around(span, lambda one, most=most: one[1] - one[0] < most)
        if block != span and block not in found:
            found.append(block)
    return found


@pytest.mark.parametrize(
    ("lines", "lang", "span", "expected"),
    [
        (PYTHON, "python", (11, 11), [(10, 13), (8, 13), (4, 16)]),  # if with its else, property with decorator, class
        (PYTHON, "python", (15, 16), [(4, 16)]),
        (PYTHON, "python", (4, 4), [(4, 16)]),  # a comment belongs to what it stands above
        (GO, "go", (7, 7), [(6, 8), (3, 10)]),
        (YAML, "yaml", (5, 5), [(4, 6), (2, 6), (1, 8)]),
        (MARKDOWN, "markdown", (7, 7), [(7, 8), (5, 9), (5, 13), (1, 16)]),
        (MARKDOWN, "markdown", (12, 12), [(10, 13), (5, 13), (1, 16)]),
    ],
)
def test_the_blocks_around_some_lines(lines, lang, span, expected):
    assert nested(lines, lang, span) == expected


def test_the_largest_that_fits_and_the_lines_themselves_where_none_does():
    blocks = Blocks(PYTHON, "python")
    assert blocks.around((11, 11), lambda span: span[1] - span[0] < 8) == (8, 13)
    assert blocks.around((11, 11), lambda _: False) == (11, 11)


def test_imports_go_together_with_what_follows():
    blocks = Blocks(PYTHON, "python")
    assert blocks.with_next((1, 1), lambda _: True) == (1, 16)
    assert blocks.with_next((1, 1), lambda span: span[1] - span[0] < 13) == (4, 16)
    assert blocks.with_next((1, 1), lambda span: span[1] - span[0] < 5) == (4, 8)
    assert blocks.with_next((1, 16), lambda _: True) == (1, 16)


@pytest.mark.parametrize(
    ("lines", "only"),
    [
        (["import os", "from a import b", "", "# a comment"], True),
        (["package main", "", 'import "fmt"', ")"], True),
        (["using System;", "namespace Shop;"], True),
        (["import os", "PORT = 80"], False),
        (["const a = require('a');", "a.run();"], False),
    ],
)
def test_only_imports(lines, only):
    assert only_imports(lines) is only


def test_a_licence_at_the_beginning_is_left_out():
    lines = ["/*", " * Copyright 2020 the harbour.", " */", "", "class Desk {", "}"]
    assert without_notice(lines, (1, 6)) == (5, 6)
    assert without_notice(lines, (1, 3)) == (1, 3)  # nothing would be left
    assert without_notice(["# How ships moor.", "x = 1"], (1, 2)) == (1, 2)
