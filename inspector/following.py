"""Asks a question stage by stage and writes down when each event came.

What the page of a replayed scenario is drawn from; on virtual time, so that the page is the same each time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio

from inspector.inspection import Inspection, read_excerpts
from orchestrator.events import Classified, Started
from orchestrator.hybrid import HybridRetrievalOrchestrator
from replay import Cassette, Changes, Run, Scenario, live_parts, run
from replay.parts import taped
from replay.virtual_time import VirtualTimeLoop
from synthesis import SynthesisAgent
from wiring.language_models import open_language_model

if TYPE_CHECKING:
    from configs import HybridRetrievalConfig
    from orchestrator.events import Event
    from orchestrator.result import HybridResult
    from wiring.opening import Parts

__all__ = ["follow", "inspect_replay"]


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


def inspect_replay(scenario: Scenario, changes: Changes = Changes(), data_dir: Path | None = None) -> Inspection:  # noqa: B008 - frozen
    """A scenario's run from its cassette. data_dir: what the cassette lacks is asked of this index.

    Raises what `replay.replay` raises.
    """
    cassette = Cassette.load(scenario.cassette)
    config = changes.config(scenario)
    with ExitStack() as stack:
        portal, live, model = None, None, None
        if data_dir is not None:
            portal, live = stack.enter_context(live_parts(data_dir, config))
            model = open_language_model(config.synthesis.model)
        tape = cassette.tape(portal=portal)
        again = run(scenario, tape, changes, live=live, model=model)
        read = partial(_inspected, scenario, config, taped(tape, live, scenario.permission), again)
        return anyio.run(read, backend_options={"loop_factory": VirtualTimeLoop})


async def _inspected(scenario: Scenario, config: HybridRetrievalConfig, parts: Parts, done: Run) -> Inspection:
    """The run, with the lines that the same parts hold."""
    async with HybridRetrievalOrchestrator.of(parts, config, synthesis=SynthesisAgent()) as orchestrator:
        asked = orchestrator.begin(scenario.query, scenario.context)
        excerpts = await read_excerpts(orchestrator.lines_of(asked.context.permission), done.result)
        return Inspection(done.result, done.events, *deadlines(orchestrator, asked.context.deadline), excerpts)
