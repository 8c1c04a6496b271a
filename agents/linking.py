"""From the words of a question to entities of the graph: exact, then prefix, then full text (001 §4.2)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from memory.embedders.english import ENGLISH
from memory.entities import Entity, spelt_nearly
from memory.graph.port import GraphStore
from memory.question import ParsedQuestion, Word
from memory.text import split_identifier

_LONGEST: Final = 3
_METHODS: Final = ("get", "post", "put", "patch", "delete")
"""Whoever names a path means what is served there, by whichever method."""
_JOINTS: Final = ("", "-", "_", ".", " ")
_NO_WORDS: Final = frozenset({"identifier", "hyphenated", "joined"})


_EXACT, _JOINED, _WORD, _PREFIX, _TEXT = 1.0, 0.9, 0.8, 0.7, 0.6
MISSPELT: Final = "is spelt almost so"
_NEAR, _LEAST_MISSPELT = 0.9, 8
_LOOKUP_LIMIT: Final = 400
_LEAST_SHARE: Final = 0.6
_MOST_BEARERS: Final = 3
"""A name that more things bear selects none of them on its own."""

_NAMED_BY_A_WORD: Final = frozenset({"service", "project", "package", "table", "topic"})
"""What is called by an ordinary word; a function `handle` is not meant whenever somebody says so."""
_TYPES: Final = frozenset({"class", "interface"})


@dataclass(frozen=True, slots=True)
class EntityMention:
    """A group of one to three words.

    keys: its casefolded spellings, `payment gateway` also as `paymentgateway`, `payment-gateway` and `payment_gateway`;
    identifier: it is written as no ordinary word is; pasted: a word of it is in what was pasted.
    """

    surface: str
    keys: tuple[str, ...]
    identifier: bool = False
    pasted: bool = False


def find_mentions(question: ParsedQuestion) -> Iterator[EntityMention]:
    """Every group of the question that may name an entity, single words first, in the question's order."""
    for word in question.words:
        if word.text.casefold() not in ENGLISH:
            yield _single(word)
    for name in question.added_names:
        yield _single(Word(name, "identifier"))
    for path in question.named_paths:
        if path.startswith("/"):
            yield EntityMention(path, tuple(f"{method} {path.casefold()}" for method in _METHODS), identifier=True)
    for size in range(2, _LONGEST + 1):
        for start in range(len(question.words) - size + 1):
            words = question.words[start : start + size]
            group, pasted = [word.text for word in words], any(word.pasted for word in words)
            if all(word.isidentifier() for word in group) and not {group[0].casefold(), group[-1].casefold()} & ENGLISH:
                keys = tuple(joint.join(group).casefold() for joint in _JOINTS)
                if (key := ":".join(group)) in question.text:
                    keys = (*keys, key.casefold())  # of a store: `orders:cart`
                yield EntityMention(" ".join(group), keys, pasted=pasted)


def _single(word: Word) -> EntityMention:
    parts = word.text.split()
    spellings = [word.text, *(joint.join(parts) for joint in _JOINTS), *_numbers(word.text)]
    keys = tuple(dict.fromkeys(spelling.casefold() for spelling in spellings))
    return EntityMention(word.text, keys, len(parts) > 1 or word.kind in _NO_WORDS, word.pasted)


def _numbers(word: str) -> list[str]:
    """The other number of an ordinary word: tables are called `customers` where people say `customer`."""
    return [word[:-1] if word.endswith("s") else f"{word}s"] if word.isalpha() else []


@dataclass(frozen=True, slots=True)
class EntityLink:
    """An entity that a part of the question means, how sure that is, and how it was found."""

    surface: str
    entity: Entity
    confidence: float
    how: str


async def link(
    question: ParsedQuestion, mentions: Sequence[str], store: GraphStore, permission: frozenset[str]
) -> list[EntityLink]:
    """The entities a question names, in the order it names them; one link an entity, the surest.

    Args:
        question: as it was read.
        mentions: names that the caller knows to be meant; those that do not occur in the question count as identifiers.
        store: where they are looked up: once for all of the question's words, and again for identifiers that are
            unknown.
        permission: the projects that may be seen.
    """
    known = [EntityMention(name, (name.casefold(),), identifier=True) for name in mentions if not question.holds(name)]
    found = [*find_mentions(question), *known]
    keys = sorted({key for mention in found for key in mention.keys})
    by_key: dict[str, list[Entity]] = {}
    for entity in await store.find_exact(keys, permission=permission, limit=_LOOKUP_LIMIT) if keys else ():
        by_key.setdefault(entity.key, []).append(entity)
    links: dict[str, EntityLink] = {}
    for mention in found:
        borne = [entity for key in mention.keys for entity in by_key.get(key, ())]
        exact = _accepted(mention, borne)
        if not exact and mention.identifier:
            exact = await _loosely(mention, store, permission) or await _misspelt(mention, store, permission)
        for hit in exact:
            if hit.entity.id not in links or links[hit.entity.id].confidence < hit.confidence:
                links[hit.entity.id] = hit
    return _without_shadowed(list(links.values()))


