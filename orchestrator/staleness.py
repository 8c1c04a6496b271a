"""Files that have changed since they were indexed: what citations quote is looked up in them as they are now, and what
instruction files no longer say is left out.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from memory.files import is_instruction_file
from memory.observations import GraphObservation, Location
from memory.text.lines import split_lines

if TYPE_CHECKING:
    from memory.project_folder import ProjectFolder
    from memory.shared import MemoryEntry
    from synthesis import Answer, Citation
    from wiring.catalogue import Catalogue

GONE = "the file has changed since it was indexed, and no longer says this"


def dated(answer: Answer, catalogue: Catalogue | None) -> tuple[Answer, dict[str, str]]:
    """The answer with each citation of a changed file marked stale: at its new place where its lines have moved, not
    located where they are gone; and the observations that a file no longer bears out, with the files. Where a project's
    folder is not on this machine nothing can be looked up.
    """
    if catalogue is None:
        return answer, {}
    folders: Mapping[str, ProjectFolder] = getattr(catalogue, "folders", {})
    places = {(at.project, at.path) for c in answer.citations if (at := c.location) is not None}
    changed = {place: _now(folders, *place) for place in sorted(places) if catalogue.has_changed(*place)}
    citations = [_looked_up(citation, changed) for citation in answer.citations]
    gone = {
        c.observation_id: f"{c.location.project}/{c.location.path}"
        for c in citations
        if c.reason == GONE and c.location is not None
    }
    shifts = _shifts(answer.citations, citations)
    if shifts:
        citations = [replace(c, marker=_shifted(c.marker, shifts)) for c in citations]
        answer = replace(answer, text=_shifted(answer.text, shifts))
    return replace(answer, citations=tuple(citations)), gone


def still_said(entries: Sequence[MemoryEntry], catalogue: Catalogue | None) -> list[MemoryEntry]:
    """The entries without the texts of instruction files that are gone, or hold no line of them any more."""
    return [entry for entry in entries if catalogue is None or not _is_gone(entry, catalogue)]


def _is_gone(entry: MemoryEntry, catalogue: Catalogue) -> bool:
    if entry.observation is None or isinstance(entry.observation, GraphObservation):
        return False
    places = entry.observation.locations
    if not places or not all(
        is_instruction_file(at.path) and catalogue.has_changed(at.project, at.path) for at in places
    ):
        return False
    said = set(filter(None, map(str.strip, split_lines(entry.content))))
    folders = getattr(catalogue, "folders", {})
    files = [_now(folders, at.project, at.path) for at in places]
    return all(now is not None and said.isdisjoint(map(str.strip, now)) for now in files)


def _now(folders: Mapping[str, ProjectFolder], project: str, path: str) -> list[str] | None:
    """A file's lines as they are, none where it is gone; None where that is not known."""
    folder = folders.get(project)
    if folder is None:
        return None
    text = folder.read(path)
    if text is None:
        return [] if folder.has_lost(path) else None
    return split_lines(text)


def _looked_up(citation: Citation, changed: Mapping[tuple[str, str], list[str] | None]) -> Citation:
    at = citation.location
    if at is None or (at.project, at.path) not in changed:
        return citation
    lines = changed[at.project, at.path]
    if lines is None or not citation.quote.split():
        return replace(citation, stale=True)
    found = _found(citation.quote.split(), lines, at.start_line)
    if found is None:
        return replace(citation, stale=True, located=False, supported=False, reason=GONE)
    by = found[0] - at.start_line  # lines that end blank are quoted without it
    last = min(max(found[1], at.end_line + by), len(lines)) if by else at.end_line
    return replace(citation, stale=True, location=Location(at.project, at.path, found[0], last))


def _found(words: Sequence[str], lines: Sequence[str], near: int) -> tuple[int, int] | None:
    """From which line to which these words stand, one after the other, nearest to where they stood."""
    starts: list[int] = []  # of each line in the joined text
    length = 0
    for line in lines:
        starts.append(length)
        length += sum(len(word) + 1 for word in line.split())
    text = " " + " ".join(word for line in lines for word in line.split()) + " "
    sought = f" {' '.join(words)} "
    found = []
    at = text.find(sought)
    while at >= 0:
        found.append((bisect_right(starts, at), bisect_right(starts, at + len(sought) - 3)))
        at = text.find(sought, at + 1)
    return min(found, key=lambda lines: (abs(lines[0] - near), lines), default=None)


def _shifts(before: Sequence[Citation], after: Sequence[Citation]) -> dict[str, dict[int, int]]:
    """By how many lines each cited line of a file has moved, by PROJECT/path and by path;
    files that have moved alone.
    """
    shifts: dict[str, dict[int, int]] = {}
    for old, new in zip(before, after, strict=True):
        if old.location is not None and new.location is not None:
            was, now = old.location, new.location
            for place in (f"{was.project}/{was.path}", was.path):
                shifts.setdefault(place, {})[was.start_line] = now.start_line - was.start_line
    return {place: own for place, own in shifts.items() if any(own.values())}


def _shifted(text: str, shifts: Mapping[str, Mapping[int, int]]) -> str:
    """The text with the lines behind these files as they are now:
    by the cited line they begin at, else the one before.
    """
    places = "|".join(map(re.escape, sorted(shifts, key=len, reverse=True)))

    def now(match: re.Match[str]) -> str:
        own, first = shifts[match[1]], int(match[2])
        by = own[max((line for line in own if line <= first), default=min(own))]
        return f"{match[1]}:{first + by}" + (f"-{int(match[3]) + by}" if match[3] else "")

    return re.sub(rf"(?<![\w./-])({places}):(\d+)(?:-(\d+))?", now, text)
