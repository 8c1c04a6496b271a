"""The permission, checked once more where everything comes together (design §8): a defence, not the filter."""

from __future__ import annotations

from memory.observations import NormalizedObservation
from merging.changing import changed

__all__ = ["within_permission"]

_NOBODY = frozenset({"", None})


def within_permission(observation: NormalizedObservation, permission: frozenset[str]) -> NormalizedObservation | None:
    """The observation as this caller may see it, or None.

    A text goes when its project or the place it was read from is outside; further places outside are taken off it. A
    graph observation goes whole when anything it names is outside. What names no project stays.
    """
    if observation.source_project and observation.source_project not in permission:
        return None
    if observation.kind == "graph":
        return observation if _named(observation) - _NOBODY <= permission else None
    for at in observation.locations:
        if at.project not in permission:
            break
    else:
        return observation
    locations = tuple(at for at in observation.locations if at.project in permission)
    if not locations or locations[0] != observation.locations[0]:
        return None
    return changed(observation, locations=locations)


def _named(observation: NormalizedObservation) -> set[str]:
    metadata = observation.metadata
    named = {at.project for at in observation.locations}
    named.update(metadata.get("source_projects", ()))
    for entity in metadata.get("entities", ()):
        named.add(entity["project"])
    for edge in observation.relationships:
        named.update((edge.project, edge.source.project, edge.target.project))
        for piece in edge.evidence:
            named.add(piece.project)
    return named
