"""What the tools ask, opened with the first call and kept open, on the environment's folder, profile and settings."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Iterable
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Generic, TypeVar

import anyio

from interfaces.asking import permitted
from memory.query import allowed_names
from memory.together import PerLoop
from orchestrator.current import Current, Lease, leased
from wiring import data_folder, environment_config

if TYPE_CHECKING:
    from indexing import IndexReport
    from orchestrator.hybrid import HybridRetrievalOrchestrator

T = TypeVar("T")


class KeptOpen(Generic[T]):
    """`Current` without a task group of the caller's: it opens with the first use, anew when `version` is another
    than before, and is let go of with `close`. Each event loop has its own, since ADK's synchronous runner starts one
    for every question; a loop that ends closes what was opened in it.
    """

    def __init__(
        self, open_one: Callable[[], AbstractAsyncContextManager[T]], version: Callable[[], object] = lambda: 0
    ) -> None:
        self._homes = PerLoop(partial(_Home[T], open_one, version))

    async def lease(self) -> Lease[T]:
        """What is open, until the lease ends; raises what opening raises, and UnavailableError when it is late."""
        home = self._homes.get()
        await home.settled.wait()
        return await home.current.lease()

    def use(self) -> AbstractAsyncContextManager[T]:
        """What is open, for the time of the block; raises as `lease` does."""
        return leased(self.lease)

    async def close(self) -> None:
        """Let go of it: it is closed, or will be by its last user, in other loops soon. The next use opens it again."""
        loop = asyncio.get_running_loop()
        for other, home in self._homes.all():
            if other is loop:
                await home.settled.wait()
                await home.current.close()
            else:
                with suppress(RuntimeError):  # that loop is closed, and so is what was opened in it
                    other.call_soon_threadsafe(home.let_go)


class _Home(Generic[T]):
    """A task of one loop, in which what is opened is also closed: who called first may be gone long before the last."""

    current: Current[T]

    def __init__(self, open_one: Callable[[], AbstractAsyncContextManager[T]], version: Callable[[], object]) -> None:
        self.settled = anyio.Event()
        # No task group: none of ours lives as long as the agent does. The loop's end cancels the task, which closes.
        self._task = asyncio.get_running_loop().create_task(self._live(open_one, version))

    def let_go(self) -> None:
        if self.settled.is_set():
            self.current.let_go()

    async def _live(
        self, open_one: Callable[[], AbstractAsyncContextManager[T]], version: Callable[[], object]
    ) -> None:
        async with anyio.create_task_group() as group:
            self.current = Current(version, open_one, group, keep_open=math.inf)
            self.settled.set()
            await anyio.sleep_forever()


class OnIndex(Generic[T]):
    """Opens what it asks with the first call, and anew when another generation was indexed meanwhile, until `close`.

    Args:
        opening: what the application opens, taken as it is; None: what `_of_folder` opens on a data folder.
        allowed_projects: what may be seen, all that is indexed if not given; it is the application's to say, never the
            model's or the session's.
        data_dir: the data folder; None: the one that the environment names.
    """

    def __init__(
        self,
        opening: Callable[[], AbstractAsyncContextManager[T]] | None = None,
        *,
        allowed_projects: Iterable[str] | None = None,
        data_dir: Path | None = None,
    ) -> None:
        self._kept: KeptOpen[T] = (
            KeptOpen(opening)
            if opening is not None
            else KeptOpen(partial(self._of_folder, data_dir), partial(_generation, data_dir))
        )
        self._allowed = allowed_names(allowed_projects)

    def _of_folder(self, data_dir: Path | None) -> AbstractAsyncContextManager[T]:
        raise NotImplementedError

    async def close(self) -> None:
        """Let go of the index; the next call opens it again."""
        await self._kept.close()


def _generation(data_dir: Path | None) -> object:
    from memory.generation import DataFolder  # noqa: PLC0415 - with the first call, not at import

    return DataFolder.open(data_folder(data_dir)).pointer


async def refreshed_by_environment(data_dir: Path | None, only: object, allowed: frozenset[str] | None) -> IndexReport:
    """A run over those projects of a data folder that a call may touch, else of the one that the environment names."""
    from memory.generation import DataFolder  # noqa: PLC0415
    from wiring.opening import bring_up_to_date  # noqa: PLC0415

    (profile, config), folder = environment_config(), data_folder(data_dir)
    with DataFolder.open(folder).reading() as generation:
        projects = permitted(only, allowed, generation.manifest.names)
    return await bring_up_to_date(folder, config, projects, profile=profile, holder="HybridRetrievalToolset")


def orchestrator_of_environment(
    data_dir: Path | None = None, *, writes: bool = True
) -> AbstractAsyncContextManager[HybridRetrievalOrchestrator]:
    """The orchestrator on a data folder, else on the one that the environment names, until its caller's agents are
    done.

    writes: whether its answers are written by the language model that is set; where an ADK agent writes them, no other
    does.
    """
    from orchestrator.hybrid import HybridRetrievalOrchestrator  # noqa: PLC0415

    _, config = environment_config()
    if not writes:
        config = replace(config, synthesis=replace(config.synthesis, model=None))
    return HybridRetrievalOrchestrator.open(data_folder(data_dir), config=config, wait_for_mays=True)
