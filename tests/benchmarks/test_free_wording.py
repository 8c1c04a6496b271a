"""The sets of true sentences: where they lead is there, and the check as it is flags few of them."""

from __future__ import annotations

from hashlib import sha256

import pytest

from benchmarks.citations import read_freely
from benchmarks.free_wording import SENTENCES, UNSEEN, free_sentences, quoted_files
from synthesis import checked_text


def test_the_sets_in_the_order_they_were_written():
    assert [path.stem for path in UNSEEN] == [str(number) for number in range(11)]
    assert [len(free_sentences(path)) for path in (SENTENCES, *UNSEEN)] == [200, 40, *[100] * 10]
    assert sum(one.denies for path in UNSEEN for one in free_sentences(path)) == 319


def test_no_set_has_changed_since_it_was_written():
    sums = (UNSEEN[0].parent / "SHA256SUMS").read_text().splitlines()
    assert sums == [f"{sha256(path.read_bytes()).hexdigest()}  {path.name}" for path in UNSEEN]


@pytest.mark.parametrize("path", UNSEEN, ids=lambda path: path.stem)
async def test_few_are_flagged(path):
    document = await read_freely(path, 1, 7)
    most = 0.14 if path.stem in {"9", "10"} else 0.1  # docs/decisions/0087: of code that nobody here wrote
    assert document["flagged"] <= most * document["true"]
    assert document["denying_flagged"] <= document["flagged"] == len(document["flagged_texts"])


@pytest.mark.parametrize("path", UNSEEN[8:], ids=lambda path: path.stem)
async def test_what_is_cited_of_installed_packages_is_there(path):
    sentences = free_sentences(path)
    files = quoted_files(sentences)
    for one in sentences:
        _, citations = await checked_text(one.text, one.observations, files)
        assert all(citation.location for citation in citations), one.text


async def test_negations_that_are_caught():
    row = (await read_freely(SENTENCES, 200, 7))["planted"]["negation"]
    assert row["planted"] == 200
    assert row["caught"] >= 175
