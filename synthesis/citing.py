"""Citations out of a text that somebody else wrote: a language model, or an injected synthesis agent.

See docs/design.md#citations.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice, pairwise
from typing import TYPE_CHECKING, Final

import anyio.lowlevel

from memory.errors import InvalidAnswerError
from memory.observations import Location
from memory.text.lines import split_lines
from synthesis.answer import MARKER, Answer, Citation, Marker, marker_kind, observed_path, parse_markers
from synthesis.literals import QUOTED
from synthesis.support import check_support, evidence_of, labels, misquoted
from synthesis.terms import terms
from synthesis.verification import ObservedFiles, covers, edge_named, places, verify_all

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memory.files import FileText
    from memory.observations import NormalizedObservation

_SENTENCE_END = re.compile(r"(?<=[.!?])(?<!\be\.g\.)(?<!\bi\.e\.)(?<!\bcf\.)(?<!\bvs\.)\s+|\n+", re.IGNORECASE)
_QUOTED_OR_END = re.compile(rf"{QUOTED.pattern}|(?P<end>{_SENTENCE_END.pattern})", re.IGNORECASE)
_SIDE_BY_SIDE = re.compile(r"[\s,;]*+(?:and|&)?\s*")
_EDGES = " ,;-*•"
_LONGEST_QUOTE = 300
_LONGEST_SENTENCE = 1000  # of what stands behind a marker no more is read, or long answers take for ever
LONGEST_TEXT: Final = 200_000
_MOST_CHECKED: Final = 500
"""So many markers are held against their lines: the check takes two milliseconds each."""
NOT_VERIFIED: Final = "(not verified)"
"""What replaces a marker that leads nowhere, or to lines that do not say what is quoted."""

NOT_SUPPORTED: Final = "(not supported)"
"""What follows a marker whose place is there and does not say what is claimed."""

_UNCHECKED: Final = f"not checked: it comes behind {_MOST_CHECKED} others"


def check_length(text: str) -> None:
    """Raises InvalidAnswerError for an answer that nobody would read."""
    if len(text) > LONGEST_TEXT:
        raise InvalidAnswerError(f"it has {len(text):,} characters, and may have {LONGEST_TEXT:,}")


def cite(text: str, observations: Sequence[NormalizedObservation]) -> list[Citation]:
    """One citation for each marker (for each edge of a path), not checked yet; unknown sources are kept and say so."""
    return [citation for group in _grouped(text, observations) for citation in group]


def _grouped(text: str, observations: Sequence[NormalizedObservation]) -> list[list[Citation]]:
    """The citations of each run of markers that stand side by side: they share their claim."""
    groups: list[list[Citation]] = []
    plain, marked = MARKER.sub("", text), 0
    end, claim = 0, ""
    for number, marker in enumerate(parse_markers(text)):
        marked += len(marker.text)
        if number >= _MOST_CHECKED:
            groups.append([Citation(marker.text, "", "", "", None, reason=_UNCHECKED)] * _rows_of(marker))
            continue
        if not groups or not _SIDE_BY_SIDE.fullmatch(text[end : marker.start]):
            behind = marker.end - marked
            claim = _claim(text[end : marker.start], plain[behind : behind + _LONGEST_SENTENCE])
            groups.append([])
        groups[-1] += _citations(marker, claim, observations)
        end = marker.end
    return groups


def _rows_of(marker: Marker) -> int:
    """How many citations it makes: one for each step of a path."""
    return max(len(marker.names) - 1, 1)


def _claim(before: str, after: str) -> str:
    """The sentence between the last marker and this one, or the one behind it when it opens the text."""
    pieces = [piece for piece in _sentences(before.strip()) if piece.strip(_EDGES)]
    return (pieces[-1] if pieces else _sentences(after.strip())[0]).strip(_EDGES)


def _sentences(text: str) -> list[str]:
    """Cut at their ends; a full stop in a quotation ends none."""
    ends = (end.span("end") for end in _QUOTED_OR_END.finditer(text) if end["end"])
    cuts = [0, *(place for end in ends for place in end), len(text)]
    return [text[first:last] for first, last in zip(cuts[::2], cuts[1::2], strict=True)]


def _citations(marker: Marker, claim: str, observations: Sequence[NormalizedObservation]) -> Iterator[Citation]:
    if marker.kind == "graph":
        yield from _graph_citations(marker, claim, observations)
        return
    for observation in observations:
        if marker_kind(observation) == marker.kind and _is_at(observation, marker):
            location, quote = _quoted(observation, marker, claim)
            yield Citation(marker.text, observation.id, claim, quote, location)
            return
    yield Citation(marker.text, "", claim, "", None, reason="no such observation")


def _is_at(observation: NormalizedObservation, marker: Marker) -> bool:
    spots: list[tuple[str, str, Location | None]] = [(at.project, at.path, at) for at in places(observation)]
    spots = spots or [(observation.source_project or "", observed_path(observation), None)]
    return any(
        path and marker.path in {path, f"{project}/{path}"} and _holds(at, marker) for project, path, at in spots
    )


def _holds(at: Location | None, marker: Marker) -> bool:
    if marker.lines is None or at is None:
        return True
    return at.start_line <= marker.lines[0] <= marker.lines[1] <= at.end_line


def _quoted(observation: NormalizedObservation, marker: Marker, claim: str) -> tuple[Location | None, str]:
    """The line that shares most with the claim, '' when the observation does not hold the lines,
    and where the marker says it is.
    """
    lines = split_lines(observation.content)
    location = None
    if observation.locations:
        at = next(at for at in places(observation) if marker.path.endswith(at.path) and _holds(at, marker))
        first, last = marker.lines or (at.start_line, at.end_line)
        location = Location(at.project, at.path, first, last)
        start = observation.locations[0].start_line
        lines = lines[first - start : last - start + 1] if covers(observation.locations[0], location) else []
    return location, _nearest(lines, claim)


def _nearest(lines: Sequence[str], claim: str) -> str:
    wanted = terms(claim)
    best = max(filter(None, map(str.strip, lines)), key=lambda line: len(wanted & terms(line)), default="")
    return best[:_LONGEST_QUOTE]


def _graph_citations(marker: Marker, claim: str, observations: Sequence[NormalizedObservation]) -> Iterator[Citation]:
    graph = [o for o in observations if o.kind == "graph"]
    if len(marker.names) < 2:
        name = marker.names[0] if marker.names else ""
        for observation in graph:
            if name in labels(observation):
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
    """With a quotation that only the file has: an edge's line, or lines that the observation merely names."""
    if citation.quote or citation.location is None or files is None:
        return citation
    lines = await files.lines(citation.location) or []
    graph = citation.marker.startswith("[graph:")
    return replace(
        citation, quote=" ".join(lines).strip()[:_LONGEST_QUOTE] if graph else _nearest(lines, citation.claim)
    )


