"""From the facts of all projects to the graph: entities, and relations with their evidence.

See docs/design.md#generations.

Pure and additive: an edge's status comes from the evidence at its two ends alone, so removing a project removes its
entities and the edges that touch it, and changes nothing else.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from extraction.facts import FileFacts
from indexing.resolution.addresses import add_address_edges
from indexing.resolution.catalogue import Catalogue
from indexing.resolution.clues import add_clue_edges, add_config_key_edges, add_dependency_edges
from indexing.resolution.code import add_code_edges
from indexing.resolution.deployments import add_deployment_edges
from indexing.resolution.edges import Edges
from indexing.resolution.endpoints import add_endpoint_edges
from indexing.resolution.following import add_passed_edges, add_service_edges
from indexing.resolution.names import Names
from indexing.resolution.reach import Extent, KnownProject, Reach, extent_of, needed_by
from indexing.resolution.references import add_reference_edges
from indexing.resolution.stubs import add_stub_edges
from indexing.resolution.topics import add_topic_edges
from memory.graph import GraphBatch

__all__ = ["Extent", "KnownProject", "Reach", "extent_of", "join", "needed_by", "resolve"]


def resolve(projects: Mapping[str, Mapping[str, FileFacts]]) -> GraphBatch:
    """The graph of all projects: project name → path → facts of that file. Deterministic in content and order."""
    return join({name: KnownProject(name, files) for name, files in projects.items()}, projects.keys())


def join(known: Mapping[str, KnownProject], sources: Collection[str]) -> GraphBatch:
    """The entities of all these projects, and the relations that start in `sources`."""
    modules = {name: known[name].modules for name in sorted(known)}
    catalogue = Catalogue(modules, {name: known[name].services for name in modules})
    edges = Edges(sources)
    names = Names(modules)
    add_code_edges(names, sources, catalogue, edges)
    add_clue_edges(catalogue, edges)
    add_dependency_edges(catalogue, edges)
    add_topic_edges(catalogue, edges)
    add_config_key_edges(catalogue, edges)
    add_address_edges(catalogue, edges)
    add_endpoint_edges(catalogue, edges)
    add_stub_edges(catalogue, edges)
    named = add_reference_edges({name: known[name].named for name in modules}, catalogue, edges)
    add_deployment_edges(catalogue, edges)
    add_service_edges(catalogue, edges)
    add_passed_edges(names, named, sources, catalogue, edges)
    return GraphBatch(catalogue.entities(), edges.relationships())
