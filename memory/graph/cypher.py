"""The port's reads on any engine that runs the texts in `queries`; an adapter adds how one is run, and the writes."""

from __future__ import annotations

import abc
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final, Literal, Protocol

import anyio.to_thread

from memory.entities import Entity, Relationship
from memory.graph import queries
from memory.graph.port import Direction, GraphPath
from memory.together import batches

CONFIRMED: Final = ("confirmed",)
EITHER: Final = ("confirmed", "candidate")
MAX_PATH_HOPS: Final = 4

EXPANSION_LIMIT: Final = 20_000
"""Edges one round of a path search may read; what a hub has beyond that (by id) is not walked."""
PAGE: Final = 10_000
_SOURCES_A_PAGE: Final = 2_000


@dataclass(frozen=True, slots=True)
class PathStep:
    """One edge, by ids alone."""

    source: str
    edge: str
    target: str


class StepReader(Protocol):
    """Reads the edges that leave (`out`) or reach (`in`) these entities."""

    async def __call__(self, direction: Literal["out", "in"], ids: Sequence[str], /) -> Iterable[PathStep]: ...


async def meet(read: StepReader, sources: Collection[str], targets: Collection[str], max_hops: int) -> set[PathStep]:
    """Every edge that a path of up to `max_hops` from a source to a target can be made of, and some more."""
    steps: set[PathStep] = set()
    ahead, behind = set(sources), set(targets)
    seen_ahead, seen_behind = set(ahead), set(behind)
    for _ in range(max_hops):
        if not ahead or not behind:
            break
        if len(ahead) <= len(behind):
            found = set(await read("out", sorted(ahead)))
            ahead = {step.target for step in found} - seen_ahead
            seen_ahead |= ahead
        else:
            found = set(await read("in", sorted(behind)))
            behind = {step.source for step in found} - seen_behind
            seen_behind |= behind
        steps |= found
    return steps


def simple_paths(
    steps: Iterable[PathStep], sources: Collection[str], targets: Collection[str], max_hops: int
) -> Iterator[tuple[PathStep, ...]]:
    """Paths that visit no entity twice, shortest first, then by the ids of their edges."""
    leaving: dict[str, list[PathStep]] = {}
    for step in sorted(steps, key=lambda s: s.edge):
        leaving.setdefault(step.source, []).append(step)
    reaching = [set(targets)]
    for _ in range(max_hops - 1):
        reaching.append({s for s, out in leaving.items() if any(step.target in reaching[-1] for step in out)})
    first = sorted((step for source in set(sources) for step in leaving.get(source, ())), key=lambda s: s.edge)

    def onward(
        walked: tuple[PathStep, ...], visited: frozenset[str], choices: list[PathStep], left: int
    ) -> Iterator[tuple[PathStep, ...]]:
        for step in choices:
            if step.target in visited or step.target not in reaching[left]:
                continue
            path = (*walked, step)
            if left == 0:
                yield path
            else:
                yield from onward(path, visited | {step.target}, leaving.get(step.target, []), left - 1)

    for hops in range(1, max_hops + 1):
        for step in first:
            yield from onward((), frozenset({step.source}), [step], hops - 1)


