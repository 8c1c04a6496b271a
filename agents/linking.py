"""From the words of a question to entities of the graph: exact, then prefix, then full text (001 §4.2, design §4)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

from agents.mentions import Mention, find_mentions
from agents.slots import SLOT_KINDS
from memory.embedders.stopwords import ENGLISH
from memory.entities import Entity
from memory.graph.port import GraphStore
from memory.text import split_identifier

__all__ = ["Link", "asks_only_about", "is_place", "is_project", "link", "linked_names"]

_EXACT, _JOINED, _BY_KIND, _PREFIX, _TEXT = 1.0, 0.9, 0.85, 0.7, 0.6
_OF_KIND = "is of that kind and name"
MISSPELT = "is spelt almost so"
_NEAR, _LEAST_MISSPELT = 0.9, 8
_FILLERS = frozenset({"tell", "explain", "describe", "show", "project", "package", "library", "service", "purpose"})
_ITSELF = ("service", "package")
_LOOKUP_LIMIT = 400
_LEAST_SHARE = 0.6


@dataclass(frozen=True, slots=True)
class Link:
    """An entity that a part of the question means, how sure that is, and how it was found."""

    surface: str
    entity: Entity
    confidence: float
    how: str


async def link(question: str, mentions: Sequence[str], store: GraphStore, permission: frozenset[str]) -> list[Link]:
    """The entities a question means, in the order the question names them; one link an entity, the surest.

    `mentions` are spellings the caller already knows to be meant; those that do not stand in the question count as
    identifiers. One indexed look-up for all of the question's word groups; prefix and full text only for identifiers
    that it did not find.
    """
    asked = question.casefold()
    spelt = re.findall(
        r"(?<![\w./])[\w-]+(?![\w./]*\w)", question.partition("\n")[0]
    )  # not in pasted code, and no file's name
    known = [Mention(m, (m.casefold(),), identifier=True) for m in mentions if not _stands_in(m.casefold(), asked)]
    found = [*find_mentions(question), *known]
    keys = sorted({key for mention in found for key in mention.keys})
    by_key: dict[str, list[Entity]] = {}
    for entity in await store.find_exact(keys, permission=permission, limit=_LOOKUP_LIMIT):
        by_key.setdefault(entity.key, []).append(entity)
    links: dict[str, Link] = {}
    for mention in found:
        exact = [hit for key in mention.keys for entity in by_key.get(key, ()) if (hit := _accept(mention, entity))]
        if mention.plain:  # the service before the function of that name
            exact = [hit for hit in exact if hit.entity.kind in mention.kinds] or exact
        if not exact and mention.identifier:
            exact = await _loosely(mention, store, permission)
        is_name = mention.identifier or (mention.plain and mention.kinds == SLOT_KINDS)
        if not exact and is_name and mention.surface in spelt:
            exact = await _misspelt(mention, store, permission)
        for hit in exact:
            if hit.entity.id not in links or links[hit.entity.id].confidence < hit.confidence:
                links[hit.entity.id] = hit
    kinds = {mention.surface: mention.kinds for mention in found}
    return _of_named_projects(question, _without_shadowed(_without_namesakes(list(links.values()), kinds)))


def _stands_in(name: str, asked: str) -> bool:
    """Whether the question says a name as such, not merely within a longer one, as a stack trace does."""
    return re.search(rf"(?<![\w.]){re.escape(name)}(?![\w.]*\w)", asked) is not None


def _accept(mention: Mention, entity: Entity) -> Link | None:
    """Whether an entity of the same key is what the words mean."""
    if is_project(entity) and (" " not in mention.surface or entity.name.casefold() == mention.surface.casefold()):
        return Link(mention.surface, entity, _EXACT, "names the project")
    if mention.plain and mention.kinds == SLOT_KINDS and _is_compound_class(entity):
        return Link(mention.surface, entity, _JOINED, "is spelt so in one word")
    if mention.kinds and not mention.identifier:
        of_kind = entity.kind in mention.kinds
        # `Customer tables`: the class of that very name counts as well
        named = entity.name == mention.surface and not mention.plain
        return Link(mention.surface, entity, _BY_KIND if of_kind else _JOINED, _OF_KIND) if of_kind or named else None
    is_word = entity.kind == "config_key" and not mention.identifier  # `DB`, `the mail host`: no variables as yet
    if mention.plain or is_word or (mention.exact_case and entity.name != mention.exact_case):
        return None
    if mention.identifier or mention.exact_case:
        return Link(mention.surface, entity, _EXACT, "has that name")
    joined = entity.name.casefold() != mention.surface.casefold() and len(split_identifier(entity.name)) >= len(
        mention.surface.split()
    )
    return Link(mention.surface, entity, _JOINED, "is spelt so in one word") if joined else None


def _is_compound_class(entity: Entity) -> bool:
    """`LoopAgent`, which `loopagent` can only mean; a class `Order` is as well the thing of every day."""
    return entity.kind == "class" and len(split_identifier(entity.name)) > 1


def is_project(entity: Entity) -> bool:
    """A project itself, or the package that it is; both are rare enough to be named in lower case."""
    return (
        entity.kind == "project"
        or (entity.kind == "package" and "/" not in entity.path)
        or (entity.kind == "module" and entity.key == entity.project.casefold().replace("-", "_"))
    )


async def _loosely(mention: Mention, store: GraphStore, permission: frozenset[str]) -> list[Link]:
    """An identifier nobody bears: names it begins, else those that share most of its parts."""
    key = mention.keys[0]
    if len(key) >= 4:
        begun = await store.find_prefix(key, permission=permission, limit=5)
        if begun:
            return [Link(mention.surface, entity, _PREFIX, "begins so") for entity in begun]
    parts = set(split_identifier(mention.surface))
    candidates = await store.find_text(sorted(parts), permission=permission, limit=20)
    rated = []
    for entity in candidates:
        if entity.kind == "method" and entity.key.endswith("." + key):
            rated.append(Link(mention.surface, entity, _EXACT, "has a member of that name"))
            continue
        own = set(split_identifier(entity.name))
        share = len(parts & own) / len(parts | own) if parts | own else 0.0
        if share >= _LEAST_SHARE and len(parts & own) > 1:
            rated.append(Link(mention.surface, entity, _TEXT * share, "shares most of the name's parts"))
    return sorted(rated, key=lambda hit: (-hit.confidence, hit.entity.id))[:5]


async def _misspelt(mention: Mention, store: GraphStore, permission: frozenset[str]) -> list[Link]:
    """The names nearest in spelling to a long one that nobody bears; they begin alike (difflib's ratio, `_NEAR` at least)."""
    key = mention.keys[0]
    if len(key) < _LEAST_MISSPELT:
        return []
    begun = await store.find_prefix(key[:3], permission=permission, limit=_LOOKUP_LIMIT)
    near = get_close_matches(key, sorted({entity.key for entity in begun}), n=1, cutoff=_NEAR)
    alike = [entity for entity in begun if entity.key in near]
    of_kind = [entity for entity in alike if entity.kind in mention.kinds] or alike
    return [Link(mention.surface, entity, _TEXT, MISSPELT) for entity in of_kind]


def _without_namesakes(links: list[Link], kinds: Mapping[str, Sequence[str]]) -> list[Link]:
    """Drops what a named project has of its own name inside (a topic `shop` of `shop`), unless the question says its kind.

    A service or a package of that name is the project itself; what is spelt otherwise (`Flask`) is meant.
    """
    named = {hit.entity.project for hit in links if is_project(hit.entity) and hit.surface == hit.entity.project}
    return [
        hit
        for hit in links
        if hit.surface != hit.entity.project
        or hit.entity.project not in named
        or is_project(hit.entity)
        or hit.entity.kind in {*_ITSELF, *kinds.get(hit.surface, ())}
    ]


def _without_shadowed(links: list[Link]) -> list[Link]:
    """Drops what a single word links where a longer group around it links too (`payment` in `payment gateway`).

    Not where the rest of the group says its kind: `accounting service` may be a service `accounting` as well.
    """
    longer = [hit.surface.casefold().split() for hit in links if " " in hit.surface]
    return [
        hit
        for hit in links
        if hit.entity.kind == "project"
        or hit.how == _OF_KIND
        or not any(hit.surface.casefold() in words for words in longer if " " not in hit.surface)
    ]


def _of_named_projects(question: str, links: list[Link]) -> list[Link]:
    """Of `the accounting service of the web shop`, what other projects have of that name is meant half as much."""
    named = {hit.entity.project for hit in links if is_project(hit.entity) and _places(hit.surface, question)}
    inside = [set(hit.surface.casefold().split()) for hit in links if hit.entity.project in named]

    def elsewhere(hit: Link) -> bool:
        words = set(hit.surface.casefold().split())
        return hit.entity.project not in named and any(words & own for own in inside)

    return [replace(hit, confidence=hit.confidence / 2) if elsewhere(hit) else hit for hit in links]


def is_place(question: str, hit: Link, links: Iterable[Link]) -> bool:
    """Whether a link is a project that only says where the things are that the question means."""
    things = any(not is_project(other.entity) for other in links)
    return things and is_project(hit.entity) and _places(hit.surface, question)


def _places(surface: str, question: str) -> bool:
    """Whether the question looks for something there: `in billing`, `of the web shop`."""
    return (
        re.search(rf"\b(?:in|of|from|inside|within)\s+(?:the\s+|our\s+)?{re.escape(surface)}\b", question) is not None
    )


def linked_names(links: Iterable[Link]) -> tuple[str, ...]:
    """The linked entities' names, each once; behind them the spellings by which one was only nearly named."""
    links = list(links)
    nearly = [hit.surface for hit in links if hit.how == MISSPELT]
    return tuple(dict.fromkeys([*(hit.entity.name for hit in links), *nearly]))


def asks_only_about(question: str, links: Iterable[Link]) -> bool:
    """Whether nothing but the linked names is asked about: `What is httpx?`, but not `How does httpx time out?`."""
    surfaces = {word for hit in links for word in hit.surface.casefold().split()}
    words = {word.strip("`'\"?!.,:;()").casefold() for word in question.split()}
    return not {word for word in words if word.isalnum()} - surfaces - ENGLISH - _FILLERS
