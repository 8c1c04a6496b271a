from __future__ import annotations

import pytest

from synthesis.extractive.boilerplate import aside, asked_for
from synthesis.extractive.passages import Passage


def kind(text: str, context: str = "", path: str = "a.md", quote: str = "") -> str | None:
    return aside(Passage(text, quote or text, 0, 0, "prose", context), path)


@pytest.mark.parametrize(
    "text",
    [
        "Copyright 2016 Somebody Else",
        "SPDX-License-Identifier: MIT",
        "You may not use this file except in compliance with the rules.",
        "Permission is hereby granted to everybody.",
    ],
)
def test_notices(text):
    assert kind(text) == "notice"


def test_lists_of_changes_and_of_links():
    assert kind("The pool was closed.", "Changelog > 1.0.9 (2025)") == "change"
    assert kind("The pool was closed.", path="docs/CHANGELOG.md") == "change"
    assert kind("Features Install", quote="[Features](#features) | [Install](#install)") == "contents"
    assert kind("Licence fees are paid yearly.", "Licence") == "notice"
    assert kind("The pool closes what it opened.", "Pools") is None
    assert aside(Passage("LICENSED = 'licensed under'", "x", 0, 0, "code"), "a.py") is None


def test_a_question_may_ask_for_them():
    assert asked_for("Which license does it have?") == {"notice"}
    assert asked_for("What changed?") == {"change"}
    assert asked_for("How are retries done?") == frozenset()
