"""What the sources contradict each other on: what was kept, what was not, and why."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

from synthesis.extractive.statements import CitedClaim, Line, citations_of
from synthesis.terms import terms

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from memory.observations import NormalizedObservation
    from synthesis.answer import Citation
    from synthesis.extractive.sources import AnswerEvidence, CitedSource
    from synthesis.extractive.weighted_question import WeightedQuestion


class ConflictView(Protocol):
    """What is read of a conflict: `values[i]` is what `observations[i]` states; winner and losers are ids;
    subject begins with the project where that is known.
    """

    @property
    def observations(self) -> tuple[NormalizedObservation, ...]: ...
    @property
    def conflict_type(self) -> str: ...
    @property
    def values(self) -> tuple[str, ...]: ...
    @property
    def winner(self) -> str | None: ...
    @property
    def losers(self) -> tuple[str, ...]: ...
    @property
    def subject(self) -> str: ...
    @property
    def project(self) -> str: ...
    @property
    def reason(self) -> str: ...
    @property
    def property(self) -> str: ...  # the last one: from here on the name is the attribute's


def conflict_lines(
    asked: WeightedQuestion, conflicts: Sequence[ConflictView], ground: AnswerEvidence, drafted: Sequence[Line]
) -> list[Line]:
    """A line for each conflict that the question is about or the drafted lines lean on: the winner's value first, each
    side cited. That the question names the project makes it no question about the conflict.
    """
    by_id: dict[str, list[CitedSource]] = {}
    for source in ground.sources:
        by_id.setdefault(source.observation.id, []).append(source)
    cited = citations_of(drafted)
    used, quoted = {citation.observation_id for citation in cited}, {citation.quote for citation in cited}
    return [
        line
        for conflict in conflicts
        if asked.terms & terms(f"{conflict.subject.removeprefix(f'{conflict.project}/')} {conflict.property}")
        or any(o.id in used for o in conflict.observations)
        for line in _line(asked, conflict, by_id, quoted)
    ]


def _line(
    asked: WeightedQuestion,
    conflict: ConflictView,
    by_id: Mapping[str, Sequence[CitedSource]],
    quoted: AbstractSet[str],
) -> list[Line]:
    sides = list(zip(conflict.observations, conflict.values, strict=True))
    sides.sort(key=lambda side: (side[0].id != conflict.winner, side[0].id in conflict.losers))
    claims, shown = list[CitedClaim](), set[str]()
    for observation, value in sides:
        if observation.id not in by_id or value in shown:
            continue
        shown.add(value)
        holds = conflict.winner is not None and observation.id not in conflict.losers
        word = "kept " if holds else "against " if claims else ""
        dated = conflict.conflict_type == "temporal"
        cited = _stating(asked, by_id[observation.id], conflict, value, dated=dated)
        again = not dated or cited.quote in quoted  # the answer repeats nothing
        claims.append(CitedClaim(f"{word}{value}" if again else f"{word}{value}: {cited.quote}", (cited,)))
    if len(claims) < 2:
        return []
    reason = conflict.reason.rpartition(": ")[2].rstrip(".")  # before it come the sides, which the answer names already
    why = (CitedClaim(f"({reason})"),) if reason else ()
    return [Line((*claims, *why), f"The sources conflict on {_about(conflict)}: ")]


def _about(conflict: ConflictView) -> str:
    if conflict.conflict_type == "scope":
        return f"whom {conflict.subject} {conflict.property}"
    if conflict.conflict_type == "temporal":
        return f"{conflict.property.rpartition(' > ')[2]} in {conflict.subject}"
    return f"{conflict.property} of {conflict.subject}"


def _stating(
    asked: WeightedQuestion, sources: Sequence[CitedSource], conflict: ConflictView, value: str, *, dated: bool
) -> Citation:
    """The line that says most of what is stated: the value, what it is of, and what it is the value of; of a dated
    version the one that says most about the question.
    """
    words = (value.casefold(), conflict.property.casefold(), re.split(r"[/.]", conflict.subject.casefold())[-1])

    def says(place: tuple[CitedSource, int]) -> list[float]:
        line = place[0].lines[place[1]]
        return [asked.mass(terms(line))] if dated else [word in line.casefold() for word in words]

    own = [source for source in sources if source.first or not dated]
    source, number = max(((s, n) for s in own for n in s.focus if s.lines[n].strip()), key=says)
    return source.citation(source.lines[number].strip() if dated else f"{conflict.subject}: {value}", number, number)
