"""`hybrid-retrieval why RESULT.json OBSERVATION_ID`: the stage that kept or dropped an observation."""

from __future__ import annotations

from pathlib import Path

import click

from orchestrator.cli.options import Door, common_options
from orchestrator.cli.output import print_json, printable

__all__ = ["command"]


@click.command("why")
@common_options
@click.argument("result", metavar="RESULT.json", type=click.Path(path_type=Path))
@click.argument("observation_id")
def command(door: Door, *, result: Path, observation_id: str) -> int:
    """Say which stage kept or dropped an observation of a result, as `ask --json` printed it."""
    from orchestrator import replay  # noqa: PLC0415 - not needed for --help

    document = replay.read_result(result)
    with replay.reading(result):
        told = replay.why(document, observation_id)
    if door.as_json:
        print_json(told.to_dict())
    else:
        click.echo(printable("\n".join(told.lines())))
    return 0
