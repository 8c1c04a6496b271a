"""Citations out of a text that somebody else wrote: a language model, or an injected synthesis agent (design §4)."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from memory.observations import Location
from memory.text.lines import split_lines
from synthesis.answer import Citation
from synthesis.extractive.terms import terms
from synthesis.markers import MARKER, Marker, observed_path, parse_markers
from synthesis.verification import edge_named, verify_all

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memory.files import FileText
    from memory.observations import NormalizedObservation

__all__ = ["checked_text", "cite"]

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")
_LONGEST_QUOTE = 300


def cite(text: str, observations: Sequence[NormalizedObservation]) -> list[Citation]:
    """One citation for each marker (for each edge of a path), not checked yet; unknown sources are kept and say so."""
    return [c for marker in parse_markers(text) for c in _citations(marker, _claim(text, marker), observations)]


def _claim(text: str, marker: Marker) -> str:
    """The sentence before the marker, or around it when it opens the sentence."""
    pieces = [p for p in _SENTENCE_END.split(MARKER.sub("", text[: marker.start]).rstrip()) if p.strip()]
    following = _SENTENCE_END.split(MARKER.sub("", text[marker.end :]).strip())
    return (pieces[-1] if pieces else following[0]).strip(" -*•")


def _citations(marker: Marker, claim: str, observations: Sequence[NormalizedObservation]) -> Iterator[Citation]:
    if marker.kind == "graph":
        yield from _graph_citations(marker, claim, observations)
        return
    for observation in observations:
        if observation.agent == marker.kind and _is_at(observation, marker):
            location, quote = _quoted(observation, marker, claim)
            yield Citation(marker.text, observation.id, claim, quote, location)
            return
    yield Citation(marker.text, "", claim, "", None, reason="no such observation")


def _is_at(observation: NormalizedObservation, marker: Marker) -> bool:
    path, project = observed_path(observation), observation.source_project
    if observation.locations:
        project = observation.locations[0].project
    if not path or marker.path not in {path, f"{project}/{path}"}:
        return False
    if marker.lines is None or not observation.locations:
        return True
    at = observation.locations[0]
    return at.start_line <= marker.lines[0] and marker.lines[1] <= at.end_line


def _quoted(observation: NormalizedObservation, marker: Marker, claim: str) -> tuple[Location | None, str]:
    """The line that shares most with the claim, '' when none shares a word, and where the marker says it stands."""
    lines = split_lines(observation.content)
    location = None
    if observation.locations:
        at = observation.locations[0]
        first, last = marker.lines or (at.start_line, at.end_line)
        location = Location(at.project, at.path, first, last)
        lines = lines[first - at.start_line : last - at.start_line + 1]
    wanted = terms(claim)
    best = max((line.strip() for line in lines), key=lambda line: len(wanted & terms(line)), default="")
    return location, best[:_LONGEST_QUOTE] if wanted & terms(best) else ""


def _graph_citations(marker: Marker, claim: str, observations: Sequence[NormalizedObservation]) -> Iterator[Citation]:
    graph = [o for o in observations if o.agent == "graph"]
    if len(marker.names) < 2:
        name = marker.names[0] if marker.names else ""
        bare = name.rsplit("/", 1)[-1]
        for observation in graph:
            if bare in observation.entities_mentioned:
                quote = split_lines(observation.content.strip())[0][:_LONGEST_QUOTE]
                yield Citation(marker.text, observation.id, claim, quote, None)
                return
        yield Citation(marker.text, "", claim, "", None, reason="no such observation")
        return
    for step in pairwise(marker.names):
        yield _edge_citation(marker, claim, step, graph)


def _edge_citation(
    marker: Marker, claim: str, step: tuple[str, str], graph: Sequence[NormalizedObservation]
) -> Citation:
    for observation in graph:
        for edge in observation.relationships:
            if edge_named(edge, *step):
                location = None
                if edge.path and edge.lines:
                    project = edge.project or edge.source.project
                    location = Location(project, edge.path, edge.lines[0], edge.lines[0])
                return Citation(marker.text, observation.id, claim, "", location)
    return Citation(marker.text, "", claim, "", None, reason="no such relation")


async def _with_quote(citation: Citation, files: FileText | None) -> Citation:
    """An edge's line, which only the file has, as its quotation."""
    if not citation.marker.startswith("[graph:") or citation.location is None or files is None:
        return citation
    lines = await files.lines(citation.location)
    return replace(citation, quote=lines[0].strip()[:_LONGEST_QUOTE]) if lines else citation


async def checked_text(
    text: str, observations: Sequence[NormalizedObservation], files: FileText | None = None
) -> tuple[str, list[Citation]]:
    """A foreign text with its citations checked: a marker with one that fails is replaced by `(not verified)`."""
    drafts = cite(text, observations)
    citations = await verify_all([await _with_quote(draft, files) for draft in drafts], observations, files)
    failed = {c.marker for c in citations if not c.verified}
    return MARKER.sub(lambda m: "(not verified)" if m[0] in failed else m[0], text), citations
