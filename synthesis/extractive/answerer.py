"""`ExtractiveAnswerer`: an answer without a language model, made of relations and lines that stand in the sources.

How it is laid out follows from what was found; every statement carries its citations, each is checked, and what is not
borne out is not printed. The same observations over the same files give the same text.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memory.text import identifiers
from memory.text.frames import frames_in
from synthesis.answer import UNSAID, Answer
from synthesis.extractive.asked import Asked
from synthesis.extractive.cleaning import printable
from synthesis.extractive.conflicts import ConflictView, conflict_lines
from synthesis.extractive.material import Material
from synthesis.extractive.sources import grounded
from synthesis.extractive.statements import Line, citations_of, rendered
from synthesis.extractive.templates import TEMPLATES
from synthesis.extractive.wording import listed
from synthesis.verification import ObservedFiles, verify_all

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memory.files import FileText
    from memory.observations import NormalizedObservation
    from memory.query import QueryClassification
    from synthesis.extractive.sources import Ground

__all__ = ["ExtractiveAnswerer"]

_JOINT = re.compile(r"[-_.\s]+")
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
        weights: Mapping[str, float] | None = None,
    ) -> Answer:
        """The answer to ranked observations.

        Args:
            query: the question.
            observations: what was found, best first.
            classification: what the question was taken for.
            conflicts: what the sources contradict each other on.
            missing: what the run lacks.
            files: the lines that citations are held against, else the observations' own text.
            weights: IDF of the question's words, by word; their rarity in the observations where it is not given.
        """
        files = files or ObservedFiles(observations)
        ground = await grounded(observations, files)
        asked = Asked.of(query, weights, [observation.content for observation in observations])
        drafted = _drafted(Material(asked, ground, classification))
        drafted += conflict_lines(asked, conflicts, ground, drafted)
        drafts = citations_of(drafted)
        checked = dict(zip(drafts, await verify_all(drafts, observations, files), strict=True))
        lines = _without_idle_leads(held for line in drafted if (held := line.held(checked)) is not None)
        if not any(line.is_cited for line in lines):
            return Answer(_nothing(classification, missing), missing=tuple(missing), notes=(UNSAID,))
        text, citations = rendered(lines), [checked[c] for c in citations_of(lines)]
        missing = (*missing, *_unmentioned(query, classification, ground, text))
        if missing:
            text += f"\nMissing: {printable('; '.join(missing))}."
        return Answer(text, tuple(citations), missing=tuple(missing))


def _drafted(material: Material) -> list[Line]:
    lines = list[Line]()
    for template in TEMPLATES:
        if template.matches(material):
            lines += template.lines(material)
            if template.ends:
                break
    return lines


def _without_idle_leads(lines: Iterable[Line]) -> list[Line]:
    """The lines without those that lead to nothing."""
    kept = list[Line]()
    for line in lines:
        if line.leads and kept and kept[-1].leads:
            kept.pop()
        kept.append(line)
    return kept[:-1] if kept and kept[-1].leads else kept


def _unmentioned(query: str, classification: QueryClassification | None, ground: Ground, text: str) -> list[str]:
    """The names in the question that nothing of what was found mentions."""
    entities = classification.entities if classification else ()
    names = [name for name in identifiers(query) if "-" not in name or name in entities]
    names = [name for name in names if _run_together(name) not in _run_together(text)]
    if not names or frames_in(query):
        return []  # what a trace names is not what is asked about
    found = " ".join(f"{source.path} {source.observation.content}" for source in ground.sources)
    lacking = [name for name in names if _run_together(name) not in _run_together(found)]
    lacking = [name for name in lacking if not any(name != other and name in other for other in lacking)]
    return [f"nothing that was found mentions {name}" for name in lacking]


def _run_together(text: str) -> str:
    """However a name's parts are joined: `keep-alive` is `keep_alive`."""
    return _JOINT.sub("", text.casefold())


def _nothing(classification: QueryClassification | None, missing: Sequence[str]) -> str:
    searched = [_SEARCHED[path.value] for path in classification.paths] if classification else []
    text = "Nothing was found that answers this."
    if searched:
        text += f" Searched: {listed(searched)}."
    return f"{text} Missing: {printable('; '.join(missing))}." if missing else text
