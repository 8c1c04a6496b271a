"""003's retriever at its defaults (top_k 10, threshold 0.5): nDCG, MRR, precision at 1, 3, 5 and 10, and the time.

    .venv/bin/python benchmarks/face_quality.py QUESTIONS.jsonl... --data-dir INDEX [--profile NAME]

Over documents in their order, each judged by its file: one of a file that was seen already is not counted again as
found.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import anyio

from evaluation import Question, percentile, read_questions, reciprocal_rank
from facades.hybrid_retriever import HybridRetriever

_DEPTHS = (1, 3, 5, 10)


def ndcg(files: Sequence[str], expected: Collection[str], k: int = 10) -> float:
    """K. Järvelin, J. Kekäläinen: Cumulated Gain-Based Evaluation of IR Techniques (2002), relevance 0 or 1."""
    gain = sum(1 / math.log2(rank + 1) for rank, file in enumerate(files[:k], start=1) if file in expected)
    return gain / sum(1 / math.log2(rank + 1) for rank in range(1, min(k, len(expected)) + 1))


async def measure(questions: Sequence[Question], retriever: HybridRetriever) -> dict[str, Any]:
    """Means over the questions that have an answer."""
    rows, times = [], []
    for question in questions:
        if question.must_abstain or not question.expected_files:
            continue
        result = await retriever.retrieve(question.query)
        times.append(result.latency_ms)
        found = [f"{one.metadata['project']}:{one.metadata['path']}" for one in result.documents]
        files = [file for file in dict.fromkeys(found) if file not in question.also_acceptable]
        right = set(question.expected_files)
        rows.append(
            {
                "ndcg@10": ndcg(files, right),
                "mrr@10": reciprocal_rank(files, question.expected_files, 10),
                **{f"precision@{k}": sum(file in right for file in files[:k]) / k for k in _DEPTHS},
            }
        )
    means = {name: round(math.fsum(row[name] for row in rows) / len(rows), 4) for name in rows[0]}
    return {"questions": len(rows), **means, "latency_p95_ms": percentile(times, 95)}


async def _run(files: Sequence[Path], data: Path, profile: str) -> dict[str, Any]:
    async with HybridRetriever(data, profile) as retriever:
        return {file.parent.name: await measure(read_questions(file).questions, retriever) for file in files}


def main() -> int:
    """Print one JSON document."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", nargs="+", type=Path)
    parser.add_argument("--data-dir", type=Path, required=True)
    parser.add_argument("--profile", default="embedded")
    given = parser.parse_args()
    print(json.dumps(anyio.run(_run, given.questions, given.data_dir, given.profile), indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