async def checked_text(
    text: str, observations: Sequence[NormalizedObservation], files: FileText | None = None
) -> tuple[str, list[Citation]]:
    """A foreign text with its citations checked: NOT_VERIFIED replaces a marker with one that is not located, and
    NOT_SUPPORTED follows one whose place is there and says otherwise.

    Each is held against its lines as our own are, and its sentence against the lines of all markers beside it. Raises
    InvalidAnswerError for a text of more than `LONGEST_TEXT` characters.
    """
    check_length(text)
    groups = _grouped(text, observations)
    drafts = [await _with_quote(draft, files) for group in groups for draft in group]
    checkable = (draft for draft in drafts if draft.reason != _UNCHECKED)
    sound = iter(await verify_all([replace(draft, claim="") for draft in checkable], observations, files))
    citations: list[Citation] = []
    for group in groups:
        if group[0].reason == _UNCHECKED:
            citations += group
            continue
        await anyio.lowlevel.checkpoint()  # an answer may be long, and nobody else is to wait for its check
        checked = [replace(citation, claim=draft.claim) for draft, citation in zip(group, sound, strict=False)]
        citations += await _borne(checked, observations, files)
    rows = iter(citations)
    held = iter([list(islice(rows, _rows_of(marker))) for marker in parse_markers(text)])
    return MARKER.sub(lambda marker: _marked(marker[0], next(held)), text), citations


async def checked_answer(
    answer: Answer, observations: Sequence[NormalizedObservation], files: FileText | None = None
) -> Answer:
    """An answer that somebody else wrote, with its citations checked, whatever they say of themselves.

    Where those that it brings hold and every marker of its text is one of them, they are kept; else its text is
    checked as any foreign one, and those that it brings beside its markers are kept with what was found of them. Raises
    as `checked_text` does.
    """
    check_length(answer.text)
    unread = [
        replace(one, located=False, supported=False, reason=_UNCHECKED) for one in answer.citations[_MOST_CHECKED:]
    ]
    brought = [*await verify_all(answer.citations[:_MOST_CHECKED], observations, files), *unread]
    markers = {marker.text for marker in parse_markers(answer.text)}
    if all(one.verified for one in brought) and markers <= {one.marker for one in brought}:
        return replace(answer, citations=tuple(brought))
    text, citations = await checked_text(answer.text.replace(f" {NOT_SUPPORTED}", ""), observations, files)
    beside = (one for one in brought if one.marker not in markers)
    return replace(answer, text=text, citations=(*citations, *beside))


def _marked(marker: str, citations: Sequence[Citation]) -> str:
    if not all(citation.located for citation in citations):
        return NOT_VERIFIED
    return marker if all(citation.supported for citation in citations) else f"{marker} {NOT_SUPPORTED}"


async def _borne(
    group: list[Citation], observations: Sequence[NormalizedObservation], files: FileText | None
) -> list[Citation]:
    """One run of markers with those refused that misquote their lines, or do not bear their sentence."""
    sound = [citation for citation in group if citation.located]
    evidence = [await evidence_of(citation, observations, files or ObservedFiles(observations)) for citation in sound]
    if not evidence:
        return group
    claim = group[0].claim
    quoted = misquoted(claim, evidence)
    why = dict(zip(sound, [quoted] * len(sound) if quoted else check_support(claim, evidence), strict=True))
    return [
        replace(c, located=not quoted, supported=False, reason=why[c]) if why.get(c) and (quoted or c.supported) else c
        for c in group
    ]
