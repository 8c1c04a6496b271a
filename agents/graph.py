"""`GraphRetrievalAgent`: entities, their relations and the paths between them, over all projects (001 §4.2).

What a question asks is not read from its grammar. The relations whose sentence holds most of the question are what it
speaks of; the entities it names, and the paths between them, stand beside them.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final, Protocol

from agents.linking import EntityLink, find_mentions, is_project, link
from agents.listing import listing
from agents.ports import Publish
from agents.scoping import build_scope
from agents.statements import entity_observation, path_observation, statement_observation
from agents.ways import joining, shortest_paths, two_steps
from configs.settings import GraphSettings, ScopeSettings
from memory.entities import STRUCTURAL, Relationship, Scope
from memory.errors import InvalidInputError
from memory.graph.port import GraphStore
from memory.observations import GraphObservation
from memory.query import TaskContext
from memory.question import ParsedQuestion, named_projects, question_of, read_question
from memory.question.listed import Listed, find_listed
from memory.statements import FoundStatement

_MANY: Final = 40
_EDGES: Final = 200
_PAIR: Final = 2
"""Projects that are joined where anything between them is found."""
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
        listed = isinstance(entities, Collection) and not isinstance(entities, str)
        if not listed or not all(isinstance(name, str) for name in entities):
            raise InvalidInputError("The entities are no list of names.", "Give a list of texts.")
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
            several = listed.is_between and len(listed.projects) > _PAIR
            ways = await self._paths(links, context, of_projects=True) if several else []
            return [*found, *joining(found, ways), *(entities if listed.among else ())][:most]
        described = await self._described(question, links, context)
        is_between = listed is not None and listed.is_between
        paths = [] if described else await self._paths(links, context, of_projects=is_between)
        shown = {edge.id for path in paths for edge in path.relationships if len(path.relationships) == 1}
        spoken = [] if is_between else self._spoken(question, links, context)
        spoken = [one for one in spoken if one.relation.id not in shown]
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

    async def _paths(
        self, links: Sequence[EntityLink], context: TaskContext, *, of_projects: bool
    ) -> list[GraphObservation]:
        return await shortest_paths(links, self._store, self._graph, context.permission, of_projects=of_projects)

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


def _one_of_each_topic(links: Sequence[EntityLink]) -> list[EntityLink]:
    """The links, of a topic that several projects know the first."""
    named: dict[str, EntityLink] = {}
    for hit in links:
        named.setdefault(hit.entity.key if hit.entity.kind == "topic" else hit.entity.id, hit)
    return list(named.values())
