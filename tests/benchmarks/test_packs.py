"""The arithmetic of the packs' benchmark."""

from __future__ import annotations

from dataclasses import replace

from agents.evidence import EvidencePack, Intent
from benchmarks import packs as bench
from tests.agents.evidence.making import EVERYONE, item

QUESTION = {
    "id": "q1",
    "query": "q",
    "evidence": [
        {"project": "kit", "path": "src/a.py", "lines": [3, 12]},
        {"project": "kit", "path": "src/b.py", "lines": [2]},
        {"project": "kit", "path": "src/b.py", "lines": [2]},
        {"project": "elsewhere", "path": "src/c.py", "lines": [1]},
    ],
}


def pack(*items):
    return EvidencePack(Intent.CONCEPTUAL, "q", items, len(items), (), 256, exact=False, missing={})


def test_shown_named_and_missed():
    shown = pack(replace(item("src/a.py", 1, 10), also_in=("kit/src/b.py:1-5",)), item("src/a.py", 9, 11))
    row = bench.row(QUESTION, shown, EVERYONE)
    assert (row["proof_lines"], row["in_pack"], row["shown_or_named"]) == (3, 1, 2)
    assert (row["proofs"], row["proofs_in_pack"], row["files"], row["files_in_pack"]) == (2, 0, 2, 1)
    assert (row["lines"], row["repeated_lines"]) == (13, 2)
    assert row["missed"] == ["kit/src/a.py:12", "kit/src/b.py:2"]


def test_shares_are_by_line_and_by_question():
    rows = [
        bench.row(QUESTION, pack(item("src/a.py", 1, 12), item("src/b.py", 1, 2)), EVERYONE),
        bench.row(QUESTION | {"evidence": QUESTION["evidence"][1:2]}, pack(), EVERYONE),
    ]
    whole = bench.totals(rows)
    assert (whole["proof_lines"], whole["lines_in_pack"], whole["proofs_in_pack"]) == (4, 0.75, 0.6667)
    assert (whole["mean_of_questions"], whole["questions"]) == (0.5, 2)
    assert bench.totals([])["lines_in_pack"] is None
