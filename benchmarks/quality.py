"""How well the vector agent finds the documents of a retrieval set, as it ships.

    .venv/bin/python benchmarks/quality.py FOLDER [--cache FOLDER] [--json]

FOLDER holds `corpus.jsonl.gz` (id, title, text), `queries.jsonl` (id, text) and `qrels.tsv` (query, document, grade),
after BEIR. Every document becomes a file of one project, which is indexed from nothing; every query is asked of
`VectorRetrievalAgent`, and the files of its observations in their order are the ranking. The settings are the default
profile's, the measures ir-measures'; no score is computed here. `--cache` keeps the embeddings for the next run.
"""

from __future__ import annotations

import argparse
import gzip
import json
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import anyio
import ir_measures

from agents import HybridSearch, VectorRetrievalAgent
from benchmarks.calibration import cpu_probe_ms, p50, report
from configs import HybridRetrievalConfig, load_config
from indexing import Indexer, IndexReport, IndexRequest
from interfaces.cli.options import Progress
from memory.embedders import Bm25Sparse, EncoderSource, LocalDense
from memory.files import ChunkedFiles
from memory.generation import DataFolder
from memory.query import TaskContext
from memory.vector import EdgeVectorStore
from wiring.models import dense_source
from wiring.stores import indexing_parts

PROFILE = "embedded"
FILES = ("corpus.jsonl.gz", "queries.jsonl", "qrels.tsv")
MEASURES = {
    "ndcg@10": ir_measures.nDCG @ 10,
    "recall@5": ir_measures.R @ 5,
    "recall@10": ir_measures.R @ 10,
    "mrr@10": ir_measures.RR @ 10,
}
_PYTHON = ("def ", "async def ", "class ", "@")


@dataclass(frozen=True, slots=True)
class RetrievalSet:
    """Documents as text by file, the queries that have an answer by id, and which file answers which query."""

    name: str
    documents: Mapping[str, str]
    queries: Mapping[str, str]
    qrels: Sequence[ir_measures.Qrel]


