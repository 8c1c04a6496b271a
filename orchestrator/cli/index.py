"""`hybrid-retrieval index PATH...`: projects and installed distributions into the data folder."""

from __future__ import annotations

import shlex
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import click

from orchestrator.cli.options import Door, common_options
from orchestrator.cli.output import print_json, printable
from orchestrator.cli.progress import Progress

if TYPE_CHECKING:
    from indexing import IndexReport

__all__ = ["command"]


@click.command("index")
@common_options
@click.argument("paths", nargs=-1, type=click.Path(path_type=Path))
@click.option("--each", is_flag=True, help="Each direct sub-folder of PATH is a project.")
@click.option("--distribution", "distributions", metavar="NAME", multiple=True, help="An installed Python distribution.")
@click.option("--remove", metavar="NAME", multiple=True, help="Remove a project from the index.")
def command(
    door: Door, *, paths: tuple[Path, ...], each: bool, distributions: tuple[str, ...], remove: tuple[str, ...]
) -> int:
    """Index projects and installed distributions; what did not change is left as it is."""
    started = time.monotonic()

    async def run() -> IndexReport:
        from indexing import IndexRequest  # noqa: PLC0415 - not needed for --help
        from orchestrator.opening import open_indexer  # noqa: PLC0415 - not needed for --help

        request = IndexRequest(paths, each=each, distributions=distributions, remove=remove)
        indexer = open_indexer(door.data_dir, door.config, profile=door.profile)
        with Progress("Indexing", "chunks", shown=door.shows_progress) as progress:
            return await indexer.run(
                request,
                holder=shlex.join(["hybrid-retrieval", *sys.argv[1:]]),
                progress=lambda stage, done, total: progress.update(done, total, stage),
            )

    report = anyio.run(run)
    document = report.to_dict(time.monotonic() - started)
    if door.as_json:
        print_json(document)
    else:
        click.echo(printable(_page(document)))
    return 0


def _page(document: dict[str, object]) -> str:
    """A row a project, and what was left out by reason."""
    projects: list[dict[str, object]] = document["projects"]  # type: ignore[assignment]  # it is our own document
    skipped: list[dict[str, str]] = document["skipped"]  # type: ignore[assignment]  # likewise
    removed: list[str] = document["removed"]  # type: ignore[assignment]  # likewise
    width = max([len(str(p["name"])) for p in projects] + [7])
    lines = [f"{'project':<{width}}  files  chunks  entities  relations  added  changed  removed"]
    for p in projects:
        lines.append(
            f"{p['name']:<{width}}  {p['files']:>5}  {p['chunks']:>6}  {p['entities']:>8}  {p['relations']:>9}"
            f"  {p['added']:>5}  {p['changed']:>7}  {p['removed']:>7}"
        )
    reasons: dict[str, int] = {}
    for row in skipped:
        reasons[row["reason"]] = reasons.get(row["reason"], 0) + 1
    if reasons:
        lines.append("left out: " + ", ".join(f"{count} {reason}" for reason, count in sorted(reasons.items())))
    if removed:
        lines.append("removed from the index: " + ", ".join(removed))
    state = "nothing changed" if document["unchanged"] else f"generation {document['generation']}"
    lines.append(f"{state}, {document['seconds']} s")
    return "\n".join(lines)
