"""`hybrid-retrieval ask QUESTION`: one answer, as text or as the JSON of `HybridResult`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import click

from interfaces.cli.options import Door, ScopeChoice, allow_option, common_options
from memory.documents import write_file
from memory.text.output import json_line, printable

if TYPE_CHECKING:
    from collections.abc import Callable

    from orchestrator.events import Event
    from orchestrator.hybrid import HybridRetrievalOrchestrator
    from orchestrator.result import HybridResult

__all__ = ["command"]


@click.command("ask")
@common_options
@click.argument("question")
@click.option("--project", metavar="NAME", help="The project in hand; default: the indexed one around this folder.")
@allow_option
@click.option("--scope", type=ScopeChoice(), help="How the graph's scope meets the vector search.")
@click.option(
    "--scope-strength",
    type=click.Choice(("soft", "strict")),
    help="Weigh the scope's projects up, or leave the others out.",
)
@click.option("--explain", is_flag=True, help="Also say how the answer came about.")
@click.option("--stream", is_flag=True, help="Events while they happen; with --json one a line.")
@click.option(
    "--html", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Also write the run as a page."
)
def command(
    door: Door,
    *,
    question: str,
    project: str | None,
    allow: tuple[str, ...],
    scope: str | None,
    scope_strength: str | None,
    explain: bool,
    stream: bool,
    html: Path | None,
) -> int:
    """Ask a question over everything that is indexed."""
    context: dict[str, Any] = {"project": project} if project is not None else {}
    if allow:
        context["allowed_projects"] = list(allow)
    config = door.config.with_scope(mode=scope, strength=scope_strength)

    from wiring.models import models_at_hand  # noqa: PLC0415 - not needed for --help

    models = models_at_hand(config.vector, config.hosted, optimise=False)
    models.load_ahead()  # beside the imports

    def show(event: Event) -> None:
        _show(event, as_json=door.as_json)

    async def ask() -> HybridResult:
        from orchestrator.hybrid import HybridRetrievalOrchestrator  # noqa: PLC0415 - not needed for --help

        opened = HybridRetrievalOrchestrator.open(
            door.data_dir, door.profile, config, embedder=models, one_question=True, wait_for_mays=True
        )
        async with opened as orchestrator:
            if html is not None:
                return await _followed(orchestrator, question, context, html, show if stream else None)
            if not stream:
                return await orchestrator.retrieve(question, context)
            last = None
            async for event in orchestrator.stream(question, context):
                show(event)
                last = event
            return last.result  # type: ignore[union-attr]  # the last event is always Finished

    result = anyio.run(ask)
    document = result.to_dict()
    if stream:
        return result.exit_code
    if door.as_json:
        click.echo(json_line(document))
    else:
        from interfaces.cli.page import answer_page  # noqa: PLC0415 - only for people

        click.echo(printable(answer_page(document, explain=explain)))
    return result.exit_code


async def _followed(
    orchestrator: HybridRetrievalOrchestrator,
    question: str,
    context: dict[str, Any],
    html: Path,
    show: Callable[[Event], None] | None,
) -> HybridResult:
    """The result, with the page of its run written."""
    from inspector import follow, page  # noqa: PLC0415 - only where a page is asked for

    result, inspection = await follow(orchestrator, question, context, show)
    write_file(html, page(inspection))
    return result


def _show(event: Any, *, as_json: bool) -> None:
    if as_json:
        click.echo(json_line(event.to_dict()))
    else:
        click.echo(printable(event.line()))
