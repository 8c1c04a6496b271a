"""The benchmark indexes as many documents as it says, each one chunk, and asks a hundred questions at once."""

from __future__ import annotations

from pathlib import Path

import anyio
import pytest

from benchmarks.documents import measure, texts_of

pytestmark = pytest.mark.no_cover  # what it walks through, other tests prove
SHOP = Path(__file__).parents[2] / "examples/shop"


@pytest.mark.specification("003 §8 scales", "003 §8 memory under load", "003 §10 failures")
@pytest.mark.specification("003 REQ-0046 latency", "003 §7 load")
def test_a_document_is_a_chunk_with_its_vector():
    texts = texts_of(SHOP, 12)
    assert (len(texts), len(set(texts))) == (12, 12)
    row = anyio.run(measure, texts, "embedded")
    assert (row["documents"], row["chunks"], row["chunks_without_vector"]) == (12, 12, 0)
    assert 0 < row["latency_p50_ms"] <= row["latency_p95_ms"] < 2000
    assert row["latency_p95_ms_of_100_at_once"] > 0
    assert row["processor_s_of_100_at_once"] > 0
    assert 0 < row["peak_mb"] <= row["peak_mb_of_100_at_once"]


def test_pieces_of_long_files_make_up_for_files_that_are_too_few(tmp_path):
    (tmp_path / "long.md").write_text(
        "".join(f"line {number} of the file\n" for number in range(200)), encoding="utf-8"
    )
    assert len(texts_of(tmp_path, 3)) == 3
    assert texts_of(tmp_path / "none", 3) == []
