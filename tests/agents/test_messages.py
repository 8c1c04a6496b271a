"""Where a message stands that a question quotes."""

from __future__ import annotations

import pytest

from agents.messages import Message, quoting_chunks, words_in
from memory.vector.port import Hit
from tests.agents.library import chunk

FAILED = Message(words_in("Dependency failed!"), {"dependency": 3.0, "failed": 1.0}, (1, 2))


def hit(path, text):
    return Hit(chunk("shop", path, 1, "code", text, ""), 1.0)


def test_the_words_and_their_neighbouring_pairs_in_three_lines():
    # words 3 + 1, the pair 3 + 1: 8 in all
    assert FAILED.share("x = 1\nraise Error('Dependency failed!')") == 1.0
    assert FAILED.share("failed = dependency") == 0.5  # both words, not the pair
    assert FAILED.share("dependency\n\n\n\nfailed") == pytest.approx(3 / 8)  # too far apart
    assert FAILED.share("nothing") == 0.0


def test_the_chunk_that_says_it_counts_by_the_cube_of_its_share():
    said = quoting_chunks([(FAILED, [hit("a.py", "fail('Dependency failed!')"), hit("b.py", "dependency failed_at")])])
    assert [(found.chunk.path, share) for found, share in said.values()] == [("a.py", 1.0), ("b.py", 1.0)]
    filled = Message(words_in("no stock of 17"), {"stock": 2.0, "of": 0.0, "no": 0.0, "17": 2.0}, (1, 2))
    # of 2 + 2 for the words and 2 + 2 + 2 for the pairs `no stock`, `stock of` and `of 17`, 2 + 2 + 2 are there: .6³
    said = quoting_chunks([(filled, [hit("a.py", "f'no stock of {count}'")])])
    assert [share for _, share in said.values()] == [pytest.approx(0.216)]


def test_a_line_of_the_messages_words_alone_is_what_was_filled():
    words = words_in("No stock of tins 4711 in hall A7: ordered 9000")
    filled = Message(words, dict.fromkeys(words, 1.0), (1, 2))
    # of ten words and nine pairs, 1 and 2 each, 28 in all, it holds seven words and four pairs: 15, more than 0.3
    line = 'warn("no stock of tins %s in hall %s: ordered %s", tin, hall)'
    assert filled.share(f"x\n{line}") == 0.8  # all but `warn` and `tin` of ten; `%s` is no word
    assert filled.share("tins in hall") < 0.3  # too few words to be a template


def test_what_more_than_three_files_say_tells_nothing():
    hits = [hit(f"{name}.py", "Dependency failed!") for name in "abcd"]
    assert quoting_chunks([(FAILED, hits)]) == {}
    assert len(quoting_chunks([(FAILED, hits[:3])])) == 3
