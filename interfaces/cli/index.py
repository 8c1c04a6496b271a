"""`hybrid-retrieval index PATH...`: projects and installed distributions into the data folder."""

from __future__ import annotations

import gc
import shlex
import signal
import sys
import time
from collections import Counter
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import anyio
import click

from interfaces.cli.options import Door, Progress, common_options
from memory.errors import InvalidInputError
from memory.imports import install
from memory.text.output import json_line, printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from indexing import Indexer, IndexRequest
    from memory.cluster import Cluster
    from memory.errors import IndexLockedError
    from memory.generation import ProjectRecord

_LOST = 3
_WORDS_ONLY = "No model is at hand: questions are answered by words and relations alone."
_UNITS = {"Reading": "projects", "Embedding": "chunks"}


class _Folder(click.Path):
    """A path that says something: an empty one is the working folder, which a script did not mean."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not value:
            raise InvalidInputError("A PATH is empty.", "Name the folder; the one you are in is `.`.")
        return super().convert(value, param, ctx)


def _cluster(_context: click.Context, _parameter: click.Parameter, value: str | None) -> Cluster | None:
    if value is None:
        return None
    from memory.cluster import Cluster  # noqa: PLC0415 - not needed for --help

    what, _, address = value.partition("=")
    if what != "ray":
        raise InvalidInputError(f"--on {value} names no cluster.", "It is `ray`, or `ray=ADDRESS`.")
    return Cluster(address)


@click.command("index")
@common_options
@click.argument("paths", nargs=-1, type=_Folder(path_type=Path))
@click.option("--each", is_flag=True, help="Each direct sub-folder of PATH is a project, but for links.")
@click.option(
    "--distribution", "distributions", metavar="NAME", multiple=True, help="An installed Python distribution."
)
@click.option("--remove", metavar="NAME", multiple=True, help="Remove a project from the index.")
@click.option(
    "--sources",
    "listing",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A YAML list of projects (docs/scaling.md).",
)
@click.option(
    "--on", metavar="ray[=ADDRESS]", callback=_cluster, help="Read and embed on a Ray cluster (docs/scaling.md)."
)
@click.option("--show-left-out", is_flag=True, help="Name each file that is left out, not only those that failed.")
@click.option("--watch", is_flag=True, help="Stay, and index again what changes on the disk, until interrupted.")
def command(
    door: Door,
    *,
    paths: tuple[Path, ...],
    each: bool,
    distributions: tuple[str, ...],
    remove: tuple[str, ...],
    listing: Path | None,
    on: Cluster | None,
    show_left_out: bool,
    watch: bool,
) -> int:
    """Index projects and installed distributions; what did not change is left as it is. Without a PATH all that is
    indexed is brought up to date.
    """
    from indexing import IndexRequest  # noqa: PLC0415 - not needed for --help
    from indexing.clones import read_list  # noqa: PLC0415 - the same

    listed = read_list(listing) if listing else ()
    request = IndexRequest(paths, each=each, distributions=distributions, remove=remove, listed=listed)
    with _printing(on) as out:
        output = _Output(out, door, show_left_out)
        if watch:
            anyio.run(_watch, door, request, on, output)
            return 0
        return _report_losses(anyio.run(_index, door, _indexer(door, on), request, output))


@dataclass(frozen=True, slots=True)
class _Output:
    """Where a run's document is printed, and how."""

    stream: TextIO
    door: Door
    show_left_out: bool

    def show(self, document: dict[str, Any]) -> None:
        """As JSON, as a page for people, or with `--quiet` what that warns of."""
        if self.door.as_json:
            click.echo(json_line(document), file=self.stream)
            return
        warnings = _warnings(document, show_left_out=self.show_left_out)
        text = "\n".join(warnings) if self.door.quiet else _page(document, warnings)
        click.echo(printable(text), file=self.stream, nl=bool(text))


@contextmanager
def _printing(cluster: Cluster | None) -> Iterator[TextIO]:
    """Where the command prints. What Ray prints meanwhile, of workers that it lost, goes to standard error."""
    out = sys.stdout
    if cluster is None:
        yield out
        return
    with redirect_stdout(sys.stderr):
        try:
            yield out
        finally:
            cluster.leave()


