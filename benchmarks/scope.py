"""What a scope gives and costs: recall, precision, what is lost and the time, without one, soft and strict.

    .venv/bin/python benchmarks/scope.py [QUESTIONS.jsonl... --data-dir INDEX] [--generated PROJECTS] [--json]

The questions are asked three times of the same index: with `scope.mode` none, with the specification's modes and a soft
boost, and with these and a strict scope. `lost` counts the expected files among the first ten without scope that are
not there with it. `--generated` does the same on an organisation that is made up: projects that call each other, asked
by name which of their files calls which project.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import anyio

from benchmarks.scale import FUNCTIONS, MODULES, write_organisation
from benchmarks.throughput import index_into
from configs import HybridRetrievalConfig, load_config
from evaluation import Question, QuestionFile, evaluate, read_questions
from indexing import IndexRequest
from memory.embedders import FakeSource, LocalDense
from orchestrator.hybrid import HybridRetrievalOrchestrator

MODES = {
    "none": {"mode": "none"},
    "soft": {"mode": "auto", "strength": "soft"},
    "strict": {"mode": "auto", "strength": "strict"},
}
"""The settings of `scope` that are compared."""

_ASKED = 40
_COLUMNS = (
    "recall@10",
    "mrr@10",
    "scope_precision",
    "scope_recall",
    "lost_to_scope",
    "agreement",
    "latency_p50_ms",
    "latency_p95_ms",
)


def generated_questions(projects: int, asked: int = _ASKED, seed: int = 5) -> QuestionFile:
    """Questions of `write_organisation`'s projects, each answered by one file."""
    chance = random.Random(seed)  # noqa: S311 - nothing secret about it
    questions = []
    for number in range(asked):
        of, module, function = chance.randrange(projects), chance.randrange(MODULES), chance.randrange(FUNCTIONS)
        name, other = f"service{of:03}", f"service{(of * 7 + 1) % projects:03}"
        questions.append(
            Question(
                id=f"generated-{number}",
                type="relationship",
                query=f"Where does work_out_{module:02}_{function} of {name} call {other}?",
                expected_files=(f"{name}:{name}/part{module:02}.py",),
            )
        )
    return QuestionFile(tuple(questions), ())


async def measure(questions: QuestionFile, data: Path, config: HybridRetrievalConfig, **options: Any) -> dict[str, Any]:
    """The overall figures of each mode. options: for `HybridRetrievalOrchestrator.open`."""
    found = {}
    for name, scope in MODES.items():
        async with AsyncExitStack() as stack:
            open_with = partial(HybridRetrievalOrchestrator.open, data, wait_for_mays=True, **options)
            scoped = await stack.enter_async_context(open_with(config=config.with_scope(**scope)))
            free = await stack.enter_async_context(open_with(config=config.with_scope(mode="none")))

            async def ask(question: Question, *, without_scope: bool) -> dict[str, Any]:
                context: dict[str, Any] = {"project": question.current_project} if question.current_project else {}
                if question.allowed_projects is not None:
                    context["allowed_projects"] = list(question.allowed_projects)
                return (await (free if without_scope else scoped).retrieve(question.query, context)).to_dict()  # noqa: B023 - asked at once

            overall = (await evaluate(questions, ask))["overall"]
        found[name] = {column: overall[column] for column in _COLUMNS}
    return found


@asynccontextmanager
async def _generated(projects: int) -> AsyncIterator[tuple[Path, HybridRetrievalConfig, LocalDense]]:
    """A folder with the index of an organisation that is made up, its settings and its embedder."""
    source = FakeSource()
    config = load_config("embedded", overrides=["vector.dimension=64"])
    with tempfile.TemporaryDirectory() as temporary:
        trees, data = Path(temporary) / "projects", Path(temporary) / "data"
        write_organisation(trees, projects)
        await index_into(data, IndexRequest((trees,), each=True), source, config)
        yield data, config, LocalDense(source)


def table(document: dict[str, dict[str, Any]]) -> str:
    """The figures as rows."""
    lines = [f"{'':24}" + "".join(f"{column:>17}" for column in _COLUMNS)]
    for name, modes in document.items():
        for mode, values in modes.items():
            cells = "".join(f"{'-' if values[c] is None else round(values[c], 3):>17}" for c in _COLUMNS)
            lines.append(f"{name[:16]:17}{mode:7}{cells}")
    return "\n".join(lines)


async def _run(files: Sequence[Path], data: Path | None, generated: int) -> dict[str, dict[str, Any]]:
    document = {}
    for file in files:
        if data is None:
            raise SystemExit("Give the index of the questions: --data-dir INDEX.")
        document[file.parent.name] = await measure(read_questions(file), data, load_config("embedded"))
    if generated:
        async with _generated(generated) as (where, config, models):
            asked = generated_questions(generated)
            document[f"{generated} projects"] = await measure(asked, where, config, embedder=models)
    return document


def main() -> int:
    """Print the table, or one JSON document."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", nargs="*", type=Path)
    parser.add_argument("--data-dir", type=Path)
    parser.add_argument("--generated", type=int, default=0, metavar="PROJECTS")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    document = anyio.run(_run, given.questions, given.data_dir, given.generated)
    print(json.dumps(document, indent=1) if given.json else table(document))
    return 0


if __name__ == "__main__":
    sys.exit(main())
