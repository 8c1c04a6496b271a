"""`hybrid-retrieval evaluate FILE`: asks every question of a file and scores the answers."""

from __future__ import annotations

import math
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import click

from evaluation import METRICS, Question, evaluate, read_questions
from interfaces.cli.options import Door, Progress, common_options
from memory.errors import InvalidInputError, UserError


@click.command("evaluate")
@common_options
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--min", "least", metavar="METRIC=VALUE", multiple=True, help="Exit 1 when a metric is lower; may be repeated."
)
def command(door: Door, *, file: Path, least: tuple[str, ...]) -> int:
    """Score a file of questions with known answers."""
    wanted = dict(_expectation(text) for text in least)
    questions = read_questions(file)

    async def run() -> dict[str, Any]:
        from orchestrator.hybrid import HybridRetrievalOrchestrator  # noqa: PLC0415 - not needed for --help

        open_with = partial(HybridRetrievalOrchestrator.open, door.data_dir, door.profile, wait_for_mays=True)
        async with open_with(door.config) as orchestrator, open_with(door.config.with_scope(mode="none")) as unscoped:

            async def ask(question: Question, *, without_scope: bool) -> dict[str, Any]:
                context: dict[str, Any] = {}
                if question.current_project is not None:
                    context["project"] = question.current_project
                if question.allowed_projects is not None:
                    context["allowed_projects"] = list(question.allowed_projects)
                asked = unscoped if without_scope else orchestrator
                try:
                    return (await asked.retrieve(question.query, context)).to_dict()
                except UserError as error:
                    raise InvalidInputError(f"{file}, question {question.id}: {error.message}", error.hint) from None

            with Progress("Asking", "questions", shown=door.progress) as progress:
                return await evaluate(questions, ask, progress.update)

    document = anyio.run(run)
    door.show(document, lambda: _table(document))
    missed = [name for name, value in wanted.items() if (document["overall"][name] or 0.0) < value]
    for name in missed:
        click.echo(f"{name} is {document['overall'][name]}, expected at least {wanted[name]}.", err=True)
    return 1 if missed else 0


def _expectation(text: str) -> tuple[str, float]:
    name, _, value = text.partition("=")
    if name not in METRICS:
        raise InvalidInputError(f"Unknown metric {name!r}.", f"Known: {', '.join(METRICS)}.")
    with suppress(ValueError):
        if math.isfinite(least := float(value)):
            return name, least
    raise InvalidInputError(f"--min {text}: {value!r} is no number.", "Write METRIC=VALUE.")


def _table(document: dict[str, Any]) -> str:
    types = [*document["by_type"]]
    columns = {"overall": document["overall"], **document["by_type"]}
    width = max(len(name) for name in METRICS) + 2
    lines = [" " * width + "".join(f"{name:>15}" for name in ["overall", *types])]
    for metric in METRICS:
        cells = (_cell(values[metric]) for values in columns.values())
        lines.append(f"{metric:<{width}}" + "".join(f"{cell:>15}" for cell in cells))
    return "\n".join(lines)


def _cell(value: float | None) -> str:
    if value is None:
        return "-"
    return str(value) if isinstance(value, int) else f"{value:.3f}"
