"""Progress for the client while a question is answered: the stages, not every observation."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Final

from orchestrator.events import AgentFinished, Classified, Finished, Merged, ScopeFound, Started

if TYPE_CHECKING:
    from orchestrator.result import HybridResult
    from orchestrator.streaming import EventStream

__all__ = ["Report", "followed"]

Report = Callable[[float, float | None, str | None], Awaitable[None]]
"""Takes how far it is, out of how much (None: not known), and a line for people."""

STAGES: Final = (Started, Classified, ScopeFound, AgentFinished, Merged)


async def followed(stream: EventStream, report: Report) -> HybridResult:
    """The result, each stage before it reported. Leaving early, as a cancelled request does, ends the run."""
    done = 0
    async with stream:
        async for event in stream:
            if isinstance(event, STAGES):
                done += 1
                await report(done, None, event.line())
            elif isinstance(event, Finished):
                result = event.result
    return result
