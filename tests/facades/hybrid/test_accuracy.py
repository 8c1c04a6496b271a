"""How good the lists are on the example organisation, with the default's models (003 REQ-0050, §8 quality)."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.face_quality import measure, ndcg
from configs import load_config
from evaluation import Question, read_questions, recall, reciprocal_rank
from facades.hybrid_retriever import Document, FusionParameters, HybridRetriever, RetrievalResult
from indexing import IndexRequest
from memory.embedders import Bm25Sparse
from wiring.opening import open_indexer

pytestmark = pytest.mark.slow

QUESTIONS = Path(__file__).parents[3] / "examples/shop/questions.jsonl"


@pytest.fixture(scope="module")
def anyio_backend():
    return "asyncio"


def test_ndcg_by_hand():
    assert ndcg(["a", "x", "b"], {"a", "b"}) == pytest.approx((1 + 1 / 2) / (1 + 1 / math.log2(3)))
    assert ndcg(["x"], {"a"}) == 0.0


PAGES = {
    "molecules": "Machines that calculate with qubits simulate molecules, which helps chemists to find medicines.",
    "quantum": "Quantum computing has applications in cryptography and in the search of large spaces.",
    "wells": "A quantum well confines electrons between two layers.",
    **{f"field{n}": f"The {word} is cut and dried in summer." for n, word in enumerate(("hay", "oats", "rye", "flax"))},
    **{f"bus{n}": f"The bus to the {word} leaves every ten minutes." for n, word in enumerate(("zoo", "port", "lake"))},
    **{f"cake{n}": f"A cake with {word} is baked for an hour." for n, word in enumerate(("plums", "figs", "nuts"))},
}


@pytest.mark.specification("003 §7 hybrid")
async def test_the_question_of_scenario_1_with_the_default_s_models(tmp_path):
    question, folder, data = "explain quantum computing applications", tmp_path / "pages", tmp_path / "data"
    folder.mkdir()
    for name, text in PAGES.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    await open_indexer(data, load_config(), profile="embedded").run(IndexRequest((folder,)), holder="a test")
    fusion = FusionParameters(min_score_threshold=0.0)
    async with HybridRetriever(data, profile="embedded", fusion=fusion) as retriever:
        result = await retriever.retrieve(question)
    routes = {one.metadata["path"]: one.metadata["routes"] for one in result.documents}
    assert next(iter(routes)) == "quantum.md"
    assert routes["quantum.md"] == ["dense_docs", "sparse_lexical"]  # meaning and key terms
    assert "sparse_lexical" in routes["wells.md"]  # "quantum" alone
    assert list(routes).index("molecules.md") < 3  # by its meaning: it has none of the words
    assert routes["molecules.md"] == ["dense_docs"]
    assert {"quantum", "computing"} <= set(Bm25Sparse().terms(question))
    assert len(result.documents) == 10 < len(PAGES)
    assert result.latency_ms < 2000


async def measured(shop, strategy):
    """Means over the questions that have an answer: nDCG@10, MRR@10, recall@10, all over files."""
    rows = []
    fusion = FusionParameters(min_score_threshold=0.0)
    async with HybridRetriever(shop, profile="embedded", fusion=fusion) as retriever:
        for question in read_questions(QUESTIONS).questions:
            if question.must_abstain or not question.expected_files:
                continue
            result = await retriever.retrieve(question.query, strategy=strategy, top_k=40, rerank=False)
            found = [f"{one.metadata['project']}:{one.metadata['path']}" for one in result.documents]
            files = [file for file in dict.fromkeys(found) if file not in question.also_acceptable]
            expected = set(question.expected_files)
            rows.append((ndcg(files, expected), reciprocal_rank(files, expected, 10), recall(files, expected, 10)))
    return [sum(row[n] for row in rows) / len(rows) for n in range(3)]


@pytest.mark.specification("003 REQ-0050 accuracy", "003 §8 quality", "003 §10 fusion")
async def test_hybrid_against_vector_alone(shop):
    hybrid, vector = await measured(shop, "hybrid"), await measured(shop, "vector")
    assert hybrid[0] > 0.8  # 0.90 with the default's models; the specification's are larger
    assert all(one > other for one, other in zip(hybrid, vector, strict=True))


class Known:
    """Finds these files for every question, and keeps how it was asked."""

    def __init__(self, *files):
        self.documents = [Document(file, "", {"project": "p", "path": file}, 1.0) for file in files]
        self.asked = []

    async def retrieve(self, *asked, **options):
        self.asked.append((asked, options))
        return RetrievalResult(self.documents, [1.0] * len(self.documents), "hybrid", 5.0, 1)


@pytest.mark.specification("003 §8 precision", "003 REQ-0050 at the defaults")
async def test_the_benchmark_s_arithmetic_and_that_it_asks_as_the_contract_does():
    known = Known("other.md", "a.md", "a.md", "fine.md", "b.md")  # of which fine.md neither counts nor costs
    question = Question("1", "what?", "fact", ("p:a.md", "p:b.md"), also_acceptable=("p:fine.md",))
    found = await measure([question, replace(question, must_abstain=True)], known)
    assert known.asked == [(("what?",), {})]
    assert found == {
        "questions": 1,
        "ndcg@10": round((1 / math.log2(3) + 1 / 2) / (1 + 1 / math.log2(3)), 4),
        "mrr@10": 0.5,
        "precision@1": 0.0,
        "precision@3": round(2 / 3, 4),
        "precision@5": 0.4,
        "precision@10": 0.2,
        "latency_p95_ms": 5.0,
    }


@pytest.mark.specification("003 §8 precision", "003 REQ-0050 at the defaults")
async def test_the_benchmark_measures_the_defaults(shop):
    questions = [one for one in read_questions(QUESTIONS).questions if one.expected_files][:4]
    async with HybridRetriever(shop, profile="embedded") as retriever:
        found = await measure(questions, retriever)
    assert found["questions"] == 4
    assert 0 < found["precision@10"] <= found["precision@1"] <= 1
    assert found["ndcg@10"] > 0.5
