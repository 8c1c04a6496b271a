"""`hybrid-retrieval doctor`: whether the data folder, the models and the stores are in order, and what to do if not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING

import anyio
import click

from interfaces.cli.options import Door, allow_option, common_options

if TYPE_CHECKING:
    from wiring.doctor import Check

_NOT_OK = 3


@click.command("doctor")
@common_options
@allow_option
@click.option("--deep", is_flag=True, help="Also read every file of the index, and hold it against its checksum.")
def command(door: Door, *, allow: tuple[str, ...], deep: bool) -> int:
    """Check the data folder, the models and the stores."""

    async def examine() -> list[Check]:
        from wiring.doctor import examine  # noqa: PLC0415 - not needed for --help

        return await examine(door.data_dir, door.config, allow or None, deep=deep)

    checks = anyio.run(examine)
    ok = all(check.ok for check in checks)
    document = {"schema_version": "1", "ok": ok, "checks": [asdict(check) for check in checks]}
    door.show(document, lambda: "\n".join(_lines(checks)))
    return 0 if ok else _NOT_OK


def _lines(checks: list[Check]) -> Iterator[str]:
    width = max(len(check.name) for check in checks)
    for check in checks:
        yield f"{'ok  ' if check.ok else 'FAIL'}  {check.name:<{width}}  {check.detail}"
        if check.hint and not check.ok:
            yield f"      {check.hint}"
