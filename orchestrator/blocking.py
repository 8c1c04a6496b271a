"""`BlockingOrchestrator`: the orchestrator for scripts and notebooks, which do not await.

The orchestrator runs on an event loop in a thread of its own, so that it also works where a loop runs already, as in a
notebook.
"""

from __future__ import annotations

import os
import threading
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Self, Unpack

from anyio.from_thread import start_blocking_portal

from memory.errors import InvalidInputError
from orchestrator.hybrid import HybridRetrievalOrchestrator

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path
    from types import TracebackType

    from anyio.from_thread import BlockingPortal

    from configs import HybridRetrievalConfig
    from memory.entities import Scope
    from memory.query import TaskContext
    from orchestrator.options import Options
    from orchestrator.result import HybridResult

    Given = Mapping[str, Any] | TaskContext | None


class BlockingOrchestrator:
    """`HybridRetrievalOrchestrator` without `await`; may be asked from many threads at once.

        with BlockingOrchestrator.open(".demo/shop") as retrieval:
            print(retrieval.retrieve("Who consumes order.placed?").answer.text)

    In a notebook `close()` ends what `open` began where no `with` does.
    """

    def __init__(self, opened: AbstractAsyncContextManager[HybridRetrievalOrchestrator]) -> None:
        self._opening = opened
        self._process = os.getpid()
        self._lock = threading.Lock()
        self._open = ExitStack()
        self._parts: tuple[BlockingPortal, HybridRetrievalOrchestrator] | None = None
        self._closed = False

    @classmethod
    def open(
        cls,
        data_dir: str | Path,
        profile: str = "embedded",
        config: HybridRetrievalConfig | None = None,
        **given: Unpack[Options],
    ) -> Self:
        """On a data folder; it is opened by `with`, or by the first question.

        Args:
            data_dir, profile, config, given: As `HybridRetrievalOrchestrator.open` takes them.
        """
        return cls(HybridRetrievalOrchestrator.open(data_dir, profile, config, **given))

    def retrieve(self, query: str, context: Given = None) -> HybridResult:
        """The whole result. Raises what `HybridRetrievalOrchestrator.retrieve` raises, and what opening raises."""
        return self._call(lambda orchestrator: orchestrator.retrieve(query, context))

    def retrieve_with_scope(self, query: str, scope: Scope, context: Given = None) -> HybridResult:
        """The result inside the scope's projects alone. Raises as `retrieve` does."""
        return self._call(lambda orchestrator: orchestrator.retrieve_with_scope(query, scope, context))

    @property
    def projects(self) -> frozenset[str]:
        """The indexed projects."""
        return self._opened()[1].projects

    def close(self) -> None:
        """Let go of stores, models and the thread; it can't be opened again."""
        with self._lock:
            self._closed = True
            self._open.close()

    def __enter__(self) -> Self:
        self._opened()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _call(self, ask: Callable[[HybridRetrievalOrchestrator], Awaitable[HybridResult]]) -> HybridResult:
        """What it answers; an interrupted wait cancels the question."""
        portal, orchestrator = self._opened()
        future = portal.start_task_soon(ask, orchestrator)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def _opened(self) -> tuple[BlockingPortal, HybridRetrievalOrchestrator]:
        if os.getpid() != self._process:
            problem = "This orchestrator was made in another process, whose threads a forked one has not."
            raise InvalidInputError(problem, "Open one in each process.")
        with self._lock:
            if self._closed:
                raise InvalidInputError("This orchestrator is closed.", "Open another.")
            if self._parts is None:
                with ExitStack() as stack:
                    portal = stack.enter_context(start_blocking_portal())
                    orchestrator = stack.enter_context(portal.wrap_async_context_manager(self._opening))
                    self._parts, self._open = (portal, orchestrator), stack.pop_all()
            return self._parts