class CypherReads(abc.ABC):
    """Everything a graph store reads. `_rows` runs one text and raises StoreError when the engine cannot."""

    def __init__(self, namespace: str) -> None:
        self.namespace = namespace

    @abc.abstractmethod
    async def _rows(self, text: str, parameters: Mapping[str, Any]) -> list[dict[str, Any]]: ...

    async def _read(self, text: str, permission: frozenset[str], **parameters: Any) -> list[dict[str, Any]]:
        """No call without a permission, or where a list to look for is empty."""
        looked_for = [v for name, v in parameters.items() if name in {"ids", "keys", "words"}]
        if not permission or not all(looked_for):
            return []
        return await self._rows(text, {**parameters, "namespace": self.namespace, "permission": sorted(permission)})

    async def find_exact(self, keys: Sequence[str], *, permission: frozenset[str], limit: int = 50) -> list[Entity]:
        folded = sorted({key.casefold() for key in keys})
        rows = await self._read(queries.FIND_EXACT, permission, keys=folded, limit=limit)
        return [queries.entity_from(row, "e") for row in rows]

    async def find_prefix(self, prefix: str, *, permission: frozenset[str], limit: int = 20) -> list[Entity]:
        rows = await self._read(queries.FIND_PREFIX, permission, prefix=prefix.casefold(), limit=limit)
        return [queries.entity_from(row, "e") for row in rows]

    async def find_text(self, words: Sequence[str], *, permission: frozenset[str], limit: int = 20) -> list[Entity]:
        # Casefolded runs of letters and digits: nothing is left of full text's reserved characters and operators.
        parts = sorted({part for word in words for part in queries.name_parts(word)})
        rows = await self._read(queries.FIND_TEXT, permission, query=" ".join(parts), words=parts, limit=limit)
        return [queries.entity_from(row, "e") for row in rows]

    async def edges(
        self,
        ids: Sequence[str],
        *,
        permission: frozenset[str],
        direction: Direction = "both",
        types: Sequence[str] = (),
        limit: int = 200,
    ) -> list[Relationship]:
        texts = {"out": (queries.EDGES_OUT,), "in": (queries.EDGES_IN,), "both": (queries.EDGES_OUT, queries.EDGES_IN)}
        parameters = {
            "ids": sorted(set(ids)),
            "types": list(types),
            "statuses": list(CONFIRMED),
            "limit": limit,
            "after": "",
        }
        found: dict[str, Relationship] = {}
        for text in texts[direction]:
            for row in await self._read(text, permission, **parameters):
                found[row["r_id"]] = queries.relation_from(row, permission)
        return [found[one] for one in sorted(found)[:limit]]

    async def edges_between(
        self,
        sources: Collection[str],
        targets: Collection[str],
        *,
        permission: frozenset[str],
        types: Sequence[str] = (),
        limit: int = 200,
    ) -> list[Relationship]:
        ends = {
            "sources": sorted(permission.intersection(sources)),
            "targets": sorted(permission.intersection(targets)),
        }
        parameters = {**ends, "types": list(types), "statuses": list(CONFIRMED)}
        rows = await self._read(queries.EDGES_BETWEEN, permission, limit=limit, **parameters)
        return [queries.relation_from(row, permission) for row in rows]

    async def paths(
        self,
        source_ids: Sequence[str],
        target_ids: Sequence[str],
        *,
        permission: frozenset[str],
        max_hops: int = 2,
        limit: int = 20,
    ) -> list[GraphPath]:
        hops = min(max(max_hops, 1), MAX_PATH_HOPS)
        edge = {"types": [], "statuses": list(CONFIRMED)}

        async def steps(direction: Literal["out", "in"], ids: Sequence[str]) -> list[PathStep]:
            text = queries.STEPS_OUT if direction == "out" else queries.STEPS_IN
            rows = await self._read(text, permission, ids=ids, limit=EXPANSION_LIMIT, **edge)
            return [PathStep(**row) for row in rows]

        met = await meet(steps, source_ids, target_ids, hops)

        def shortest() -> list[tuple[PathStep, ...]]:
            return list(islice(simple_paths(met, source_ids, target_ids, hops), limit))

        walks = await anyio.to_thread.run_sync(shortest, abandon_on_cancel=True)  # between hubs it takes its time
        walked = {step for walk in walks for step in walk}
        parameters = {"sources": sorted({s.source for s in walked}), "ids": sorted({s.edge for s in walked}), **edge}
        rows = await self._read(queries.EDGES_BY_ID, permission, limit=len(walked), **parameters)
        known = {row["r_id"]: queries.relation_from(row, permission) for row in rows}
        return [GraphPath(tuple(known[step.edge] for step in walk)) for walk in walks]

    async def all_entities(self, *, permission: frozenset[str]) -> list[Entity]:
        rows = await self._pages(queries.ALL_ENTITIES, "e_id", permission)
        return [queries.entity_from(row, "e") for row in rows]

    async def all_edges(self, *, permission: frozenset[str]) -> list[Relationship]:
        """By groups of sources, since no engine finds an edge by its id without looking at all of them."""
        sources = [entity.id for entity in await self.all_entities(permission=permission)]
        found: list[Relationship] = []
        for ids in batches(sources, _SOURCES_A_PAGE):
            rows = await self._pages(queries.EDGES_OUT, "r_id", permission, ids=ids, types=[], statuses=list(EITHER))
            found += [queries.relation_from(row, permission) for row in rows]
        return sorted(found, key=lambda r: r.id)

    async def _pages(self, text: str, by: str, permission: frozenset[str], **parameters: Any) -> list[dict[str, Any]]:
        rows: list[dict[str, Any]] = []
        while True:
            after = rows[-1][by] if rows else ""
            page = await self._read(text, permission, after=after, limit=PAGE, **parameters)
            rows += page
            if len(page) < PAGE:
                return rows
