"""Records a scenario: runs it on virtual time with the real parts behind the tape, in every way a replay may ask for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from anyio.from_thread import start_blocking_portal

from orchestrator.opening import open_parts
from orchestrator.replay.cassette import Cassette
from orchestrator.replay.catalogue import TapedCatalogue
from orchestrator.replay.faults import AGENTS
from orchestrator.replay.running import Changes, run
from orchestrator.replay.tape import Tape

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal

    from configs import HybridRetrievalConfig
    from orchestrator.opening import Parts
    from orchestrator.replay.scenario import Scenario
    from synthesis.language_model import LanguageModel

__all__ = ["WAYS", "live_parts", "record"]

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
def live_parts(data_dir: Path, config: HybridRetrievalConfig) -> Iterator[tuple[BlockingPortal, Parts]]:
    """The stores and the model of a data folder, open in a thread of their own. Raises what opening them raises."""
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(open_parts(data_dir, config)) as parts:
        yield portal, parts


def record(
    scenario: Scenario,
    portal: BlockingPortal,
    live: Parts,
    changes: Changes = Changes(),  # noqa: B008 - frozen
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