def _accepted(mention: EntityMention, borne: Sequence[Entity]) -> list[EntityLink]:
    """Those of the entities of that name that the words mean."""
    written = mention.surface.casefold()
    if mention.identifier:
        meant = _as_written(mention, [entity for entity in borne if entity.key == written] or borne)
        return [EntityLink(mention.surface, entity, _EXACT, "has that name") for entity in meant]
    if " " in mention.surface:
        meant = [entity for entity in borne if entity.key == mention.keys[-1] or _has_parts(entity, mention)]
        sure = _JOINED
    elif not _NAMED_BY_A_WORD.isdisjoint(mention.keys):
        return []  # "the table" says which kind is meant, not what is called so
    else:
        meant = [entity for entity in borne if entity.kind in _NAMED_BY_A_WORD or _is_written_so(entity, mention)]
        meant = [entity for entity in meant if entity.key == written] or meant  # before the word's other number
        meant = _as_written(mention, meant)
        sure = _WORD
    projects = [entity for entity in meant if is_project(entity)]
    if len(meant) > _MOST_BEARERS:
        meant = projects
    return [
        EntityLink(
            mention.surface,
            entity,
            _EXACT if entity in projects and (" " in written or entity.key == written) else sure,
            "is spelt so in one word" if " " in written and entity.key != written else "has that name",
        )
        for entity in meant
    ]


def _as_written(mention: EntityMention, borne: Sequence[Entity]) -> list[Entity]:
    """Those in just this spelling, where any are (`cartservice` is a service, and `CartService` a class), and projects,
    which people write as they like.
    """
    if all(entity.name != mention.surface for entity in borne):
        return list(borne)
    return [entity for entity in borne if entity.name == mention.surface or is_project(entity)]


def _has_parts(entity: Entity, mention: EntityMention) -> bool:
    return len(split_identifier(entity.name)) >= len(mention.surface.split())


def _is_written_so(entity: Entity, mention: EntityMention) -> bool:
    """A capitalised word names what is written just so, and `orderservice` is no word that means something else."""
    if entity.kind in _TYPES and len(split_identifier(entity.name)) > 1:
        return True
    return mention.surface[:1].isupper() and entity.name == mention.surface


def is_project(entity: Entity) -> bool:
    """A project itself, or the package that it is."""
    return (
        entity.kind == "project"
        or (entity.kind == "package" and "/" not in entity.path)
        or (entity.kind == "module" and entity.key == entity.project.casefold().replace("-", "_"))
    )


async def _loosely(mention: EntityMention, store: GraphStore, permission: frozenset[str]) -> list[EntityLink]:
    """An identifier that no entity has: names it begins, else those that share most of its parts."""
    key = mention.keys[0]
    if len(key) >= 4:
        begun = await store.find_prefix(key, permission=permission, limit=5)
        if begun:
            return [EntityLink(mention.surface, entity, _PREFIX, "begins so") for entity in begun]
    parts = set(split_identifier(mention.surface))
    candidates = await store.find_text(sorted(parts), permission=permission, limit=20)
    rated = []
    for entity in candidates:
        if entity.kind == "method" and entity.key.endswith("." + key):
            rated.append(EntityLink(mention.surface, entity, _EXACT, "has a member of that name"))
            continue
        own = set(split_identifier(entity.name))
        share = len(parts & own) / len(parts | own) if parts | own else 0.0
        if share >= _LEAST_SHARE and len(parts & own) > 1:
            rated.append(EntityLink(mention.surface, entity, _TEXT * share, "shares most of the name's parts"))
    return sorted(rated, key=lambda hit: (-hit.confidence, hit.entity.id))[:5]


async def _misspelt(mention: EntityMention, store: GraphStore, permission: frozenset[str]) -> list[EntityLink]:
    """The names nearest in spelling to a long one that is unknown;
    they begin alike (difflib's ratio, `_NEAR` at least).
    """
    key = mention.keys[0]
    if len(key) < _LEAST_MISSPELT or not re.fullmatch(r"[\w-]+", key):
        return []
    begun = await store.find_prefix(key[:3], permission=permission, limit=_LOOKUP_LIMIT)
    near = spelt_nearly(key, begun, most=1, least=_NEAR)
    return [EntityLink(mention.surface, entity, _TEXT, MISSPELT) for entity in near]


def _without_shadowed(links: list[EntityLink]) -> list[EntityLink]:
    """Drops what a single word names where a longer group around it names something (`payment` in `payment gateway`),
    but for what the group calls by its kind (the service `payment` in `payment service`).
    """
    longer = [hit.surface.casefold().split() for hit in links if " " in hit.surface]
    return [
        hit
        for hit in links
        if (hit.entity.kind == "project" and hit.confidence == _EXACT)
        or " " in hit.surface
        or not any(hit.surface.casefold() in words and hit.entity.kind not in words for words in longer)
    ]


def linked_names(links: Iterable[EntityLink]) -> tuple[str, ...]:
    """The linked entities' names, each once; behind them the spellings by which one was only nearly named."""
    links = list(links)
    nearly = [hit.surface for hit in links if hit.how == MISSPELT]
    return tuple(dict.fromkeys([*(hit.entity.name for hit in links), *nearly]))
