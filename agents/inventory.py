"""Which things of a kind a question wants listed: `Which services are in the shop?`, `List the topics of billing`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

__all__ = ["Inventory", "read_inventory"]

_NOUNS: Final = (
    ("service", ("service",), r"(?:micro-?)?services?"),
    ("table", ("table",), r"(?:database |db |sql )?tables?"),
    ("endpoint", ("endpoint",), r"(?:http |rest |api |grpc )?(?:endpoints?|routes?)"),
    ("topic", ("topic",), r"(?:message |event |kafka )?(?:topics?|queues?|exchanges?|events?)"),
    ("environment variable", ("config_key",), r"env(?:ironment)?[ -]?var(?:iable)?s?"),
    ("config key", ("config_key",), r"config(?:uration)? (?:keys?|options?|settings?|variables?)|settings"),
    ("module", ("module",), r"modules"),
    ("class", ("class",), r"classes"),
)
"""What a thing is called in an answer, its kinds in the graph, and how questions call it."""
_VERBS: Final[dict[str, tuple[str, ...]]] = {
    "expos": ("EXPOSES",),
    "offer": ("EXPOSES",),
    "provid": ("EXPOSES",),
    "serv": ("EXPOSES",),
    "publish": ("PUBLISHES",),
    "emit": ("PUBLISHES",),
    "send": ("PUBLISHES",),
    "produc": ("PUBLISHES",),
    "consum": ("CONSUMES", "SUBSCRIBES"),
    "subscrib": ("CONSUMES", "SUBSCRIBES"),
    "listen": ("CONSUMES", "SUBSCRIBES"),
    "own": ("OWNS_TABLE",),
    "call": ("CALLS", "INVOKES"),
    "invok": ("CALLS", "INVOKES"),
}
"""How a verb begins, and the relations by which a thing has what it is said of; any other verb leaves that open."""
_FOREIGN: Final = re.compile(r"use|need|call|invok|read|stor|expect")
"""What a project is said to use may well stand in another."""
_ANY_NOUN: Final = "|".join(f"(?P<{name.replace(' ', '_')}>{words})" for name, _, words in _NOUNS)
_DOES: Final = (
    r"expose|offer|provide|serve|have|own|contain|include|consist of|comprise|publish(?: to)?|emit|send|produce|consume"
    r"|subscribe to|listen to|read|use|need|expect|define|declare|store|call|invoke|run"
)
_DONE: Final = (
    r"exposed|offered|provided|served|owned|contained|included|published|emitted|sent|produced|consumed|read|used|needed"
    r"|defined|declared|stored|called|invoked|known|available|configured|part"
)
_IN: Final = r"(?:in|of|on|by|from|to|for|within|inside|across)"
_PLACED: Final = rf"(?:(?:\s+(?P<done>{_DONE}))?\s+{_IN}\s+(?P<place>.+?))?"
_WHICH: Final = rf"(?:which|what|how many)\s+(?:{_ANY_NOUN})"
_LIST: Final = r"(?:(?:list|name|show|enumerate|give)(?:\s+me)?(?:\s+all)?(?:\s+of)?(?:\s+the|\s+our)?|what\s+are\s+(?:all\s+)?(?:the|our))"
_FORMS: Final = tuple(
    re.compile(rf"^\W*(?:please\s+)?{form}\W*$", re.IGNORECASE)
    for form in (
        rf"{_WHICH}\s+(?:does|do)\s+(?P<place>.+?)\s+(?P<done>{_DOES})(?:\s+{_IN}\s+(?P<beside>.+?))?",
        rf"{_WHICH}\s+(?:are|exist)(?:\s+there)?{_PLACED}",
        rf"{_LIST}\s+(?:{_ANY_NOUN})(?:\s+there\s+are)?{_PLACED}",
    )
)
_CONDITION: Final = re.compile(
    r"\b(?:that|which|who|what|whose|with|without|using|where|when|how|why|if)\b", re.IGNORECASE
)
_NOWHERE: Final = frozenset(
    re.findall(
        r"\w+",
        """all any every each the our we you project projects repo repos repository repositories team teams code codebase
        organisation organization company here there index graph whole""",
    )
)


@dataclass(frozen=True, slots=True)
class Inventory:
    """What is to be listed.

    noun: one of them in words; kinds: what they are in the graph; types: the relations by which something has them, ()
    any; contained: what stands in a project is the project's; everywhere: no place is named, all projects are meant.
    """

    noun: str
    kinds: tuple[str, ...]
    types: tuple[str, ...] = ()
    contained: bool = True
    everywhere: bool = False

    @property
    def plural(self) -> str:
        """Several of them in words."""
        return f"{self.noun}es" if self.noun.endswith("s") else f"{self.noun}s"


def read_inventory(question: str) -> Inventory | None:
    """What a question wants listed; None where it asks for anything else, or only for those that meet a condition."""
    prose = " ".join(question.split())
    asked = next((found for form in _FORMS if (found := form.search(prose))), None)
    if asked is None:
        return None
    said = asked.groupdict()
    noun, kinds = next((noun, kinds) for noun, kinds, _ in _NOUNS if said[noun.replace(" ", "_")])
    place = f"{said['place'] or ''} {said.get('beside') or ''}"
    everywhere = not set(re.findall(r"[\w-]+", place.casefold())) - _NOWHERE
    if _CONDITION.search(place) or (everywhere and noun in {"module", "class"}):
        return None
    verb = (said["done"] or "").casefold()
    types = next((types for begins, types in _VERBS.items() if verb.startswith(begins)), ())
    if "config_key" in kinds:
        return Inventory(noun, kinds, ("READS",), everywhere=everywhere)
    return Inventory(noun, kinds, types, not _FOREIGN.match(verb), everywhere)
