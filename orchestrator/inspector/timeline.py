"""When who did what: a run's events as lanes on one axis of milliseconds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from orchestrator.events import (
    AgentFinished,
    AgentStarted,
    Classified,
    Finished,
    Merged,
    ObservationAdded,
    ScopeFound,
)

if TYPE_CHECKING:
    from orchestrator.inspector.inspection import Inspection

__all__ = ["Lane", "Timeline", "timeline"]

_NEAR: Final = 0.5  # a deadline is drawn once so much of it has been used


@dataclass(frozen=True, slots=True)
class Lane:
    """One bar: from start to end, of which the part until `waited` was waiting for the graph's scope.

    found: when each observation came; scope: when the graph gave its scope; due: the agent's own deadline.
    """

    name: str
    start: float
    end: float
    status: str = "ok"
    waited: float = 0.0
    found: tuple[float, ...] = ()
    scope: float | None = None
    due: float | None = None


@dataclass(frozen=True, slots=True)
class Timeline:
    """The lanes in the order of the run, the axis' end and its ticks, and the whole run's deadline."""

    lanes: tuple[Lane, ...]
    span: float
    ticks: tuple[float, ...]
    total: float
    due: float

    def share(self, ms: float) -> float:
        """Where on the axis, in percent."""
        return round(100 * min(max(ms / self.span, 0.0), 1.0), 3)


def timeline(inspection: Inspection) -> Timeline:
    """The run's lanes: reading the question, each agent that was started, then merging and answering, whose lengths the
    metrics know.
    """
    lanes = [*_analysis(inspection), *_agents(inspection), *_stages(inspection)]
    total = max((at for at, _ in inspection.events), default=0.0)
    near = [lane.due for lane in lanes if lane.due is not None and total >= _NEAR * lane.due]
    near += [inspection.total_ms] if total >= _NEAR * inspection.total_ms else []
    step = _step(max([total, 1.0, *near]))
    span = step * math.ceil(max([total, 1.0, *near]) * 1.02 / step)
    ticks = tuple(round(step * n, 6) for n in range(round(span / step) + 1))
    return Timeline(tuple(lanes), span, ticks, total, inspection.total_ms)


def _analysis(inspection: Inspection) -> list[Lane]:
    return [Lane("analysis", 0.0, at) for at, _ in inspection.of(Classified)]


def _agents(inspection: Inspection) -> list[Lane]:
    ended = {event.outcome.agent: (at, event.outcome) for at, event in inspection.of(AgentFinished)}
    scope = next((at for at, _ in inspection.of(ScopeFound)), None)
    lanes = []
    for began, event in inspection.of(AgentStarted):
        end, outcome = ended[event.agent]
        start = max(0.0, min(began, end - outcome.elapsed_ms))
        given = min([at for at in (scope, ended["graph"][0]) if at is not None]) if "graph" in ended else None
        waited = _waited(inspection, event.agent, start, given)
        found = tuple(at for at, added in inspection.of(ObservationAdded) if added.agent == event.agent)
        lanes.append(
            Lane(
                event.agent,
                start,
                end,
                outcome.status,
                waited=waited,
                found=found,
                scope=scope if event.agent == "graph" else None,
                due=waited + inspection.agent_ms,
            )
        )
    return lanes


def _waited(inspection: Inspection, agent: str, start: float, given: float | None) -> float:
    """Until when a search waited for its scope: half the agents' time at most (design §3.4)."""
    if agent != "vector" or inspection.result["scope"]["mode"] != "sequential" or given is None:
        return start
    return min(max(given, start), start + inspection.agent_ms / 2)


def _stages(inspection: Inspection) -> list[Lane]:
    metrics = inspection.result["metrics"]
    stages = ((Merged, "merge", "merge_time_ms"), (Finished, "answer", "synthesis_time_ms"))
    return [
        Lane(name, max(0.0, at - metrics[took]), at) for kind, name, took in stages for at, _ in inspection.of(kind)
    ]


def _step(longest: float) -> float:
    """A round distance between ticks: 1, 2 or 5 times a power of ten, four to eight of them on the axis."""
    power = 10.0 ** math.floor(math.log10(longest / 4))
    return next(power * n for n in (1, 2, 5, 10) if longest / (power * n) <= 8)
