"""What the project in hand says about something: the sentences of its best sections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from synthesis.extractive.scoring import scored
from synthesis.extractive.statements import Line, passage_claim

if TYPE_CHECKING:
    from synthesis.extractive.sources import Ground, Source

__all__ = ["local_lines"]

_SECTIONS = 2
_SENTENCES = 4
_NEAR = 0.6


def local_lines(question: str, ground: Ground) -> list[Line]:
    """A line for each section that answers, its best sentences in the order they are written."""
    own = [s for s in ground.sources if s.observation.agent == "local"] or list(ground.sources)
    found = scored(question, own)
    best: dict[Source, float] = {}
    for s in found:
        best.setdefault(s.source, s.score)
    top = max(best.values(), default=0.0)
    lines = []
    for source in [source for source in best if best[source] >= _NEAR * top][:_SECTIONS]:
        inside = [s for s in found if s.source is source][:_SENTENCES]
        inside.sort(key=lambda s: s.passage.first)
        heading = source.section or next((s.passage.context for s in inside if s.passage.context), "")
        heading = heading.rsplit(" > ", 1)[-1]
        opening = f"{source.path}, {heading}: " if heading else f"{source.path}: "
        lines.append(Line(tuple(passage_claim(s, named=True) for s in inside), opening))
    return lines
