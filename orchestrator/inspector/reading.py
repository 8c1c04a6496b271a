"""Reads the lines that a result's citations and graph observations stand on, inside the question's permission."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

import anyio

from memory.errors import HybridRetrievalError
from memory.observations import Location
from orchestrator.inspector.inspection import Excerpt, Place, place_of

if TYPE_CHECKING:
    from memory.files import FileText

__all__ = ["read_excerpts"]

PATIENCE: Final = 10.0  # seconds for all of them
CONTEXT: Final = 3  # lines before and after a citation
_CITED, _PROVING = 40, 12  # lines of one place at most: a citation's, and those that prove a relation


async def read_excerpts(files: FileText | None, result: Mapping[str, Any]) -> dict[Place, Excerpt]:
    """The excerpts by place. files: what the question's permission lets one read; what is out of reach, or late, is left
    out.
    """
    excerpts: dict[Place, Excerpt] = {}
    if files is None:
        return excerpts
    with anyio.move_on_after(PATIENCE):
        for place, most, around in _wanted(result):
            if place not in excerpts:
                found = await _read(files, place, most, around)
                if found is not None:
                    excerpts[place] = found
    return excerpts


def _wanted(result: Mapping[str, Any]) -> Iterator[tuple[Place, int, int]]:
    """Place, lines at most, and lines around it; citations come first, since theirs have more around them."""
    for citation in result["citations"]:
        if citation["location"] is not None:
            yield place_of(citation["location"]), _CITED, CONTEXT
    for observation in result["observations"]:
        if observation["source"].startswith("graph:"):
            yield from ((place_of(at), _PROVING, 0) for at in observation["locations"])


async def _read(files: FileText, place: Place, most: int, around: int) -> Excerpt | None:
    project, path, start, end = place
    first, last = max(1, start - around), min(end, start + most - 1)
    for after in range(around if last == end else 0, -1, -1):  # the file may end sooner
        try:
            lines = await files.lines(Location(project, path, first, last + after))
        except HybridRetrievalError:  # a store that is gone, a call that a recording lacks: no text, no failure
            return None
        if lines is not None:
            return Excerpt(first, tuple(lines), cut=last < end)
    return None
