"""How well a passage answers: the question's terms it holds, rare ones first, and how it reads.

score = .60 · coverage + .20 · of its surroundings + .20 · the observation's score, times the passage's form
(prose before code, tests and history behind), 1.1 where two words of the question stand together as they do there, and,
where a value is asked for, how well it states one.
coverage = Σ w(t) over the question's terms in the passage ÷ Σ w(t) over those that occur anywhere,
w(t) = 1 + ln(1 + N ÷ n(t)) ÷ ln(1 + N), from 1 to 2, with N passages of which n(t) hold the term: a rare word counts
more, yet never so much that one word outweighs two. A term that any text might hold weighs less, one in quotes more.
Only what is in hand is counted, so a project that the caller may not see weighs nothing.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from synthesis.extractive.boilerplate import aside
from synthesis.extractive.terms import beginnings, searchable, terms
from synthesis.extractive.topic import topic_of
from synthesis.extractive.values import value_factor

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from synthesis.extractive.passages import Passage
    from synthesis.extractive.sources import Source
    from synthesis.extractive.topic import Topic

__all__ = ["Scored", "scored", "stands_alone"]

_FORM: Final = {
    "prose": 1.0,
    "documentation": 1.0,
    "item": 0.9,
    "row": 0.95,
    "signature": 0.7,
    "code": 0.8,
    "import": 0.4,
}
_ASIDE: Final = re.compile(
    r"(?:^|/)(?:tests?|testing|benchmarks?|migrations)/|(?:^|/)(?:test_|conftest|change(?:log|s)|history|licen[cs]e)",
    re.IGNORECASE,
)
_REMARK: Final = re.compile(
    r"https?://|^(?:assert|raise|throw|print|warnings\.warn)\b|^\W*(?:todo|fixme)\b", re.IGNORECASE
)
_LEANING: Final = re.compile(
    r"(?:it|this|that|they|these|those|also|if not|otherwise|however|any|see|note|for example)\b", re.IGNORECASE
)
_FRAGMENT: Final = re.compile(
    r"[:,;(]$|^[^\w`\"'(]*$|^(?:usage|example|returns?|raises?|args?|parameters?|note)\b\W*$", re.IGNORECASE
)
_NAME_ALONE: Final = re.compile(r"</?[\w:.-]+/?>|[\w.\"'-]+:|[\w.]+[,;]?|[rbf]?\"[^\"]*\",?|[rbf]?'[^']*',?")
_WIDE: Final = 20


@dataclass(frozen=True, slots=True)
class Scored:
    """A passage of a source, what it scored, the question's terms it holds, and how well it states a value asked for."""

    source: Source
    passage: Passage
    score: float
    coverage: float
    held: frozenset[str]
    value: float = 1.0


def scored(
    question: str, sources: Sequence[Source], hints: frozenset[str] = frozenset(), topic: Topic | None = None
) -> list[Scored]:
    """Every passage that can stand alone and holds a term, best first; equals keep the order of their sources and lines.

    `hints` are terms the question does not hold but its answer should; each weighs half.
    """
    topic = topic or topic_of(question, (source.project for source in sources))
    wanted = topic.terms | hints
    begin = beginnings(wanted)
    passages = [(source, p) for source in _telling(sources, begin) for p in source.passages()]
    texts = [_held(_text(source, passage, topic), wanted, begin) for source, passage in passages]
    measured, none = topic.measured, topic.places - topic.strong
    weights = _weights(texts, len(passages), topic, hints - topic.terms)
    top = max((source.observation.score or source.observation.confidence for source in sources), default=0.0) or 1.0
    found = []
    for (source, passage), told in zip(passages, texts, strict=True):
        if not told - none or not stands_alone(passage) or aside(passage, source.path) not in {None, *topic.asides}:
            continue
        held = told | (wanted & terms(source.project)) | (topic.places & terms(f"{source.symbol} {passage.context}"))
        coverage = _share(held, weights)
        near = held | (wanted & terms(_surroundings(source, passage)))
        standing = (source.observation.score or source.observation.confidence) / top
        score = 0.6 * coverage + 0.2 * _share(near, weights) + 0.2 * standing
        value = value_factor(passage, measured) if topic.is_value else 1.0
        if any(phrase in passage.text.casefold() for phrase in topic.phrases):
            score *= 1.1
        found.append(Scored(source, passage, score * value * _form(source, passage), coverage, held, value))
    return sorted(found, key=lambda s: -s.score)


def _held(text: str, wanted: frozenset[str], begin: Sequence[str]) -> frozenset[str]:
    folded = searchable(text)
    return wanted & terms(text) if any(word in folded for word in begin) else frozenset()


def _telling(sources: Sequence[Source], begin: Sequence[str]) -> list[Source]:
    """The sources whose text holds a wanted term; of very many each project's best, by how many terms they hold."""
    counts = [sum(word in source.text for word in begin) for source in sources]
    places, taken = list[tuple[int, int, int]](), Counter[str]()
    for n in sorted((n for n, count in enumerate(counts) if count), key=lambda n: -counts[n]):
        taken[sources[n].project] += 1
        places.append((taken[sources[n].project], -counts[n], n))
    return [sources[n] for n in sorted(n for _, _, n in sorted(places)[:_WIDE])]


def _text(source: Source, passage: Passage, topic: Topic) -> str:
    """What a passage says; a setting is said by the keys it stands under too, a sentence by a heading that is asked for."""
    heading = passage.context.rsplit(" > ", 1)[-1].casefold() if passage.is_prose and not source.is_code else ""
    asked = heading and any(phrase in heading for phrase in topic.phrases)
    return f"{passage.context} {passage.text}" if source.is_keyed or asked else passage.text


def _surroundings(source: Source, passage: Passage) -> str:
    return f"{source.project} {source.path} {source.symbol} {source.section} {passage.context}"


def _weights(held: Sequence[frozenset[str]], passages: int, topic: Topic, hints: frozenset[str]) -> dict[str, float]:
    counts = Counter(term for own in held for term in own)
    whole = math.log1p(passages)
    return {
        t: (1 + math.log1p(passages / n) / whole) * (0.5 if t in hints else topic.factor(t)) for t, n in counts.items()
    }


def _share(own: frozenset[str], weights: Mapping[str, float]) -> float:
    total = math.fsum(weights.values())  # exact, so the order of a set's terms changes nothing
    return math.fsum(weights.get(term, 0.0) for term in own) / total if total else 0.0


def _form(source: Source, passage: Passage) -> float:
    form = _FORM[passage.kind]
    if _ASIDE.search(source.path):
        form *= 0.6
    if passage.is_prose and _LEANING.match(passage.text):
        form *= 0.85
    if _REMARK.search(passage.text):
        form *= 0.7
    if source.observation.superseded_by:
        form *= 0.6
    if len(passage.text) > 260:
        form *= 0.85
    return form


def stands_alone(passage: Passage) -> bool:
    """No heading, no `Usage:`, no half a list; prose has three words, code a name and something done with it."""
    words = passage.text.split()
    if passage.is_prose:
        return len(words) >= 3 and not _FRAGMENT.search(passage.text)
    return len(passage.text) > 5 and not _NAME_ALONE.fullmatch(passage.text)
