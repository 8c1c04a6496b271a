"""`make demo`: index an example organisation and eight installed packages, then ask questions that span them.

The first run embeds about 3,700 chunks; the next one finds everything unchanged. The index stays, to ask on:
`.venv/bin/hybrid-retrieval ask "…" --data-dir .demo/all`.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import anyio

from configs import load_config
from indexing import IndexReport, IndexRequest
from orchestrator import HybridRetrievalOrchestrator
from orchestrator.cli.page import answer_page
from orchestrator.cli.progress import Progress
from orchestrator.opening import open_indexer

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / ".demo/all"
PACKAGES = ("httpx", "httpcore", "anyio", "tenacity", "voyageai", "structlog", "fastembed", "kglite")
SIMILAR = """Find code similar to this error handling pattern:
    try:
        handle(event)
    except KnownError as error:
        logger.error("could not handle %s", event, exc_info=error)
        raise"""
QUESTIONS = (  # with the project in hand, where there is one
    ("What patterns do other teams use for customer tables?", "orders"),
    ("How does OrderService connect to PaymentGateway?", None),
    (SIMILAR, None),
    ("What does our CLAUDE.md say about migrations?", "billing"),
    ("Which other projects try again when a call fails, and with what back-off?", None),
    ("What is the default timeout of a request in each package?", None),
    ("Which other projects support trio?", None),
    ("Which CA bundle does each package trust for TLS?", None),
    ("How does httpx connect to httpcore?", None),
    ("What depends on anyio?", None),
)


async def index() -> IndexReport:
    """Everything into one index; what did not change since the last run is left as it is."""
    watched, told = sys.stderr.isatty(), ""
    with Progress("Indexing", "chunks", shown=watched) as bar:

        def tell(stage: str, done: int, total: int) -> None:
            nonlocal told
            bar.update(done, total, stage)
            line = f"{stage} {total}: {done * 5 // total * 20} %"
            if not watched and line != told:
                told = line
                print(line, flush=True)

        request = IndexRequest((ROOT / "examples/shop",), each=True, distributions=PACKAGES)
        return await open_indexer(DATA, load_config(), profile="embedded").run(request, holder="demo", progress=tell)


async def main() -> None:
    """Index, ask, and say what it took."""
    started = time.perf_counter()
    report = (await index()).to_dict(time.perf_counter() - started)
    done = "unchanged" if report["unchanged"] else "indexed"
    print(f"{len(report['projects'])} projects with {report['chunks']} chunks {done} in {report['seconds']:.1f} s")
    answered = verified = 0
    async with HybridRetrievalOrchestrator.open(DATA, wait_for_mays=True) as orchestrator:
        for question, project in QUESTIONS:
            result = await orchestrator.retrieve(question, {"project": project} if project else {})
            print(f"\n{'-' * 100}\n{question}", f"   (from inside {project})" if project else "", "\n", sep="")
            print(answer_page(result.to_dict(), explain=False))
            print(f"\n{result.metrics.total_time_ms:.0f} ms")
            answered += result.status != "not_found"
            verified += sum(citation.verified for citation in result.citations)
    print(f"\n{'=' * 100}\n{answered} of {len(QUESTIONS)} questions answered, {verified} citations verified,", end=" ")
    print(f"{time.perf_counter() - started:.1f} s in all")


anyio.run(main)
