"""`GraphRetrievalAgent`: entities, their relations and the paths between them, over all projects (001 §4.2).

What a question asks is not read from its grammar. The relations whose sentence holds most of the question are what it
speaks of; the entities it names, and the paths between them, stand beside them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import permutations
from typing import Final, Protocol

from agents.linking import EntityLink, find_mentions, is_project, link
from agents.listing import listing
from agents.ports import Publish
from agents.scoping import build_scope
from agents.statements import entity_observation, path_observation, statement_observation
from agents.two_steps import two_steps
from configs.settings import GraphSettings, ScopeSettings
from memory.entities import STRUCTURAL, Relationship, Scope
from memory.errors import InvalidInputError
from memory.graph.port import GraphPath, GraphStore
from memory.observations import GraphObservation
from memory.query import TaskContext
from memory.question import ParsedQuestion, named_projects, question_of, read_question
from memory.question.listed import Listed, find_listed
from memory.statements import FoundStatement

_MANY: Final = 40
_EDGES: Final = 200
_THINGS, _PROJECTS = 3, 5
"""Between so many of what is named paths are looked for."""
_BESIDE: Final = 3
"""So many of the observations are left to others where a described thing has to do with many."""
_LIST: Final = 40
"""So many relations of one kind are one observation: a list that somebody asks for is not cut at the agent's limit."""


class StatementSearch(Protocol):
    """Finds the relations that a question speaks of."""

    def __call__(
        self, question: ParsedQuestion, permission: frozenset[str], between: frozenset[str] = ..., limit: int = ..., /
    ) -> Sequence[FoundStatement]:
        """Best first, so many at most; between: only those of these projects with others, where any are given."""
        ...