def read_set(folder: Path) -> RetrievalSet:
    """The set in a folder.

    A file is named by its document's id alone. A document with a title is a page under that heading; one without that
    begins as Python does is a module.
    """
    with gzip.open(folder / "corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    files = {row["id"]: f"{quote(row['id'], safe='')}.{'py' if _is_python(row) else 'md'}" for row in rows}
    grades = [line.split("\t") for line in (folder / "qrels.tsv").read_text("utf-8").splitlines()[1:]]
    qrels = [ir_measures.Qrel(query, files[document], int(grade)) for query, document, grade in grades]
    asked = {qrel.query_id for qrel in qrels}
    queries = [json.loads(line) for line in (folder / "queries.jsonl").read_text("utf-8").splitlines()]
    return RetrievalSet(
        folder.resolve().name,
        {files[row["id"]]: f"# {row['title']}\n\n{row['text']}\n" if row.get("title") else row["text"] for row in rows},
        {query["id"]: query["text"] for query in queries if query["id"] in asked},
        qrels,
    )


def _is_python(row: Mapping[str, str]) -> bool:
    return not row.get("title") and row["text"].startswith(_PYTHON)


async def evaluate(
    given: RetrievalSet,
    config: HybridRetrievalConfig,
    source: EncoderSource,
    *,
    cache: Path | None = None,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """The document that is printed. source: the dense model; cache: the folder where embeddings stay.

    Beside the times stand a piece of pure Python and what the bare embedder takes for the same questions.
    """
    with tempfile.TemporaryDirectory() as temporary:
        folder = DataFolder.open_or_create(Path(temporary) / "data")
        project = _written(given, Path(temporary), folder, cache)
        started = time.perf_counter()
        indexed = await _index(project, folder, config, source, progress)
        seconds = time.perf_counter() - started
        async with _agent(folder, config, source) as agent:
            run, times = await _asked(agent, given, progress)
    return {
        **measure(given.qrels, run),
        "set": given.name,
        "profile": PROFILE,
        "questions": len(given.queries),
        **{key: indexed.to_dict(seconds)[key] for key in ("files", "chunks")},
        "index_seconds": round(seconds, 1),
        "question_p50_ms": round(1000 * p50(times), 1),
        "calibration": {
            "cpu_probe_ms": round(cpu_probe_ms(), 1),
            "bare_embedder_p50_ms": round(1000 * p50(await _bare(source, list(given.queries.values()))), 1),
        },
    }


async def _asked(
    agent: VectorRetrievalAgent, given: RetrievalSet, progress: Progress | None
) -> tuple[list[ir_measures.ScoredDoc], list[float]]:
    """What the agent found, in its order, and the seconds each question took."""
    context = TaskContext(allowed_projects=frozenset({given.name}))
    run: list[ir_measures.ScoredDoc] = []
    times: list[float] = []
    for number, (query, text) in enumerate(given.queries.items(), 1):
        started = time.perf_counter()
        observations = await agent.retrieve(text, context)
        times.append(time.perf_counter() - started)
        files = dict.fromkeys(observation.source_file for observation in observations)
        run += [ir_measures.ScoredDoc(query, file, -rank) for rank, file in enumerate(files)]
        if progress:
            progress.update(number, len(given.queries), "Asking", "questions")
    return run, times


def measure(qrels: Sequence[ir_measures.Qrel], run: Sequence[ir_measures.ScoredDoc]) -> dict[str, float]:
    """The four measures, averaged over the queries of `qrels`; one that found nothing counts as zero."""
    values = ir_measures.calc_aggregate(list(MEASURES.values()), list(qrels), list(run))
    return {name: round(float(values[measure]), 4) for name, measure in MEASURES.items()}


def _written(given: RetrievalSet, where: Path, folder: DataFolder, cache: Path | None) -> Path:
    """The documents as a project's folder; with `cache` the index takes its embeddings from there and leaves them."""
    if cache is not None:
        cache.mkdir(parents=True, exist_ok=True)
        folder.cache_path.parent.symlink_to(cache.resolve())
    project = where / given.name
    project.mkdir()
    for file, text in given.documents.items():
        (project / file).write_text(text, encoding="utf-8")
    return project


async def _index(
    project: Path,
    folder: DataFolder,
    config: HybridRetrievalConfig,
    source: EncoderSource,
    progress: Progress | None,
) -> IndexReport:
    indexer = Indexer(folder, indexing_parts(config.graph, source, Bm25Sparse()), config, profile=PROFILE)
    told = (lambda stage, done, total: progress.update(done, total, stage, "chunks")) if progress else None
    return await indexer.run(IndexRequest((project,)), holder="benchmarks/quality.py", progress=told)


@asynccontextmanager
async def _agent(
    folder: DataFolder, config: HybridRetrievalConfig, source: EncoderSource
) -> AsyncIterator[VectorRetrievalAgent]:
    """The agent as the product opens it on a data folder."""
    dense = LocalDense(source)
    await dense.warm_up()
    with folder.reading() as generation:
        store = EdgeVectorStore.open(generation.vectors_path, namespace=folder.namespace)
        yield VectorRetrievalAgent(
            HybridSearch(store, dense, Bm25Sparse(), config.vector),
            lambda permission: ChunkedFiles(store, permission),
            strength=config.scope.strength,
            max_observations=config.max_observations_per_agent,
            max_per_file=config.max_per_file,
            context_lines=config.vector.context_lines,
        )
        await store.close()


async def _bare(source: EncoderSource, texts: Sequence[str]) -> list[float]:
    """Seconds that the embedder alone takes for each of these; one that remembers none of them."""
    dense = LocalDense(source)
    await dense.warm_up()
    times = []
    for text in texts:
        started = time.perf_counter()
        await dense.embed_queries([text])
        times.append(time.perf_counter() - started)
    return times


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure one set and print the document."""
    parser = argparse.ArgumentParser(description="Retrieval quality of the vector agent on one retrieval set.")
    parser.add_argument("folder", type=Path, help=f"holds {', '.join(FILES)}")
    parser.add_argument("--cache", type=Path, help="keep the embeddings in this folder")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    given = parser.parse_args(arguments)
    missing = [name for name in FILES if not (given.folder / name).is_file()]
    if missing:
        parser.error(f"{given.folder} is no retrieval set: it has no {', '.join(missing)}.")
    config = load_config(PROFILE)
    with Progress(
        "Reading", "projects", shown="bar" if sys.stderr.isatty() and not given.json else "nothing"
    ) as progress:
        document = anyio.run(
            lambda: evaluate(
                read_set(given.folder), config, dense_source(config.vector), cache=given.cache, progress=progress
            )
        )
    print(json.dumps(document) if given.json else report(document))


if __name__ == "__main__":
    main()
