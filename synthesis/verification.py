"""Every citation is held against the observation and the file's lines before it is printed.

See docs/design.md#citations.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING

from memory.observations import Location
from memory.text.lines import split_lines
from synthesis.answer import also_at, parse_markers
from synthesis.literals import QUOTED, literals, misnumbered, says, squeezed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memory.entities import Relationship
    from memory.files import FileText
    from memory.observations import NormalizedObservation
    from synthesis.answer import Citation


class ObservedFiles:
    """Lines as far as the observations themselves hold them: what there is without an index."""

    def __init__(self, observations: Iterable[NormalizedObservation]) -> None:
        self._held = [
            (observation.locations[0], split_lines(observation.content))
            for observation in observations
            if observation.kind != "graph" and observation.locations
        ]

    async def lines(self, location: Location) -> list[str] | None:
        """The location's lines, when one observation holds them all."""
        for held, text in self._held:
            same = (held.project, held.path) == (location.project, location.path)
            inside = held.start_line <= location.start_line <= location.end_line < held.start_line + len(text)
            if same and inside:
                return text[location.start_line - held.start_line : location.end_line - held.start_line + 1]
        return None


def edge_named(edge: Relationship, source: str, target: str) -> bool:
    """Whether these two names, with their project or without, are the edge's ends."""
    return source in {edge.source.label, edge.source.name} and target in {edge.target.label, edge.target.name}


def covers(whole: Location, part: Location) -> bool:
    """Whether the part lies in the whole."""
    same = (whole.project, whole.path) == (part.project, part.path)
    return same and whole.start_line <= part.start_line and part.end_line <= whole.end_line


def places(observation: NormalizedObservation) -> list[Location]:
    """Every place an observation speaks of: its locations, its copies', and what its edges join and are proved by."""
    found = [
        *observation.locations,
        *also_at(observation),
        *(d.location for d in observation.duplicates if d.location),
    ]
    for edge in observation.relationships:
        found += proofs(edge)
        found += [Location(e.project, e.path, e.start_line, e.end_line) for e in (edge.source, edge.target) if e.path]
    return found


def proofs(edge: Relationship) -> list[Location]:
    """The lines that prove a relation."""
    return [Location(edge.project or edge.source.project, edge.path, line, line) for line in edge.lines]


def _graph_fault(citation: Citation, observation: NormalizedObservation) -> str | None:
    """Why a graph marker is not borne out by the observation's relations, or None."""
    names = [name for marker in parse_markers(citation.marker) if marker.kind == "graph" for name in marker.names]
    if len(names) < 2 or citation.location is None:
        return None
    steps = list(pairwise(names))
    edges = [edge for edge in observation.relationships if any(edge_named(edge, *step) for step in steps)]
    if not edges:
        return "the observation has no such relation"
    at = citation.location
    proved = [proof for edge in edges for proof in proofs(edge)]
    return None if any(covers(at, proof) for proof in proved) else "these lines are not the relation's"


def _text_fault(citation: Citation, text: str, known: str = "") -> str | None:
    """`text` is the cited lines', squeezed; `known` what an edge's names and evidence say beside them."""
    if squeezed(citation.quote) not in text:
        return "the quotation does not stand in the cited lines"
    cited_text = f"{text} {known}"
    lacking = [literal for literal in literals(citation.claim) if not says(cited_text, literal)]
    return f"the cited lines do not say {lacking[0]}" if lacking else None


def _judged(citation: Citation, fault: str | None, text: str, known: str = "") -> Citation:
    """`fault` is what is wrong with the place or the quotation; the numbers of the claim are looked up here."""
    unsupported = fault or ("nothing is quoted" if not citation.quote.strip() else None)
    unsupported = unsupported or misnumbered(QUOTED.sub(" ", citation.claim), f"{text} {known}")
    return replace(citation, located=fault is None, supported=unsupported is None, reason=unsupported)


def _lost(citation: Citation, why: str) -> Citation:
    return replace(citation, located=False, supported=False, reason=why)


def _known(citation: Citation, observation: NormalizedObservation) -> str:
    says = (evidence.says for edge in observation.relationships for evidence in edge.evidence)
    return " ".join([citation.marker, *says]) if citation.marker.startswith("[graph:") else ""


async def verify(citation: Citation, observations: Mapping[str, NormalizedObservation], files: FileText) -> Citation:
    """The citation with `located`, `supported` and, where one of them is missing, the reason.

    Checked in this order: the observation is there; its lines are the observation's and exist; a relation is among the
    observation's and proved there; the quotation is in them, white space collapsed; what the claim puts in
    backticks is there too. Then it is located; supported when its numbers stand there as well. Without lines, the
    observation's content is what is searched.
    """
    observation = observations.get(citation.observation_id)
    if observation is None:
        return _lost(citation, "no such observation")
    if citation.location is None:
        text = squeezed(observation.content)
        return _judged(citation, _text_fault(citation, text), text)
    at = citation.location
    if not any(covers(place, at) for place in places(observation)):
        return _lost(citation, "the observation does not speak of these lines")
    lines = await files.lines(at)
    if lines is None:
        return _lost(citation, f"{at.path} has no lines {at.start_line}-{at.end_line}")
    text, known = squeezed(" ".join(lines)), _known(citation, observation)
    fault = _graph_fault(citation, observation) or _text_fault(citation, text, known)
    return _judged(citation, fault, text, known)


async def verify_all(
    citations: Iterable[Citation], observations: Sequence[NormalizedObservation], files: FileText | None = None
) -> list[Citation]:
    """Each citation checked, in order; reads each file once when `files` keeps what it read."""
    by_id = {observation.id: observation for observation in observations}
    read = files or ObservedFiles(observations)
    return [await verify(citation, by_id, read) for citation in citations]
