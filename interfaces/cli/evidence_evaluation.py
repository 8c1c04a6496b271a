"""Regression questions for evidence packs: the recall of a file of questions, to tune the knobs of `evidence` by.

    python -m hybrid_retrieval.interfaces.cli.evidence_evaluation FILE --data-dir DIR --set evidence.hnsw_ef=384

The file, the files' order and the measures are `evaluate`'s: docs/design.md#question-files. What `evaluate`
scores besides, such as citations and scope, packs do not have. A question's type is not looked at: the intent is read
from the question.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import click

from agents.evidence import MAX_TOP_K, EvidencePack, EvidenceRequest
from evaluation import Question, QuestionFile, mean, percentile, read_questions, recall, reciprocal_rank
from interfaces.cli.main import run
from interfaces.cli.options import Door, common_options
from memory.text.output import json_line

Retrieve = Callable[[EvidenceRequest, Question], Awaitable[EvidencePack]]


async def evaluate_evidence(file: QuestionFile, retrieve: Retrieve, *, top_k: int = MAX_TOP_K) -> dict[str, Any]:
    """Recall and reciprocal rank over the questions that have an answer, and for each its files and what it missed."""
    rows = []
    times = []
    for question in file.questions:
        if question.must_abstain:
            continue
        began = time.perf_counter()
        pack = await retrieve(EvidenceRequest(question.query, top_k=top_k), question)
        times.append((time.perf_counter() - began) * 1000)
        files = [f"{item.chunk.project}:{item.chunk.path}" for item in pack.evidence]
        rows.append(_row(question, pack, [one for one in dict.fromkeys(files) if one not in question.also_acceptable]))
    return {
        "schema_version": "1",
        "questions": len(rows),
        "overall": {
            **{name: mean(row[name] for row in rows) for name in ("recall@5", "recall@10", "mrr@10")},
            "missing": sum(row["missing"] for row in rows),
            "latency_p50_ms": percentile(times, 50),
            "latency_p95_ms": percentile(times, 95),
        },
        "per_question": rows,
    }


def _row(question: Question, pack: EvidencePack, files: list[str]) -> dict[str, Any]:
    expected = question.expected_files
    return {
        "id": question.id,
        "query": question.query,
        "intent": pack.intent.value,
        "recall@5": recall(files, expected, 5),
        "recall@10": recall(files, expected, 10),
        "mrr@10": reciprocal_rank(files, expected, 10),
        "missed": [file for file in expected if file not in files[:10]],
        "missing": sum(pack.missing.values()),
        "files": files[:10],
    }


@click.command("evidence-evaluation")
@common_options
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--top-k", type=int, default=MAX_TOP_K, show_default=True, help="How many pieces a question.")
def command(door: Door, *, file: Path, top_k: int) -> int:
    """Score evidence packs on a file of questions with known answers; prints one JSON document."""
    questions = read_questions(file)
    config = replace(door.config, evidence=replace(door.config.evidence, remembered_packs=0))

    async def score() -> dict[str, Any]:
        from wiring.evidence import open_evidence  # noqa: PLC0415 - not needed for --help

        async with open_evidence(door.data_dir, door.profile, config) as retriever:
            indexed = frozenset(retriever.catalogue.projects)

            async def retrieve(request: EvidenceRequest, question: Question) -> EvidencePack:
                allowed = question.allowed_projects
                return await retriever.retrieve(request, indexed if allowed is None else indexed & frozenset(allowed))

            return await evaluate_evidence(questions, retrieve, top_k=top_k)

    click.echo(json_line(anyio.run(score)))
    return 0


if __name__ == "__main__":
    sys.exit(run(sys.argv[1:], command))
