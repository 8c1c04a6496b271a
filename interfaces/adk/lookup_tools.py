"""`find_entities`, `explain_path` and `list_projects` as ADK function tools: what is looked up rather than asked.

ADK reads signature and docstring, and neither checks nor converts arguments; a tool that raises ends the run. So
arguments are checked here, and what is wrong is returned as `{"error": {"code", "message", "hint"}}`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from interfaces.adk.environment import OnIndex, lookups_of_environment
from interfaces.asking import error_of, permitted
from interfaces.lookups import entities_document, path_document, projects_document
from memory.attempt import attempt
from memory.errors import InvalidInputError

if TYPE_CHECKING:
    from memory.generation import Manifest
    from memory.graph import GraphStore

__all__ = ["LookupTools"]

Only = Annotated[list[str] | None, Field(description="Look into these projects alone, by exact name.")]

_MOST = 50
_MOST_HOPS = 4


class LookupTools(OnIndex[tuple["GraphStore", "Manifest"]]):
    """Look-ups in the graph, and in what is indexed."""

    def _of_folder(self, data_dir: Path | None) -> AbstractAsyncContextManager[tuple[GraphStore, Manifest]]:
        return lookups_of_environment(data_dir)

    async def find_entities(
        self,
        name: Annotated[str, Field(description="A name or its beginning; PROJECT/NAME looks into one project.")],
        kind: Annotated[
            str | None, Field(description="Only things of this kind, such as class, function, table, topic, endpoint.")
        ] = None,
        only_projects: Only = None,
        limit: Annotated[int, Field(description="How many at most, 1 to 50.")] = 10,
    ) -> dict[str, Any]:
        """Finds what bears a name in any project: classes, functions, services, tables, topics, endpoints, projects.

        When to call this tool: to learn where a name is defined, what it uses and who calls, uses or publishes it, each
        with the line that proves it. For a question in words call ask_projects.

        Args:
            name: A name or its beginning; PROJECT/NAME looks into one project.
            kind: Only things of this kind.
            only_projects: Look into these projects alone. An unknown one is an error that lists the known.
            limit: How many at most, 1 to 50.

        Returns:
            A dictionary with entities (name, kind, project, path, lines, summary, match, uses, uses_known, used_by,
            used_by_known; best first) and left_out. If something is wrong, {"error": {"code", "message", "hint"}}
            instead.
        """

        async def found(graph: GraphStore, _: Manifest, permission: frozenset[str]) -> dict[str, Any]:
            kinds = (_text("kind", kind),) if kind else ()
            most = _number("limit", limit, _MOST)
            return await entities_document(_text("name", name), graph, permission, kinds=kinds, limit=most)

        return await self._looked_up(found, only_projects)

    async def explain_path(
        self,
        source: Annotated[str, Field(description="Where it begins: a name, or PROJECT/NAME.")],
        target: Annotated[str, Field(description="Where it ends: a name, or PROJECT/NAME.")],
        max_hops: Annotated[int, Field(description="How many relations a path may have, 1 to 4.")] = 3,
        only_projects: Only = None,
    ) -> dict[str, Any]:
        """Explains how two named things are connected, step by step, over any projects.

        When to call this tool: for how one class, service, table, topic or project reaches another, with the file and
        line that prove each step. An unknown name is an error that names the nearest.

        Args:
            source: Where it begins: a name, or PROJECT/NAME.
            target: Where it ends: a name, or PROJECT/NAME.
            max_hops: How many relations a path may have, 1 to 4.
            only_projects: Look into these projects alone. An unknown one is an error that lists the known.

        Returns:
            A dictionary with source, target, direction ("as_asked", "reversed" or "none"), paths (hops, text, edges;
            shortest first) and left_out. If something is wrong, {"error": {"code", "message", "hint"}} instead.
        """

        async def explained(graph: GraphStore, _: Manifest, permission: frozenset[str]) -> dict[str, Any]:
            hops = _number("max_hops", max_hops, _MOST_HOPS)
            ends = _text("source", source), _text("target", target)
            return await path_document(*ends, graph, permission, max_hops=hops)

        return await self._looked_up(explained, only_projects)

    async def list_projects(
        self,
        name_contains: Annotated[
            str | None, Field(description="Only projects whose name contains this, in any case.")
        ] = None,
    ) -> dict[str, Any]:
        """Lists the indexed projects: exact names, which the other tools take, folders, sizes and languages.

        Args:
            name_contains: Only projects whose name contains this, in any case.

        Returns:
            A dictionary with projects (name, root, commit, files, chunks, languages) and left_out. If something is
            wrong, {"error": {"code", "message", "hint"}} instead.
        """

        async def listed(_: GraphStore, manifest: Manifest, permission: frozenset[str]) -> dict[str, Any]:
            part = _text("name_contains", name_contains) if name_contains else ""
            return projects_document(manifest, permission, part)

        return await self._looked_up(listed, None)

    async def _looked_up(
        self, look_up: Callable[[GraphStore, Manifest, frozenset[str]], Awaitable[dict[str, Any]]], only: object
    ) -> dict[str, Any]:
        async def looked_up() -> dict[str, Any]:
            async with self._kept.use() as (graph, manifest):
                return await look_up(graph, manifest, permitted(only, self._allowed, manifest.names))

        done = await attempt(looked_up)
        return done.value if done.status == "ok" else error_of(done)


def _text(argument: str, value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise InvalidInputError(f"{argument} is {value!r}.", "Give a text.")
    return value


def _number(argument: str, value: object, most: int) -> int:
    if not isinstance(value, int | float) or isinstance(value, bool) or value != int(value) or not 1 <= value <= most:
        raise InvalidInputError(f"{argument} is {value!r}.", f"Give a number from 1 to {most}.")
    return int(value)
