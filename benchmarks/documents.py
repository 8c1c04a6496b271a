"""003 §8: latency at 10, 100 and 1,000 documents, what a hundred requests at once take in time and memory, and texts
without a vector.

    .venv/bin/python benchmarks/documents.py FOLDER [--sizes 10 100 1000] [--profile NAME]

The documents are the first lines of the folder's text files, one a file, so that a document is a chunk. They are
indexed and asked by their own first words, one after the other and then all at once.
"""

from __future__ import annotations

import argparse
import json
import resource
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import anyio

from configs import load_config
from evaluation import percentile
from facades.hybrid_retriever import HybridRetriever
from indexing import IndexRequest
from memory.generation import DataFolder
from wiring.opening import open_indexer

_CHARS: Final = 1000
_LEAST: Final = 200
_ASKED: Final = 100
_WORDS: Final = 12


def texts_of(folder: Path, most: int) -> list[str]:
    """The beginnings of so many text files, in the order of their paths;
    cut files give several where there are too few.
    """
    found: list[str] = []
    files = sorted(path for path in folder.rglob("*") if path.suffix in {".py", ".md", ".sql"} and path.is_file())
    for piece in range(10):
        for path in files:
            text = path.read_text(encoding="utf-8", errors="replace")[piece * _CHARS : (piece + 1) * _CHARS].strip()
            if len(text) >= _LEAST and text not in found:
                found.append(text)
            if len(found) == most:
                return found
    return found


async def measure(texts: Sequence[str], profile: str) -> dict[str, Any]:
    """Index the texts in a folder of its own, and ask."""
    with tempfile.TemporaryDirectory() as root:
        documents, data = Path(root, "documents"), Path(root, "data")
        _write(texts, documents)
        indexer = open_indexer(data, load_config(profile), profile=profile)
        await indexer.run(IndexRequest((documents,)), holder="benchmarks/documents.py")
        with DataFolder.open(data).reading() as generation:
            projects = generation.manifest.projects
            chunks = sum(one.chunks for one in projects)
            lacking = sum(file.awaiting for one in projects for file in one.files)
        questions = [" ".join(text.split()[:_WORDS]) for text in texts[:_ASKED]]
        async with HybridRetriever(data, profile) as retriever:
            times = [(await retriever.retrieve(question)).latency_ms for question in questions]
            before, begun, at_once = _peak_mb(), time.process_time(), list[float]()

            async def ask(question: str) -> None:
                at_once.append((await retriever.retrieve(question)).latency_ms)

            async with anyio.create_task_group() as group:
                for place in range(_ASKED):
                    group.start_soon(ask, f"{questions[place % len(questions)]} {place}")
            processor, peak = time.process_time() - begun, _peak_mb()
    return {
        "documents": len(texts),
        "chunks": chunks,
        "chunks_without_vector": lacking,
        "latency_p50_ms": round(percentile(times, 50), 1),
        "latency_p95_ms": round(percentile(times, 95), 1),
        "peak_mb": before,
        "latency_p95_ms_of_100_at_once": round(percentile(at_once, 95), 1),
        "processor_s_of_100_at_once": round(processor, 2),
        "peak_mb_of_100_at_once": peak,
    }


def _write(texts: Sequence[str], folder: Path) -> None:
    folder.mkdir()
    for number, text in enumerate(texts):
        Path(folder, f"{number}.txt").write_text(text, encoding="utf-8")


def _peak_mb() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def main() -> int:
    """Print one JSON document."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10, 100, 1000])
    parser.add_argument("--profile", default="embedded")
    given = parser.parse_args()
    texts = texts_of(given.folder, max(given.sizes))
    if not texts:
        parser.error(f"{given.folder} has no text to index. Name a folder of projects.")
    if len(texts) < max(given.sizes):
        print(f"{given.folder} has {len(texts)} texts: larger sizes are measured with these.", file=sys.stderr)
    rows = [anyio.run(measure, texts[:size], given.profile) for size in given.sizes]
    print(json.dumps(rows, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
