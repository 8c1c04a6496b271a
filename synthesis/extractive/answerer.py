"""`ExtractiveAnswerer`: an answer without a language model, made of relations and lines that stand in the sources.

How it is laid out follows from what was found; every statement carries its citations, each is checked, and what is not
borne out is not printed. The same observations over the same files give the same text.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from memory.question import read_question
from synthesis.answer import UNSAID, Answer
from synthesis.extractive.blocks import firsts, pieces_of
from synthesis.extractive.conflicts import ConflictView, conflict_lines
from synthesis.extractive.material import Material
from synthesis.extractive.showing import place_line
from synthesis.extractive.sources import grounded
from synthesis.extractive.statements import Line, citations_of, listed, printable, rendered
from synthesis.extractive.templates import TEMPLATES
from synthesis.extractive.weighted_question import WeightedQuestion
from synthesis.terms import terms
from synthesis.verification import ObservedFiles, verify_all

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memory.files import FileText
    from memory.observations import NormalizedObservation
    from memory.query import QueryClassification
    from memory.question import ParsedQuestion
    from synthesis.extractive.sources import AnswerEvidence

__all__ = ["ExtractiveAnswerer"]

_JOINT = re.compile(r"[-_.\s]+")
_SAYS = 0.2
"""The share of one question of a compound one that a file has to hold to say anything on it."""
_TELLING = 3
"""Words that weigh something by which one of them can be looked for."""
_NEAREST = 5
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
        question: ParsedQuestion | None = None,
        classification: QueryClassification | None = None,
        conflicts: Sequence[ConflictView] = (),
        missing: Sequence[str] = (),
        files: FileText | None = None,
        weights: Mapping[str, float] | None = None,
    ) -> Answer:
        """The answer to ranked observations.

        Args:
            query: the question's text.
            question: the question as it was read; its text is read where it is not given.
            observations: what was found, best first.
            classification: what the question was taken for.
            conflicts: what the sources contradict each other on.
            missing: what the run lacks.
            files: the lines that citations are held against, else the observations' own text.
            weights: IDF of the question's words, by word; their rarity in the observations where it is not given.
        """
        files = files or ObservedFiles(observations)
        ground = await grounded(observations, files)
        question = question or read_question(query)
        asked = WeightedQuestion.of(question, weights, [observation.content for observation in observations])
        drafted = _drafted(Material(asked, ground, classification))
        drafted += conflict_lines(asked, conflicts, ground, drafted)
        drafts = citations_of(drafted)
        checked = dict(zip(drafts, await verify_all(drafts, observations, files), strict=True))
        lines = _without_idle_leads(held for line in drafted if (held := line.held(checked)) is not None)
        if not any(line.is_cited for line in lines):
            return Answer(_nothing(classification, missing), missing=tuple(missing), notes=(UNSAID,))
        text, citations = rendered(lines), [checked[c] for c in citations_of(lines)]
        missing = (*missing, *_unmentioned(question, ground, text, missing), *_open(asked, ground))
        if missing:
            text += f"\nMissing: {printable('; '.join(missing))}."
        return Answer(text, tuple(citations), missing=tuple(missing))

    async def nearest(
        self,
        question: ParsedQuestion,
        observations: Sequence[NormalizedObservation],
        *,
        files: FileText | None = None,
        weights: Mapping[str, float] | None = None,
    ) -> tuple[str, ...]:
        """The best line of each of the nearest files and where it is, for a question that nothing answers; the arguments
        are those of `answer`.
        """
        ground = await grounded(observations, files or ObservedFiles(observations))
        asked = WeightedQuestion.of(question, weights, [observation.content for observation in observations])
        telling = [block for block in pieces_of(asked, ground.sources) if block.own]
        blocks = firsts(telling, lambda block: block.file)
        return tuple(printable(place_line(block).claims[0].text) for block in blocks[:_NEAREST])


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


def _unmentioned(question: ParsedQuestion, ground: AnswerEvidence, text: str, missing: Sequence[str]) -> list[str]:
    """The names in the question that nothing of what was found mentions; of a failure what it names is not asked about.
    What is hyphenated is mostly no name (`ping-pong`, `per-client`).
    """
    names = [name.text for name in question.names if name.kind == "identifier"]
    names = [name for name in names if not any(map(str.isspace, name))]  # a command or a message is no name
    if question.frames or not names:
        return []
    joined = _run_together(" ".join([text, *missing]))
    found = [_run_together(f"{source.path} {source.observation.content}") for source in ground.sources]
    lacking = [name for name in names if _run_together(name) not in joined and not _is_in_one(name, found)]
    lacking = [name for name in lacking if not any(name != other and name in other for other in lacking)]
    return [f"no passage that was found mentions {name}" for name in lacking]


def _is_in_one(name: str, texts: Sequence[str]) -> bool:
    """Whether one text has the name, or each member of a dotted one; of a path, which may begin elsewhere, its end."""
    members = [_run_together(member) for member in PurePosixPath(name).name.split(".")]
    return any(all(member in text for member in members) for text in texts)


def _open(asked: WeightedQuestion, ground: AnswerEvidence) -> list[str]:
    """The questions of a compound one whose words hardly any of the files found holds; the first says what it is about.

    One of few words and without a name ("is it lost?") leans on the others: it is not open for want of its own words. Nor
    is one without a question mark where another has one: it states something.
    """
    names = [name.text for name in asked.question.names]
    clauses = [
        (clause, own)
        for clause, own in asked.clauses.items()
        if (len(own.words) >= _TELLING or any(name in clause for name in names))
        and (clause.rstrip().endswith("?") or "?" not in asked.question.text)
    ]
    if not clauses:
        return []
    files: dict[tuple[str, str], frozenset[str]] = {}
    for source in ground.sources:
        held = terms(" ".join(source.lines[n] for n in source.focus)) | source.named
        files[source.project, source.path] = held | files.get((source.project, source.path), frozenset())
    return [
        f"what was found hardly uses the words of \N{LEFT DOUBLE QUOTATION MARK}{clause}\N{RIGHT DOUBLE QUOTATION MARK}"
        for clause, own in clauses
        if clause != asked.question.clauses[0] and max(map(own.share, files.values()), default=0.0) < _SAYS
    ]


def _run_together(text: str) -> str:
    """However a name's parts are joined: `keep-alive` is `keep_alive`."""
    return _JOINT.sub("", text.casefold())


def _nothing(classification: QueryClassification | None, missing: Sequence[str]) -> str:
    searched = [_SEARCHED[path.value] for path in classification.paths] if classification else []
    text = "Nothing was found that answers this."
    if searched:
        text += f" Searched: {listed(searched)}."
    return f"{text} Missing: {printable('; '.join(missing))}." if missing else text
