"""Records a scenario and replays it: one run of it is the same orchestrator, agents and merger, on virtual time and on
parts behind a tape. It is recorded with the real parts behind that, in every way a replay may ask for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, get_args

import anyio
from anyio.from_thread import BlockingPortal, start_blocking_portal

from configs import AGENTS, HybridRetrievalConfig, ScopeStrength, load_config, reaching
from memory.clock import SystemClock
from memory.errors import ConfigError, InvalidInputError
from orchestrator.events import AgentFinished, Event, ObservationAdded, ScopeFound
from orchestrator.hybrid import HybridRetrievalOrchestrator
from replay.parts import VirtualTimeLoop, taped
from replay.report import Differences, Replayed, read_result
from replay.scenario import Faults, read_scenario
from replay.tape import Cassette, MissingCallError, Tape
from replay.taped_sources import TapedCatalogue, TapedLanguageModel
from synthesis import SynthesisAgent
from wiring.language_models import open_language_model
from wiring.opening import Parts, open_parts

if TYPE_CHECKING:
    from configs.settings import SynthesisSettings
    from replay.codec import Codec
    from replay.scenario import Scenario
    from synthesis.language_model import LanguageModel

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


AS_ASKED: Final = "as asked"

WAYS: Final = {
    "scope none": Changes(scope="none"),
    "scope soft": Changes(scope="soft"),
    "scope strict": Changes(scope="strict"),
    "scope full_parallel": Changes(scope="full_parallel"),
    "without local": Changes(without=frozenset({"local"})),
    "without graph": Changes(without=frozenset({"graph"})),
    "without vector": Changes(without=frozenset({"vector"})),
    "without anyone": Changes(without=frozenset(AGENTS)),
}
"""How else the question is asked while it is recorded, by the name under which the agents' answers are kept."""


@contextmanager
def live_parts(
    data_dir: Path, scenario: Scenario, changes: Changes
) -> Iterator[tuple[BlockingPortal, Parts, LanguageModel | None]]:
    """The stores and the models of a data folder, open in a thread of their own; and who writes the answer, if one
    does. What they reach is for the caller to say, not for the scenario, which may be of others.

    Raises ConfigError for a scenario that names a server, a model, a file or a variable of its own, and what opening
    raises.
    """
    config = changes.config(scenario)
    own = load_config(file=changes.file, overrides=changes.settings, error=ConfigError)
    if named := reaching(config, own):
        raise ConfigError(
            f"config.{named[0]}",
            str(scenario.file),
            "a scenario does not choose what is asked.",
            "Read the file; if you trust it, give this setting by --set or --config.",
        )
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(open_parts(data_dir, config)) as parts:
        yield portal, parts, open_language_model(config.synthesis.model)


def record(
    scenario: Scenario,
    portal: BlockingPortal,
    live: Parts,
    changes: Changes = Changes(),
    *,
    model: LanguageModel | None = None,
) -> Cassette:
    """The cassette of a scenario; its result is the one that a replay gives. model: who writes the answer, if one does.

    The run as asked comes last, when every call it shares with the others has its time. Raises what `retrieve` raises.
    """
    tape = Tape(portal=portal)
    answers: dict[str, Any] = {}
    reported: set[str] = set()
    for way, change in WAYS.items():
        settings = replace(change, settings=changes.settings, file=changes.file)
        done = run(scenario, tape, settings, live=live, model=model, healthy=True)
        answers[way] = done.answers(tape.codec)
        reported |= done.projects
    TapedCatalogue(tape, live.catalogue, scenario.permission).remember(reported)
    asked = run(scenario, tape, changes, live=live, model=model)
    answers[AS_ASKED] = asked.answers(tape.codec)
    return Cassette(scenario.id, scenario.query, tuple(tape.calls.values()), tape.codec.pool, answers, asked.result)


@contextmanager
def run_again(
    scenario: Scenario, changes: Changes, data_dir: Path | None
) -> Iterator[tuple[Cassette, Run, Tape, Parts | None]]:
    """A scenario's cassette, its run from that, and the tape and the parts of the run, as long as these are open.
    data_dir: what the cassette lacks is asked of this index.

    Raises InvalidInputError without a cassette, MissingCallError, and what opening the index raises.
    """
    cassette = Cassette.load(scenario.cassette)
    with ExitStack() as stack:
        portal, live, model = None, None, None
        if data_dir is not None:
            portal, live, model = stack.enter_context(live_parts(data_dir, scenario, changes))
        tape = cassette.tape(portal=portal)
        yield cassette, run(scenario, tape, changes, live=live, model=model), tape, live


def replay(scenario: Scenario, changes: Changes = Changes(), data_dir: Path | None = None) -> Replayed:
    """A scenario from its cassette, against its expectations and the recording. Raises what `run_again` raises."""
    with run_again(scenario, changes, data_dir) as (cassette, again, _, _):
        return Replayed(
            scenario.id,
            again.result,
            tuple(scenario.expect.unmet(again.result)),
            Differences(cassette.result, again.result),
            what_if=bool(changes),
            live=again.live,
        )


def accept(scenario: Scenario, replayed: Replayed) -> None:
    """Keep what a replay gave as the recorded result. Raises InvalidInputError where it is not the recording's own."""
    if replayed.what_if or replayed.live:
        raise InvalidInputError(
            f"{scenario.id} was not replayed from its recording alone.", "Leave the changes and --data-dir out."
        )
    replace(Cassette.load(scenario.cassette), result=replayed.result).save(scenario.cassette)


def result_of(file: Path, changes: Changes = Changes()) -> Any:
    """The result that a scenario gives when it is replayed, that a cassette holds, or that a command printed."""
    if file.suffix == ".gz":
        return Cassette.load(file).result
    if file.suffix in {".yaml", ".yml"}:
        return replay(read_scenario(file), changes).result
    return read_result(file)
