"""`ExtractiveAnswerer`: an answer without a language model, made of sentences and lines that stand in the sources.

What kind of answer it is follows from the question's type; every statement carries its citations, each is checked, and
what is not borne out is not printed. The same observations over the same files give the same text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memory.query import QueryType
from memory.text import identifiers
from synthesis.answer import UNSAID, Answer
from synthesis.extractive.cleaning import printable
from synthesis.extractive.conflicts import ConflictView, conflict_lines
from synthesis.extractive.ends import asks_difference
from synthesis.extractive.introduction import spelt
from synthesis.extractive.inventory import inventory_lines
from synthesis.extractive.local import local_lines
from synthesis.extractive.lookup import lookup_lines
from synthesis.extractive.nearest import nearest_lines
from synthesis.extractive.patterns import pattern_lines
from synthesis.extractive.relations import bulleted, edge_line, relation_lines
from synthesis.extractive.similar import similar_lines
from synthesis.extractive.sources import Ground, grounded
from synthesis.extractive.statements import Line, citations_of, rendered
from synthesis.extractive.topic import asks_value, named_projects
from synthesis.extractive.traces import frames_in, trace_lines
from synthesis.extractive.wording import listed
from synthesis.verification import ObservedFiles, verify_all

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memory.files import FileText
    from memory.observations import NormalizedObservation
    from memory.query import QueryClassification
    from synthesis.answer import Citation
    from synthesis.extractive.sources import Source

__all__ = ["ExtractiveAnswerer"]

_MOST_EDGES = 6
_SEARCHED = {
    "local": "the project in hand",
    "graph": "the graph of all projects",
    "vector": "all projects' texts and code",
}


class ExtractiveAnswerer:
    """Picks and orders what answers; the default where there is no language model."""

    async def answer(
        self,
        query: str,
        observations: Sequence[NormalizedObservation],
        *,
        classification: QueryClassification | None = None,
        conflicts: Sequence[ConflictView] = (),
        missing: Sequence[str] = (),
        files: FileText | None = None,
    ) -> Answer:
        """The answer to ranked observations; `missing` says what the run lacks, `files` holds the lines."""
        files = files or ObservedFiles(observations)
        ground = await grounded(observations, files)
        drafted = _drafted(query, classification, ground)
        drafted += conflict_lines(query, conflicts, ground, drafted)
        drafts = citations_of(drafted)
        checked = dict(zip(drafts, await verify_all(drafts, observations, files), strict=True))
        lines = [held for line in drafted if (held := line.held(checked)) is not None]
        if not any(claim.citations for line in lines for claim in line.claims):
            return Answer(_nothing(classification, missing), missing=tuple(missing), notes=(UNSAID,))
        text, citations = rendered(lines), [checked[c] for c in citations_of(lines)]
        missing = (*missing, *_unanswered(query, classification, ground, text, citations))
        if missing:
            text += f"\nMissing: {printable('; '.join(missing))}."
        return Answer(text, tuple(citations), missing=tuple(missing))


def _drafted(query: str, classification: QueryClassification | None, ground: Ground) -> list[Line]:
    """The section for the leading type, or the next that finds something to say; the pattern section always may."""
    leading = classification.query_type if classification else QueryType.PATTERN
    if pointed := trace_lines(query, ground) or inventory_lines(ground):
        return pointed
    if asks_difference(query):
        lines = lookup_lines(query, ground, alone=True) or relation_lines(query, classification, ground)
    elif leading in {QueryType.RELATIONSHIP, QueryType.MULTI_HOP}:
        lines = relation_lines(query, classification, ground)
    elif leading is QueryType.SIMILARITY:
        lines = similar_lines(query, ground)
    elif leading is QueryType.ENTITY_LOOKUP:
        lines = [] if asks_value(query) else lookup_lines(query, ground)
    elif leading is QueryType.LOCAL_ONLY:
        return local_lines(query, ground)
    else:
        lines = []
    edges = bulleted([edge_line(edge) for edge in ground.edges[:_MOST_EDGES]])
    return lines or pattern_lines(query, ground) or edges or nearest_lines(ground)


def _unanswered(
    query: str, classification: QueryClassification | None, ground: Ground, text: str, citations: Sequence[Citation]
) -> list[str]:
    """Of several things that the question names and the sources speak of, those of which the answer says nothing."""
    entities = [name for name in classification.entities if identifiers(name)] if classification else []
    known = [name for name in entities if any(name.casefold() in source.text for source in ground.sources)]
    named = [*named_projects(query, (source.project for source in ground.sources)), *known]
    named = list({name.casefold(): name for name in named if name.casefold() in query.casefold()}.values())
    cited = {citation.location.project for citation in citations if citation.location}
    titles = [s.observation.entities_mentioned for s in ground.sources if s.project in cited and _is_project(s)]
    told = " ".join(title for names in titles for title in names).casefold()  # a project by another name
    several = len(named) > 1 and not frames_in(query)  # what a trace names is not what is asked about
    silent = [name for name in named if name not in cited and not _says(f"{text} {told}", name)] if several else []
    return [f"nothing that answers this was found of {name}" for name in silent]


def _is_project(source: Source) -> bool:
    return source.observation.metadata.get("kind") == "project"


def _says(text: str, name: str) -> bool:
    """Whether the text holds the name; one of several words however they are joined: `keep-alive`, `timeout_keep_alive`."""
    last = name.rsplit(".", 1)[-1]
    edge = r"[^\W_]" if re.search(r"[-_]", last) else r"\w"
    return re.search(rf"(?<!{edge}){spelt(last)}(?!{edge})", text, re.IGNORECASE) is not None


def _nothing(classification: QueryClassification | None, missing: Sequence[str]) -> str:
    searched = [_SEARCHED[path.value] for path in classification.paths] if classification else []
    text = "Nothing was found that answers this."
    if searched:
        text += f" Searched: {listed(searched)}."
    return f"{text} Missing: {printable('; '.join(missing))}." if missing else text
