"""Constants and settings that stand for what they are called: `CHARGES_QUEUE`, of which nothing says the queue's own
name.

Where one is handed to a call that says what is done, the call is related to the constant or setting itself: the place
of the call and the one that defines it are the evidence.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from indexing.occurrences.words import KEEPERS, PLACES, STORE, kind_in, words_of
from indexing.resolution.modules import ProjectModules
from indexing.resolution.references.entities import Entities
from indexing.resolution.references.links import REFERENCES, Link, relation_of
from indexing.resolution.references.mentions import Mentioned
from indexing.rules.structure.statements.code import CONFIG_KEY
from memory.entities import Entity

__all__ = ["Constants"]

KINDS: Final = frozenset({"constant", "config_key"})


class Constants:
    """Of one project."""

    def __init__(self, modules: ProjectModules, entities: Entities) -> None:
        self._files = modules.files
        self._entities = entities
        self._by_name: dict[str, Entity | None] = {}
        """By their last name; None for a name of several."""
        for entity in entities.of_kinds(KINDS):
            name = entity.name.rpartition(".")[2]
            self._by_name[name] = None if name in self._by_name else entity
        self._read = {(place.path, clue.line, clue.key) for place, clue in modules.given if clue.kind == CONFIG_KEY}

    def links(self, one: Mentioned) -> Iterator[Link]:
        """From the code that hands a constant or setting to a call."""
        target, last = self._by_name.get(one.name), words_of(one.name)[-1]
        kind = "service" if last in PLACES else kind_in(one.name)
        if last == "key" and self._is_kept(one):
            kind, one = "bucket", replace(one, role=STORE)
        if target is None or self._is_reading(one) or relation_of(kind, one.role) == REFERENCES:
            return
        if target.kind == "config_key" or (target.path, target.start_line) != (one.place.path, one.line):
            piece = (target.path, target.start_line, f"{target.kind.replace('_', ' ')} {target.name}")
            yield Link(one, self._entities.sources(one), target, kind, (piece,), certain=True)

    def _is_reading(self, one: Mentioned) -> bool:
        """Whether the setting is only read there: `os.environ["A_URL"]`, which says nothing of what is done with it."""
        return (one.place.path, one.line, one.name) in self._read and one.key != one.name

    def _is_kept(self, one: Mentioned) -> bool:
        """Whether a call at the place is on a cache or a store."""
        calls = (ref for ref in self._files[one.place.path].references if ref.line == one.line)
        return any(not KEEPERS.isdisjoint(words_of(ref.receiver.rpartition(".")[2])) for ref in calls)
