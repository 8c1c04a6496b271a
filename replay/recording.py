"""Records a scenario: runs it on virtual time with the real parts behind the tape, in every way a replay may ask for.

Results from where they may lie: replayed, recorded, or printed by `ask --json`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from anyio.from_thread import BlockingPortal, start_blocking_portal

from configs import AGENTS, load_config, reaching
from memory.documents import read_json_file
from memory.errors import ConfigError, InvalidInputError
from replay.report import Differences, Replayed
from replay.running import Changes, run
from replay.scenario import read_scenario
from replay.tape import Cassette, Tape
from replay.taped_sources import TapedCatalogue
from wiring.language_models import open_language_model
from wiring.opening import Parts, open_parts

if TYPE_CHECKING:
    from replay.scenario import Scenario
    from synthesis.language_model import LanguageModel

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


def replay(scenario: Scenario, changes: Changes = Changes(), data_dir: Path | None = None) -> Replayed:  # noqa: B008 - frozen
    """A scenario from its cassette, against its expectations and the recording. data_dir: what the cassette lacks is
    asked of this index.

    Raises InvalidInputError without a cassette, MissingCallError, and what opening the index raises.
    """
    cassette = Cassette.load(scenario.cassette)
    with ExitStack() as stack:
        portal, live, model = None, None, None
        if data_dir is not None:
            portal, live, model = stack.enter_context(live_parts(data_dir, scenario, changes))
        again = run(scenario, cassette.tape(portal=portal), changes, live=live, model=model)
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


def result_of(file: Path, changes: Changes = Changes()) -> Any:  # noqa: B008 - frozen
    """The result that a scenario gives when it is replayed, that a cassette holds, or that a command printed."""
    if file.suffix == ".gz":
        return Cassette.load(file).result
    if file.suffix in {".yaml", ".yml"}:
        return replay(read_scenario(file), changes).result
    return read_result(file)


@contextmanager
def reading(*files: Path, hint: str = "Give what `ask --json` printed.") -> Iterator[None]:
    """For who looks into the results of these files. Raises InvalidInputError, with this hint, where one lacks what
    every result has.
    """
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError):
        names = " or ".join(map(str, files))
        raise InvalidInputError(f"{names} is no whole result.", hint) from None


def read_result(file: Path) -> Any:
    """The JSON of a result, as `ask --json` or `replay --json` of one scenario printed it. Raises InvalidInputError."""
    document = read_json_file(file, hint="Give a result's JSON.")
    match document:
        case {"scenarios": [{"result": result}]}:
            document = result
    if not isinstance(document, dict) or not {"observations", "citations", "metrics"} <= document.keys():
        raise InvalidInputError(f"{file} is no result.", "Give what `ask --json` printed.")
    return document
