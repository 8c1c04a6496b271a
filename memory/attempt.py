"""Calls into foreign code. This is the one place that catches Exception and turns a failure into an outcome.

What is written in Rust raises no `Exception` where it panics: `panics_as` makes an error of that.
"""

from __future__ import annotations

import asyncio
import inspect
import math
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, Literal

import anyio

from memory.errors import HybridRetrievalError, ModelError
from memory.text.output import one_line, without_credentials

LATE: Final = "did not answer in time"
_LONGEST_REASON = 300
_LONGEST_READ = 10 * _LONGEST_REASON


def is_panic(error: BaseException) -> bool:
    """Whether an engine raised it instead of ending the process."""
    return type(error).__name__ == "PanicException" and type(error).__module__ == "pyo3_runtime"


@contextmanager
def panics_as(explained: Callable[[str], HybridRetrievalError]) -> Iterator[None]:
    """Around calls of an engine: a panic is raised as the error that `explained` makes of its text."""
    try:
        yield
    except BaseException as error:
        if is_panic(error):
            raise explained(f"the engine gave up, {error}") from error
        raise


@dataclass(frozen=True, slots=True)
class Attempt:
    """How a call into foreign code went: its value, or why there is none."""

    status: Literal["ok", "timeout", "error"]
    value: Any = None
    reason: str | None = None
    error: BaseException | None = None


async def attempt(call: Callable[[], Any], deadline: float = math.inf) -> Attempt:
    """Call foreign code until `deadline` (the event loop's time); whatever it does comes back as a value.

    Only a cancellation from outside and Ctrl-C pass through. Python gives Ctrl-C to the main thread: where the loop
    runs in another, a KeyboardInterrupt (kglite raises it in the thread that reads) is a failure like others.
    """
    try:
        with anyio.CancelScope(deadline=deadline) as own:
            return await _called(call, own)
    except RuntimeError as error:  # our scope's own: the call left one of its own open in this task
        return Attempt("error", reason=_format_error(error), error=error)
    return Attempt("timeout", reason=LATE)


async def _called(call: Callable[[], Any], own: anyio.CancelScope) -> Attempt:
    try:
        value = call()
        return Attempt("ok", await value if inspect.isawaitable(value) else value)
    except asyncio.CancelledError as error:
        if own.cancel_called or _cancelled_from_outside():
            raise
        return Attempt("error", reason="cancelled itself", error=error)
    except BaseException as error:  # noqa: BLE001 - the one place: a failure becomes an outcome, sys.exit() too
        return _failed(error, late=own.cancel_called or isinstance(error, TimeoutError))


def attempt_now(call: Callable[[], Any]) -> Attempt:
    """`attempt` for a call that waits for nothing."""
    try:
        return Attempt("ok", call())
    except BaseException as error:  # noqa: BLE001 - the one place, as above
        return _failed(error)


def _failed(error: BaseException, *, late: bool = False) -> Attempt:
    """A failure as an outcome; Ctrl-C goes on."""
    if isinstance(error, KeyboardInterrupt) and threading.current_thread() is threading.main_thread():
        raise error
    return Attempt("timeout" if late else "error", reason=_format_error(error), error=error)


async def model_answer(model: str, call: Callable[[], Any], timeout_s: float = math.inf) -> Any:
    """What a model answers. Raises ModelError, whatever it raises itself, and where it is silent for longer."""
    done = await attempt(call, anyio.current_time() + timeout_s)
    if done.status == "ok":
        return done.value
    if isinstance(done.error, HybridRetrievalError):
        raise done.error
    if done.status == "timeout":
        within = f"within {timeout_s:g} s" if math.isfinite(timeout_s) else "in time"
        raise ModelError(f"{model} gave no answer {within}.", "Try again.") from done.error
    raise ModelError(f"{model} failed: {done.reason}.", "Run: hybrid-retrieval doctor") from done.error


def _cancelled_from_outside() -> bool:
    """A scope around us was cancelled, or somebody cancelled our task; else the foreign code did it to itself."""
    task = asyncio.current_task()
    return anyio.current_effective_deadline() == -math.inf or (task is not None and task.cancelling() > 0)


def safe_reason(text: str) -> str:
    """What foreign code says, in one line, without credentials and other secrets."""
    from memory.secrets import redact  # noqa: PLC0415 - its rules are read where something fails alone

    return redact("", without_credentials(one_line(text[:_LONGEST_READ])))[:_LONGEST_REASON]


def _format_error(error: BaseException) -> str:
    """An error as a reason; of a group its first member."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    try:
        text = f"{type(error).__name__}: {_message(error)}"
    except BaseException:  # noqa: BLE001 - nor need its class have a name
        text = "an error without a name"
    return safe_reason(text).rstrip(": ")


def _message(error: BaseException) -> str:
    """The beginning of what an error says: the whole of it may be megabytes, and need not be printable."""
    try:
        return "".join(str(error))[:_LONGEST_READ]
    except BaseException:  # noqa: BLE001 - whatever its `__str__` does
        return ""
