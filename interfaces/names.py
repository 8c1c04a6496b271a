"""Names and paths in the graph, for the tools: who bears a name, and how two of them are connected."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final, Literal

from memory.entities import STRUCTURAL, Entity, Relationship, spelt_nearly
from memory.errors import InvalidInputError
from memory.graph import GraphPath, GraphStore
from memory.text import split_identifier

Match = Literal["exact", "begins", "similar"]
MATCHES: Final[tuple[Match, ...]] = ("exact", "begins", "similar")
_CANDIDATES = 200
_NEAREST = 5
_BEGINNING = 2  # characters that a misspelt name has right
_LEAST_ALIKE = 0.6
_BEGUN = 2_000  # names of that beginning that are looked at
_ENDS = 10


@dataclass(frozen=True, slots=True)
class FoundName:
    """An entity, how its name fits (0 exact, 1 begins so, 2 similar), and the share of the name's parts that it has, of
    its letters (difflib's ratio) where it is similar.
    """

    entity: Entity
    tier: int
    share: float

    @property
    def match(self) -> Match:
        return MATCHES[self.tier]


@dataclass(frozen=True, slots=True)
class Way:
    """How two things are connected: paths, shortest first, and whether they run from the first to the second."""

    source: str
    target: str
    direction: Literal["as_asked", "reversed", "none"]
    paths: tuple[GraphPath, ...]


@dataclass(frozen=True, slots=True)
class Known:
    """Sentences on what an entity uses and who uses it, and how many there are of each."""

    uses: tuple[str, ...]
    uses_known: int
    used_by: tuple[str, ...]
    used_by_known: int


async def find(name: str, store: GraphStore, permission: frozenset[str], kinds: Sequence[str] = ()) -> list[FoundName]:
    """Who bears this name: exactly, then as its beginning; else who has half of its parts or is spelt nearly so, the
    nearest in spelling first.

    kinds: only these, () for any. `PROJECT/NAME` looks into that project. The order depends on the names alone. Raises
    StoreError.
    """
    project, slash, rest = name.partition("/")
    if slash and project in permission:
        permission, name = frozenset({project}), rest
    name = name.strip()
    parts = set(split_identifier(name))
    if not parts:
        return []
    key = name.casefold()
    named = (
        await store.find_exact([key], permission=permission, limit=_CANDIDATES),
        await store.find_prefix(key, permission=permission, limit=_CANDIDATES),
    )
    found: dict[str, FoundName] = {}
    for tier, entities in enumerate(named):
        for entity in entities:
            if not kinds or entity.kind in kinds:
                found.setdefault(entity.id, FoundName(entity, tier, _share(parts, entity)))
    if not found:
        alike = await store.find_text(sorted(parts), permission=permission, limit=_CANDIDATES)
        alike = [one for one in alike if not kinds or one.kind in kinds]
        near = [one for one in alike if len(parts.intersection(split_identifier(one.name))) >= len(parts) / 2]
        begun = await store.find_prefix(key[:_BEGINNING], permission=permission, limit=_BEGUN)
        begun = [one for one in begun if not kinds or one.kind in kinds]
        near += spelt_nearly(key, begun, most=_NEAREST, least=_LEAST_ALIKE)
        found = {one.id: FoundName(one, len(named), SequenceMatcher(None, key, one.key).ratio()) for one in near}
    return sorted(found.values(), key=lambda one: (one.tier, -one.share, len(one.entity.name), one.entity.id))


def _share(parts: set[str], entity: Entity) -> float:
    own = set(split_identifier(entity.name))
    return len(parts & own) / len(parts | own)


async def known_of(entity: Entity, store: GraphStore, permission: frozenset[str], most: int) -> Known:
    """What is confirmed about an entity, what crosses projects first; at most so many sentences each way."""
    edges = await store.edges([entity.id], permission=permission)
    edges = [edge for edge in edges if edge.type not in STRUCTURAL]
    edges.sort(key=lambda edge: (edge.source.project == edge.target.project, edge.id))
    uses = [edge for edge in edges if edge.source.id == entity.id]
    used_by = [edge for edge in edges if edge.source.id != entity.id]
    sentences = [tuple(_sentence(edge, store.engine) for edge in way[:most]) for way in (uses, used_by)]
    return Known(sentences[0], len(uses), sentences[1], len(used_by))


async def ways_between(
    source: str, target: str, store: GraphStore, permission: frozenset[str], *, max_hops: int, most: int
) -> Way:
    """The shortest paths between two names; where none leads there, those that lead back.

    Raises InvalidInputError that names the nearest where nothing has the name, and StoreError.
    """
    starts = await _borne_by(source, store, permission)
    ends = await _borne_by(target, store, permission)
    there = await _paths(starts, ends, store, permission, max_hops=max_hops, most=most)
    if there:
        return Way(*_ends(there[0]), "as_asked", there)
    back = await _paths(ends, starts, store, permission, max_hops=max_hops, most=most)
    if back:
        last, first = _ends(back[0])
        return Way(first, last, "reversed", back)
    return Way(starts[0].label, ends[0].label, "none", ())


async def neighbours(name: str, store: GraphStore, permission: frozenset[str], most: int) -> list[str]:
    """What is directly connected with who bears a name, in other projects first. Raises as `ways_between`."""
    own = {one.id: one for one in await _borne_by(name, store, permission)}
    edges = [edge for edge in await store.edges(list(own), permission=permission) if edge.type not in STRUCTURAL]
    edges.sort(key=lambda edge: (edge.source.project == edge.target.project, edge.id))
    ends = [end.label for edge in edges for end in (edge.source, edge.target) if end.id not in own]
    return list(dict.fromkeys(ends))[:most]


def _ends(path: GraphPath) -> tuple[str, str]:
    return path.edges[0].source.label, path.edges[-1].target.label


async def _borne_by(name: str, store: GraphStore, permission: frozenset[str]) -> list[Entity]:
    found = await find(name, store, permission)
    exact = [one.entity for one in found if one.tier == 0]
    if exact:
        return exact[:_ENDS]
    nearest = ", ".join(dict.fromkeys(one.entity.label for one in found[:_NEAREST]))
    hint = f"Nearest: {nearest}." if nearest else "Look for it with find_entities, or ask with ask_projects."
    raise InvalidInputError(f"Nothing is called {name!r} here.", hint)


async def _paths(
    starts: Sequence[Entity],
    ends: Sequence[Entity],
    store: GraphStore,
    permission: frozenset[str],
    *,
    max_hops: int,
    most: int,
) -> tuple[GraphPath, ...]:
    """One path for each chain of entities; two projects are also connected by what is inside them."""
    found = await store.paths(
        [one.id for one in starts],
        [one.id for one in ends],
        permission=permission,
        max_hops=max_hops,
        limit=_CANDIDATES,
    )
    inside = [{one.project for one in side if one.kind == "project"} for side in (starts, ends)]
    if not found and all(inside):
        found = [GraphPath((edge,)) for edge in await store.edges_between(*inside, permission=permission)]
    chains: dict[tuple[str, ...], GraphPath] = {}
    for path in found:
        if any(edge.type not in STRUCTURAL for edge in path.edges):
            chains.setdefault(tuple(end for edge in path.edges for end in (edge.source.id, edge.target.id)), path)
    return tuple(chains.values())[:most]


def path_text(path: GraphPath, engine: str) -> str:
    """The path in sentences, as the graph agent tells it."""
    from agents.statements import path_observation  # noqa: PLC0415 - an editor's window opens without it

    return path_observation(path.edges, 1.0, engine, 0).content


def _sentence(edge: Relationship, engine: str) -> str:
    from agents.statements import statement_observation  # noqa: PLC0415 - an editor's window opens without it
    from memory.statements import FoundStatement  # noqa: PLC0415 - as above

    return statement_observation([FoundStatement(edge, 1.0)], engine, 0).content
