"""`hybrid-retrieval record SCENARIO...`: asks each scenario's question and writes its cassette beside it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from interfaces.cli.options import Door, common_options, configure_logs
from memory.text.output import json_line, printable

if TYPE_CHECKING:
    from replay import Scenario


@click.command("record")
@common_options
@click.argument("scenarios", metavar="SCENARIO...", nargs=-1, required=True, type=click.Path(path_type=Path))
def command(door: Door, *, scenarios: tuple[Path, ...]) -> int:
    """Record scenarios (YAML files, or folders of them) on an index:
    every call to a store or a model, and the result.
    """
    from replay import Changes, find_scenarios, live_parts, record  # noqa: PLC0415 - not needed for --help

    configure_logs(as_json=False, quiet=True)  # what fails here fails on purpose
    changes = Changes(settings=door.settings, file=door.file)
    recorded = []
    for scenario in find_scenarios(scenarios):
        with live_parts(door.data_dir, scenario, changes) as (portal, live, model):
            cassette = record(scenario, portal, live, changes, model=model)
        cassette.save(scenario.cassette)
        recorded.append(_row(scenario, len(cassette.calls), cassette.result))
        if not door.as_json:
            click.echo(printable("\n".join(_lines(recorded[-1]))))
    if door.as_json:
        click.echo(json_line({"schema_version": "1", "recorded": recorded}))
    return 0


def _row(scenario: Scenario, calls: int, result: Any) -> dict[str, Any]:
    return {
        "id": scenario.id,
        "cassette": str(scenario.cassette),
        "bytes": scenario.cassette.stat().st_size,
        "calls": calls,
        "status": result["status"],
        "unmet": scenario.expect.unmet(result),
    }


def _lines(row: dict[str, Any]) -> list[str]:
    first = f"{row['id']}  {row['status']}  {row['calls']} calls, {row['bytes'] / 1000:.0f} kB in {row['cassette']}"
    return [first, *(f"     expected: {one}" for one in row["unmet"])]
