"""Topics that are handed to an in-house function around a broker's client: the call and the wrapper are the two pieces.

A wrapper is meant by the calls of its name in its own service, and, where it lies in no service's folder, in any that has
no wrapper of that name.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from indexing.resolution.names import Place
from indexing.rules.topics import PUBLISHES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from indexing.facts import Clue
    from indexing.resolution.modules import ProjectModules
    from indexing.resolution.services import Services

__all__ = ["WRAPPER", "passed_topics"]

WRAPPER: Final = "topic wrapper"
PASSED: Final = "topic passed"
Given = tuple[Place, "Clue"]


def passed_topics(modules: ProjectModules, services: Services) -> Iterator[tuple[Given, Given]]:
    """The `topic` clue that each such call amounts to, and the wrapper that makes it one."""
    wrappers: dict[str, list[Given]] = {}
    calls: list[Given] = []
    for path, facts in sorted(modules.files.items()):
        for clue in facts.clues:
            place = Place(modules.name, path, clue.entity)
            if clue.kind == WRAPPER:
                wrappers.setdefault(clue.key, []).append((place, clue))
            elif clue.kind == PASSED:
                calls.append((place, clue))
    for place, clue in calls:
        told = dict(one.split("=", 1) for one in clue.value.split(" "))
        for wrapper in _meant(place, wrappers.get(clue.key, []), services):
            at, _, parameter = wrapper[1].value.partition(" ")
            topic = told.get(parameter) or told.get(at)
            if topic:
                yield (place, _topic(clue, wrapper[1].relation, topic)), wrapper


def _meant(place: Place, wrappers: list[Given], services: Services) -> list[Given]:
    owner = services.owner(place.path)
    beside = [one for one in wrappers if services.owner(one[0].path) is owner]
    return beside or [one for one in wrappers if services.owner(one[0].path) is None]


def _topic(clue: Clue, relation: str, topic: str) -> Clue:
    said = replace(clue, kind="topic", key=topic, relation=relation, value="")
    if relation == PUBLISHES:
        return replace(said, side="provides", says=f"publishes to {topic}")
    return replace(said, side="needs", says=f"subscribes to {topic}")
