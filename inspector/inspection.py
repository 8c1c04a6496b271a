"""`Inspection`: all that the page of one run is drawn from.

Reads the lines that a result's citations and graph observations stand on, inside the question's permission.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeAlias, TypeVar

import anyio

from configs import HybridRetrievalConfig
from memory.errors import HybridRetrievalError
from memory.files import FileText
from memory.observations import Location
from orchestrator.events import Classified, Event, Started
from orchestrator.hybrid import HybridRetrievalOrchestrator
from orchestrator.result import HybridResult
from replay import Changes, Differences, Run, Scenario, run_again
from replay.parts import VirtualTimeLoop, taped
from synthesis import SynthesisAgent
from wiring.opening import Parts

Place: TypeAlias = tuple[str, str, int, int]
"""Project, path, first and last line."""
E = TypeVar("E")
PATIENCE: Final = 10.0  # seconds for all of them
CONTEXT: Final = 3  # lines before and after a citation
_CITED, _PROVING = 40, 12  # lines of one place at most: a citation's, and those that prove a relation


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Lines of a file from `start` on, as the generation holds them; cut: the place goes on below."""

    start: int
    lines: tuple[str, ...]
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Inspection:
    """One run: its result's JSON, its events with the milliseconds at which they came, the deadlines it had, and the
    text of the places it names, as far as the question's permission goes.

    differences: where something was changed on purpose, what differs from the recorded run; else None.
    """

    result: Mapping[str, Any]
    events: tuple[tuple[float, Event], ...]
    agent_ms: float
    total_ms: float
    excerpts: Mapping[Place, Excerpt] = field(default_factory=dict)
    differences: Differences | None = None

    def of(self, kind: type[E]) -> Iterator[tuple[float, E]]:
        """The events of one kind, with their times."""
        return ((at, event) for at, event in self.events if isinstance(event, kind))


def place_of(location: Mapping[str, Any]) -> Place:
    return location["project"], location["path"], location["start_line"], location["end_line"]


async def read_excerpts(files: FileText | None, result: Mapping[str, Any]) -> dict[Place, Excerpt]:
    """The excerpts by place. files: what the permission lets one read; what is out of reach, or late, is left out."""
    excerpts: dict[Place, Excerpt] = {}
    if files is None:
        return excerpts
    with anyio.move_on_after(PATIENCE):
        for place, most, around in _wanted(result):
            if place not in excerpts:
                found = await _read(files, place, most, around)
                if found is not None:
                    excerpts[place] = found
    return excerpts


def _wanted(result: Mapping[str, Any]) -> Iterator[tuple[Place, int, int]]:
    """Place, lines at most, and lines around it; citations come first, since theirs have more around them."""
    for citation in result["citations"]:
        if citation["location"] is not None:
            yield place_of(citation["location"]), _CITED, CONTEXT
    for observation in result["observations"]:
        if observation["source"].startswith("graph:"):
            yield from ((place_of(at), _PROVING, 0) for at in observation["locations"])


async def _read(files: FileText, place: Place, most: int, around: int) -> Excerpt | None:
    project, path, start, end = place
    first, last = max(1, start - around), min(end, start + most - 1)
    for after in range(around if last == end else 0, -1, -1):  # the file may end sooner
        try:
            lines = await files.lines(Location(project, path, first, last + after))
        except HybridRetrievalError:  # a store that is gone, a call that a recording lacks: no text, no failure
            return None
        if lines is not None:
            return Excerpt(first, tuple(lines), cut=last < end)
    return None


async def follow(
    orchestrator: HybridRetrievalOrchestrator,
    query: str,
    context: Mapping[str, Any],
    show: Callable[[Event], None] | None = None,
) -> tuple[HybridResult, Inspection]:
    """The result that `retrieve` gives, and what its page is drawn from. show: is handed each event as it comes.

    An event's time is that of its emission, in milliseconds of the event loop's clock since the question was put: a
    reader of `stream()` may get its turn later. Raises as `retrieve` does, and at the end the OSError of a `show` whose
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
    """A scenario's run from its cassette, as `replay.run_again` gives it; raises what that raises."""
    with run_again(scenario, changes, data_dir) as (cassette, again, tape, live):
        parts = taped(tape, live, scenario.permission)
        read = partial(_inspected, scenario, changes.config(scenario), parts, again)
        inspection: Inspection = anyio.run(read, backend_options={"loop_factory": VirtualTimeLoop})
    differences = Differences(cassette.result, inspection.result) if changes else None
    return replace(inspection, differences=differences)


async def _inspected(scenario: Scenario, config: HybridRetrievalConfig, parts: Parts, done: Run) -> Inspection:
    """The run, with the lines that the same parts hold."""
    async with HybridRetrievalOrchestrator.of(parts, config, synthesis=SynthesisAgent()) as orchestrator:
        asked = orchestrator.begin(scenario.query, scenario.context)
        excerpts = await read_excerpts(orchestrator.lines_of(asked.context.permission), done.result)
        return Inspection(done.result, done.events, *deadlines(orchestrator, asked.context.deadline), excerpts)
