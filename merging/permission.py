"""The permission, checked once more where everything comes together (design §8): a defence, not the filter."""

from __future__ import annotations

from memory.observations import NormalizedObservation
from merging.changing import changed

__all__ = ["within_permission"]


def within_permission(observation: NormalizedObservation, permission: frozenset[str]) -> NormalizedObservation | None:
    """The observation as this caller may see it, or None.

    A text goes when its project or the place it was read from is outside; further places outside are taken off it. A
    graph observation goes whole when anything it names is outside. What names no project stays.
    """
    if observation.source_project and observation.source_project not in permission:
        return None
    if observation.kind == "graph":
        return observation if permission.issuperset(filter(None, _named(observation))) else None
    if permission.issuperset([at.project for at in observation.locations]):
        return observation
    locations = tuple(at for at in observation.locations if at.project in permission)
    if not locations or locations[0] != observation.locations[0]:
        return None
    return changed(observation, locations=locations)


def _named(observation: NormalizedObservation) -> list[str]:
    metadata, relationships = observation.metadata, observation.relationships
    return [
        *[at.project for at in observation.locations],
        *metadata.get("source_projects", ()),
        *[entity["project"] for entity in metadata.get("entities", ())],
        *[project for edge in relationships for project in (edge.project, edge.source.project, edge.target.project)],
        *[piece.project for edge in relationships for piece in edge.evidence],
    ]
