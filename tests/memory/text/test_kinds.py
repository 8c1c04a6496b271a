"""Test files of several languages, and what only sounds like one."""

from __future__ import annotations

import pytest

from memory.text import aside_word, is_test
from memory.text.kinds import idle_lines, is_debris


@pytest.mark.parametrize(
    "path",
    [
        "tests/a.py",
        "pkg/test_a.py",
        "pkg/a_test.go",
        "src/a.spec.ts",
        "src/PaymentTest.java",
        "app/__tests__/cart.js",
        "src/Till.Tests/Stubs.cs",
        "src/Till.UnitTests/Stubs.cs",
        "smoke-tests/run.sh",
        "till/tests_till/joint.py",
        "till-integration-test/Run.java",
    ],
)
def test_a_test(path):
    assert is_test(path)


@pytest.mark.parametrize(
    "path",
    ["src/a.py", "src/latest.py", "contest/a.go", "attestation.ts", "docs/testing.md", "Latest/a.cs", "Contest/a.cs"],
)
def test_no_test(path):
    assert not is_test(path)


@pytest.mark.parametrize(
    "path",
    [
        "LICENSE",
        "docs/CHANGELOG.md",
        "db/migrations/003_add.py",
        "app/lib/l10n/app_pt.arb",
        "src/locales/de.json",
        "NOTICE.txt",
        "backend/old/mailer.pl",
    ],
)
def test_what_names_much_and_settles_little(path):
    assert aside_word(path)


@pytest.mark.parametrize(
    "path", ["src/changes_feed.py", "licensing/keys.go", "src/localize.ts", "release.yaml.tmpl/a.go", "lib/older.pl"]
)
def test_what_only_sounds_so(path):
    assert not aside_word(path)


@pytest.mark.parametrize(
    ("path", "word"),
    [
        ("pkg/cart_test.go", "test"),
        ("src/CartIT.java", "it"),
        ("src/Till.UnitTests/Stubs.cs", "tests"),
        ("db/migrations/003_cart.py", "migrations"),
        ("docs/CHANGELOG.md", "changelog"),
        ("app/cart.po", "po"),
        ("src/cart.py", ""),
    ],
)
def test_the_word_that_says_so_is_no_other_part_of_the_path(path, word):
    assert aside_word(path) == word


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
        "use Mojo::Base 'Mojolicious', -signatures;",
        "open Capnp_rpc_lwt",
        "alias Shop.Order",
    ],
)
def test_what_says_nothing(line):
    assert is_debris([line, ""])


@pytest.mark.parametrize(
    "line",
    ["import_all()", "x = 1", "See [the tests](x) first.", 'name: "a"', "using (var x = y) {", "open(path)", "use it"],
)
def test_what_says_something(line):
    assert not is_debris([line])


def test_a_licence_is_a_notice_to_its_end():
    lines = ["/*", " * Licensed under the Apache License", " * text", " */", "code()", "# The license check", "x"]
    assert idle_lines(tuple(lines)) == {0, 1, 2, 3}


@pytest.mark.parametrize(
    "lines",
    [
        ["import {", "  Alarm,", "} from 'aws-cdk-lib';"],
        ["from orders.models import (", "    Order,", ")"],
        ["import (", '\t"fmt"', ")"],
        ["pub use crate::jobs::{", "    Lease,", "};"],
        ["export {", "  saveOrder,", "} from './orders';"],
        ["(ns shop.orders", "  (:require [shop.bus :as bus])", "  (:import (java.util UUID)))"],
    ],
)
def test_the_names_of_an_import_say_nothing_of_what_the_code_does(lines):
    assert idle_lines((*lines, "", "order = place()")) == {0, 1, 2}


def test_a_class_that_is_exported_is_no_import():
    assert idle_lines(("export class Cart {", "  add() {}", "}")) == frozenset()
    assert idle_lines(("import {", "  left open")) == {0}
