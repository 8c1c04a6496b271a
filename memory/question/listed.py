"""All things of a kind that a question asks for: "List all endpoints", "Which topics does billing publish?", "Which
projects depend on each other?", "What calls billing?", "How are orders and billing connected?"
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import chain
from typing import Final

from memory.embedders.english import ENGLISH
from memory.question.described import USING, relations_of
from memory.question.parsed import OURS, PLACES, ParsedQuestion

_KINDS: Final = {
    "endpoints": "endpoint", "routes": "endpoint", "apis": "endpoint",
    "topics": "topic", "queues": "topic", "events": "topic",
    "tables": "table", "settings": "config_key", "variables": "config_key",
    "packages": "package", "libraries": "package", "dependencies": "package",
    "projects": "project", "services": "project", "repositories": "project", "repos": "project", "apps": "project",
    "microservices": "project", "applications": "project", "systems": "project", "codebases": "project",
    "components": "project",
}  # fmt: skip
"""What people call several things, and the kind of entity that these are."""
_BEARING: Final = {
    "endpoint": ("EXPOSES",),
    "topic": ("PUBLISHES", "SUBSCRIBES", "CONSUMES"),
    "table": ("OWNS_TABLE", "STORES_IN", "USES_TABLE"),
    "config_key": ("READS",),
    "package": ("DEPENDS_ON",),
    "project": (),
}
"""The relations that say a thing of the kind is there, the one that says most first."""
_LISTING: Final = frozenset({
    "list", "show", "give", "tell", "name", "overview", "exist", "exists", "available", "indexed", "known", "current",
    "currently", "entire", "complete", "different", "right", "today",
})  # fmt: skip
"""What is said around the kind by who asks for all of it."""
_ASKING: Final = _LISTING | frozenset({
    "defined", "need", "needs", "require", "requires", "contain", "http", "rest", "api", "environment",
    "env", "config", "configuration", "database", "db", "sql", "postgres", "postgresql", "mysql", "mongo", "mongodb",
    "redis", "kafka", "rabbitmq", "class", "classes", "code", "function", "functions",
})  # fmt: skip
"""What is said around the kind, and tells one thing of it from another no more than "all" does."""
_RELATING: Final = frozenset({
    "connect", "connects", "connected", "connection", "connections", "relate", "relates", "related", "relation",
    "relations", "relationship", "relationships", "link", "links", "linked", "interact", "interaction",
    "communicate", "talk", "other", "another", "between", "together", "dependencies",
})  # fmt: skip
"""How people ask what projects have to do with one another."""
_NO_LIST: Final = frozenset({
    "why", "when", "not", "no", "nor", "never", "without", "don", "doesn", "isn", "aren", "wasn", "weren", "hasn",
    "haven", "dont", "doesnt", "isnt", "arent",
})  # fmt: skip
"""Who asks for reasons, or for what does not do something, is told nothing by a list of what does."""
_ASKED: Final = frozenset({"who", "what", "which", "anything", "anyone", "anybody", "something"})
_BE: Final = frozenset({"is", "are", "was", "were", "be", "being"})
OF_PROJECTS: Final = USING - {"PUBLISHES"}
"""What one does to a project. Who publishes `orders` publishes orders, and no project of that name."""


@dataclass(frozen=True, slots=True)
class Listed:
    """kind: of which entities all are asked for; types: by which relations, the one that says most first, none given:
    by any; projects: of these alone, where any are named; among: how the projects relate to one another is asked for,
    or what the others do to the one that is named.
    """

    kind: str
    types: tuple[str, ...]
    projects: tuple[str, ...] = ()
    among: bool = False

    @property
    def is_between(self) -> bool:
        """Whether it is about some projects that are named, and no others."""
        return self.among and len(self.projects) > 1

    def searched(self, permission: frozenset[str]) -> frozenset[str]:
        """The projects whose text tells it: what one project does to another stands in that one's files."""
        named = permission.intersection(self.projects)
        if not self.among or not named:
            return permission
        return named if self.is_between else permission - named or permission


def find_listed(question: ParsedQuestion, in_hand: str | None) -> Listed | None:
    """What a question asks all of; None where it says anything more than the kind, a relation and whose they are.

    Args:
        question: as it was read, with the projects it names.
        in_hand: what "this project" is.
    """
    words = [part for word in question.words for part in word.text.casefold().split("/") if part]
    named = question.project_words
    nouns = {word for word in words if word in _KINDS} - named
    kinds = {_KINDS[noun] for noun in nouns - _RELATING} or {_KINDS[noun] for noun in nouns}
    known = ENGLISH | OURS | PLACES | (_LISTING if kinds <= {"project"} else _ASKING)  # `kafka` tells no project
    types = [relations_of(word) for word in set(words) - nouns - named - known - _RELATING]
    if None in types or question.pasted or not _NO_LIST.isdisjoint(words):
        return None
    by, among = frozenset(chain.from_iterable(filter(None, types))), not _RELATING.isdisjoint(words)
    if kinds <= {"project"} and question.projects:
        between = _between(question.projects, by, among=among)
        return between or _users(words, named, question.projects, among=among and not by)
    if len(kinds) != 1:
        return None
    kind = kinds.pop()
    if kind == "project" and not among:
        return None
    ours = (in_hand,) if in_hand is not None and question.is_of_hand else ()
    return Listed(kind, tuple(sorted(by)) or _BEARING[kind], question.projects or ours, among=kind == "project")


def asks_for_projects(question: ParsedQuestion) -> bool:
    """Whether it asks which projects there are, and nothing more of them."""
    words = {word.text.casefold() for word in question.words}
    nouns = {word for word in words if _KINDS.get(word) == "project"}
    own = question.projects or question.pasted or not _NO_LIST.isdisjoint(words)
    return bool(nouns) and not own and words <= nouns | ENGLISH | OURS | PLACES | _LISTING


def _between(projects: tuple[str, ...], types: frozenset[str], *, among: bool) -> Listed | None:
    """What some projects do to one another, whichever way."""
    asked = types & OF_PROJECTS
    if len(projects) < 2 or not (asked or (among and not types)):
        return None
    return Listed("project", tuple(sorted(asked)), projects, among=True)


def _users(words: Sequence[str], named: AbstractSet[str], projects: tuple[str, ...], *, among: bool) -> Listed | None:
    """What the other projects do to one: it stands behind the one verb, or in front of one with `by`.

    among: what they have to do with it is asked, whatever that is.
    """
    if among and len(projects) == 1 and not _ASKED.isdisjoint(words):
        return Listed("project", tuple(sorted(OF_PROJECTS)), projects, among=True)
    told = {n: relations_of(word) for n, word in enumerate(words) if word not in named}
    verbs = {n: types & OF_PROJECTS for n, types in told.items() if types}
    own = [n for n, word in enumerate(words) if word in named]
    if len(verbs) != 1 or len(projects) > 1 or not own or _ASKED.isdisjoint(words):
        return None
    [(verb, types)] = verbs.items()
    is_passive = "by" in words[verb + 1 : verb + 2]
    is_unclear = words[verb - 1] in _BE and not is_passive and not words[verb].endswith("ing")
    if not types or is_unclear or (verb < own[0]) == is_passive:
        return None
    return Listed("project", tuple(sorted(types)), projects, among=True)
