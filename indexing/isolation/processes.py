"""`ReadingProcesses`: files are looked at in processes, so that no crash or hang of a native parser ends the run."""

from __future__ import annotations

import json
import signal
from collections import deque
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import asdict
from functools import partial
from typing import Any, Final, Self

import anyio

from configs.settings import IndexingSettings
from extraction.rules.structure.reading import KEY
from indexing.isolation.port import Found, Look
from memory.errors import ConfigError, UnavailableError
from memory.processes import Child, EndedError, child_process
from memory.together import together

_START: Final = f"from {__package__}.looking import main; main()"  # whatever name the package goes by
_WORTH_ANOTHER: Final = 50
"""So many files take about as long as a process takes to start."""
_PATIENCE: Final = 10
"""A process that its own limits have not ended after so many times the processor's time of a file is ended here."""
_LONGEST_START: Final = 120
_TIMES_UP: Final = (signal.SIGPROF, signal.SIGALRM)


class ReadingProcesses:
    """At most `indexing.workers` processes, started when there is something to look at. Leaving the block ends them."""

    at_once = 1

    def __init__(self, settings: IndexingSettings) -> None:
        self._settings = settings
        self._processes: list[_Process] = []

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        for process in self._processes:
            await process.end()

    async def look(self, looks: Sequence[Look]) -> list[Found]:
        """What each brought, in order; a file that ends its process is left out as `unreadable`. Raises ConfigError."""
        found: dict[int, Found] = {}
        waiting = deque(enumerate(looks))
        most = max(1, min(self._settings.workers, 1 + len(looks) // _WORTH_ANOTHER)) if looks else 0
        while len(self._processes) < most:
            self._processes.append(_Process(self._settings))
        await together([partial(process.work, waiting, found) for process in self._processes])
        return [found[number] for number in range(len(looks))]


class _Process:
    """One process; where a file ended it, the next file gets another."""

    def __init__(self, settings: IndexingSettings) -> None:
        self._settings = settings
        self._seconds = settings.file_timeout_ms / 1000
        self._child: Child | None = None
        self._exits = AsyncExitStack()

    async def work(self, waiting: deque[tuple[int, Look]], found: dict[int, Found]) -> None:
        while waiting:
            number, look = waiting.popleft()
            found[number] = await self._look(look)

    async def end(self) -> None:
        self._child = None
        await self._exits.aclose()

    async def _look(self, look: Look) -> Found:
        child = self._child or await self._started()
        self._child = None  # until it answers: an answer that is not waited for any more must not meet the next look
        because = self._too_long()
        with anyio.move_on_after(self._seconds * _PATIENCE):
            try:
                found = Found.from_dict(await _answer(child, look.to_dict()))
            except EndedError:
                because = self._ended(await child.exit_code())
            else:
                self._child = child
                return found
        await self.end()
        return Found("unreadable", because)

    async def _started(self) -> Child:
        child = await self._exits.enter_async_context(child_process(_START))
        try:
            with anyio.fail_after(_LONGEST_START):
                await self._readied(child)
        except (EndedError, TimeoutError) as error:
            raise UnavailableError(
                "A process that reads files could not be started.", "What it wrote on standard error may say why."
            ) from error
        return child

    async def _readied(self, child: Child) -> None:
        """Raises EndedError, and ConfigError for rules of the user's own that can't be loaded."""
        try:
            await _answer(child, asdict(self._settings))
        except EndedError as error:
            if -await child.exit_code() not in _TIMES_UP:
                raise
            problem = f"loading them took longer than {self._seconds:g} s."
            files = ", ".join(self._settings.rules)
            raise ConfigError(KEY, files, problem, "One of these files may never end.") from error

    def _ended(self, code: int) -> str:
        """Why a process did, for people."""
        if -code in _TIMES_UP:
            return self._too_long()
        return f"its reader crashed ({signal.Signals(-code).name})" if code < 0 else f"its reader left with code {code}"

    def _too_long(self) -> str:
        return f"reading it took longer than {self._seconds:g} s"


async def _answer(child: Child, request: dict[str, Any]) -> dict[str, Any]:
    """Raises EndedError, and ConfigError for a mistake in the user's own rules."""
    await child.send(json.dumps(request).encode())
    answer: dict[str, Any] = json.loads(await child.receive())
    if "mistake" in answer:
        raise ConfigError(*answer["mistake"])
    return answer
