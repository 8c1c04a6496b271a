"""What is near in meaning where no text holds a word of the question: its own first words, said to be that."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from synthesis.extractive.boilerplate import aside
from synthesis.extractive.scoring import Scored, stands_alone
from synthesis.extractive.statements import Claim, Line, passage_claim

if TYPE_CHECKING:
    from synthesis.extractive.passages import Passage
    from synthesis.extractive.sources import Ground, Source

__all__ = ["nearest_lines"]

_MOST: Final = 3
_NEAR: Final = 0.8


def nearest_lines(ground: Ground) -> list[Line]:
    """The opening of the sources that the search ranks first, a bullet a file; empty when none can be quoted."""
    top = max((source.observation.score for source in ground.sources), default=0.0)
    files: dict[tuple[str, str], tuple[Source, list[Passage]]] = {}
    for source in ground.sources:
        if source.observation.score >= _NEAR * top and (source.project, source.path) not in files:
            passages = [p for p in source.passages() if stands_alone(p) and not aside(p, source.path)]
            opening = [p for p in passages if p.is_prose][:2] or [p for p in passages if p.kind != "import"][:2]
            if opening:
                files[source.project, source.path] = (source, opening)
    lines = []
    for source, opening in list(files.values())[:_MOST]:
        claims = tuple(passage_claim(Scored(source, passage, 0.0, 0.0, frozenset())) for passage in opening)
        lines.append(Line(claims, f"- {source.project}: "))
    return [Line((Claim("No text holds the question's words. Nearest in meaning:"),)), *lines] if lines else []
