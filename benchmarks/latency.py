"""How long a question takes: in a warm process, and as a command of its own.

    .venv/bin/python benchmarks/latency.py [--data-dir FOLDER] [--processes N] [--json]

FOLDER is the demo's index (`make demo`). The warm figures are 50 questions that differ, each asked once of one open
orchestrator, the extractive answer included; four others go before them. The cold ones are whole processes of
`hybrid-retrieval ask --json`; beside them is what Python needs to import the libraries that every answer uses, which
nothing here can undercut.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import anyio

from benchmarks.calibration import cpu_probe_ms, p50, p95, report
from configs import load_config
from orchestrator import HybridRetrievalOrchestrator
from wiring.models import open_models

ROOT = Path(__file__).resolve().parent.parent
QUESTIONS = (ROOT / "examples/shop/questions.jsonl", ROOT / "examples/packages/questions.jsonl")
DEMO = ROOT / ".demo/all"
WARMING = 4
ASKED = 50
COLD = "How does httpx decide which CA bundle to trust, and which retry does voyageai use?"
LIBRARIES = "import anyio._backends._asyncio, click, kglite, numpy, onnxruntime, qdrant_edge, tokenizers, yaml"
MORE = (
    "How does anyio run a function in a worker thread?",
    "Which exceptions does httpcore map to those of httpx?",
    "What does structlog do with an exception in a log call?",
    "How does tenacity decide when to stop?",
    "Where does fastembed keep the models it downloads?",
    "What is a CapacityLimiter?",
    "Which packages read environment variables for their proxies?",
    "How do I bind a value to every line a logger writes?",
    "What calls map_httpcore_exceptions?",
    "Which service owns the invoices table?",
)


def questions() -> list[tuple[str, dict[str, Any]]]:
    """The examples' questions with their contexts, and ten more:
    those that warm first, then those that are measured.
    """
    rows = [json.loads(line) for file in QUESTIONS for line in file.read_text("utf-8").splitlines()]
    given = {row["query"]: {"project": row["current_project"]} if "current_project" in row else {} for row in rows}
    given |= {query: {} for query in MORE}
    return list(given.items())[: WARMING + ASKED]


async def warm(data: Path) -> dict[str, Any]:
    """Milliseconds and CPU milliseconds a question, and what the embedder alone needs for one of the same questions."""
    config = load_config()
    wall: list[float] = []
    cpu: list[float] = []
    asked = questions()
    async with HybridRetrievalOrchestrator.open(data, config=config) as orchestrator:
        for number, (query, context) in enumerate(asked):
            started, busy = time.perf_counter(), time.process_time()
            await orchestrator.retrieve(query, context)
            if number >= WARMING:
                wall.append((time.perf_counter() - started) * 1000)
                cpu.append((time.process_time() - busy) * 1000)
    dense = open_models(config.vector, config.hosted).docs
    await dense.warm_up()
    bare = []
    for query, _ in asked[WARMING:]:
        started = time.perf_counter()
        await dense.embed_queries([query])
        bare.append((time.perf_counter() - started) * 1000)
    return {
        "questions": len(wall),
        "p50_ms": round(p50(wall), 1),
        "p95_ms": round(p95(wall), 1),
        "cpu_p50_ms": round(p50(cpu), 1),
        "bare_embedder_p50_ms": round(p50(bare), 1),
    }


def cold(data: Path, processes: int) -> dict[str, Any]:
    """Seconds of whole processes, and of Python with the libraries alone; each pair runs one after the other."""
    ask = [str(Path(sys.executable).with_name("hybrid-retrieval")), "ask", COLD, "--data-dir", str(data), "--json"]
    bare = [sys.executable, "-c", LIBRARIES]
    answers, imports = [], []
    for _ in range(processes):
        answers.append(_timed(ask))
        imports.append(_timed(bare))
    return {
        "processes": processes,
        "answer_min_s": round(min(wall for wall, _ in answers), 3),
        "answer_p50_s": round(p50([wall for wall, _ in answers]), 3),
        "answer_cpu_p50_s": round(p50([cpu for _, cpu in answers]), 3),
        "libraries_p50_s": round(p50([wall for wall, _ in imports]), 3),
        "libraries_cpu_p50_s": round(p50([cpu for _, cpu in imports]), 3),
    }


def _timed(command: Sequence[str]) -> tuple[float, float]:
    """Seconds and CPU seconds of one process."""
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # noqa: S603 - our own command
    wall, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(arguments: Sequence[str] | None = None, show: Callable[[str], None] = print) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Latency of questions, warm and cold.")
    parser.add_argument("--data-dir", type=Path, default=DEMO, help="the demo's index (default: what `make demo` made)")
    parser.add_argument("--processes", type=int, default=11, help="cold processes (default 11; 0 for none)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    given = parser.parse_args(arguments)
    if not (given.data_dir / "CURRENT").is_file():
        parser.error(f"There is no index in {given.data_dir}: run `make demo` first, or name one by --data-dir.")
    document = {
        "warm": anyio.run(warm, given.data_dir),
        "cold": cold(given.data_dir, given.processes) if given.processes else {},
        "calibration": {"cpu_probe_ms": round(cpu_probe_ms(), 1)},
    }
    show(json.dumps(document) if given.json else report(document))


if __name__ == "__main__":
    main()
