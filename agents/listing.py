"""All relations of a kind that a question lists, by the project they start in (001 §4.2)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Final

from memory.entities import STRUCTURAL, Relationship
from memory.graph.port import GraphStore
from memory.question.listed import Listed
from memory.statements import FoundStatement
from memory.text import is_test

_MOST: Final = 400
_REMOTE: Final = "remote_endpoint"
_DECLARED: Final = "DEPENDS_ON"
_DESCRIPTIONS: Final = (".json", ".yaml", ".yml")
"""What describes an interface says less than the code behind it."""

FindKind = Callable[[str, frozenset[str], int], Sequence[FoundStatement]]
"""Finds the relations whose sentence has a word, within a permission, so many at most."""


async def listing(
    listed: Listed, find: FindKind, store: GraphStore, permission: frozenset[str]
) -> list[list[Relationship]]:
    """The relations that are asked for, those that start in one project together; what tests alone do is none of them.
    A project's thing is listed once, by the type that says most.

    Raises StoreError when the graph is out of reach.
    """
    found = await _among(listed, store, permission) if listed.among else _of_kind(listed, find, permission)
    ordered = sorted(found, key=lambda edge: (edge.source.project, edge.type, edge.target.label, edge.id))
    return [list(group) for _, group in groupby(ordered, lambda edge: edge.source.project)]


async def _among(listed: Listed, store: GraphStore, permission: frozenset[str]) -> Iterable[Relationship]:
    """What projects do to one another, or the others to the one that is named, each once.

    Whoever does anything to a project that is named depends on it; where that is declared, this says all.
    """
    named = permission.intersection(listed.projects)
    sources = named if listed.is_between else permission - named
    targets = named if listed.projects else permission
    depends = bool(listed.projects) and listed.types == (_DECLARED,)
    types = () if depends else listed.types
    edges = await store.edges_between(sources, targets, permission=permission, types=types, limit=_MOST)
    kept = [edge for edge in edges if edge.type not in STRUCTURAL and not is_test(edge.path)]
    if depends:
        declared = {_between(edge) for edge in kept if edge.type == _DECLARED}
        kept = [edge for edge in kept if edge.type == _DECLARED or _between(edge) not in declared]
    return {edge.ends: edge for edge in reversed(kept)}.values()


def _between(edge: Relationship) -> tuple[str, str]:
    return edge.source.project, edge.target.project


def _of_kind(listed: Listed, find: FindKind, permission: frozenset[str]) -> Iterable[Relationship]:
    """A project's things of the kind, each once, by the relation that says most."""
    word = listed.kind.replace("_", " ")
    searched = frozenset(listed.projects) & permission if listed.projects else permission
    spoken = [*find(word, searched, _MOST), *(find(word, permission, _MOST) if searched != permission else ())]
    kept = [one.relation for one in spoken if _is_listed(one.relation, listed) and not is_test(one.relation.path)]
    kept.sort(key=lambda edge: (listed.types.index(edge.type), edge.path.endswith(_DESCRIPTIONS), edge.id))
    return {(edge.source.project, edge.target.label): edge for edge in reversed(kept)}.values()


def _is_listed(edge: Relationship, listed: Listed) -> bool:
    kind = "endpoint" if edge.target.kind == _REMOTE else edge.target.kind
    is_theirs = not listed.projects or edge.source.project in listed.projects
    return kind == listed.kind and edge.type in listed.types and is_theirs
