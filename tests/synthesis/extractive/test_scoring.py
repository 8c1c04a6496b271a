from __future__ import annotations

import math

import pytest

from memory.observations import NormalizedObservation
from synthesis.extractive.passages import Passage
from synthesis.extractive.scoring import scored, stands_alone
from synthesis.extractive.sources import Source


def source(*lines: str, path: str = "a.md", score: float = 1.0, **more) -> Source:
    observation = NormalizedObservation(
        "x", "vector:qdrant", "p", score, "code", id="v", score=score, metadata={"source_file": path}, **more
    )
    return Source(observation, None, lines)


def test_the_arithmetic():
    # Two passages hold `pool`, one of them `colour` too; N = 2, so w(pool) = 1 + ln 2 ÷ ln 3, w(colour) = 1 + ln 3 ÷ ln 3.
    pool, limit = 1 + math.log(2) / math.log(3), 2.0
    best, other = scored("pool, colour", [source("The pool has a colour now.", "", "The pool is shared here.")])
    assert best.coverage == 1.0
    assert best.score == pytest.approx(0.6 + 0.2 + 0.2)
    assert other.coverage == pytest.approx(pool / (pool + limit))
    assert other.score == pytest.approx(0.8 * other.coverage + 0.2)
    assert other.held == {"pool"}


def test_a_hint_weighs_half_of_a_term():
    [best] = scored("pool", [source("The pool has a key.")], frozenset({"key"}))
    assert best.held == {"pool", "key"}
    one, two = scored("pool", [source("A pool it is.", "", "A key it is.")], frozenset({"key"}))
    assert (one.coverage, two.coverage) == (pytest.approx(2 / 3), pytest.approx(1 / 3))


def first(question: str, *sources: Source) -> str:
    return scored(question, sources)[0].passage.text


def test_tests_releases_superseded_and_leaning_sentences_stand_behind():
    good = "The pool is closed."
    assert first("pool", source("Some pool is closed.", path="tests/a.md"), source(good)) == good
    assert first("pool", source("# 1.0.9 (2025)", "The pool was closed."), source(good)) == good
    assert first("pool", source("A pool was closed.", superseded_by="v-2"), source(good)) == good
    assert first("pool", source("It is the pool."), source(good)) == good
    assert first("pool", source("See https://x.y for the pool."), source(good)) == good
    assert first("pool", source("The pool " + "is very large " * 30), source(good)) == good


def test_a_number_is_preferred_where_one_is_asked_for():
    words, number = source("The pool waits a while."), source("The pool waits 5 seconds.")
    assert first("How long does the pool wait?", words, number) == "The pool waits 5 seconds."
    assert first("Does the pool wait?", words, number) == "The pool waits a while."


def test_what_cannot_stand_alone_is_left_out():
    assert scored("pool", [source("Pool:", "", "Two words")]) == []
    assert scored("pool", [source('"pool",', "pool.name,", "pool = 5", path="a.py")])[0].passage.text == "pool = 5"
    assert scored("pool", []) == []


def test_a_sentence_is_read_under_the_heading_that_is_asked_for():
    lines = ("# Pool rules", "", "Nobody swims alone here.", "", "# Pools", "", "A pool it is.")
    told = {s.passage.text: s.held for s in scored("What are the pool rules?", [source(*lines)])}
    assert told == {"Nobody swims alone here.": {"pool", "rul"}, "A pool it is.": {"pool"}}


def test_what_is_required_is_read_as_code():
    assert source("httpx==1", path="requirements-dev.txt").is_code
    assert source("httpx==1", path="a/requirements/base.txt").is_code
    assert not source("Some words.", path="docs/requirements.md").is_code
    assert not source("Some words.", path="notes.txt").is_code


def test_a_key_or_a_tag_alone_says_nothing():
    assert not any(stands_alone(Passage(text, text, 0, 0, "code")) for text in ("</dependency>", "<br/>", "kafka-one:"))
    assert stands_alone(Passage("image: kafka", "image: kafka", 0, 0, "code"))
