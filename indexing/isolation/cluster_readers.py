"""`ClusterReaders`: tasks on a Ray cluster look at files, each in a process of its own there, as on one machine."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import cache, partial
from pathlib import Path
from typing import Final, Self

from configs.settings import IndexingSettings
from extraction.facts import EXTRACTION
from extraction.rules.families import families_hash
from indexing.clones import Clone, fetch
from indexing.isolation.port import Found, Look
from indexing.isolation.processes import ReadingProcesses
from memory.cluster import Cluster
from memory.errors import UnavailableError
from memory.together import together

_FILES: Final = 100
"""So many are a task: about a second of work, beside which what a task costs is nothing."""


class ClusterReaders:
    """Looks at files on a cluster; the user's own rules and projects not fetched have one path on every node."""

    def __init__(self, settings: IndexingSettings, cluster: Cluster) -> None:
        rules = [str(Path(rule).absolute()) for rule in settings.rules]
        self._settings = json.dumps(asdict(replace(settings, rules=rules, workers=1)))
        self._cluster = cluster

    async def __aenter__(self) -> Self:
        await self._cluster.join()
        return self

    async def __aexit__(self, *_: object) -> None:
        """The cluster stays, with the processes it has started."""

    @property
    def at_once(self) -> int:
        """Small projects are a task each."""
        return self._cluster.at_once

    async def look(self, looks: Sequence[Look]) -> list[Found]:
        """What each brought, in their order. Raises ConfigError and UnavailableError."""
        parts: dict[int, list[Found]] = {}

        async def task(start: int) -> None:
            some = list(looks[start : start + _FILES])
            parts[start] = await self._cluster.call(_found, self._settings, _release(), some)

        await together([partial(task, start) for start in range(0, len(looks), _FILES)])
        return [one for start in sorted(parts) for one in parts[start]]


def _found(settings: str, release: str, looks: Sequence[Look]) -> list[Found]:
    """Run on a node."""
    if release != _release():
        raise UnavailableError(
            "A node of the Ray cluster has another release of this program.", "Install the same release on every node."
        )
    for clone in {Clone(look.url, look.provenance.commit, look.root) for look in looks if look.url}:
        fetch(clone)
    loop, readers = _readers(settings)
    return loop.run(readers.look(looks))


@cache
def _readers(settings: str) -> tuple[asyncio.Runner, ReadingProcesses]:
    """Those of a process of Ray's, which runs task after task: the reading process belongs to the loop."""
    return asyncio.Runner(), ReadingProcesses(IndexingSettings(**json.loads(settings)))


@cache
def _release() -> str:
    """What decides which facts and chunks a text gives."""
    return f"{EXTRACTION} {families_hash()}"
