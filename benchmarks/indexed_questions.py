"""Distinct questions about what an index holds: its symbols, files, headings and projects, drawn by a seed."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from configs import HybridRetrievalConfig
from memory.generation import DataFolder
from memory.vector import Chunk
from wiring.stores import open_vector_store

SEED = 19
_FILES = 1500
_FORMS = (
    "Where is {symbol} defined?",
    "What calls {symbol}?",
    "How does {symbol} in {file} work?",
    "What does {project} say about {heading}?",
    "How are {symbol} and {other} connected?",
    "Why does {symbol} fail when {other} is missing?",
    "Which projects use {symbol}?",
    "What is in {file} of {project}?",
    "{heading}: how do I do that in {project}?",
    "Show code that uses {symbol} with {other}",
)


@dataclass(frozen=True, slots=True)
class Named:
    """What an index holds by name, sorted; `files` and `headings` with their projects."""

    symbols: Sequence[str]
    files: Sequence[tuple[str, str]]
    headings: Sequence[tuple[str, str]]


async def indexed_questions(data: Path, config: HybridRetrievalConfig, count: int, seed: int = SEED) -> list[str]:
    """So many questions about an index, no two alike."""
    return questions_about(await named_in(data, config, seed), count, seed)


async def named_in(data: Path, config: HybridRetrievalConfig, seed: int = SEED) -> Named:
    """What the chunks of some files are called, the same every time."""
    folder, chunks = DataFolder.open(data), list[Chunk]()
    with folder.reading() as generation:
        store = await open_vector_store(config.vector, generation.vectors_path, folder.namespace)
        files = sorted((one.name, file.path) for one in generation.manifest.projects for file in one.files)
        chance = random.Random(seed)  # noqa: S311 - nothing secret about it
        for project, path in chance.sample(files, min(_FILES, len(files))):
            chunks += await store.file_chunks(project, [path], permission=frozenset({project}))
        await store.close()
    return Named(
        sorted({one.symbol.rpartition(".")[2] for one in chunks if one.symbol}),
        sorted({(one.project, PurePosixPath(one.path).name) for one in chunks}),
        sorted({(one.project, one.section.rpartition(" > ")[2]) for one in chunks if one.section}),
    )


def questions_about(named: Named, count: int, seed: int = SEED) -> list[str]:
    """So many questions about these names, no two alike. Raises ValueError where there are too few names."""
    questions = dict.fromkeys(_drawn(named, 20 * count, seed))
    if len(questions) < count:
        raise ValueError(f"Only {len(questions)} different questions can be made of this index, not {count}.")
    return list(questions)[:count]


def _drawn(named: Named, count: int, seed: int) -> Iterator[str]:
    chance = random.Random(seed)  # noqa: S311 - nothing secret about it
    for _ in range(count):
        form = chance.choice(_FORMS)
        project, heading = chance.choice(named.headings)
        if "{file}" in form:
            project, file = chance.choice(named.files)
        else:
            file = ""
        symbol, other = chance.choice(named.symbols), chance.choice(named.symbols)
        yield form.format(symbol=symbol, other=other, file=file, heading=heading, project=project)
