"""`GraphRetrievalAgent`: entities, their relations and the paths between them, over all projects (001 §4.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations

from agents.describing import asks_what_it_is, describing_files
from agents.direction import Walk, read_walk
from agents.edge_order import order_edges
from agents.inventory import read_inventory
from agents.linking import Link, asks_only_about, is_project, link
from agents.listing import inventories, services_of
from agents.ports import Publish
from agents.scoping import build_scope
from agents.statements import entity_observation, path_observation, relation_observation
from agents.topic import asks_for_tests
from agents.walking import STRUCTURAL, Walker
from configs.settings import GraphSettings, ScopeSettings
from memory.entities import Relationship, Scope
from memory.graph.port import GraphPath, GraphStore
from memory.observations import GraphObservation
from memory.query import TaskContext

__all__ = ["GraphRetrievalAgent"]

_ORDER_DECAY = 0.99
"""How much less sure each further thing is told, so that their order survives merging."""
_MANY = 40


class GraphRetrievalAgent:
    """Links the question to the graph, walks from there, and says which projects matter.

    Raises StoreError when the graph is out of reach. Reports its scope before its observations.
    """

    def __init__(
        self,
        store: GraphStore,
        graph: GraphSettings,
        scope: ScopeSettings,
        *,
        max_observations: int,
        max_files: int = 20,
    ) -> None:
        self._store = store
        self._graph = graph
        self._walker = Walker(store, max_hops=graph.max_hops)
        self._scope = scope
        self._max_observations = max_observations
        self._max_files = max_files

    async def retrieve(self, query: str, context: TaskContext) -> list[GraphObservation]:
        """Paths between the linked entities first, then what the question walks to, then the entities themselves."""
        links = await self._links(query, context)
        walk = read_walk(query)
        return await self._observe(
            query, links, walk, await self._walker.edges(query, links, walk, context.permission), context
        )

    async def find_scope(self, entities: Sequence[str], context: TaskContext | None = None) -> Scope:
        """The ranked projects of these names, with confidence, reason and the files that prove it."""
        context = context or TaskContext()
        links = await link("", entities, self._store, context.permission)
        return await self._build_scope(
            "", links, await self._walker.edges("", links, Walk("both"), context.permission), context
        )

    async def publish_into(self, query: str, context: TaskContext, publish: Publish) -> None:
        """`retrieve`, with the scope reported as soon as it is known."""
        links = await self._links(query, context)
        walk = read_walk(query)
        edges = await self._walker.edges(query, links, walk, context.permission)
        publish.scope(await self._build_scope(query, links, edges, context))
        for observation in await self._observe(query, links, walk, edges, context):
            await publish(observation)

    async def _links(self, query: str, context: TaskContext) -> list[Link]:
        links = await link(query, context.mentions, self._store, context.permission)
        asked = {surface: place for place, surface in enumerate(dict.fromkeys(hit.surface for hit in links))}
        return sorted(links, key=lambda hit: (-hit.confidence, asked[hit.surface], hit.entity.id))[:_MANY]

    async def _build_scope(
        self, query: str, links: Sequence[Link], edges: Sequence[Relationship], context: TaskContext
    ) -> Scope:
        mentions = await self._store.mentions([hit.entity.id for hit in links], permission=context.permission)
        describing = describing_files(links, edges, mentions) if asks_what_it_is(query) else ()
        return build_scope(
            links, edges, mentions, describing, max_projects=self._scope.max_projects, max_files=self._max_files
        )

    async def _observe(
        self, query: str, links: Sequence[Link], walk: Walk, edges: Sequence[Relationship], context: TaskContext
    ) -> list[GraphObservation]:
        asked = read_inventory(query)
        listed = await inventories(asked, links, self._store, context.permission) if asked else []
        alone = asks_what_it_is(query) and asks_only_about(query, links)
        introduced = [hit for hit in links if hit.entity.kind == "project"] if alone else []
        beside = await services_of(introduced, self._store, context.permission) if introduced else []
        paths = await self._paths(links, context)
        told = {edge.ends for path in paths for edge in path.relationships}
        untold = [edge for edge in edges if edge.ends not in told]
        ordered = order_edges(
            untold, links, walk.types, hop_decay=self._graph.hop_decay, tests_last=not asks_for_tests(query)
        )
        relations = [
            relation_observation(bundle, weight, self._store.engine, self._graph.max_locations)
            for bundle, weight in ordered[: self._max_observations]
        ]
        meant = [
            hit for hit in _one_of_each_topic(links) if not is_project(hit.entity) or asks_only_about(query, links)
        ]
        entities = [entity_observation(hit, edges, self._store.engine) for hit in meant]
        led_by_entities = walk.direction == "both" and any(not is_project(hit.entity) for hit in links)
        rest = entities + relations if led_by_entities else relations + entities
        return [
            replace(said, confidence=round(said.confidence * _ORDER_DECAY**place, 4))
            for place, said in enumerate((listed + paths + rest + beside)[: self._max_observations])
        ]

    async def _paths(self, links: Sequence[Link], context: TaskContext) -> list[GraphObservation]:
        """The shortest paths between entities that different parts of the question mean, whichever way they lead."""
        groups: dict[str, list[Link]] = {}
        for hit in links:
            if is_project(hit.entity):
                continue  # how projects are connected is asked of their edges
            groups.setdefault(hit.surface, []).append(hit)
        paths = []
        for start, end in permutations(list(groups)[:3], 2):
            found = await self._store.paths(
                [hit.entity.id for hit in groups[start]],
                [hit.entity.id for hit in groups[end]],
                permission=context.permission,
                max_hops=self._graph.max_path_hops,
                limit=5,
            )
            sure = min(groups[start][0].confidence, groups[end][0].confidence)
            shortest = min((path.hops for path in found), default=0)
            paths += [(path, sure) for path in found if path.hops <= shortest + 1 and not _structural(path.edges)]
        paths.sort(
            key=lambda item: (
                item[0].hops,
                -item[1],
                sum(edge.path != edge.source.path for edge in item[0].edges),
                [edge.id for edge in item[0].edges],
            )
        )
        ways: dict[tuple[str, ...], list[tuple[GraphPath, float]]] = {}
        for path, sure in paths:
            ways.setdefault((path.edges[0].source.id, *(edge.target.id for edge in path.edges)), []).append(
                (path, sure)
            )
        return [
            path_observation(
                own[0][0],
                own[0][1] * self._graph.hop_decay ** (own[0][0].hops - 1),
                self._store.engine,
                self._graph.max_locations,
                [edge for path, _ in own[1:] for edge in path.edges],
            )
            for own in list(ways.values())[:3]
        ]


def _structural(edges: Sequence[Relationship]) -> bool:
    return all(edge.type in STRUCTURAL for edge in edges)


def _one_of_each_topic(links: Sequence[Link]) -> list[Link]:
    """The links, of a topic that several projects know the first."""
    named: dict[str, Link] = {}
    for hit in links:
        named.setdefault(hit.entity.key if hit.entity.kind == "topic" else hit.entity.id, hit)
    return list(named.values())
