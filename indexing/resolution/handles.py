"""Who sends to a queue or topic by the variable or field that holds it: `this.orders.add(job)`, where `orders` was
given one.

The line that gives it and the call are the two pieces of evidence.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from indexing.facts import Binding, Reference
from indexing.occurrences.words import PUBLISH, held_way, kind_in
from indexing.resolution.modules import Given, Place, ProjectModules
from indexing.rules.topics import PUBLISHES, SUBSCRIBES, Argument, topic_clue

__all__ = ["uses_of_held"]

KINDS: Final = frozenset({"queue", "topic"})


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
                relation = PUBLISHES if way == PUBLISH else SUBSCRIBES
                clue = topic_clue(given.clue.rule, relation, Argument(topic, 0), ref.line, ref.caller)
                yield Given(Place(modules.name, facts.path, ref.caller), clue)


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
