"""Who sends to a queue or topic by the variable or field that holds it: `this.orders.add(job)`, where `orders` was given one.

The line that gives it and the call are the two pieces of evidence.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from indexing.facts import Binding, Clue, Reference, Side
from indexing.occurrences.words import PUBLISH, SUBSCRIBE, held_way, kind_in
from indexing.resolution.modules import Given, Place, ProjectModules

__all__ = ["uses_of_held"]

KINDS: Final = frozenset({"queue", "topic"})
RELATIONS: Final[dict[str, tuple[str, Side, str]]] = {
    PUBLISH: ("PUBLISHES", "provides", "publishes to"),
    SUBSCRIBE: ("SUBSCRIBES", "needs", "subscribes to"),
}


def uses_of_held(given: Given, topic: str, modules: ProjectModules) -> Iterator[Given]:
    """The calls on what a clue's line gives the topic to.

    Args:
        given: a clue that names the topic.
        topic: its name.
        modules: the project's.
    """
    facts = modules.files[given.place.path]
    for holder in _holders(facts.bindings, given.clue.line):
        for ref in facts.references:
            way = held_way(ref.name)
            if ref.line != given.clue.line and way and _is_on(holder, ref):
                yield Given(Place(modules.name, facts.path, ref.caller), _clue(given.clue, topic, ref, way))


def _holders(bindings: tuple[Binding, ...], line: int) -> list[Binding]:
    """The variables of a line, else those of the next: an annotation may stand above what it is for."""
    for at in (line, line + 1):
        if found := [one for one in bindings if one.line == at and _holds(one)]:
            return found
    return []


def _holds(one: Binding) -> bool:
    """Whether a variable's name or type says that it is a queue or topic."""
    return not KINDS.isdisjoint({kind_in(one.name.rpartition(".")[2]), kind_in(one.type.rpartition(".")[2])})


def _is_on(holder: Binding, ref: Reference) -> bool:
    """Whether a call is on what a variable holds: a field's in its class, else a variable's in its function or file."""
    if ref.receiver.rpartition(".")[2] != holder.name.rpartition(".")[2]:
        return False
    is_field = "." in ref.receiver or "." in holder.name
    around = holder.scope.rpartition(".")[0] or holder.scope if is_field else holder.scope
    return not around or ref.caller == around or ref.caller.startswith(f"{around}.")


def _clue(clue: Clue, topic: str, ref: Reference, way: str) -> Clue:
    relation, side, says = RELATIONS[way]
    return replace(
        clue,
        key=topic,
        side=side,
        relation=relation,
        line=ref.line,
        entity=ref.caller,
        says=f"{says} {topic}",
        value="",
    )
