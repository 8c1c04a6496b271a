"""`hybrid-retrieval ask QUESTION`: one answer as the JSON of `HybridResult`, or as people read it.

The text, the place of each citation, what was not reached, and - if asked - why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, get_args

import anyio
import click

from configs import ScopeStrength
from interfaces.cli.options import Door, ScopeChoice, allow_option, common_options
from memory.documents import write_file
from memory.text.output import json_line, printable

if TYPE_CHECKING:
    from orchestrator.events import Event
    from orchestrator.hybrid import HybridRetrievalOrchestrator
    from orchestrator.result import HybridResult


@click.command("ask")
@common_options
@click.argument("question")
@click.option("--project", metavar="NAME", help="The project in hand; default: the indexed one around this folder.")
@allow_option
@click.option("--scope", type=ScopeChoice(), help="How the graph's scope meets the vector search.")
@click.option(
    "--scope-strength",
    type=click.Choice(get_args(ScopeStrength)),
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

    models = models_at_hand(config.vector, config.hosted)
    models.load_ahead()  # beside the imports

    def show(event: Event) -> None:
        click.echo(json_line(event.to_dict()) if door.as_json else printable(event.line()))

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
    door.show(document, lambda: answer_page(document, explain=explain))
    return result.exit_code


async def _followed(
    orchestrator: HybridRetrievalOrchestrator,
    question: str,
    context: dict[str, Any],
    html: Path,
    show: Callable[[Event], None] | None,
) -> HybridResult:
    from inspector import follow, page  # noqa: PLC0415 - only where a page is asked for

    result, inspection = await follow(orchestrator, question, context, show)
    write_file(html, page(inspection))
    return result


STALE: Final = "  (the file has changed since it was indexed)"
_NOWHERE: Final = "occurs nowhere in the indexed text you may see"
_LED: Final = "Note: "  # how an answer begins that says so first


def answer_page(result: dict[str, Any], *, explain: bool) -> str:
    parts = [_plain(result)]
    parts += [
        "\n".join(block)
        for block in (
            _sources(result),
            _conflicts(result),
            _missing(result),
            [f"Note: {note}." for note in result["answer"]["notes"]],
            changed_lines(_changed(result)),
        )
        if block
    ]
    if explain:
        parts.append("\n".join(_explanation(result)))
    return "\n\n".join(parts)


def _plain(result: dict[str, Any]) -> str:
    """The answer without the markers of places that the line itself names, and without the part under "Not covered"."""
    missing = "; ".join(_lacks(result))
    lines = result["answer"]["text"].strip().removesuffix(f"\nMissing: {missing}.").split("\n")
    for marker, file in {(c["marker"], _file(c)) for c in result["citations"] if c["location"]}:
        lines = [line.replace(f" {marker}", "") if f"{file}:" in line.replace(marker, "") else line for line in lines]
    return "\n".join(lines)


def _file(citation: dict[str, Any]) -> str:
    return f"{citation['location']['project']}/{citation['location']['path']}"


def _sources(result: dict[str, Any]) -> list[str]:
    """Each cited place that the answer does not name, with the line it opens on; what does not hold in any case."""
    seen: dict[str, str] = {}
    for citation in result["citations"]:
        at = citation["location"]
        place = f"{_file(citation)}:{at['start_line']}" if at else citation["marker"]
        fault = "NOT SUPPORTED" if citation["located"] else "NOT VERIFIED"
        note = "" if citation["verified"] else f"  {fault}: {citation['reason']}"
        stale = STALE if citation.get("stale") else ""
        if not (note or stale) and (f"{_file(citation)}:" if at else place) in result["answer"]["text"]:
            continue
        if note or place not in seen:  # what does not hold is never hidden behind what does
            seen[place] = f"  {place}{note}{stale}"
    if not seen:
        return []
    unsupported = sum(c["located"] and not c["supported"] for c in result["citations"])
    return [f"Sources ({unsupported} located, not supported)" if unsupported else "Sources", *seen.values()]


def _conflicts(result: dict[str, Any]) -> list[str]:
    """What was kept and why, or the question where that is the user's to say. Without an answer it means nothing."""
    lines = []
    for conflict in result["conflicts"] if result["status"] != "not_found" else ():
        about = f"{conflict['subject']}, {conflict['property']}: {conflict['reason']}"
        lines.append(f"  {conflict.get('question') or about}")
    return ["Conflicts", *lines] if lines else []


def _missing(result: dict[str, Any]) -> list[str]:
    missing = _lacks(result)
    return ["Not covered", *(f"  {item}" for item in missing)] if missing else []


def _lacks(result: dict[str, Any]) -> list[str]:
    """What the answer does not cover, but for what its first line says, or what is itself the answer."""
    first, missing = result["answer"]["text"].partition("\n")[0], result["answer"]["missing"]
    if result["status"] == "not_found":
        return [item for item in missing if not item.endswith(_NOWHERE)]
    return [item for item in missing if not (first.startswith(_LED) and item in first)]


def _changed(result: dict[str, Any]) -> dict[str, int]:
    return {name: count for name, at in result["metrics"]["commit"].items() if (count := at.get("changed"))}


def changed_lines(changed: Mapping[str, int]) -> list[str]:
    """How many files of each project are others than those that were searched."""
    lines = [f"  {name}: {count} file{'s' if count > 1 else ''}" for name, count in sorted(changed.items())]
    return (
        ["Changed since they were indexed (`hybrid-retrieval index` brings them up to date)", *lines] if lines else []
    )


def _explanation(result: dict[str, Any]) -> Iterator[str]:
    classification, scope = result["classification"], result["scope"]
    yield f"Classified   {', '.join(classification['query_types'])} -> {', '.join(classification['paths'])}"
    yield from (f"             {reason}" for reason in classification["reasons"])
    if classification["entities"]:
        yield f"Entities     {', '.join(classification['entities'])}"
    for agent in result["coverage"]["agents"]:
        reason = f"  {agent['reason']}" if agent["reason"] else ""
        found = f"{agent['observations']:>3} found {agent['elapsed_ms']:8.1f} ms"
        yield f"{agent['agent']:<12} {agent['role']:<5} {agent['status']:<8} {found}{reason}"
    yield f"Scope        {scope['mode']}, {scope['strength']}"
    for project in scope["projects"]:
        yield f"             {project['project']} {project['confidence']:.2f}  {project['because']}"
    if scope["widened"]:
        yield f"             widened by {', '.join(scope['widened_by'])}"
    yield "Ranking"
    for item in result["observations"]:
        at = item["locations"][0] if item["locations"] else None
        place = f"{at['project']}/{at['path']}:{at['start_line']}-{at['end_line']}" if at else item["source"]
        yield f"  {item['rank']:>2}. {item['score']:.3f} {item['agent']:<6} {place}"
    metrics = result["metrics"]
    parts = f"merging {metrics['merge_time_ms']:.1f}, synthesis {metrics['synthesis_time_ms']:.1f}"
    yield f"Time         {metrics['total_time_ms']:.1f} ms, {parts}"
