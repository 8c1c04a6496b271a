"""What every question passes before anybody is asked: is it one, who asks, what may they see (design §3, §8)."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any, Protocol

from memory.errors import InvalidInputError, InvalidQueryError, UnknownProjectError
from memory.query import TaskContext

__all__ = ["Catalogue", "clean_query", "only_in", "permitted", "settle_context"]

_ONLY = re.compile(r"\bonly\b[^.?!\n]{0,40}?\b(?:in|from|within|of)\s+([^?!\n]+)", re.IGNORECASE)
_ANSI = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")


class Catalogue(Protocol):
    """Which projects are indexed, and at which commit."""

    def projects(self) -> frozenset[str]:
        """The names of all indexed projects."""
        ...

    def in_hand(self, visible: frozenset[str]) -> str | None:
        """The project in hand where the caller names none: one of those that may be seen."""
        ...

    def has_changed(self, project: str, path: str) -> bool:
        """Whether the file on disk differs from what was indexed."""
        ...

    def embedded_share(self, projects: Collection[str]) -> float:
        """The share (0..1) of these projects' chunks that have their dense vector."""
        ...

    def commits(self, projects: Iterable[str]) -> Mapping[str, Mapping[str, Any]]:
        """For each of these, `indexed` and `head`."""
        ...


def clean_query(query: object, most: int) -> str:
    """The question without control characters and the white space around it.

    Raises InvalidQueryError when it is no text, blank, or longer than `most` characters.
    """
    if not isinstance(query, str):
        raise InvalidQueryError(f"The question is a value of type {type(query).__name__}.", "Give a text.")
    if len(query) > most:
        raise InvalidQueryError(f"The question has {len(query)} characters; at most {most} are taken.", "Shorten it.")
    text = _ANSI.sub("", query.replace("\r\n", "\n").replace("\r", "\n"))
    if not text.isprintable():
        text = "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in {"Cc", "Cs"})
    kept = text.strip()
    if not kept:
        raise InvalidQueryError("The question is empty.", "Ask something.")
    return kept


def settle_context(given: Mapping[str, Any] | TaskContext | None, catalogue: Catalogue | None) -> TaskContext:
    """The context with its permission settled: what it allows, else all that is indexed.

    Raises UnknownProjectError, which names only what the caller may see, and InvalidInputError. Without a catalogue no
    name is checked against one.
    """
    context = TaskContext.from_mapping(given)
    if context.deadline is not None and not 0 < context.deadline < math.inf:
        raise InvalidInputError(f"The deadline is {context.deadline}.", "Give seconds above zero.")
    if context.stated_permission is None:
        if catalogue is None:
            return context
        context = context.allowing(catalogue.projects())
    permission = context.permission
    if catalogue is not None:
        visible = permission & catalogue.projects()
        if context.project is None:
            context = replace(context, project=catalogue.in_hand(visible))
        permitted(permission, catalogue.projects())
    if permission and context.project is not None and context.project not in permission:
        raise UnknownProjectError(context.project, permission)
    return context


def permitted(names: Collection[str], indexed: frozenset[str]) -> frozenset[str]:
    """The projects of a permission. Raises UnknownProjectError for one that is not indexed, which names only the others."""
    visible = indexed.intersection(names)
    for name in sorted(set(names) - visible):
        raise UnknownProjectError(name, visible)
    return visible


def only_in(query: str, visible: frozenset[str]) -> frozenset[str]:
    """The projects to which a question limits itself: "only in billing and auth", "only show code from crm"."""
    limited = _ONLY.search(query)
    if limited is None:
        return frozenset()
    words = {word.strip(".,:;()'\"`").casefold() for word in limited.group(1).split()}
    return frozenset(name for name in visible if name.casefold() in words)
