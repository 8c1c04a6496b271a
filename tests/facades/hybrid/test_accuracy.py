"""How good the lists are on the example organisation, with the default's models (003 REQ-0050, §8 quality)."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from benchmarks.face_quality import measure, ndcg
from evaluation.questions import read_questions
from evaluation.runner import recall, reciprocal_rank
from facades.hybrid_retriever import FusionParameters, HybridRetriever

QUESTIONS = Path(__file__).parents[3] / "examples/shop/questions.jsonl"


@pytest.fixture(scope="module")
def anyio_backend():
    return "asyncio"


def test_ndcg_by_hand():
    assert ndcg(["a", "x", "b"], {"a", "b"}) == pytest.approx((1 + 1 / 2) / (1 + 1 / math.log2(3)))
    assert ndcg(["x"], {"a"}) == 0.0


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
    assert hybrid[0] > 0.8  # 0.93 with the default's models; the specification's are larger
    assert all(one > other for one, other in zip(hybrid, vector, strict=True))


@pytest.mark.specification("003 §8 precision", "003 REQ-0050 at the defaults")
async def test_the_benchmark_measures_the_defaults(shop):
    questions = [one for one in read_questions(QUESTIONS).questions if one.expected_files][:4]
    async with HybridRetriever(shop, profile="embedded") as retriever:
        found = await measure(questions, retriever)
    assert found["questions"] == 4
    assert 0 < found["precision@10"] <= found["precision@1"] <= 1
    assert found["ndcg@10"] > 0.5
