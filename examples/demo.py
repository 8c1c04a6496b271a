"""`make demo`: index an example organisation and eight installed packages, then ask questions that span them.

A second run finds everything unchanged. Ask on with `.venv/bin/hybrid-retrieval ask "…" --data-dir .demo/all`.
"""

from __future__ import annotations

import shutil
import sys
import time
from functools import partial
from pathlib import Path

import anyio

from hybrid_retrieval.configs import load_config
from hybrid_retrieval.indexing import IndexReport, IndexRequest
from hybrid_retrieval.interfaces.cli.ask import answer_page
from hybrid_retrieval.interfaces.cli.options import Progress
from hybrid_retrieval.memory.errors import DataFolderError
from hybrid_retrieval.orchestrator import HybridRetrievalOrchestrator
from hybrid_retrieval.wiring.opening import open_indexer

ROOT = Path(__file__).resolve().parent.parent
SHOP = ROOT / "examples/shop"
DATA = ROOT / ".demo/all"
PACKAGES = ("httpx", "httpcore", "anyio", "tenacity", "voyageai", "structlog", "fastembed", "kglite")
SIMILAR = """Find code similar to this error handling pattern:
    try:
        handle(event)
    except KnownError as error:
        logger.error("could not handle %s", event, exc_info=error)
        raise"""
QUESTIONS: dict[str, dict[str, object]] = {  # with the project in hand
    "What patterns do other teams use for customer tables?": {"project": "orders"},
    "How does OrderService connect to PaymentGateway?": {},
    SIMILAR: {},
    "What does our CLAUDE.md say about migrations?": {"project": "billing"},
    "Which other projects try again when a call fails, and with what back-off?": {},
    "What is the default timeout of a request in each package?": {},
    "Which other projects support trio?": {},
    "Which CA bundle does each package trust for TLS?": {},
    "How does httpx connect to httpcore?": {},
    "What depends on anyio?": {},
}


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

        request = IndexRequest((SHOP,), each=True, distributions=PACKAGES)
        indexed = partial(
            open_indexer(DATA, load_config(), profile="embedded").run, request, holder="demo", progress=tell
        )
        try:
            return await indexed()
        except DataFolderError as error:
            print(f"{error.message} It is made anew, with the embeddings it had.", flush=True)
            (DATA / "CURRENT").unlink()
            shutil.rmtree(DATA / "generations")
            return await indexed()


async def main() -> None:
    """Index, ask, and say what it took."""
    started = time.perf_counter()
    report = (await index()).to_dict(time.perf_counter() - started)
    state = "unchanged" if report["unchanged"] else "indexed"
    print(f"{len(report['projects'])} projects, {report['chunks']} chunks {state}, {report['seconds']:.1f} s")
    answered = verified = 0
    async with HybridRetrievalOrchestrator.open(DATA, wait_for_mays=True) as orchestrator:
        for question, context in QUESTIONS.items():
            result = await orchestrator.retrieve(question, context)
            print(f"\n{'-' * 100}\n{question}\n\n{answer_page(result.to_dict(), explain=False)}")
            print(f"\n{result.metrics.total_time_ms:.0f} ms")
            answered += result.status != "not_found"
            verified += sum(citation.verified for citation in result.citations)
    took = time.perf_counter() - started
    print(f"\n{'=' * 100}\n{answered} of {len(QUESTIONS)} answered, {verified} citations verified, {took:.1f} s in all")


anyio.run(main)