async def _watch(door: Door, request: IndexRequest, cluster: Cluster | None, output: _Output) -> None:
    """Index as asked, then what changes, until interrupted or told to end; a run under way changes nothing then."""
    from indexing.watching import changed_paths, follow, watched_folders  # noqa: PLC0415 - as above
    from memory.generation import DataFolder  # noqa: PLC0415 - as above
    from memory.together import together  # noqa: PLC0415 - as above

    def projects() -> Sequence[ProjectRecord]:
        with DataFolder.open(door.data_dir).reading() as generation:
            return generation.manifest.projects

    async def index(asked: IndexRequest) -> Sequence[ProjectRecord]:
        _report_losses(await _index(door, indexer, asked, output))
        if asked is request and not door.quiet:
            click.echo("Watching for what changes, until interrupted.", err=True)
        gc.collect()
        gc.disable()  # between runs is time enough: a third of a small one goes into looking at what lives to its end
        return projects()

    def waits(locked: IndexLockedError) -> None:
        if not door.quiet:
            click.echo(printable(f"{locked.message} This one waits for it to end."), err=True)

    async def run() -> None:
        async with indexer.staying():
            await follow(changed_paths(folders, but=door.data_dir), index, request, waits=waits)
        scope.cancel()

    listed = [one.path for one in request.listed if one.path is not None]
    if request.listed and not (listed or request.folders):
        raise InvalidInputError(
            "What is fetched doesn't change here.", "Call `index --sources` again, without --watch."
        )
    folders = [*request.folders, *listed] or watched_folders(projects())
    indexer = _indexer(door, cluster)
    with anyio.CancelScope() as scope:
        await together([partial(_end_on_signal, scope), run])


async def _end_on_signal(scope: anyio.CancelScope) -> None:
    """The first process of a container has no default for SIGTERM, and would be killed after a while."""
    with anyio.open_signal_receiver(signal.SIGTERM) as signals:
        async for _ in signals:
            scope.cancel()


def _indexer(door: Door, cluster: Cluster | None) -> Indexer:
    from wiring.opening import open_indexer  # noqa: PLC0415 - not needed for --help

    return open_indexer(door.data_dir, door.config, profile=door.profile, cluster=cluster)


async def _index(door: Door, indexer: Indexer, request: IndexRequest, output: _Output) -> dict[str, Any]:
    """One run and what is printed of it; the document."""
    started = time.monotonic()
    with Progress("Reading", _UNITS["Reading"], shown=door.progress) as progress:

        def show(stage: str, done: int, total: int) -> None:
            if stage in _UNITS:
                progress.update(done, total, stage, _UNITS[stage])
            elif door.progress != "nothing":
                share = f"{done / total:.0%} of {total} chunks have their vectors, the others follow"
                click.echo(f"The text is indexed and can be asked; {share}.", err=True)

        report = await indexer.run(request, holder=shlex.join(["hybrid-retrieval", *sys.argv[1:]]), progress=show)
    document = report.to_dict(time.monotonic() - started)
    output.show(document)
    return document


def _report_losses(document: dict[str, Any]) -> int:
    """Say what left the index since it can't be read any more, and what of a list can't be had; the exit code."""
    for row in document["lost"]:
        files = "1 file" if row["files"] == 1 else f"{row['files']} files"
        what = f"{row['path']} of {row['project']} can't be read, so {files} of it left the index."
        click.echo(printable(f"{what} Check its permissions and index again."), err=True)
    for row in document["unreached"]:
        kept = "What is indexed of it stays as it was; the others are up to date."
        click.echo(printable(f"{row['project']}: {row['because']} {kept}"), err=True)
    return _LOST if document["lost"] or document["unreached"] else 0


def _page(document: dict[str, Any], warnings: Sequence[str]) -> str:
    """A row a project, how much was left out for which reason, what the user is warned of, and how it ended."""
    lines = _table(document["projects"]) if document["projects"] else []
    reasons = Counter(row["reason"] for row in document["skipped"])
    if reasons:
        lines.append("left out: " + ", ".join(f"{count} {reason}" for reason, count in sorted(reasons.items())))
    if document["removed"]:
        lines.append("removed from the index: " + ", ".join(document["removed"]))
    state = "nothing changed" if document["unchanged"] else f"generation {document['generation']}"
    return "\n".join([*lines, *warnings, f"{state}, {document['seconds']} s"])


def _warnings(document: dict[str, Any], *, show_left_out: bool) -> list[str]:
    """By name what could not be read, or all that was left out, and what is not there; and that there is no model."""
    lines = [
        f"left out: {row['project']}/{row['path']}: {row.get('because', row['reason'])}"
        for row in document["skipped"]
        if show_left_out or "because" in row
    ]
    lines += [
        f"not there: {name}, which stays as it was indexed; `--remove {name}` takes it out"
        for name in document["absent"]
    ]
    if document["embedded"] < 1:
        lines.append(f"{_WORDS_ONLY} {install('offline')} Then index again.")
    return lines


def _table(projects: list[dict[str, Any]]) -> list[str]:
    columns = ("name", "files", "chunks", "entities", "relations", "added", "changed", "removed")
    rows = [("project", *columns[1:]), *(tuple(str(project[name]) for name in columns) for project in projects)]
    widths = [max(len(row[number]) for row in rows) for number in range(len(columns))]
    return [
        "  ".join(
            [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        )
        for row in rows
    ]
