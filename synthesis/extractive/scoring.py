"""How well a passage answers: the question's terms it holds, rare ones first, and how it reads.

score = .60 · coverage + .20 · of its surroundings + .20 · the observation's score, times the passage's form
(prose before code, tests and history behind) and 1.2 for a number where one is asked for.
coverage = Σ w(t) over the question's terms in the passage ÷ Σ w(t) over those that occur anywhere,
w(t) = 1 + ln(1 + N ÷ n(t)) ÷ ln(1 + N), from 1 to 2, with N passages of which n(t) hold the term: a rare word counts
more, yet never so much that one word outweighs two. Only what is in hand is counted, so a project that
the caller may not see weighs nothing.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from synthesis.extractive.terms import question_terms, terms

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from synthesis.extractive.passages import Passage
    from synthesis.extractive.sources import Source

__all__ = ["Scored", "scored"]

_FORM: Final = {
    "prose": 1.0,
    "documentation": 1.0,
    "item": 0.9,
    "row": 0.95,
    "signature": 0.8,
    "code": 0.8,
    "import": 0.4,
}
_ASIDE: Final = re.compile(
    r"(?:^|/)(?:tests?|testing|benchmarks?|migrations)/|(?:^|/)(?:test_|conftest|change(?:log|s)|history|licen[cs]e)",
    re.IGNORECASE,
)
_MEASURED: Final = re.compile(
    r"\bhow (?:long|many|much|often|big|large)\b|\bwhen\b|\b(?:default|limit|timeout|version|port)s?\b", re.IGNORECASE
)
_RELEASE: Final = re.compile(r"(?:^|[>\s])\[?v?\d+\.\d+")
_REMARK: Final = re.compile(r"https?://|^(?:assert|raise|throw|print|warnings\.warn)\b")
_LEANING: Final = re.compile(
    r"(?:it|this|that|they|these|those|also|if not|otherwise|however|any|see|note)\b", re.IGNORECASE
)
_FRAGMENT: Final = re.compile(
    r"[:,;(]$|^[^\w`\"'(]*$|^(?:usage|example|returns?|raises?|args?|parameters?|note)\b\W*$", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Scored:
    """A passage of a source, what it scored, and the question's terms it holds."""

    source: Source
    passage: Passage
    score: float
    coverage: float
    held: frozenset[str]


def scored(question: str, sources: Sequence[Source], hints: frozenset[str] = frozenset()) -> list[Scored]:
    """Every passage that can stand alone, best first; equals keep the order of their sources and lines.

    `hints` are terms the question does not hold but its answer should; each weighs half.
    """
    asked = question_terms(question)
    wanted = asked | hints
    passages = [(source, passage) for source in sources for passage in source.passages()]
    held = [wanted & terms(passage.text) for _, passage in passages]
    around = [wanted & terms(_surroundings(source, passage)) for source, passage in passages]
    weights = _weights(held, len(passages), hints - asked)
    top = max((source.observation.score or source.observation.confidence for source in sources), default=0.0) or 1.0
    found = []
    for (source, passage), own, near in zip(passages, held, around, strict=True):
        if not _stands_alone(passage):
            continue
        coverage = _share(own, weights)
        standing = (source.observation.score or source.observation.confidence) / top
        score = 0.6 * coverage + 0.2 * _share(own | near, weights) + 0.2 * standing
        told = 1.2 if _MEASURED.search(question) and any(c.isdigit() for c in passage.text) else 1.0
        found.append(Scored(source, passage, score * told * _form(source, passage), coverage, own))
    return sorted(found, key=lambda s: -s.score)


def _surroundings(source: Source, passage: Passage) -> str:
    return f"{source.project} {source.path} {source.symbol} {source.section} {passage.context}"


def _weights(held: Sequence[frozenset[str]], passages: int, hints: frozenset[str]) -> dict[str, float]:
    counts = Counter(term for own in held for term in own)
    whole = math.log1p(passages)
    return {t: (1 + math.log1p(passages / n) / whole) * (0.5 if t in hints else 1.0) for t, n in counts.items()}


def _share(own: frozenset[str], weights: Mapping[str, float]) -> float:
    total = math.fsum(weights.values())  # exact, so the order of a set's terms changes nothing
    return math.fsum(weights.get(term, 0.0) for term in own) / total if total else 0.0


def _form(source: Source, passage: Passage) -> float:
    form = _FORM[passage.kind]
    if _ASIDE.search(source.path):
        form *= 0.6
    if _RELEASE.search(passage.context):
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


def _stands_alone(passage: Passage) -> bool:
    """No heading, no `Usage:`, no half a list; prose has three words, code a name and something done with it."""
    words = passage.text.split()
    if passage.is_prose:
        return len(words) >= 3 and not _FRAGMENT.search(passage.text)
    return len(passage.text) > 5 and not re.fullmatch(r"[\w.]+[,;]?|[rbf]?\"[^\"]*\",?|[rbf]?'[^']*',?", passage.text)
