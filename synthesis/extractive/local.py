"""What the project in hand says about something: the sentences of its best sections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synthesis.extractive.groups import chosen
from synthesis.extractive.scoring import Scored, scored, stands_alone
from synthesis.extractive.statements import Line, passage_claim
from synthesis.extractive.terms import terms
from synthesis.extractive.topic import topic_of

if TYPE_CHECKING:
    from synthesis.extractive.sources import Ground, Source
    from synthesis.extractive.topic import Topic

__all__ = ["local_lines"]

_SECTIONS = 2
_SENTENCES = 4
_NEAR = 0.6
_NEAR_VALUE = 0.85


def local_lines(question: str, ground: Ground) -> list[Line]:
    """A line for each section that answers, its best sentences in the order they are written."""
    own = [s for s in ground.sources if s.observation.agent == "local"] or list(ground.sources)
    topic = topic_of(question, (source.project for source in own))
    found = scored(question, own, topic=topic)
    best: dict[Source, float] = {}
    for s in found:
        best.setdefault(s.source, s.score)
    top = max(best.values(), default=0.0)
    near = (_NEAR_VALUE if topic.is_value else _NEAR) * top
    return [_section(source, found, topic) for source in [s for s in best if best[s] >= near][:_SECTIONS]]


def _section(source: Source, found: list[Scored], topic: Topic) -> Line:
    """Of a section whose heading is what is asked about, its first sentences; of another, those that answer."""
    inside = [s for s in found if s.source is source]
    heading = (inside[0].passage.context or source.section).rsplit(" > ", 1)[-1]
    if terms(heading) & topic.strong and not topic.is_value and not source.is_code:
        under = [p for p in source.passages() if stands_alone(p) and p.context.endswith(heading)]
        inside = [Scored(source, passage, 0.0, 0.0, frozenset()) for passage in under[:_SENTENCES]] or inside
    else:
        inside = chosen(inside, _SENTENCES)
    inside.sort(key=lambda s: s.passage.first)
    opening = f"{source.path}, {heading}: " if heading and not source.is_code else f"{source.path}: "
    return Line(tuple(passage_claim(s, named=not source.is_code) for s in inside), opening)
