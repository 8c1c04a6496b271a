"""Whether there is something to answer from: how much of the question the evidence holds, and what of it is known nowhere.

Both limits are calibrated in docs/abstention.md.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from memory.vocabulary import UnknownWords

if TYPE_CHECKING:
    from memory.observations import NormalizedObservation
    from orchestrator.coverage import Coverage

__all__ = ["FindUnknown", "Verdict", "judge", "not_found_text"]

FindUnknown: TypeAlias = Callable[[str, frozenset[str]], UnknownWords]
"""What of a question occurs nowhere within a permission."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether there is something to answer from, which names of the question occur nowhere, and the IDF of its words."""

    found: bool
    unknown: tuple[str, ...] = ()
    weights: Mapping[str, float] = field(default_factory=dict)

    @property
    def missing(self) -> tuple[str, ...]:
        """A sentence for each unknown word."""
        return tuple(f"{word} occurs nowhere in what may be seen" for word in self.unknown)


def judge(
    observations: Sequence[NormalizedObservation], unknown: UnknownWords, *, floor: float, most_unknown: float
) -> Verdict:
    """The verdict on what was found.

    Args:
        observations: what was found.
        unknown: what of the question occurs nowhere.
        floor: the least confidence of an observation that answers.
        most_unknown: from this share of the question's IDF mass on, what is unknown is what was asked for.
    """
    sure = any(observation.confidence >= floor for observation in observations)
    return Verdict(sure and unknown.share < most_unknown, unknown.names, unknown.weights)


def not_found_text(coverage: Coverage, verdict: Verdict) -> str:
    """What to say when there is no answer, and why."""
    if coverage.all_failed:
        reasons = "; ".join(f"{agent.agent}: {agent.reason}" for agent in coverage.agents if agent.failed)
        return f"No answer: no agent could look ({reasons})."
    if verdict.unknown:
        words = ", ".join(verdict.unknown)
        return (
            f"No answer found: {words} {'occurs' if len(verdict.unknown) == 1 else 'occur'} nowhere in what I may see."
        )
    return "No answer found: nothing that was indexed speaks of this clearly enough."
