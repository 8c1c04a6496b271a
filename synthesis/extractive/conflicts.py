"""What the sources contradict each other on: what was kept, what was not, and why."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

from synthesis.extractive.statements import Claim, Line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memory.observations import NormalizedObservation
    from synthesis.extractive.sources import Ground, Source

__all__ = ["ConflictView", "conflict_lines"]


class ConflictView(Protocol):
    """What is read of a conflict: `values[i]` is what `observations[i]` states; winner and losers are ids."""

    @property
    def observations(self) -> tuple[NormalizedObservation, ...]: ...
    @property
    def values(self) -> tuple[str, ...]: ...
    @property
    def winner(self) -> str | None: ...
    @property
    def losers(self) -> tuple[str, ...]: ...
    @property
    def subject(self) -> str: ...
    @property
    def reason(self) -> str: ...
    @property
    def property(self) -> str: ...  # stands last: from here on the name is the attribute's


def conflict_lines(conflicts: Sequence[ConflictView], ground: Ground) -> list[Line]:
    """A line for each conflict, the winner's value first, each side cited."""
    by_id: dict[str, list[Source]] = {}
    for source in ground.sources:
        by_id.setdefault(source.observation.id, []).append(source)
    return [line for conflict in conflicts for line in _line(conflict, by_id)]


def _line(conflict: ConflictView, by_id: dict[str, list[Source]]) -> list[Line]:
    sides = list(zip(conflict.observations, conflict.values, strict=True))
    sides.sort(key=lambda side: (side[0].id != conflict.winner, side[0].id in conflict.losers))
    claims, said = [], set[str]()
    for observation, value in sides:
        if observation.id not in by_id or value in said:
            continue
        said.add(value)
        source, number = _stating(by_id[observation.id], conflict.subject, value)
        word = "kept" if observation.id == conflict.winner else "against"
        text = f"{word} {value}" if conflict.winner else value
        cited = source.citation(f"{conflict.subject}: {value}", source.lines[number].strip(), number, number)
        claims.append(Claim(text, (cited,)))
    if len(claims) < 2:
        return []
    reason = conflict.reason.rpartition(": ")[2].rstrip(".")  # in front of it stand the sides, which have been said
    why = (Claim(f"({reason})"),) if reason else ()
    return [Line((*claims, *why), f"The sources conflict on {conflict.property} of {conflict.subject}: ")]


def _stating(sources: Sequence[Source], subject: str, value: str) -> tuple[Source, int]:
    """The line that says most of what is stated: the value, and what it is the value of."""
    words = (value.casefold(), re.split(r"[/.]", subject.casefold())[-1])
    lines = [(source, number) for source in sources for number, line in enumerate(source.lines) if line.strip()]
    return max(lines, key=lambda at: [word in at[0].lines[at[1]].casefold() for word in words])
