"""`hybrid-retrieval export`: the graph's edges or entities, one JSON line each."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

import anyio
import click

from interfaces.cli.options import Door, allow_option, common_options
from memory.entities import Entity, Relationship
from memory.errors import InvalidInputError, UnknownProjectError
from memory.project_folder import has_changed
from memory.text.output import json_line

if TYPE_CHECKING:
    from interfaces.lookups import Folders

_INSIDE = frozenset({"DEFINES", "IMPORTS", "INHERITS"})
_SHARED = frozenset({"service", "project", "endpoint", "topic"})


@click.command("export")
@common_options
@click.option("--edges", "what", flag_value="edges", help="Relations with their lines and evidence.")
@click.option("--entities", "what", flag_value="entities", help="Named things and where they stand.")
@click.option("--project", metavar="NAME", help="Only this project's.")
@allow_option
@click.option("--across", is_flag=True, help="Only the confirmed relations between services or projects.")
@click.option("--sample", type=click.IntRange(min=1), help="Draw so many.")
@click.option("--seed", type=int, default=0, show_default=True, help="Of the draw.")
def command(
    door: Door,
    *,
    what: str | None,
    project: str | None,
    allow: tuple[str, ...],
    across: bool,
    sample: int | None,
    seed: int,
) -> int:
    """Print the graph's edges or entities, one JSON line each.

    One is `stale` whose file has changed since it was indexed.
    """
    if what is None:
        raise InvalidInputError("export needs to know what.", "Say --edges or --entities.")
    if across and what == "entities":
        raise InvalidInputError("--across is about relations.", "Say --edges with it.")
    rows = anyio.run(_rows, door, what, project, allow, across)
    if sample is not None and sample < len(rows):
        rows = random.Random(seed).sample(rows, sample)  # noqa: S311 - a draw to look at, no secret
    for row in rows:
        click.echo(json_line(row))
    return 0


async def _rows(
    door: Door,
    what: str,
    project: str | None,
    allow: tuple[str, ...],
    across: bool,  # noqa: FBT001 - anyio.run takes no keywords
) -> list[dict[str, Any]]:
    from wiring.catalogue import permitted  # noqa: PLC0415 - not needed for --help
    from wiring.opening import open_graph  # noqa: PLC0415 - the same

    async with open_graph(door.data_dir, door.config.graph) as (store, indexed):
        projects, folders = permitted(allow or None, indexed.projects()), indexed.folders
        if project is not None and project not in projects:
            raise UnknownProjectError(project, projects)
        if what == "entities":
            entities = await store.all_entities(permission=projects)
            return [_entity(entity, folders) for entity in entities if project in (None, entity.project)]
        edges = await store.all_edges(permission=projects)
        return [
            _edge(edge, folders)
            for edge in edges
            if project in (None, edge.project) and (not across or _is_across(edge))
        ]


def _is_across(edge: Relationship) -> bool:
    """Whether it says how services or projects are connected: by themselves, or by an endpoint or topic of theirs."""
    ends = (edge.source, edge.target)
    apart = edge.source.project != edge.target.project or not _SHARED.isdisjoint(end.kind for end in ends)
    return edge.status == "confirmed" and edge.type not in _INSIDE and apart


def _entity(entity: Entity, folders: Folders) -> dict[str, Any]:
    return {
        "project": entity.project,
        "name": entity.name,
        "kind": entity.kind,
        "path": entity.path,
        "start_line": entity.start_line,
        "end_line": entity.end_line,
        "stale": has_changed(folders, entity.project, entity.path),
    }


def _edge(edge: Relationship, folders: Folders) -> dict[str, Any]:
    return {
        "project": edge.project,
        "source": edge.source.name,
        "relation": edge.type,
        "target": edge.target.name,
        "target_project": edge.target.project,
        "path": edge.path,
        "lines": list(edge.lines),
        "stale": has_changed(folders, edge.project, edge.path),
        "status": edge.status,
        "evidence": [{"rule": e.rule, "project": e.project, "path": e.path, "line": e.line} for e in edge.evidence],
    }