class GraphRetrievalAgent:
    """Finds the relations a question speaks of, the entities it names, and which projects matter.

    statements: the relations that a question speaks of within a permission, best first; those of some projects with
    others alone, where these are given.
    Raises StoreError when the graph is out of reach. Reports its scope before its observations.
    """

    comparable_ratings: Final = True

    def __init__(
        self,
        store: GraphStore,
        graph: GraphSettings,
        scope: ScopeSettings,
        *,
        max_observations: int,
        statements: StatementSearch = lambda *_: (),
    ) -> None:
        self._store = store
        self._graph = graph
        self._scope = scope
        self._max_observations = max_observations
        self._statements = statements

    async def retrieve(self, query: str, context: TaskContext) -> list[GraphObservation]:
        """Paths between the named entities, then the relations the question speaks of, then the entities themselves."""
        question = question_of(query, context)
        links = await self._links(question, context)
        return await self._observe(question, links, await self._edges(links, context), context)

    async def find_scope(self, entities: Sequence[str], context: TaskContext | None = None) -> Scope:
        """The ranked projects of these names, with confidence and reason.

        Raises InvalidInputError without a permission: what may be seen is for the caller to say.
        """
        if isinstance(entities, str):
            raise InvalidInputError("The entities are one text.", "Give a list of names.")
        if context is None or context.stated_permission is None:
            raise InvalidInputError(
                "find_scope has no permission.", "Give TaskContext(allowed_projects=...) beside the names."
            )
        links = await link(read_question(""), entities, self._store, context.permission)
        edges = [*await self._edges(links, context), *await self._dependents(links, context)]
        return build_scope(links, edges, max_projects=self._scope.max_projects)

    async def scope_of(self, query: str, context: TaskContext) -> Scope:
        """The ranked projects of what a question names and speaks of;
        what pasted code names says nothing of where to look.
        """
        question = question_of(query, context)
        links = await self._links(question, context)
        return await self._scoped(question, links, await self._edges(links, context), context)

    async def publish_into(self, query: str, context: TaskContext, publish: Publish) -> None:
        """`retrieve`, with the scope reported as soon as it is known."""
        question = question_of(query, context)
        links = await self._links(question, context)
        edges = await self._edges(links, context)
        publish.scope(await self._scoped(question, links, edges, context))
        for observation in await self._observe(question, links, edges, context):
            await publish(observation)

    async def _scoped(
        self, question: ParsedQuestion, links: Sequence[EntityLink], edges: Sequence[Relationship], context: TaskContext
    ) -> Scope:
        spoken: Sequence[FoundStatement] = ()
        if question.is_sample:
            written = {mention.surface for mention in find_mentions(question) if not mention.pasted}
            links = [hit for hit in links if hit.surface in written.union(context.mentions)]
        else:
            spoken = self._statements(question, context.permission)
        edges = [*edges, *await self._dependents(links, context)]
        return build_scope(links, edges, spoken, max_projects=self._scope.max_projects)

    async def _links(self, question: ParsedQuestion, context: TaskContext) -> list[EntityLink]:
        links = await link(question, context.mentions, self._store, context.permission)
        asked = {surface: place for place, surface in enumerate(dict.fromkeys(hit.surface for hit in links))}
        return sorted(links, key=lambda hit: (-hit.confidence, asked[hit.surface], hit.entity.id))[:_MANY]

    async def _edges(self, links: Sequence[EntityLink], context: TaskContext) -> list[Relationship]:
        """What the named entities have to do with others; a project's own relations are too many to say anything."""
        ids = [hit.entity.id for hit in links if not is_project(hit.entity)]
        edges = await self._store.edges(ids, permission=context.permission, limit=_EDGES) if ids else []
        return [edge for edge in edges if edge.type not in STRUCTURAL]

    async def _dependents(self, links: Sequence[EntityLink], context: TaskContext) -> list[Relationship]:
        """What depends on the projects that are named: "what other projects use X?" is answered in those."""
        ids = [hit.entity.id for hit in links if is_project(hit.entity)]
        if not ids:
            return []
        return await self._store.edges(
            ids, permission=context.permission, direction="in", types=["DEPENDS_ON"], limit=_EDGES
        )

    async def _observe(
        self, question: ParsedQuestion, links: Sequence[EntityLink], edges: Sequence[Relationship], context: TaskContext
    ) -> list[GraphObservation]:
        if question is not context.question:  # the door has named the projects of what it read
            question = replace(question, projects=named_projects(question.prose, context.permission))
        listed = find_listed(question, context.project)
        named, engine, most = _one_of_each_topic(links), self._store.engine, self._max_observations
        entities = [entity_observation(hit, edges, engine) for hit in named[:most]]
        if listed and (found := await self._listed(listed, context)):
            further = await self._further(found, links, context) if listed.is_between else []
            return [*found, *further, *(entities if listed.among else ())][:most]
        described = await self._described(question, links, context)
        is_between = listed is not None and listed.is_between
        paths = [] if described else await self._paths(links, context, of_projects=is_between)
        shown = {edge.ends for path in paths for edge in path.relationships if len(path.relationships) == 1}
        spoken = [] if is_between else self._spoken(question, links, context)
        spoken = [one for one in spoken if one.relation.ends not in shown]
        kept = together(spoken)[: max(1, most - len(described) - len(paths) - min(3, len(named)))]
        stated = [statement_observation(group, engine, self._graph.max_locations) for group in kept]
        return [*described, *paths, *stated, *entities][:most]

    def _spoken(
        self, question: ParsedQuestion, links: Sequence[EntityLink], context: TaskContext
    ) -> Sequence[FoundStatement]:
        """What the question speaks of; what a project that it names has to do with others stands before what
        is as sure.
        """
        spoken = self._statements(question, context.permission)
        named = frozenset(hit.entity.project for hit in links if is_project(hit.entity))
        if not named:
            return spoken
        once: dict[str, FoundStatement] = {}
        for one in (*self._statements(question, context.permission, named), *spoken):
            once.setdefault(one.relation.id, one)
        return sorted(once.values(), key=lambda one: -one.coverage)

    async def _listed(self, listed: Listed, context: TaskContext) -> list[GraphObservation]:
        """All things of the kind that a question lists, an observation for those of a project."""

        def find(word: str, permission: frozenset[str], limit: int) -> Sequence[FoundStatement]:
            return self._statements(read_question(word), permission, frozenset(), limit)

        groups = await listing(listed, find, self._store, context.permission)
        found = [[FoundStatement(edge, 1.0) for edge in group[:_LIST]] for group in groups[: self._max_observations]]
        left = sum(map(len, groups)) - sum(map(len, found))
        marks = {"listed": "projects" if listed.among else "things", "unlisted": left}
        return [statement_observation(one, self._store.engine, self._graph.max_locations, marks) for one in found]

    async def _further(
        self, found: Sequence[GraphObservation], links: Sequence[EntityLink], context: TaskContext
    ) -> list[GraphObservation]:
        """The paths to named projects that nothing direct joins to the others, shortest first."""
        joined: list[set[str]] = []
        for observation in found:
            for edge in observation.relationships:
                _join(joined, {edge.source.project, edge.target.project})
        named = {hit.entity.project for hit in links if is_project(hit.entity)}
        if any(named <= group for group in joined):
            return []
        ways = await self._paths(links, context, of_projects=True)
        return [way for way in ways if _join(joined, set(way.source_projects))]

    async def _described(
        self, question: ParsedQuestion, links: Sequence[EntityLink], context: TaskContext
    ) -> list[GraphObservation]:
        """What has to do with a thing that the question describes by its relation to another."""
        if question.described is None or self._graph.max_path_hops < 2 + len(question.described.further):
            return []
        ways = await two_steps(question.described, links, self._store, context.permission)
        sure, engine, most = self._graph.hop_decay, self._store.engine, self._graph.max_locations
        kept = ways[: self._max_observations - _BESIDE]
        left = len(ways) - len(kept)
        marks = {"answers": True, "unlisted": left} if left else {"answers": True}
        return [path_observation(way, sure ** (len(way) - 1), engine, most, marks=marks) for way in kept]

    async def _paths(
        self, links: Sequence[EntityLink], context: TaskContext, *, of_projects: bool
    ) -> list[GraphObservation]:
        """The shortest paths between entities that different parts of the question mean, whichever way they lead.

        of_projects: whether between projects; else these are left out, which much leads to.
        """
        groups: dict[str, list[EntityLink]] = {}
        for hit in links:
            if is_project(hit.entity) == of_projects:
                groups.setdefault(hit.surface, []).append(hit)
        found: list[tuple[GraphPath, float]] = []
        most = _PROJECTS if of_projects else _THINGS
        for start, end in permutations(list(groups)[:most], 2):
            paths = await self._store.paths(
                [hit.entity.id for hit in groups[start]],
                [hit.entity.id for hit in groups[end]],
                permission=context.permission,
                max_hops=self._graph.max_path_hops,
                limit=5,
            )
            sure = min(groups[start][0].confidence, groups[end][0].confidence)
            shortest = min((path.hops for path in paths), default=0)
            found += [(path, sure) for path in paths if path.hops <= shortest + 1 and not _structural(path.edges)]
        found.sort(
            key=lambda item: (
                item[0].hops,
                -item[1],
                sum(edge.path != edge.source.path for edge in item[0].edges),
                [edge.id for edge in item[0].edges],
            )
        )
        ways: dict[tuple[str, ...], list[tuple[GraphPath, float]]] = {}
        for path, sure in found:
            ways.setdefault((path.edges[0].source.id, *(edge.target.id for edge in path.edges)), []).append(
                (path, sure)
            )
        return [
            path_observation(
                own[0][0].edges,
                own[0][1] * self._graph.hop_decay ** (own[0][0].hops - 1),
                self._store.engine,
                self._graph.max_locations,
                [edge for path, _ in own[1:] for edge in path.edges],
            )
            for own in list(ways.values())[:most]
        ]


