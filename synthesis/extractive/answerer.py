"""`ExtractiveAnswerer`: an answer without a language model, made of relations and lines that stand in the sources.

How it is laid out follows from what was found; every statement carries its citations, each is checked, and what is not
borne out is not printed. The same observations over the same files give the same text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from memory.embedders.english import is_english
from memory.files import WholeFiles
from memory.question import read_question
from memory.text.lines import read_outline
from synthesis.answer import UNSAID, Answer
from synthesis.extractive.blocks import firsts
from synthesis.extractive.conflicts import ConflictView, conflict_lines
from synthesis.extractive.material import Material
from synthesis.extractive.pieces import pieces_of
from synthesis.extractive.showing import place_line
from synthesis.extractive.sources import grounded
from synthesis.extractive.statements import NOT_SHOWN, Line, citations_of, lacking, listed, printable, rendered
from synthesis.extractive.templates import TEMPLATES
from synthesis.extractive.weighted_question import WeightedQuestion
from synthesis.terms import tokens
from synthesis.verification import ObservedFiles, verify_all

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from memory.files import FileText
    from memory.observations import NormalizedObservation
    from memory.query import QueryClassification
    from memory.question import ParsedQuestion
    from synthesis.answer import Citation

_WEIGHS, _RARE = 0.06, 3.5
"""From this share of the question and this IDF on a name is missed where no file shown has it."""
_MOST_UNHELD = 5
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
        material = Material(asked, ground, classification)
        drafted = _drafted(material)
        drafted += conflict_lines(asked, conflicts, ground, drafted)
        drafts = citations_of(drafted)
        checked = dict(zip(drafts, await verify_all(drafts, observations, files), strict=True))
        lines = _without_idle_leads(held for line in drafted if (held := line.held(checked)) is not None)
        if not any(line.is_cited for line in lines):
            return lacking(Answer(_nothing(classification), notes=(UNSAID,)), missing)
        text, citations = rendered(lines), [checked[c] for c in citations_of(lines)]
        missing = (*missing, *await _unshown(material, files))
        if weights is not None and not material.answering:
            missing = (*missing, *await _unheld(asked, citations, files, stated=missing))
        return lacking(Answer(text, tuple(citations)), missing)

    async def nearest(
        self,
        question: ParsedQuestion,
        observations: Sequence[NormalizedObservation],
        *,
        files: FileText | None = None,
        weights: Mapping[str, float] | None = None,
    ) -> tuple[str, ...]:
        """The best line of each of the nearest files and where it is, for a question that nothing answers; the
        arguments are those of `answer`.
        """
        ground = await grounded(observations, files or ObservedFiles(observations))
        asked = WeightedQuestion.of(question, weights, [observation.content for observation in observations])
        telling = [block for block in pieces_of(asked, ground.sources) if block.speaks]
        blocks = firsts(telling, lambda block: block.file)
        return tuple(printable(place_line(block).claims[0].text) for block in blocks[:_NEAREST])


def _drafted(material: Material) -> list[Line]:
    return [line for template in TEMPLATES for line in template(material)]


def _without_idle_leads(lines: Iterable[Line]) -> list[Line]:
    """The lines without those that lead to nothing."""
    kept = list[Line]()
    for line in lines:
        if line.leads and kept and kept[-1].leads:
            kept.pop()
        kept.append(line)
    return kept[:-1] if kept and kept[-1].leads else kept


async def _unheld(
    asked: WeightedQuestion, citations: Sequence[Citation], files: FileText, stated: Sequence[str]
) -> list[str]:
    """The names that weigh most in the question and that no file shown has, and words that are none of English; other
    words tell the story, what begins with a digit is a number or a time, and of a pasted failure not every word is
    asked about.

    stated: what is missing already, which is not stated again.
    """
    if asked.question.frames:
        return []
    own = [word for word in asked.question.words if not word.pasted]
    own = [word for word in own if (word.is_name or not is_english(word.text)) and not word.text[0].isdigit()]
    spelled = {token.whole: word.text for word in reversed(own) for token in tokens(word.text)}
    least, texts = max(_RARE, _WEIGHS * asked.total), [*stated, *await _texts(citations, files)]
    words = [word for word in dict.fromkeys(asked.words) if word.weight >= least and word.whole in spelled]
    lacking = [word for word in words if not any(map(word.occurs, texts))]
    heaviest = sorted(lacking, key=lambda word: -word.weight)[:_MOST_UNHELD]
    listing = ", ".join(spelled[word.whole] for word in lacking if word in heaviest)
    return [f"{NOT_SHOWN}{listing}"] if listing else []


async def _unshown(material: Material, files: FileText) -> list[str]:
    """The sections that are not shown, or in part, of a file that is all the question names."""
    found = list[str]()
    for block in material.instructions:
        project, path = block.file
        if not isinstance(files, WholeFiles) or not material.asked.asks_only_for(project, path):
            continue
        lines = await files.file(project, path) or []
        shown = {number for run in block.runs for part in run for number in part.lines}
        title, sections = "its beginning", dict[str, None]()
        headings = {heading.line: heading.title for heading in read_outline(lines, "markdown").headings}
        for number, line in enumerate(lines, start=1):
            title = headings.get(number, title)
            if line.strip() and number not in shown:
                sections[title] = None
        found += [printable(f"the rest of {project}/{path}: {', '.join(sections)}")] if sections else []
    return found


async def _texts(citations: Sequence[Citation], files: FileText) -> list[str]:
    """The files that are cited, from their first line to their last where they can be had whole."""
    places = dict.fromkeys((at.project, at.path) for citation in citations if (at := citation.location))
    texts = ["\n".join(citation.quote for citation in citations)]
    for project, path in places:
        whole = await files.file(project, path) if isinstance(files, WholeFiles) else None
        texts.append("\n".join([path, *(whole or ())]))
    return texts


def _nothing(classification: QueryClassification | None) -> str:
    searched = [_SEARCHED[path.value] for path in classification.paths] if classification else []
    text = "Nothing was found that answers this."
    return f"{text} Searched: {listed(searched)}." if searched else text
