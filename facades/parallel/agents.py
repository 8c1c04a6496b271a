"""001 §2.3's two phases: the graph's projects for a question, and the search inside a filter.

The agents of §7.1 take the permission with each call. These have it from where they were opened: all that is indexed,
or the projects that were allowed there.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agents import GraphRetrievalAgent, VectorRetrievalAgent
from configs import HybridRetrievalConfig, load_config
from memory.embedders.port import DenseEmbedder
from memory.entities import Scope
from memory.errors import ConfigError, InvalidInputError
from memory.observations import GraphObservation, VectorObservation
from memory.query import TaskContext, allowed_names
from memory.vector import parse_filters
from orchestrator.assembly import assemble
from wiring.models import Models
from wiring.opening import Provided, open_parts


@dataclass(frozen=True, slots=True)
class GraphAgent:
    """The graph agent with what may be seen."""

    agent: GraphRetrievalAgent
    permission: frozenset[str]

    async def find_relevant_entities(self, query: str) -> Scope:
        """What a question's words name: `projects` in order of weight, `linked` the entities. Raises StoreError."""
        return await self.agent.scope_of(query, self._context)

    async def find_scope(self, entities: Sequence[str]) -> Scope:
        """The projects of these names. Raises StoreError."""
        return await self.agent.find_scope(entities, self._context)

    async def retrieve(self, query: str) -> list[GraphObservation]:
        """Paths, relations and entities. Raises StoreError."""
        return await self.agent.retrieve(query, self._context)

    @property
    def _context(self) -> TaskContext:
        return TaskContext(allowed_projects=self.permission)


@dataclass(frozen=True, slots=True)
class VectorAgent:
    """The vector agent with what may be seen."""

    agent: VectorRetrievalAgent
    permission: frozenset[str]

    async def search(self, query: str, filter: Mapping[str, Any] | None = None) -> list[VectorObservation]:  # noqa: A002 - 001 §2.3's name
        """The best chunks of the filter's projects: `{"project": NAME | [NAMES] | {"$in": [NAMES]}}`.

        Raises InvalidInputError for a filter of something else, StoreError and ModelError.
        """
        permission = self.permission
        for condition in parse_filters(filter):
            if condition.key != "project":
                raise InvalidInputError(f"This search has no filter {condition.key!r}.", "Filter by project.")
            permission &= frozenset(map(str, condition.any_of))
        return await self.agent.retrieve(query, TaskContext(allowed_projects=permission))


@dataclass(frozen=True, slots=True)
class Agents:
    """The two whose phases §2.3 shows."""

    graph: GraphAgent
    vector: VectorAgent


@asynccontextmanager
async def open_agents(
    data_dir: str | Path,
    profile: str = "embedded",
    config: HybridRetrievalConfig | None = None,
    *,
    allowed_projects: Iterable[str] | None = None,
    embedder: Models | DenseEmbedder | None = None,
) -> AsyncIterator[Agents]:
    """The agents on an index, open for the time of the `async with`.

    config: settings instead of the profile's; allowed_projects: what may be seen, all that is indexed if not given;
    embedder: in place of the settings' own. Raises DataFolderError, StoreError, ModelError and ConfigError.
    """
    config, allowed = config or load_config(profile, error=ConfigError), allowed_names(allowed_projects)
    async with open_parts(Path(data_dir), config, Provided(embedder)) as parts:
        made, known = assemble(parts, config), parts.catalogue.projects()
        permission = known if allowed is None else known & allowed
        yield Agents(GraphAgent(made["graph"], permission), VectorAgent(made["vector"], permission))
