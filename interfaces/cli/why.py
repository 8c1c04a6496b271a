"""`hybrid-retrieval why RESULT.json OBSERVATION_ID`: the stage that kept or dropped an observation."""

from __future__ import annotations

from pathlib import Path

import click

from interfaces.cli.options import Door, common_options


@click.command("why")
@common_options
@click.argument("result", metavar="RESULT.json", type=click.Path(path_type=Path))
@click.argument("observation_id")
def command(door: Door, *, result: Path, observation_id: str) -> int:
    """Say which stage kept or dropped an observation of a result, as `ask --json` printed it."""
    import replay as replaying  # noqa: PLC0415 - not needed for --help

    document = replaying.read_result(result)
    with replaying.reading(result):
        found = replaying.why(document, observation_id)
    door.show(found.to_dict(), lambda: "\n".join(found.lines()))
    return 0
