"""What the page of a replayed scenario is drawn from; on virtual time, so that the page is the same each time."""

from __future__ import annotations

from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import anyio

from orchestrator.inspector.following import deadlines
from orchestrator.inspector.inspection import Inspection
from orchestrator.inspector.reading import read_excerpts
from orchestrator.language_models import open_language_model
from orchestrator.opening import put_together
from orchestrator.replay import Cassette, Changes, Run, Scenario, live_parts, run
from orchestrator.replay.parts import taped
from orchestrator.running.virtual_time import VirtualTimeLoop
from synthesis import SynthesisAgent

if TYPE_CHECKING:
    from configs import HybridRetrievalConfig
    from orchestrator.opening import Parts

__all__ = ["inspect_replay"]


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
            model = open_language_model(config.synthesis)
        tape = cassette.tape(portal=portal)
        again = run(scenario, tape, changes, live=live, model=model)
        read = partial(_inspected, scenario, config, taped(tape, live, scenario.permission), again)
        return anyio.run(read, backend_options={"loop_factory": VirtualTimeLoop})


async def _inspected(scenario: Scenario, config: HybridRetrievalConfig, parts: Parts, done: Run) -> Inspection:
    """The run, with the lines that the same parts hold."""
    async with put_together(parts, config, synthesis=SynthesisAgent()) as orchestrator:
        asked = orchestrator.begin(scenario.query, scenario.context)
        excerpts = await read_excerpts(orchestrator.lines_of(asked.context.permission), done.result)
        return Inspection(done.result, done.events, *deadlines(orchestrator, asked.context.deadline), excerpts)
