"""Clauses, questions that are none, and the time it takes."""

from __future__ import annotations

import time

import pytest

from memory.query import TaskContext
from memory.question import question_of, read_question


@pytest.mark.parametrize(
    ("query", "clauses"),
    [
        ("What is a till?", ("What is a till?",)),
        (
            "Which base does it read, and which services write to it?",
            ("Which base does it read", "which services write to it?"),
        ),
        ("It fails. Why is that? Where is it set", ("It fails.", "Why is that?", "Where is it set")),
        ("who publishes it and from which template", ("who publishes it", "from which template")),
        ("orders and payments, how so", ("orders and payments", "how so")),
        ("What is a till and a drawer?", ("What is a till and a drawer?",)),
    ],
)
def test_clauses(query, clauses):
    assert read_question(query).clauses == clauses


@pytest.mark.parametrize("query", ["hello", "Thanks!", "hi, how are you?", "what about it?", "\N{THUMBS UP SIGN}", "?"])
def test_what_holds_no_word_that_weighs_anything_is_idle(query):
    assert read_question(query).is_idle


@pytest.mark.parametrize("query", ["hello world", "retries", "why?\n```\nx = 1\n```"])
def test_what_can_be_searched_for_is_not(query):
    assert not read_question(query).is_idle


def test_a_question_is_read_once():
    read = read_question("What is a till?")
    assert read_question("What is a till?") is read
    assert question_of("What is a till?", TaskContext(question=read)) is read
    assert question_of("another one", TaskContext(question=read)).text == "another one"


PIECES = "how do |find |: |`|\"|'|a.b|a-|_|which and |\n  |A|a::|: a(\n\n|calls |```|our |at a.|at a.b(|Error: |{\n|[|a.Error|\n** (a) |x.ex: A.|/a| only in "


@pytest.mark.parametrize("piece", PIECES.split("|"))
def test_no_question_makes_it_slow(piece):
    question = (piece * 8000)[:8000]
    started = time.process_time()
    read_question.__wrapped__(question)
    assert time.process_time() - started < 0.5  # takes about 0.03
