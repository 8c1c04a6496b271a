from __future__ import annotations

import gzip
import json
import math
from pathlib import Path

import ir_measures
import pytest

from benchmarks.quality import evaluate, main, measure, read_set
from memory.embedders import FakeSource
from tests.organisation import CONFIG

pytestmark = pytest.mark.no_cover  # what it walks through, other tests prove; the tracer would double its time

DOCUMENTS = [
    {"id": "r1", "title": "Rain gauge", "text": "A rain gauge measures millimetres of rain in a day."},
    {"id": "r2", "title": "Barometer", "text": "A barometer measures the pressure of the air."},
    {
        "id": "c1",
        "title": "",
        "text": 'def to_inches(millimetres):\n    """Rain in inches."""\n    return millimetres / 25.4',
    },
    {"id": "c2", "text": "@cached\ndef pressure(height):\n    return 1013 - height / 8"},
    {"id": "n1", "title": "", "text": "default values are those of the station"},
]
QUERIES = [
    {"id": "q1", "text": "rain gauge millimetres"},
    {"id": "q2", "text": "convert millimetres to inches"},
    {"id": "unanswered", "text": "nothing answers this"},
]
QRELS = [("q1", "r1", 1), ("q2", "c1", 1)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "weather"
    folder.mkdir()
    with gzip.open(folder / "corpus.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in DOCUMENTS)
    (folder / "queries.jsonl").write_text("".join(json.dumps(row) + "\n" for row in QUERIES), encoding="utf-8")
    lines = ["query-id\tcorpus-id\tscore", *("\t".join(map(str, row)) for row in QRELS)]
    (folder / "qrels.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


def test_documents_become_files_named_by_their_ids(folder):
    given = read_set(folder)
    assert given.name == "weather"
    assert list(given.documents) == ["r1.md", "r2.md", "c1.py", "c2.py", "n1.md"]
    assert given.documents["r2.md"] == "# Barometer\n\nA barometer measures the pressure of the air.\n"
    assert given.documents["c2.py"] == DOCUMENTS[3]["text"]


def test_only_queries_with_an_answer_are_asked(folder):
    given = read_set(folder)
    assert list(given.queries) == ["q1", "q2"]
    assert given.qrels == [ir_measures.Qrel("q1", "r1.md", 1), ir_measures.Qrel("q2", "c1.py", 1)]


def test_the_measures_are_averages_over_the_queries_of_the_qrels():
    qrels = [ir_measures.Qrel("a", "x", 1), ir_measures.Qrel("a", "y", 1), ir_measures.Qrel("b", "z", 1)]
    run = [ir_measures.ScoredDoc("a", file, -rank) for rank, file in enumerate(["w", "x", "v", "u", "t", "y"])]
    found = (1 / math.log2(3) + 1 / math.log2(7)) / (1 + 1 / math.log2(3))  # x second, y sixth; b found nothing
    assert measure(qrels, run) == {
        "ndcg@10": round(found / 2, 4),
        "recall@5": (1 / 2 + 0) / 2,
        "recall@10": (2 / 2 + 0) / 2,
        "mrr@10": (1 / 2 + 0) / 2,
    }


async def test_a_set_is_indexed_asked_and_measured(folder, tmp_path):
    document = await evaluate(read_set(folder), CONFIG, FakeSource(), cache=tmp_path / "kept")
    assert {name: document[name] for name in ("ndcg@10", "recall@5", "recall@10", "mrr@10")} == {
        "ndcg@10": 1.0,
        "recall@5": 1.0,
        "recall@10": 1.0,
        "mrr@10": 1.0,
    }
    assert (document["set"], document["questions"], document["files"], document["chunks"]) == ("weather", 2, 5, 5)
    assert (tmp_path / "kept/embeddings.sqlite").is_file()


async def test_a_wrong_answer_costs(folder):
    (folder / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq1\tr1\t1\nq2\tr2\t1\n", encoding="utf-8")
    document = await evaluate(read_set(folder), CONFIG, FakeSource())
    assert document["mrr@10"] < 1
    assert document["recall@10"] == 1.0


def test_a_folder_that_is_no_set_is_refused(folder, capsys):
    (folder / "qrels.tsv").unlink()
    with pytest.raises(SystemExit):
        main([str(folder)])
    assert "it has no qrels.tsv." in capsys.readouterr().err


def test_an_id_may_be_an_address(folder):
    rows = [{"id": "https://weather.example/rain?day=1", "title": "Rain", "text": "Rain falls."}]
    with gzip.open(folder / "corpus.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)
    (folder / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\n", encoding="utf-8")
    assert list(read_set(folder).documents) == ["https%3A%2F%2Fweather.example%2Frain%3Fday%3D1.md"]
