"""A server that reads what is announced in Qdrant, in place of a data folder that it shares with the indexer (record
0084).
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

from configs.settings import QdrantSettings
from memory.attempt import attempt
from memory.clock import Clock, SystemClock
from memory.extras import brought_by
from memory.generation.announcing import follow
from orchestrator.logbook import log_info, log_warning

__all__ = ["keep_following"]


async def keep_following(data_dir: Path, settings: QdrantSettings, clock: Clock | None = None) -> None:
    """Have each generation in the folder soon after it was announced. What fails is logged, once, and tried again.

    Args:
        data_dir: a folder of this machine's own.
        settings: where the index is announced, and how often to look.
        clock: what waits between two looks.
    """
    with brought_by("qdrant", "A server that follows an index"):
        from memory.vector.qdrant_depot import QdrantDepot  # noqa: PLC0415 - its client takes a second to import
    clock, depot, problem = clock or SystemClock(), QdrantDepot.of(settings), ""
    while True:
        done = await attempt(partial(follow, data_dir, depot))
        if done.status == "ok" and done.value:
            log_info("another generation is here")
        if done.status != "ok" and problem != done.reason:
            log_warning("the index can't be followed", reason=done.reason or "")
        problem = done.reason or ""
        await clock.sleep(settings.followers_s)
