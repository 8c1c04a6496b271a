"""Passages by project: which projects have something to say, and the one or two things worth printing of each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from synthesis.extractive.terms import terms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synthesis.extractive.scoring import Scored
    from synthesis.extractive.topic import Topic

__all__ = ["Group", "chosen", "grouped"]

_SHARE_OF_BEST = 0.55
_OF_A_LIST = 0.45
_OF_A_NAME = 0.35
_SHARE_OF_MOST = 0.5
_SECOND = 0.75
_SECOND_VALUE = 0.85
_ALIKE = 0.6
_STATED = 1.3
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


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


def grouped(topic: Topic, scored: Sequence[Scored], *, keep: Sequence[str] = (), limit: int = 8) -> list[Group]:
    """The projects whose best passage comes near the best of all; those in `keep` whatever they score.

    A project must hold more than half as many of the question's terms as the one that holds most. When the question
    names projects that have something to say, no other counts. A question for every project that … wants each that
    holds as much of what carries the topic as most do, even where the best says far more.
    """
    if topic.projects:
        scored = [s for s in scored if _of_named(s, topic)] or scored
    most = max((s.coverage for s in scored), default=0.0)
    stated = topic.is_value and any(s.value >= _STATED for s in scored)
    scored = [s for s in scored if not stated or s.value >= _STATED or s.source.project in keep]
    strong, named = topic.strong, topic.strong & topic.named
    needed = named if any(s.held & named for s in scored) else strong
    by_project: dict[str, list[Scored]] = {}
    for s in scored:
        enough = s.coverage >= _SHARE_OF_MOST * most or topic.is_list or topic.projects
        bears = not topic.is_list or bool(s.held & needed)
        if s.source.project in keep or (enough and bears):
            by_project.setdefault(s.source.project, []).append(s)
    groups = [Group(project, tuple(found)) for project, found in by_project.items()]
    widest = max((group.held for group in groups), default=0)
    best = max((group.best for group in groups), default=0.0)
    near = [
        group
        for group in groups
        if group.project in keep
        or (group.project in topic.projects and group.best >= _OF_A_NAME * best)
        or (
            group.best >= (_OF_A_LIST if topic.is_list else _SHARE_OF_BEST) * best
            and group.held * 2 >= widest + (not topic.is_list)
        )
    ]
    return sorted(near, key=lambda g: (g.project not in keep, -g.best, g.project))[: max(limit, len(keep))]


def _of_named(s: Scored, topic: Topic) -> bool:
    """Whether a passage is of a project that the question names, or of another and speaks of one that it names."""
    if s.source.project in topic.projects:
        return True
    spoken = re.findall(r"[\w-]+", f"{s.passage.context} {s.passage.text}".casefold())
    return any(project.casefold() in spoken for project in topic.projects) and bool(s.held & topic.strong)


def chosen(passages: Sequence[Scored], count: int) -> list[Scored]:
    """The best passages that say different things; what follows the first must come near it."""
    picked: list[Scored] = []
    for s in passages:
        if len(picked) == count or (picked and s.score < _second(picked[0]) * picked[0].score):
            break
        if not any(_alike(s, known) for known in picked):
            picked.append(s)
    return picked


def _second(best: Scored) -> float:
    """How near to the best one another must come; the more so where the best one states the value asked for."""
    return _SECOND_VALUE if best.value >= _STATED else _SECOND


def _alike(one: Scored, other: Scored) -> bool:
    same_lines = one.source.path == other.source.path and one.source.at(
        one.passage.first, one.passage.last
    ) == other.source.at(other.passage.first, other.passage.last)
    mine, theirs = terms(one.passage.text), terms(other.passage.text)
    shared = len(mine & theirs) / max(1, len(mine | theirs))
    numbers = _NUMBER.findall(one.passage.text) == _NUMBER.findall(other.passage.text)
    return (same_lines and one.source.location is not None) or (shared > _ALIKE and numbers)
