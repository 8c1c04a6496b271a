"""What foreign code raises is an outcome, or an error of ours; a panic of a native engine too."""

from __future__ import annotations

import asyncio

import anyio
import pytest
from anyio.from_thread import start_blocking_portal

from memory.attempt import attempt, attempt_now, is_panic, model_answer, panics_as
from memory.errors import ModelError, StoreError

PanicException = type("PanicException", (BaseException,), {"__module__": "pyo3_runtime"})


def test_a_panic_becomes_the_error_that_its_text_is_given_to():
    with pytest.raises(StoreError, match="the engine gave up, index out of bounds") as met, panics_as(StoreError):
        raise PanicException("index out of bounds")
    assert is_panic(met.value.__cause__)


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, ValueError])
def test_nothing_else_does(error):
    with pytest.raises(error), panics_as(StoreError):
        raise error


@pytest.mark.parametrize(
    "error", [SystemExit(2), GeneratorExit(), ValueError("x"), BaseExceptionGroup("both", [SystemExit(1)])]
)
async def test_whatever_foreign_code_raises_is_an_outcome(error):
    def fail():
        raise error

    for done in (await attempt(fail), attempt_now(fail)):
        assert (done.status, done.error) == ("error", error)


def test_an_interrupt_of_the_main_thread_is_none():
    def interrupted():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        attempt_now(interrupted)
    assert attempt_now(lambda: 3).value == 3


async def test_an_attempt_that_is_closed_closes_the_call():
    async def whole():
        await attempt(anyio.sleep_forever)
        raise AssertionError("it went on")

    suspended = whole()
    suspended.send(None)
    suspended.close()


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("refused: ghp_" + "0123456789abcdefghijABCDEFGHIJ012345", "refused: (redacted)"),
        ("postgres://app:" + "p@ss@db/x failed", "postgres://db/x failed"),
        ("login with password=" + "hunter2Zq9x!", "login with password=(redacted)"),
        (
            "\x1b[31mno \u202e answer\n\tpass\x1bword: " + "hunter2Zq9x! \ud800",
            "[31mno answer password: (redacted) \ufffd",
        ),
    ],
    ids=["token", "address", "name", "control characters"],
)
async def test_what_an_error_may_not_show(message, reason):
    def fail():
        raise BaseException(message)  # noqa: TRY002 - foreign code does

    assert (await attempt(fail)).reason == f"BaseException: {reason}"


async def test_ctrl_c_passes_through():
    def interrupt():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        await attempt(interrupt)
    with start_blocking_portal() as portal:  # the thread of a loop beside the program's has none
        assert portal.call(attempt, interrupt).status == "error"


@pytest.mark.parametrize(
    ("error", "message"),
    [(ModelError("It is down."), "It is down."), (OSError("refused"), "m failed: OSError: refused.")],
)
async def test_a_model_that_fails_is_a_model_error(error, message):
    async def fail():
        raise error

    with pytest.raises(ModelError) as met:
        await model_answer("m", fail)
    assert met.value.message == message


async def test_a_call_that_leaves_a_scope_of_its_own_open_has_failed():
    async def leaves():
        anyio.CancelScope().__enter__()

    done = await asyncio.create_task(attempt(leaves))
    assert (done.status, done.value) == ("error", None)
    assert "cancel scope" in done.reason


class NoName(type):
    @property
    def __name__(cls):
        raise ValueError


class NamelessError(Exception, metaclass=NoName):
    pass


class UnprintableError(Exception):
    def __str__(self):
        raise SystemExit(3)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (NamelessError(), "an error without a name"),
        (UnprintableError(), "UnprintableError"),
        (RuntimeError("x" * 9_000_000), f"RuntimeError: {'x' * 286}"),
    ],
)
async def test_an_error_that_can_t_be_told_is_one(error, reason):
    async def fails():
        raise error

    assert (await attempt(fails)).reason == reason
