"""The graph store's port: lookup, traversal, paths and the write side, the permission in every read.

See docs/design.md#graph.

Adapters: `kglite` (embedded), `neo4j` (server), `fake` (shipped). The first two run the texts in `queries`; all inherit
the suite in `tests/contracts/graph_store.py`.
"""

from __future__ import annotations

from collections.abc import AsyncIterable, AsyncIterator, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Protocol, TypeVar

from memory.entities import Entity, Relationship

Direction = Literal["out", "in", "both"]
_Thing = TypeVar("_Thing", Entity, Relationship)


@dataclass(frozen=True, slots=True)
class GraphBatch:
    """Some of a generation's graph. ends: entities stored elsewhere, where its relations start or end."""

    entities: Sequence[Entity]
    relationships: Sequence[Relationship]
    ends: Sequence[Entity] = ()

    @property
    def projects(self) -> set[str]:
        """Whose entities it holds."""
        return {entity.project for entity in self.entities}

    def portion(self, projects: Collection[str]) -> GraphBatch:
        """What is of these projects and what starts in them, with its ends."""
        relations = [relation for relation in self.relationships if relation.source.project in projects]
        touched = {end.id for relation in relations for end in (relation.source, relation.target)}
        own = [entity for entity in self.entities if entity.project in projects]
        others = (entity for entity in (*self.entities, *self.ends) if entity.project not in projects)
        staying = (entity for entity in self.ends if entity.project in projects)
        ends = {entity.id: entity for entity in (*others, *staying) if entity.id in touched}
        return GraphBatch(own, relations, list(ends.values()))


async def as_parts(batches: Iterable[GraphBatch]) -> AsyncIterator[GraphBatch]:
    """What is at hand already, as `GraphStore.replace` takes it."""
    for batch in batches:
        yield batch


@dataclass(frozen=True, slots=True)
class GraphPath:
    """Consecutive edges from one entity to another, each in its stored direction."""

    edges: tuple[Relationship, ...]

    @property
    def hops(self) -> int:
        """How many edges it has."""
        return len(self.edges)


def checked(batch: GraphBatch) -> GraphBatch:
    """The batch, ready to be stored: relations start and end at its own entities, one without a project is its
    source's.

    Raises ValueError on two entities or relations of one id, and on an edge that starts or ends at what is neither one
    of its entities nor of its ends.
    """
    known = {entity.id: entity for entity in batch.ends} | _by_id(batch.entities)
    _by_id(batch.relationships)
    return replace(batch, relationships=[_between(known, relation) for relation in batch.relationships])


def _by_id(things: Sequence[_Thing]) -> dict[str, _Thing]:
    known: dict[str, _Thing] = {}
    for thing in things:
        if known.setdefault(thing.id, thing) is not thing:
            raise ValueError(f"Two things have the id {thing.id!r}: {thing} and {known[thing.id]}.")
    return known


def _between(known: Mapping[str, Entity], relation: Relationship) -> Relationship:
    for end in (relation.source.id, relation.target.id):
        if end not in known:
            raise ValueError(f"The relation {relation.id!r} ends at {end!r}, which is not in the batch.")
    source, target = known[relation.source.id], known[relation.target.id]
    if source is relation.source and target is relation.target and relation.project:
        return relation
    return replace(relation, source=source, target=target, project=relation.project or source.project)


class GraphStore(Protocol):
    """Entities and relations over all projects.

    No read returns an entity, an edge or a path that touches a project outside `permission`; candidates are in
    `all_edges` alone. Lists are in a deterministic order (by id, paths by length and then ids) and limited. An empty
    permission answers empty without a call. Raises StoreError when the engine is out of reach or too slow.
    """

    engine: str
    """`kglite` or `neo4j`: what is behind `graph:` in an observation's source."""

    async def find_exact(self, keys: Sequence[str], *, permission: frozenset[str], limit: int = 50) -> list[Entity]:
        """Entities whose casefolded name is one of `keys`."""
        ...

    async def find_prefix(self, prefix: str, *, permission: frozenset[str], limit: int = 20) -> list[Entity]:
        """Entities whose casefolded name starts with `prefix`, shortest first."""
        ...

    async def find_text(self, words: Sequence[str], *, permission: frozenset[str], limit: int = 20) -> list[Entity]:
        """Candidates by full text over the parts of names; their order says nothing."""
        ...

    async def edges(
        self,
        ids: Sequence[str],
        *,
        permission: frozenset[str],
        direction: Direction = "both",
        types: Sequence[str] = (),
        limit: int = 200,
    ) -> list[Relationship]:
        """Edges that leave (`out`), reach (`in`) or touch (`both`) these entities; no types: all."""
        ...

    async def edges_between(
        self,
        sources: Collection[str],
        targets: Collection[str],
        *,
        permission: frozenset[str],
        types: Sequence[str] = (),
        limit: int = 200,
    ) -> list[Relationship]:
        """Confirmed edges from an entity of one of the source projects to one of another, target project."""
        ...

    async def paths(
        self,
        source_ids: Sequence[str],
        target_ids: Sequence[str],
        *,
        permission: frozenset[str],
        max_hops: int = 2,
        limit: int = 20,
    ) -> list[GraphPath]:
        """Directed simple paths of up to `max_hops` (1..4) confirmed edges, shortest first."""
        ...

    async def all_entities(self, *, permission: frozenset[str]) -> list[Entity]:
        """Every entity, for export."""
        ...

    async def all_edges(self, *, permission: frozenset[str]) -> list[Relationship]:
        """Every edge, for export."""
        ...

    async def replace(self, parts: AsyncIterable[GraphBatch]) -> None:
        """Make the graph hold exactly these parts: the write side of a new generation.

        Each holds whole projects; it is made when it is asked for, and may be let go of before the next.
        """
        ...

    async def is_empty(self) -> bool:
        """Whether it holds no entity: nothing was copied here that `update` could change."""
        ...

    async def update(self, batch: GraphBatch, *, projects: Collection[str], sources: Collection[str]) -> None:
        """Put the batch in place of the entities of `projects`, with all that touches them, and of the relations that
        start in `sources`; all else stays. Its ends are entities that stay.
        """
        ...

    async def close(self) -> None:
        """Let go of the engine."""
        ...
