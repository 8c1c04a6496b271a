"""Imports that are trees."""

from __future__ import annotations

import pytest

from extraction.languages.imports import crate_path, leaves


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a::b", [("a", "b", "b")]),
        ("a::b as c", [("a", "b", "c")]),
        ("a::{b, c::{d, e as f}, self}", [("a", "b", "b"), ("a.c", "d", "d"), ("a.c", "e", "f"), ("", "a", "a")]),
        ("a::*", [("a", "*", "*")]),
        ("use A\\B\\{C, D\\E as F,};", [("A.B", "C", "C"), ("A.B.D", "E", "F")]),
        ("use function \\A\\b;", [("A", "b", "b")]),
        ("use A\\B, C\\D;", [("A", "B", "B"), ("C", "D", "D")]),
        ("a::{b, c", [("a", "b", "b")]),
        ("a::{b}}, c", [("a", "b", "b")]),
        ("", []),
    ],
)
def test_every_leaf_by_its_full_name(text, expected):
    assert list(leaves(text)) == expected


@pytest.mark.parametrize(
    ("module", "within", "expected"),
    [
        ("crate", 0, "cart::"),
        ("crate.models", 0, "cart::models"),
        ("self.line", 0, "cart::models.order.line"),
        ("super", 0, "cart::models"),
        ("super.super.tools", 0, "cart::tools"),
        ("super.super.super", 0, "cart::"),
        ("super", 1, "cart::models.order"),
        ("super.super.line", 1, "cart::models.line"),
        ("money.sums", 0, "money.sums"),
    ],
)
def test_a_module_of_the_own_crate(module, within, expected):
    assert crate_path(module, "cart/src/models/order.rs", within) == expected
