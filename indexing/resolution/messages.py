"""Messages by the class that they are of: which of those that calls hand to a bus there are, and who handles them.

A class that is made and handed over is a message where the project defines it and nothing inherits from it: what others
inherit from is any message. One that the project does not define is a guess, which it takes another side to prove.
Of what another service publishes so, a function that by its name handles something and is given such a class is who
subscribes, and one that tells a class of another service by its name: `case "OrderPaid":`. Who handles its own
service's events may do so in the process.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import Final

from extraction.kinds import kind_of, language_of
from extraction.occurrences.words import words_of
from extraction.rules.messages import HANDLES, TypedMessages
from extraction.rules.topics import GUESS, HANDLED, PUBLISHES, SUBSCRIBES, TYPED, Argument, topic_clue
from indexing.resolution.modules import Given, Place, ProjectModules
from indexing.resolution.packages import WITH_METHODS
from indexing.resolution.services import Services

RULE: Final = TypedMessages.name
TOLD_APART: Final = "told apart"
TOLD: Final = frozenset({"message", "event"})


def typed_messages(given: Iterable[Given], modules: ProjectModules, services: Services) -> Iterator[Given]:
    """The topics of a project, of those that are classes the ones that there are, and who handles what is published."""
    typed: list[Given] = []
    for one in given:
        if one.clue.value in {TYPED, HANDLED}:
            typed.append(one)
        else:
            yield one
    defined, bases = _classes(modules, services) if typed else ({}, set())
    senders: dict[str, set[str]] = {}
    for place, clue in typed:
        if clue.relation == PUBLISHES and clue.key in defined:
            senders.setdefault(clue.key, set()).add(services.owner_name(place.path))
    for place, clue in (*typed, *_told_apart(modules, defined)):
        name, own = clue.key, {services.owner_name(place.path)}
        theirs = {HANDLED: senders.get(name, set()), TOLD_APART: defined.get(name, set())}.get(clue.value, set())
        is_anothers = bool(theirs - own) and own.isdisjoint(senders.get(name, ()))
        known = clue.value == TYPED and (name in defined or _is_imported(modules, place.path, name))
        if name not in bases and (known or is_anothers):
            yield Given(place, replace(clue, value=GUESS if known and name not in senders else ""))


def _classes(modules: ProjectModules, services: Services) -> tuple[dict[str, set[str]], set[str]]:
    """Whose code defines a project's classes, by their last names; and those that others inherit from."""
    defined: dict[str, set[str]] = {}
    bases: set[str] = set()
    for path, facts in modules.files.items():
        if kind_of(path, language_of(path)) != "test":
            owner = services.owner_name(path)
            for definition in facts.definitions:
                if definition.kind in WITH_METHODS:
                    defined.setdefault(definition.name.rpartition(".")[2], set()).add(owner)
        bases.update(ref.name for ref in facts.references if ref.relation == "INHERITS")
    return defined, bases


def _is_imported(modules: ProjectModules, path: str, name: str) -> bool:
    return any(one.name == name for one in modules.imports(path).get(name, ()))


def _told_apart(modules: ProjectModules, names: Collection[str]) -> Iterator[Given]:
    """Who tells by a message's name what to do: `case "OrderPaid":` in a function that handles messages."""
    for path, facts in sorted(modules.files.items()) if names else ():
        for one in facts.occurrences if kind_of(path, language_of(path)) == "code" else ():
            words = words_of(one.scope.rpartition(".")[2])
            handles = words[:1] != ("on",) or not TOLD.isdisjoint(words)
            if one.name in names and not one.kind and handles and not HANDLES.isdisjoint(words[:1]):
                told = Argument(one.name, 0, TOLD_APART)
                yield Given(
                    Place(modules.name, path, one.scope), topic_clue(RULE, SUBSCRIBES, told, one.line, one.scope)
                )
