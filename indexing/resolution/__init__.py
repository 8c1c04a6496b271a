"""From the facts of all projects to the graph: entities, relations with their evidence, and mentions (design §5).

Pure and additive: an edge's status comes from the evidence at its two ends alone, so removing a project removes its
entities and the edges that touch it, and changes nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from indexing.resolution.addresses import add_address_edges
from indexing.resolution.catalogue import Catalogue
from indexing.resolution.clues import add_clue_edges
from indexing.resolution.code import add_code_edges
from indexing.resolution.dependencies import add_dependency_edges
from indexing.resolution.edges import Edges
from indexing.resolution.endpoints import add_endpoint_edges
from indexing.resolution.mentions import mentions_of
from indexing.resolution.modules import ProjectModules
from indexing.resolution.names import Names
from indexing.resolution.services import Services
from indexing.resolution.stubs import add_stub_edges
from indexing.resolution.topics import add_topic_edges
from memory.graph import GraphBatch

if TYPE_CHECKING:
    from collections.abc import Mapping

    from indexing.facts import FileFacts

__all__ = ["resolve"]


def resolve(projects: Mapping[str, Mapping[str, FileFacts]]) -> GraphBatch:
    """The graph of all projects: project name → path → facts of that file. Deterministic in content and order."""
    modules = {name: ProjectModules(name, projects[name]) for name in sorted(projects)}
    services = {name: Services(modules[name]) for name in modules}
    catalogue = Catalogue(modules, services)
    edges = Edges()
    add_code_edges(Names(modules), catalogue, edges)
    add_clue_edges(modules, services, catalogue, edges)
    add_dependency_edges(modules, services, catalogue, edges)
    add_topic_edges(modules, services, catalogue, edges)
    add_address_edges(modules, services, catalogue, edges)
    add_endpoint_edges(modules, services, catalogue, edges)
    add_stub_edges(modules, services, catalogue, edges)
    return GraphBatch(catalogue.entities(), edges.relationships(), mentions_of(modules, catalogue))
