"""One run of a scenario on virtual time: the same orchestrator, agents and merger, on parts behind a tape."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING, Any, Final, get_args

import anyio

from configs import HybridRetrievalConfig, ScopeStrength
from memory.clock import SystemClock
from orchestrator.events import AgentFinished, Event, ObservationAdded, ScopeFound
from orchestrator.hybrid import HybridRetrievalOrchestrator
from replay.parts import VirtualTimeLoop, taped
from replay.scenario import Faults
from replay.tape import MissingCallError
from replay.taped_sources import TapedLanguageModel
from synthesis import SynthesisAgent

if TYPE_CHECKING:
    from pathlib import Path

    from configs.settings import SynthesisSettings
    from replay.codec import Codec
    from replay.scenario import Scenario
    from replay.tape import Tape
    from synthesis.language_model import LanguageModel
    from wiring.opening import Parts

_BEGINNING: Final = datetime(2025, 1, 1, tzinfo=UTC)


class _ReplayClock(SystemClock):
    """The virtual loop's time from a fixed beginning; ids are counted."""

    def __init__(self) -> None:
        self._issued = 0

    def now(self) -> datetime:
        return _BEGINNING + timedelta(seconds=anyio.current_time())

    def new_id(self) -> str:
        self._issued += 1
        return f"{self._issued:032x}"


@dataclass(frozen=True, slots=True)
class Changes:
    """What if: agents left out, faults, another scope mode or strength, other settings (KEY=VALUE, and a file)."""

    without: frozenset[str] = frozenset()
    faults: Faults = field(default_factory=Faults)
    scope: str | None = None
    settings: tuple[str, ...] = ()
    file: Path | None = None

    def __bool__(self) -> bool:
        return bool(self.without or self.faults or self.scope or self.settings or self.file)

    def config(self, scenario: Scenario) -> HybridRetrievalConfig:
        """The scenario's settings with these. Raises ConfigError."""
        config = scenario.config(self.settings, self.file)
        if self.scope is not None:
            config = config.with_scope(**{"strength" if self.scope in get_args(ScopeStrength) else "mode": self.scope})
        left_out: dict[str, Any] = {f"enable_{agent}": False for agent in sorted(self.without)}
        return replace(config, **left_out)


@dataclass(frozen=True, slots=True)
class Run:
    """How a run went: its result's JSON, the events with their virtual milliseconds, the calls asked of the index."""

    result: dict[str, Any]
    events: tuple[tuple[float, Event], ...]
    live: tuple[str, ...] = ()

    @property
    def projects(self) -> frozenset[str]:
        reported = [event.observation for _, event in self.events if isinstance(event, ObservationAdded)]
        return frozenset(at.project for observation in reported for at in observation.locations)

    def answers(self, codec: Codec) -> dict[str, Any]:
        """Each agent's: how it ended, its scope, and its observations."""
        answers: dict[str, dict[str, Any]] = {}
        for at, event in self.events:
            if isinstance(event, ObservationAdded):
                answer = answers.setdefault(event.agent, {})
                answer.setdefault("observations", []).append([at, codec.encode(event.observation)])
            elif isinstance(event, ScopeFound):
                answers.setdefault("graph", {})["scope"] = [at, codec.encode(event.scope)]
            elif isinstance(event, AgentFinished):
                answers.setdefault(event.outcome.agent, {})["outcome"] = event.to_dict()
        return answers


def run(
    scenario: Scenario,
    tape: Tape,
    changes: Changes = Changes(),
    *,
    live: Parts | None = None,
    model: LanguageModel | None = None,
    healthy: bool = False,
) -> Run:
    """Ask the scenario's question on the tape. live and model: the parts behind it, for what it lacks; healthy: without
    the scenario's own faults.

    Raises MissingCallError when the tape lacks a call and nothing is live, and what `retrieve` raises.
    """
    faults = changes.faults if healthy else scenario.faults | changes.faults
    config = changes.config(scenario)
    asked = len(tape.live)
    try:
        orchestrator = HybridRetrievalOrchestrator.of(
            taped(tape, live, scenario.permission),
            config,
            around=faults.around,
            clock=_ReplayClock(),
            wait_for_mays=True,
            synthesis=_synthesis(tape, config.synthesis, model),
        )
        ask = partial(_ask, orchestrator, scenario.query, scenario.context)
        events = anyio.run(ask, backend_options={"loop_factory": VirtualTimeLoop})
    finally:
        if tape.missing:
            raise MissingCallError(tape.missing, str(scenario.cassette))
    result = events[-1][1].result  # type: ignore[union-attr]  # the last event is always Finished
    return Run(result.to_dict(), tuple(events), tuple(tape.live[asked:]))


def _synthesis(tape: Tape, settings: SynthesisSettings, model: LanguageModel | None) -> SynthesisAgent:
    name: str | None = tape.look(
        "model.name", str | None, lambda: model.name if model is not None else None, setting=settings.model
    )
    if name is None:
        return SynthesisAgent()
    taped_model = TapedLanguageModel(tape, name, model)
    return SynthesisAgent(taped_model, model_timeout=settings.model_timeout_ms / 1000, repair=settings.repair)


async def _ask(
    orchestrator: HybridRetrievalOrchestrator, query: str, context: Mapping[str, Any]
) -> list[tuple[float, Event]]:
    async with orchestrator, orchestrator.stream(query, context) as stream:
        return [(round(anyio.current_time() * 1000, 3), event) async for event in stream]
