"""Test files of several languages, and what only sounds like one."""

from __future__ import annotations

import pytest

from memory.text import is_aside, is_test


@pytest.mark.parametrize(
    "path",
    ["tests/a.py", "pkg/test_a.py", "pkg/a_test.go", "src/a.spec.ts", "src/PaymentTest.java", "app/__tests__/cart.js"],
)
def test_a_test(path):
    assert is_test(path)


@pytest.mark.parametrize("path", ["src/a.py", "src/latest.py", "contest/a.go", "attestation.ts", "docs/testing.md"])
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
    ],
)
def test_what_names_much_and_settles_little(path):
    assert is_aside(path)


@pytest.mark.parametrize(
    "path", ["src/changes_feed.py", "licensing/keys.go", "src/localize.ts", "release.yaml.tmpl/a.go"]
)
def test_what_only_sounds_so(path):
    assert not is_aside(path)
