"""`python -m hybrid_retrieval.facades.book "QUESTION"`: 004's validation command.

Exit codes: 0 answered, 1 an item of the checklist does not hold, 2 the caller's mistake, 3 Cohere or Qdrant out of
reach, 4 nothing found, 130 interrupted.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import groupby, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import click

from memory.errors import HybridRetrievalError
from memory.text.output import escape_unencodable, json_line, one_line, printable, shortened

if TYPE_CHECKING:
    from facades.book.checklist import ChecklistItem
    from facades.book.model import RetrievalResponse, RetrievalResult
    from facades.book.pipeline import RetrievalPipeline
    from memory.embedders import DenseEmbedder

_HEAD = ("rank", "score", "source", "section", "content")
_WIDEST = (4, 6, 44, 36, 60)
_FAILED, _NOTHING, _INTERRUPTED = 1, 4, 130
_FILE = click.Path(path_type=Path)


def table(response: RetrievalResponse) -> str:
    """A line a result, and one about the run."""
    rows = [_HEAD, *(_row(result) for result in response.results)]
    widths = [min(most, max(map(len, column))) for most, column in zip(_WIDEST, zip(*rows, strict=True), strict=True)]
    lines = ["  ".join(_fitted(cell, width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    used = ", ".join(f"{name} {value}" for name, value in response.parameters.items())
    lines.append(f"{response.total_results} results in {response.execution_time_ms:.0f} ms ({used})")
    return "\n".join(lines)


def checklist(checks: Sequence[ChecklistItem]) -> str:
    lines = []
    for number, (section, items) in enumerate(groupby(checks, key=lambda check: check.section), start=1):
        lines.append(f"{number}. **{section}**:")
        lines += [f"   - [{'x' if check.passed else ' '}] {check.item} ({check.seen})" for check in items]
    return "\n".join([*lines, "", f"{sum(check.passed for check in checks)} of {len(checks)} hold"])


def _row(result: RetrievalResult) -> tuple[str, ...]:
    texts = (one_line(text) for text in (result.source_file, result.section_title, result.content))
    return (str(result.rank), f"{result.similarity_score:.3f}", *texts)


def _fitted(text: str, width: int) -> str:
    return shortened(text, width).ljust(width)


def run(arguments: Sequence[str], *, embedder: DenseEmbedder | None = None) -> int:
    """One command line; returns the exit code. embedder: in place of the model of the settings."""
    try:
        program = "python -m hybrid_retrieval.facades.book"
        return int(command.main(list(arguments), program, standalone_mode=False, obj=embedder) or 0)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except HybridRetrievalError as error:
        if "--format=json" in arguments or ("--format", "json") in pairwise(arguments):
            document = {"code": error.code, "message": printable(error.message), "hint": printable(error.hint)}
            click.echo(json_line({"schema_version": "1", "error": document}))
        click.echo(printable(str(error)), err=True)
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        return _INTERRUPTED


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.argument("question", required=False)
@click.option("--top-k", type=int, default=5, show_default=True, help="At most that many results.")
@click.option("--threshold", type=float, default=0.0, show_default=True, help="The least similarity, 0 to 1.")
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True)
@click.option(
    "--checklist", "expectations", type=_FILE, help="Run the validation checklist with this file's questions."
)
@click.option("--env-file", type=_FILE, help="In place of the .env file of the current folder.")
@click.option(
    "--book", type=_FILE, help="A folder of pages, read into memory with a model of this machine: no key, no server."
)
@click.pass_obj
def command(
    embedder: DenseEmbedder | None,
    *,
    question: str | None,
    top_k: int,
    threshold: float,
    form: str,
    expectations: Path | None,
    env_file: Path | None,
    book: Path | None,
) -> int:
    """Ask the book's collection, or validate it. Keys and addresses come out of the environment or a .env file."""
    if (question is None) == (expectations is None):
        raise click.UsageError("Give a question, or --checklist FILE.")

    async def answer() -> int:
        from facades.book.pipeline import RetrievalPipeline  # noqa: PLC0415 - not needed for --help
        from facades.library import read_environment  # noqa: PLC0415 - the same

        pipeline = (
            RetrievalPipeline.from_env(read_environment(env_file), embedder=embedder)
            if book is None
            else await _offline(book, embedder)
        )
        try:
            if expectations is not None:
                return await _validate(pipeline, expectations, form)
            return await _ask(pipeline, question or "", top_k, threshold, form)
        finally:
            await pipeline.aclose()

    return anyio.run(answer)


async def _ask(pipeline: RetrievalPipeline, question: str, top_k: int, threshold: float, form: str) -> int:
    response = await pipeline.aquery(question, top_k, threshold)
    _print(form, {"schema_version": "1"} | response.to_dict(), table(response))
    return 0 if response.results else _NOTHING


async def _validate(pipeline: RetrievalPipeline, expectations: Path, form: str) -> int:
    from facades.book.checklist import read_expectations, run_checklist  # noqa: PLC0415 - not needed for --help

    checks = await run_checklist(pipeline, read_expectations(expectations))
    failed = sum(not check.passed for check in checks)
    document = {"schema_version": "1", "failed": failed, "checks": [check.to_dict() for check in checks]}
    _print(form, document, checklist(checks))
    return _FAILED if failed else 0


async def _offline(folder: Path, embedder: DenseEmbedder | None) -> RetrievalPipeline:
    """The pipeline on the folder's pages, in memory."""
    from configs import load_config  # noqa: PLC0415 - not needed for --help
    from facades.book.pipeline import RetrievalPipeline  # noqa: PLC0415 - the same
    from facades.shelf import index_folder  # noqa: PLC0415 - the same
    from memory.vector import FakeVectorStore  # noqa: PLC0415 - the same
    from wiring.models import open_models  # noqa: PLC0415 - the same

    embedder = embedder or open_models(load_config("embedded").vector).docs
    store = FakeVectorStore()
    await index_folder(folder, store, embedder, project="book")
    return RetrievalPipeline("", "", "", embedder=embedder, store=store)


def _print(form: str, document: dict[str, Any], text: str) -> None:
    if form == "json":
        click.echo(json_line(document))
    else:
        click.echo(printable(text))


if __name__ == "__main__":
    escape_unencodable(sys.stdout, sys.stderr)
    sys.exit(run(sys.argv[1:]))
