"""The true sentences stand where they say, and of each misreading nearly all are caught; measured in docs/benchmarks.md."""

from __future__ import annotations

import pytest

from benchmarks.free_wording import free_sentences, quoted_files
from benchmarks.misreading import MISREADINGS, misread
from synthesis import checked_text

SENTENCES = free_sentences()


async def flagged(sentences):
    files = quoted_files(SENTENCES)
    checked = [(await checked_text(one.text, one.observations, files))[1] for one in sentences]
    return sum(not all(citation.verified for citation in citations) for citations in checked)


async def test_true_sentences_lead_to_lines_that_are_there():
    files = quoted_files(SENTENCES)
    assert len(SENTENCES) == len({one.text for one in SENTENCES}) == 200
    for one in SENTENCES:
        _, citations = await checked_text(one.text, one.observations, files)
        assert citations
        assert all(citation.located for citation in citations), one.text


async def test_few_true_sentences_are_flagged():
    assert await flagged(SENTENCES) <= 0.03 * 200


@pytest.mark.parametrize("kind", ["foreign name", "reversal", "other relation", "other number", "other unit"])
async def test_misread_sentences_are_caught(kind):
    planted = misread(kind, SENTENCES, 200, 7)
    assert await flagged(planted) >= 0.95 * len(planted) > 100


def test_the_seed_decides():
    for kind in MISREADINGS:
        again = [[one.text for one in misread(kind, SENTENCES, 20, seed)] for seed in (1, 1, 2)]
        assert again[0] == again[1] != again[2]
        assert not {one.text for one in SENTENCES} & set(again[0])