def together(found: Sequence[FoundStatement]) -> list[list[FoundStatement]]:
    """Statements as they are listed: those of one relation that share an end, or lead from one project to one other,
    and hold as much of the question.

    Of these the one that more of them share is the list's; lists are in the order of their first.
    """
    groups: dict[tuple[str, ...], list[FoundStatement]] = {}
    for one in found:
        for key in _shared(one):
            groups.setdefault(key, []).append(one)
    taken: set[str] = set()
    lists = []
    for one in found:
        own = max((groups[key] for key in _shared(one)), key=len)
        rest = [other for other in own if other.relation.id not in taken][:_LIST]
        if one.relation.id not in taken:
            taken.update(other.relation.id for other in rest)
            lists.append(rest)
    return lists


def _shared(one: FoundStatement) -> list[tuple[str, ...]]:
    """What a statement may share with others of a list."""
    source, relation, target = one.relation.ends
    of, to = one.relation.source.project, one.relation.target.project
    keys = [("from", source), ("to", target), *([("between", of, to)] if of != to else ())]
    return [(relation, str(one.coverage), *key) for key in keys]


def _join(groups: list[set[str]], projects: set[str]) -> bool:
    """Unite the groups that these projects are of, and them; whether that joins what was apart."""
    apart = not any(projects <= group for group in groups)
    met = [group for group in groups if not group.isdisjoint(projects)]
    groups[:] = [group for group in groups if group not in met] + [projects.union(*met)]
    return apart


def _structural(edges: Sequence[Relationship]) -> bool:
    return all(edge.type in STRUCTURAL for edge in edges)


def _one_of_each_topic(links: Sequence[EntityLink]) -> list[EntityLink]:
    """The links, of a topic that several projects know the first."""
    named: dict[str, EntityLink] = {}
    for hit in links:
        named.setdefault(hit.entity.key if hit.entity.kind == "topic" else hit.entity.id, hit)
    return list(named.values())
