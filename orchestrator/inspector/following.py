"""Asks a question stage by stage and writes down when each event came."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import anyio

from orchestrator.events import Classified, Started
from orchestrator.inspector.inspection import Inspection
from orchestrator.inspector.reading import read_excerpts

if TYPE_CHECKING:
    from orchestrator.events import Event
    from orchestrator.hybrid import HybridRetrievalOrchestrator
    from orchestrator.result import HybridResult

__all__ = ["follow"]


async def follow(
    orchestrator: HybridRetrievalOrchestrator,
    query: str,
    context: Mapping[str, Any],
    show: Callable[[Event], None] | None = None,
) -> tuple[HybridResult, Inspection]:
    """The result that `retrieve` gives, and what its page is drawn from. show: is handed each event as it comes.

    An event's time is that of its emission, in milliseconds of the event loop's clock since the question was put: a reader
    of `stream()` may get its turn later. Raises as `retrieve` does, and at the end the OSError of a `show` whose
    reader went away, which costs no agent its work.
    """
    began = anyio.current_time()
    events: list[tuple[float, Event]] = []
    gone: list[OSError] = []

    def emit(event: Event) -> None:
        events.append((round((anyio.current_time() - began) * 1000, 3), event))
        if show is not None and not gone:
            try:
                show(event)
            except OSError as error:
                gone.append(error)

    asked = orchestrator.begin(query, context)
    emit(Started(asked.context.request_id, asked.query, asked.begun))
    emit(Classified(asked.classification))
    run = await orchestrator.ask(asked, emit=emit)
    result = await orchestrator.finish(await orchestrator.merge(asked, run, emit), emit)
    if gone:
        raise gone[0]
    document = result.to_dict()
    excerpts = await read_excerpts(orchestrator.lines_of(asked.context.permission), document)
    return result, Inspection(document, tuple(events), *deadlines(orchestrator, asked.context.deadline), excerpts)


def deadlines(orchestrator: HybridRetrievalOrchestrator, own: float | None) -> tuple[float, float]:
    """An agent's and the run's, in milliseconds; own: the question's, in seconds."""
    config = orchestrator.config
    total = config.total_timeout_ms
    return config.agent_timeout_ms, total if own is None else min(total, own * 1000)
