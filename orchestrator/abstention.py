"""Whether there is something to answer from: the floor, and the identifiers nobody knows (design §4, Abstention)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from orchestrator.analysis import find_mentions
from orchestrator.running.branch import attempt

if TYPE_CHECKING:
    from memory.entities import Scope
    from memory.observations import NormalizedObservation
    from orchestrator.coverage import Coverage

__all__ = ["Knows", "Verdict", "judge", "not_found_text"]

Knows: TypeAlias = Callable[[Sequence[str], frozenset[str]], Awaitable[set[str]]]
"""Which of these words stand anywhere within the permission."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether there is something to answer from, and which identifiers of the question nobody knows."""

    found: bool
    unknown: tuple[str, ...] = ()

    @property
    def missing(self) -> tuple[str, ...]:
        """A sentence for each unknown identifier."""
        return tuple(f"{name} is known nowhere" for name in self.unknown)


async def judge(
    query: str,
    observations: Sequence[NormalizedObservation],
    *,
    floor: float,
    scope: Scope | None,
    permission: frozenset[str],
    knows: Knows | None,
    until: float,
    needs_all: bool = False,
) -> Verdict:
    """Found nothing when nothing passes the floor, or when no identifier of the question is known anywhere.

    needs_all: how two things connect has no answer when one of them is unknown. Without `knows` there is nobody to ask, and identifiers decide nothing. What an observation shows or the graph was
    linked to counts as known; if nobody can be asked just now, everything does.
    """
    sure = any(o.confidence >= floor for o in observations)
    if knows is None:
        return Verdict(sure)
    names = [m.text for m in find_mentions(query) if m.kind == "identifier"]
    if not names:
        return Verdict(sure)
    linked = {name.casefold() for name in scope.linked} if scope else set()
    shown = [name for name in names if name.casefold() in linked or _shown(name, observations)]
    asked = [name for name in names if name not in shown]
    if not asked:
        return Verdict(sure)
    told = await attempt(partial(knows, asked, permission), until)
    unknown = tuple(name for name in asked if name not in told.value) if told.status == "ok" else ()
    lost = len(unknown) == len(names) or (needs_all and len(names) > 1 and bool(unknown))
    return Verdict(sure and not lost, unknown)


def _shown(name: str, observations: Sequence[NormalizedObservation]) -> bool:
    sought = name.casefold()
    return any(
        sought in o.content.casefold() or any(sought in at.path.casefold() for at in o.locations) for o in observations
    )


def not_found_text(coverage: Coverage, verdict: Verdict) -> str:
    """What to say when there is no answer, and why."""
    if coverage.all_failed:
        told = "; ".join(f"{a.agent}: {a.reason}" for a in coverage.agents if a.failed)
        return f"No answer: nobody could be asked ({told})."
    if verdict.unknown:
        names = ", ".join(verdict.unknown)
        return (
            f"No answer found: {names} {'is' if len(verdict.unknown) == 1 else 'are'} known nowhere in what I may see."
        )
    return "No answer found: nothing that was indexed speaks of this clearly enough."
