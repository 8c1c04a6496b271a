"""Calls by their exact input, on recorded time."""

from __future__ import annotations

import anyio
import pytest

from memory.errors import ModelError
from orchestrator.replay.tape import Call, MissingCallError, Tape


def call(ms=0.0, **more):
    return Call("store.get", {"key": "a"}, ms=ms, **more)


async def nobody(_):
    raise AssertionError("nobody is to be asked")


async def test_a_recorded_call_is_answered_after_its_own_time():
    tape = Tape([call(250.0, answer="A")])
    began = anyio.current_time()
    assert await tape.ask("store.get", [{"key": "a"}], nobody) == ["A"]
    assert anyio.current_time() - began == pytest.approx(0.25)


async def test_calls_of_one_batch_take_the_sum_of_their_times():
    tape = Tape([call(100.0, answer="A"), Call("store.get", {"key": "b"}, "B", ms=50.0)])
    began = anyio.current_time()
    assert await tape.ask("store.get", [{"key": "b"}, {"key": "a"}], nobody) == ["B", "A"]
    assert anyio.current_time() - began == pytest.approx(0.15)


async def test_a_recorded_error_is_raised_as_what_it_was():
    tape = Tape([call(error=("ModelError", "No weights.", "Get some."))])
    with pytest.raises(ModelError, match="No weights") as told:
        await tape.ask("store.get", [{"key": "a"}], nobody)
    assert told.value.hint == "Get some."


async def test_a_recorded_time_out_is_one_again():
    with pytest.raises(TimeoutError):
        await Tape([call(error=("TimeoutError", "took too long", ""))]).ask("store.get", [{"key": "a"}], nobody)


async def test_the_nearest_call_is_no_answer():
    tape = Tape([call(answer="A")])
    with pytest.raises(MissingCallError, match=r"store\.get\(key='b'\)"):
        await tape.ask("store.get", [{"key": "b"}], nobody)
    assert tape.missing == ["store.get(key='b')"]


def test_what_answers_at_once_is_looked_up_the_same_way():
    tape = Tape([Call("folder.read", {"path": "a"}, "text")])
    assert tape.look("folder.read", list, path="a") == "text"
    with pytest.raises(MissingCallError):
        tape.look("folder.read", list, path="b")


def test_a_long_input_is_named_in_short():
    with pytest.raises(MissingCallError) as told:
        Tape().look("model.stream", list, prompt="long " * 100, allowed=frozenset({"b", "a"}))
    assert "allowed={a, b}, prompt='long" in told.value.message
    assert len(told.value.message) < 300
