from __future__ import annotations

import pytest

from memory.text.line_kinds import is_debris, notice_lines


@pytest.mark.parametrize(
    "line",
    [
        "import os",
        "from a.b import c",
        "\ufeffusing System.Text;",
        "package org.shop;",
        '\tpb "github.com/x/y"',
        "const x = require('y')",
        "})",
        "// Copyright 2024 Somebody",
        "[docs]: https://example.org",
        "- [Unit tests](#unit-tests)",
        "[![Tests](https://x/badge.svg)](https://x)",
        "apiVersion: v1",
    ],
)
def test_what_says_nothing(line):
    assert is_debris([line, ""])


@pytest.mark.parametrize(
    "line", ["import_all()", "x = 1", "See [the tests](x) first.", 'name: "a"', "using (var x = y) {"]
)
def test_what_says_something(line):
    assert not is_debris([line])


def test_a_licence_is_a_notice_to_its_end():
    lines = ["/*", " * Licensed under the Apache License", " * text", " */", "code()", "# The license check", "x"]
    assert notice_lines(lines) == {0, 1, 2, 3}
