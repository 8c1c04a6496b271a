"""`hybrid-retrieval replay SCENARIO...`: answers again from cassettes, as recorded or with something changed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, get_args

import click

from configs import AGENTS, ScopeStrength
from interfaces.cli.options import Door, ScopeChoice, common_options, configure_logs
from memory.documents import write_file
from memory.errors import InvalidInputError
from memory.text.output import json_line, printable

if TYPE_CHECKING:
    from replay import Changes, Scenario


@click.command("replay")
@common_options
@click.argument("scenarios", metavar="SCENARIO...", nargs=-1, type=click.Path(path_type=Path))
@click.option("--without", type=click.Choice(AGENTS), multiple=True, help="What if this agent were not there?")
@click.option("--delay", metavar="AGENT=TIME", multiple=True, help="What if it were late? For example vector=2s.")
@click.option("--fail", metavar="AGENT[=WHY]", multiple=True, help="What if it failed?")
@click.option("--scope", type=ScopeChoice(*get_args(ScopeStrength)), help="What if the scope met the search like this?")
@click.option(
    "--compare",
    nargs=2,
    type=click.Path(path_type=Path),
    metavar="A B",
    help="What differs between two scenarios, cassettes or results.",
)
@click.option("--junit", type=click.Path(path_type=Path), metavar="FILE", help="Also write JUnit XML.")
@click.option(
    "--html",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Also write the run as a page; of several scenarios into this folder.",
)
@click.option("--accept", is_flag=True, help="Keep what comes out now as the recorded result.")
def command(
    door: Door,
    *,
    scenarios: tuple[Path, ...],
    without: tuple[str, ...],
    delay: tuple[str, ...],
    fail: tuple[str, ...],
    scope: str | None,
    compare: tuple[Path, Path] | None,
    junit: Path | None,
    html: Path | None,
    accept: bool,
) -> int:
    """Replay recorded scenarios (YAML files, or folders of them) offline, on virtual time.

    Exit code 1 when an expectation does not hold, or when a replay with nothing changed differs from the recording.
    """
    import replay as replaying  # noqa: PLC0415 - not needed for --help

    configure_logs(as_json=False, quiet=True)  # what fails here fails on purpose, and the report says it
    late = {agent: replaying.read_seconds(time) for agent, time in map(_agent, delay)}
    faults = replaying.Faults(late, dict(map(_agent, fail)))
    changes = replaying.Changes(frozenset(without), faults, scope, door.settings, door.file)
    if compare is not None:
        _check_page(html, compared=True)
        before, after = (replaying.result_of(file, changes) for file in compare)
        with replaying.reading(*compare):
            found = replaying.Differences(before, after)
            document = {"schema_version": "1", "equal": not found, "changes": found.to_dict()}
            door.show(document, lambda: "\n".join(found.lines()) or "No difference.")
            return 0
    if not scenarios:
        raise InvalidInputError("Which scenarios?", "Give YAML files, or folders of them.")
    chosen = replaying.find_scenarios(scenarios)
    _check_page(html, runs=len(chosen))
    data_dir = door.data_dir if door.data_dir_given else None
    replayed = []
    for scenario in chosen:
        one = replaying.replay(scenario, changes, data_dir)
        with replaying.reading(scenario.cassette, hint="Record the scenario again."):
            lines = one.lines()
            if accept:
                replaying.accept(scenario, one)
            if html is not None:
                _draw(html, scenario, changes, data_dir)
        replayed.append(one)
        if not door.as_json:
            click.echo(printable("\n".join(lines)))
    if junit is not None:
        write_file(junit, replaying.junit(replayed))
    if door.as_json:
        click.echo(json_line(replaying.report(replayed)))
    return 0 if accept or all(one.passed for one in replayed) else 1


def _check_page(html: Path | None, *, runs: int = 1, compared: bool = False) -> None:
    """Raises InvalidInputError where a page cannot show what is asked for."""
    if html is not None and compared:
        raise InvalidInputError("A page shows one run, --compare reads two.", "Leave --html or --compare out.")
    if html is not None and runs > 1 and not html.is_dir():
        raise InvalidInputError(f"{html} is no folder for {runs} pages.", "Make one, or give one scenario.")


def _draw(html: Path, scenario: Scenario, changes: Changes, data_dir: Path | None) -> None:
    from inspector import inspect_replay, page  # noqa: PLC0415 - only where a page is asked for

    file = html / f"{scenario.id}.html" if html.is_dir() else html
    write_file(file, page(inspect_replay(scenario, changes, data_dir)))


def _agent(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    if name not in AGENTS:
        raise InvalidInputError(f"There is no agent {name!r}.", f"There are {', '.join(AGENTS)}.")
    return name, value
