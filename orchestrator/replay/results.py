"""Results from where they may lie: replayed, recorded, or printed by `ask --json`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memory.errors import InvalidInputError
from orchestrator.documents import read_json_file
from orchestrator.language_models import open_language_model
from orchestrator.replay.cassette import Cassette
from orchestrator.replay.differences import Differences
from orchestrator.replay.recording import live_parts
from orchestrator.replay.report import Replayed
from orchestrator.replay.running import Changes, run
from orchestrator.replay.scenario import read_scenario

if TYPE_CHECKING:
    from orchestrator.replay.scenario import Scenario

__all__ = ["accept", "read_result", "reading", "replay", "result_of"]


def replay(scenario: Scenario, changes: Changes = Changes(), data_dir: Path | None = None) -> Replayed:  # noqa: B008 - frozen
    """A scenario from its cassette, against its expectations and the recording. data_dir: what the cassette lacks is asked
    of this index.

    Raises InvalidInputError without a cassette, MissingCallError, and what opening the index raises.
    """
    cassette = Cassette.load(scenario.cassette)
    with ExitStack() as stack:
        portal, live, model = None, None, None
        if data_dir is not None:
            config = changes.config(scenario)
            portal, live = stack.enter_context(live_parts(data_dir, config))
            model = open_language_model(config.synthesis)
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
def reading(*files: Path) -> Iterator[None]:
    """For who looks into the results of these files. Raises InvalidInputError where one lacks what every result has."""
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        names = " or ".join(map(str, files))
        raise InvalidInputError(f"{names} is no whole result ({error}).", "Give what `ask --json` printed.") from None


def read_result(file: Path) -> Any:
    """The JSON of a result, as `ask --json` printed it, or `replay --json` of one scenario. Raises InvalidInputError."""
    document = read_json_file(file, hint="Give a result's JSON.")
    match document:
        case {"scenarios": [{"result": result}]}:
            document = result
    if not isinstance(document, dict) or not {"observations", "citations", "metrics"} <= document.keys():
        raise InvalidInputError(f"{file} is no result.", "Give what `ask --json` printed.")
    return document
