"""Directed simple paths out of one-hop reads: meet in the middle, then enumerate what was seen.

A path of at most H hops whose first F edges were met going forward from the sources and whose last H - F going backward
from the targets is seen whole, so each round expands whichever frontier is smaller: a hub at one end costs one read.
(Bidirectional search: I. Pohl, Bi-directional Search, Machine Intelligence 6, 1971.)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

__all__ = ["Step", "StepReader", "meet", "simple_paths"]


@dataclass(frozen=True, slots=True)
class Step:
    """One edge, by ids alone."""

    source: str
    edge: str
    target: str


class StepReader(Protocol):
    """Reads the edges that leave (`out`) or reach (`in`) these entities."""

    async def __call__(self, direction: Literal["out", "in"], ids: Sequence[str], /) -> Iterable[Step]: ...


async def meet(read: StepReader, sources: Collection[str], targets: Collection[str], max_hops: int) -> set[Step]:
    """Every edge that a path of up to `max_hops` from a source to a target can be made of, and some more."""
    steps: set[Step] = set()
    ahead, behind = set(sources), set(targets)
    seen_ahead, seen_behind = set(ahead), set(behind)
    for _ in range(max_hops):
        if not ahead or not behind:
            break
        if len(ahead) <= len(behind):
            found = set(await read("out", sorted(ahead)))
            ahead = {step.target for step in found} - seen_ahead
            seen_ahead |= ahead
        else:
            found = set(await read("in", sorted(behind)))
            behind = {step.source for step in found} - seen_behind
            seen_behind |= behind
        steps |= found
    return steps


def simple_paths(
    steps: Iterable[Step], sources: Collection[str], targets: Collection[str], max_hops: int
) -> Iterator[tuple[Step, ...]]:
    """Paths that visit no entity twice, shortest first, then by the ids of their edges."""
    leaving: dict[str, list[Step]] = {}
    for step in sorted(steps, key=lambda s: s.edge):
        leaving.setdefault(step.source, []).append(step)
    reaching = [set(targets)]
    for _ in range(max_hops - 1):
        reaching.append({s for s, out in leaving.items() if any(step.target in reaching[-1] for step in out)})
    first = sorted((step for source in set(sources) for step in leaving.get(source, ())), key=lambda s: s.edge)

    def onward(
        walked: tuple[Step, ...], visited: frozenset[str], choices: list[Step], left: int
    ) -> Iterator[tuple[Step, ...]]:
        for step in choices:
            if step.target in visited or step.target not in reaching[left]:
                continue
            path = (*walked, step)
            if left == 0:
                yield path
            else:
                yield from onward(path, visited | {step.target}, leaving.get(step.target, []), left - 1)

    for hops in range(1, max_hops + 1):
        for step in first:
            yield from onward((), frozenset({step.source}), [step], hops - 1)
