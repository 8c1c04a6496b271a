"""`refresh` as an ADK function tool: the index brought up to date with the disk, for whom it is their own."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import Any

from interfaces.adk.environment import refreshed_by_environment
from interfaces.adk.tools import Only
from interfaces.asking import error_of
from interfaces.lookups import refreshed_document
from memory.attempt import attempt
from memory.query import allowed_names


class RefreshTool:
    """The index of a data folder, else of the one that the environment names. allowed_projects: as `OnIndex` has it."""

    def __init__(self, *, allowed_projects: Iterable[str] | None = None, data_dir: Path | None = None) -> None:
        self._allowed = allowed_names(allowed_projects)
        self._data_dir = data_dir

    async def refresh(self, only_projects: Only = None) -> dict[str, Any]:
        """Brings the index up to date with the files on the disk.

        When to call this tool: when something is stale, or after you have edited files; ask again then. It takes
        seconds; where nothing changed it writes nothing.

        Args:
            only_projects: Bring these projects alone up to date. An unknown one is an error that lists the known.

        Returns:
            A dictionary with generation (the number of the index, where all its projects may be seen), changed (name,
            added, changed and removed files of each project of which any did), absent (the projects whose folder is not
            there, which stay as they were indexed) and left_out. If something is wrong, {"error": {"code", "message",
            "hint"}} instead.
        """
        done = await attempt(partial(refreshed_by_environment, self._data_dir, only_projects, self._allowed))
        return refreshed_document(done.value, sees_all=self._allowed is None) if done.status == "ok" else error_of(done)
