"""Passages by project: which projects have something to say, and the one or two things worth printing of each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synthesis.extractive.terms import terms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synthesis.extractive.scoring import Scored

__all__ = ["Group", "chosen", "grouped"]

_SHARE_OF_BEST = 0.55
_SHARE_OF_MOST = 0.5
_SECOND = 0.75
_ALIKE = 0.6


@dataclass(frozen=True, slots=True)
class Group:
    """A project and its passages, best first."""

    project: str
    passages: tuple[Scored, ...]

    @property
    def best(self) -> float:
        """The score of its best passage."""
        return self.passages[0].score

    @property
    def held(self) -> int:
        """How many of the question's terms its passages hold together."""
        return len(frozenset[str]().union(*(s.held for s in self.passages)))


def grouped(question: str, scored: Sequence[Scored], *, keep: Sequence[str] = (), limit: int = 6) -> list[Group]:
    """The projects whose best passage comes near the best of all; those in `keep` whatever they score.

    A project must hold more than half as many of the question's terms as the one that holds most. When the question names projects that
    have something to say, no other counts.
    """
    most = max((s.coverage for s in scored), default=0.0)
    by_project: dict[str, list[Scored]] = {}
    for s in scored:
        if s.coverage >= _SHARE_OF_MOST * most or s.source.project in keep:
            by_project.setdefault(s.source.project, []).append(s)
    groups = [Group(project, tuple(found)) for project, found in by_project.items()]
    widest = max((group.held for group in groups), default=0)
    groups = [group for group in groups if group.project in keep or group.held * 2 > widest or not widest]
    best = max((group.best for group in groups), default=0.0)
    near = [group for group in groups if group.project in keep or group.best >= _SHARE_OF_BEST * best]
    said = re.findall(r"[\w-]+", question.casefold())
    named = [group for group in near if group.project.casefold() in said]
    return sorted(named or near, key=lambda g: (g.project not in keep, -g.best, g.project))[: max(limit, len(keep))]


def chosen(passages: Sequence[Scored], count: int) -> list[Scored]:
    """The best passages that say different things; what follows the first must come near it."""
    picked: list[Scored] = []
    for s in passages:
        if len(picked) == count or (picked and s.score < _SECOND * picked[0].score):
            break
        if not any(_alike(s, known) for known in picked):
            picked.append(s)
    return picked


def _alike(one: Scored, other: Scored) -> bool:
    same_lines = one.source.path == other.source.path and one.source.at(
        one.passage.first, one.passage.last
    ) == other.source.at(other.passage.first, other.passage.last)
    mine, theirs = terms(one.passage.text), terms(other.passage.text)
    shared = len(mine & theirs) / max(1, len(mine | theirs))
    return (same_lines and one.source.location is not None) or shared > _ALIKE
