"""A mention and what it leads to: the places that prove it, the relation that it is, and how rare its name is.

Rarity is the inverse document frequency, from 1 (in one component) down to 0 (in all). K. Spärck Jones: A statistical
interpretation of term specificity and its application in retrieval (1972), with components in place of documents. Only
the projects at both ends are counted, never all that are indexed: a project that the caller may not see would change by
its words what the caller is shown.

Of constants and settings that stand for what they are called (`CHARGES_QUEUE`) nothing says the thing's own name. Where
one is handed to a call that says what is done, the call is related to the constant or setting itself: the place of the
call and the one that defines it are the evidence.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import log
from typing import Final

from extraction.occurrences.words import CALL, DEPEND, KEEPERS, PLACES, PUBLISH, STORE, SUBSCRIBE, kind_in, words_of
from extraction.rules.services import COMMON_FOLDERS
from extraction.rules.structure.statements.code import CONFIG_KEY
from indexing.resolution.modules import ProjectModules
from indexing.resolution.references.entities import VERBS, Entities
from indexing.resolution.references.mentions import Mentioned
from indexing.resolution.references.things import Thing
from memory.entities import Entity

Piece = tuple[str, int, str]
REFERENCES: Final = "REFERENCES"
TYPES: Final = {
    ("topic", PUBLISH): "PUBLISHES",
    ("topic", SUBSCRIBE): "SUBSCRIBES",
    ("table", SUBSCRIBE): "SUBSCRIBES",
    ("bucket", SUBSCRIBE): "SUBSCRIBES",
    ("table", STORE): "USES_TABLE",
    ("bucket", STORE): "STORES_IN",
    ("service", CALL): "CALLS",
    ("function", CALL): "CALLS",
    ("function", PUBLISH): "CALLS",
    ("endpoint", CALL): "INVOKES",
    ("workflow", CALL): "INVOKES",
    ("workflow", PUBLISH): "INVOKES",
    ("workflow", SUBSCRIBE): "DEPENDS_ON",
    ("workflow", DEPEND): "DEPENDS_ON",
    ("service", DEPEND): "DEPENDS_ON",
}
DEPLOYED: Final = "deployed"
"""What infrastructure runs, whatever the words around it."""
HANDED: Final = {"store": "STORES_IN", "table": "USES_TABLE", "bucket": "STORES_IN", "service": "CALLS"}
"""What a program that is handed the name of such a thing does with it: there is but one use."""
RARE = 0.4
"""What it takes where nothing but the name speaks for a relation: in 3 of 8 components (.5), not in 4 (.37)."""
SAID = 0.15
"""What it takes where the words around say what is done with it."""
NAMES_OF_THINGS: Final = frozenset({"constant", "config_key"})


@dataclass(frozen=True, slots=True)
class Link:
    """A mention, what it leads to and of which kind that is, and the places that prove it beside the mention's own.

    certain: whether a setting hands the very thing on, so that the name's rarity has nothing to say; handed: by a
    setting.
    """

    mention: Mentioned
    sources: Sequence[Entity]
    target: Entity
    kind: str
    pieces: tuple[Piece, ...]
    certain: bool = False
    handed: bool = False


def in_one_program(path: str, other: str) -> bool:
    """Whether two files share a first folder that says which program they are of: it asks others, not itself."""
    top = path.partition("/")[0]
    return "/" in path and other.startswith(f"{top}/") and top.lower() not in COMMON_FOLDERS


def made_at(thing: Thing) -> Piece:
    return thing.path, thing.line, f"{VERBS[thing.rank]} the {thing.kind} {thing.name}"


def relation_of(kind: str, role: str, *, handed: bool = False) -> str:
    """The type; REFERENCES where words do not tell. handed: by a setting of its own, as a name in `ORDERS_TABLE`."""
    if kind == DEPLOYED:
        return "DEPLOYS"
    kind = "topic" if kind == "queue" else "service" if kind == "job" else kind
    return TYPES.get((kind, role)) or (HANDED.get(kind) if handed else None) or REFERENCES


def rarity(spread: int, components: int) -> float:
    """A name's weight in `spread` of so many components: log((n + 1) / spread) / log(n + 1), in hundredths."""
    every = max(components, 1) + 1
    return round(max(0.0, log(every / max(spread, 1)) / log(every)), 2)


class Constants:
    def __init__(self, modules: ProjectModules, entities: Entities) -> None:
        self._files = modules.files
        self._entities = entities
        self._by_name: dict[str, Entity | None] = {}
        """By their last name; None for a name of several."""
        for entity in entities.of_kinds(NAMES_OF_THINGS):
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
