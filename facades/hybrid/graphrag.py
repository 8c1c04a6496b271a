"""GraphRAG: the graph agent's answer where it is sure enough, else why it is not used (003 REQ-0049)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import anyio

from agents.ports import GraphAgent
from memory.errors import StoreError
from memory.observations import GraphObservation, Location
from memory.query import TaskContext
from memory.vector.filters import Condition

__all__ = ["GraphAnswer", "ask_graph"]

_TOLD_BY_A_PLACE = ("project", "path", "file", "start_line", "end_line")


@dataclass(frozen=True, slots=True)
class GraphAnswer:
    """What the graph says, surest first, or the reason why that is nothing. `passing`: another time it may be more."""

    observations: tuple[GraphObservation, ...] = ()
    reason: str | None = None
    passing: bool = False


async def ask_graph(
    agent: GraphAgent | None,
    query: str,
    permission: frozenset[str],
    conditions: Sequence[Condition],
    *,
    min_confidence: float,
    timeout_ms: int,
) -> GraphAnswer:
    """Observations of at least that confidence whose lines pass the filter."""
    if agent is None:
        return GraphAnswer(reason="there is no graph")
    try:
        with anyio.fail_after(timeout_ms / 1000):
            found = await agent.retrieve(query, TaskContext(allowed_projects=permission))
    except TimeoutError:
        return GraphAnswer(reason=f"the graph gave no answer within {timeout_ms} ms", passing=True)
    except StoreError as error:
        return GraphAnswer(reason=f"the graph is out of reach: {error.message}", passing=True)
    return _judged([one for one in found if isinstance(one, GraphObservation)], conditions, min_confidence)


def _judged(found: Sequence[GraphObservation], conditions: Sequence[Condition], min_confidence: float) -> GraphAnswer:
    untold = sorted({condition.key for condition in conditions} - set(_TOLD_BY_A_PLACE))
    if untold:
        return GraphAnswer(reason=f"the graph does not know {', '.join(untold)}, which the filters ask for")
    said = [one for one in found if _passes(one, conditions)]
    if not said:
        return GraphAnswer(reason="the graph knows nothing of what is asked")
    best = max(one.confidence for one in said)
    if best < min_confidence:
        return GraphAnswer(reason=f"the graph is sure by {best:.2f} only, below {min_confidence:.2f}")
    sure = [one for one in said if one.confidence >= min_confidence]
    return GraphAnswer(tuple(sorted(sure, key=lambda one: -one.confidence)))


def _passes(said: GraphObservation, conditions: Sequence[Condition]) -> bool:
    return not conditions or any(_holds(location, conditions) for location in said.locations)


def _holds(at: Location, conditions: Sequence[Condition]) -> bool:
    values = {
        "project": at.project,
        "path": at.path,
        "file": f"{at.project}/{at.path}",
        "start_line": at.start_line,
        "end_line": at.end_line,
    }
    return all(condition.holds(values[condition.key]) for condition in conditions)
