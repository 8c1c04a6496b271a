"""The permission, checked once more where everything comes together (design §8): a defence, not the filter."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from memory.observations import NormalizedObservation
from merging.changing import changed
from merging.normalise import kind

if TYPE_CHECKING:
    from memory.entities import Relationship

__all__ = ["within_permission"]


def within_permission(observation: NormalizedObservation, permission: frozenset[str]) -> NormalizedObservation | None:
    """The observation as this caller may see it, or None.

    A text goes when its project or the place it was read from is outside; further places outside are taken off it. A
    graph observation goes whole when anything it names is outside. What names no project stays.
    """
    if observation.source_project and observation.source_project not in permission:
        return None
    if kind(observation) == "graph":
        return observation if all(not project or project in permission for project in _named(observation)) else None
    if permission.issuperset([at.project for at in observation.locations]):
        return observation
    locations = tuple(at for at in observation.locations if at.project in permission)
    if not locations or locations[0] != observation.locations[0]:
        return None
    return changed(observation, locations=locations)


def _named(observation: NormalizedObservation) -> Iterator[str]:
    yield from (at.project for at in observation.locations)
    yield from observation.metadata.get("source_projects", ())
    yield from (entity["project"] for entity in observation.metadata.get("entities", ()))
    for relationship in observation.relationships:
        yield from _touched(relationship)


def _touched(relationship: Relationship) -> Iterator[str]:
    yield relationship.project
    yield relationship.source.project
    yield relationship.target.project
    yield from (piece.project for piece in relationship.evidence)
