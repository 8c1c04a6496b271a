"""`Cluster`: a Ray cluster whose driver this process is. Ray decides where a task runs, again where a node dies."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeVar

import anyio

from memory.errors import HybridRetrievalError, UnavailableError
from memory.imports import brought_by

if TYPE_CHECKING:
    from ray import ObjectRef

T = TypeVar("T")
_PATIENCE_S: Final = 5
_RETRIES: Final = 3
"""How often a task is run again whose worker or node died."""
_LOST: Final = "What was embedded is kept: index again."


class Cluster:
    """The cluster at an address; without one the cluster that Ray knows of (RAY_ADDRESS, or one that was started on
    this machine), else one of this machine alone. It is joined when it is first needed and left when the process ends,
    if not before.
    """

    def __init__(self, address: str) -> None:
        self._address = address
        self._joining = threading.Lock()
        self._joined = False
        self._tasks: dict[Callable[..., Any], Any] = {}

    async def join(self) -> None:
        """Be its driver. Raises NotInstalledError, and UnavailableError where the cluster is out of reach."""
        host, _, port = self._address.removeprefix("ray://").rpartition(":")
        if port.isdigit():  # Ray itself would try for minutes
            try:
                with anyio.fail_after(_PATIENCE_S):
                    await (await anyio.connect_tcp(host, int(port))).aclose()
            except (OSError, TimeoutError) as error:
                raise self._out_of_reach("nothing answers there") from error
        await anyio.to_thread.run_sync(self._join, abandon_on_cancel=True)

    def leave(self) -> None:
        """Be its driver no more, where it was joined here; from then on Ray prints nothing of it."""
        if self._joined:
            import ray  # noqa: PLC0415 - joined by now

            ray.shutdown()
            self._joined = False

    @property
    def at_once(self) -> int:
        """So many tasks at once keep every core of it busy: one at work and one that waits for each."""
        import ray  # noqa: PLC0415 - joined by now

        cores = ray.cluster_resources().get("CPU", 0)  # type: ignore[no-untyped-call]  # its own
        return 2 * max(1, int(cores))

    async def call(self, function: Callable[..., T], *arguments: Any) -> T:
        """What a function of a module returns, run on one core of some node.

        Raises the error of ours that it raised, and UnavailableError where no node could finish it.
        """
        import ray  # noqa: PLC0415 - joined by now

        if function not in self._tasks:  # each is sent to the nodes once
            self._tasks[function] = ray.remote(num_cpus=1, max_retries=_RETRIES)(function)
        reference: ObjectRef[T] = self._tasks[function].remote(*arguments)
        try:
            return await reference
        except ray.exceptions.RayTaskError as error:
            raise (error.cause if isinstance(error.cause, HybridRetrievalError) else error) from error
        except ray.exceptions.RayError as error:
            raise UnavailableError(f"The Ray cluster could not finish a task: {_first_line(error)}.", _LOST) from error
        except anyio.get_cancelled_exc_class():
            ray.cancel(reference)
            raise

    def _join(self) -> None:
        with brought_by("ray", "Indexing on several machines"):
            os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is sent anywhere
            import ray  # noqa: PLC0415 - three seconds, only for who indexes on a cluster
        with self._joining:
            if ray.is_initialized():
                return
            try:
                logging.getLogger("ray").setLevel(logging.ERROR)  # it warns that a thread joins
                ray.init(self._address or None, log_to_driver=False, configure_logging=False)
                self._joined = True
            except (ConnectionError, ValueError, RuntimeError) as error:
                raise self._out_of_reach(_first_line(error)) from error

    def _out_of_reach(self, why: str) -> UnavailableError:
        return UnavailableError(
            f"The Ray cluster {self._address or 'of this machine'} is out of reach: {why}.",
            "Check the address, and that `ray status` there says it runs.",
        )


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0].rstrip(". ")
