"""How good the lists are on the example organisation, with the default's models (003 REQ-0050, §8 quality)."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from orchestrator.contracts.hybrid_retriever import FusionParameters, HybridRetriever
from orchestrator.evaluation.measures import recall, reciprocal_rank
from orchestrator.evaluation.questions import read_questions

QUESTIONS = Path(__file__).parents[4] / "examples/shop/questions.jsonl"


@pytest.fixture(scope="module")
def anyio_backend():
    return "asyncio"


def ndcg(files, expected, k=10):
    """K. Järvelin, J. Kekäläinen: Cumulated Gain-Based Evaluation of IR Techniques (2002), relevance 0 or 1."""
    gain = sum(1 / math.log2(rank + 1) for rank, file in enumerate(files[:k], start=1) if file in expected)
    return gain / sum(1 / math.log2(rank + 1) for rank in range(1, min(k, len(expected)) + 1))


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
