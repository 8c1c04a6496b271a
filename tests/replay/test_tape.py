from __future__ import annotations

import gzip
import json
import os

import anyio
import pytest

from memory.errors import DamagedIndexError, InvalidInputError, ModelError
from replay import Cassette
from replay.tape import Call, MissingCallError, Tape


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
    assert tape.look("folder.read", str, list, path="a") == "text"
    with pytest.raises(MissingCallError):
        tape.look("folder.read", str, list, path="b")


async def test_a_failure_comes_again_as_it_was_told():
    tape = Tape([call(error=("DamagedIndexError", "The index is damaged: a.", "Index again."))])
    with pytest.raises(DamagedIndexError) as told:
        await tape.ask("store.get", [{"key": "a"}], nobody)
    assert (told.value.message, told.value.hint) == ("The index is damaged: a.", "Index again.")


def test_an_answer_of_another_kind_is_damage():
    paths = Tape([Call("folder.paths", {}, {"()": ["a.py", None]})])
    with pytest.raises(InvalidInputError, match=r"folder\.paths is \('a\.py', None\)"):
        paths.look("folder.paths", tuple[str, ...], list)
    tape = Tape([Call("dense.dimension", {}, "bbb")])
    with pytest.raises(InvalidInputError, match=r"The recording is damaged: dense\.dimension is 'bbb'\."):
        tape.look("dense.dimension", int, list)


def test_a_long_input_is_named_in_short():
    with pytest.raises(MissingCallError) as told:
        Tape().look("model.stream", list, list, prompt="long " * 100, allowed=frozenset({"b", "a"}))
    assert "allowed={a, b}, prompt='long" in told.value.message
    assert len(told.value.message) < 300


CALLS = (Call("b", {"x": 1}, "B", ms=2.0), Call("a", {}, None, ("StoreError", "gone", "")))


def cassette(calls=CALLS):
    return Cassette("one", "What?", calls, {"d1": {"=": "X"}}, {"as asked": {}}, {"status": "answered"})


def written(**changes):
    """The bytes of a cassette with something else in it."""
    document = {"schema_version": "1", "id": "one", "query": "What?", "pool": {}, "answers": {}, "result": {}}
    return gzip.compress(json.dumps({**document, "calls": [], **changes}).encode())


def test_it_comes_back(tmp_path):
    file = tmp_path / "one.cassette.json.gz"
    cassette().save(file)
    again = Cassette.load(file)
    assert sorted(again.calls, key=lambda call: call.name) == sorted(CALLS, key=lambda call: call.name)
    assert (again.id, again.query, again.pool, again.result) == (
        "one",
        "What?",
        {"d1": {"=": "X"}},
        {"status": "answered"},
    )


def test_the_same_content_gives_the_same_bytes_whatever_the_file_and_the_order(tmp_path):
    cassette().save(tmp_path / "one.gz")
    cassette(CALLS[::-1]).save(tmp_path / "two.gz")
    first, second = ((tmp_path / name).read_bytes() for name in ("one.gz", "two.gz"))
    assert first == second
    assert first[4:8] == b"\0\0\0\0"  # gzip's time (RFC 1952, MTIME)


def test_a_link_in_its_place_leads_nowhere(tmp_path):
    link, elsewhere = tmp_path / "one.gz", tmp_path / "elsewhere"
    elsewhere.write_text("kept")
    link.symlink_to(elsewhere)
    cassette().save(link)
    assert (elsewhere.read_text(), Cassette.load(link).id) == ("kept", "one")


def test_a_pipe_in_its_place_is_not_waited_for(tmp_path):
    pipe = tmp_path / "one.gz"
    os.mkfifo(pipe)
    with pytest.raises(InvalidInputError, match="There is no recording"):
        Cassette.load(pipe)
    cassette().save(pipe)
    assert Cassette.load(pipe).id == "one"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"no gzip", "is damaged"),
        pytest.param(gzip.compress(b"no json"), "is damaged", id="no json"),
        pytest.param(gzip.compress(b"{}"), "is damaged", id="nothing in it"),
        pytest.param(gzip.compress(b'{"schema_version": "9"}'), "has schema 9", id="schema 9"),
        pytest.param(gzip.compress(b"[" * 100_000), "is damaged: it is nested deeper than 100", id="deep"),
        pytest.param(gzip.compress(b"\0" * 300_000_000, 1), "is damaged: it is larger than 256 MB", id="large"),
        pytest.param(written(pool=[]), "is damaged", id="pool"),
        pytest.param(written(calls=[["a", {}, None, None, "slow"]]), "is damaged", id="time"),
        pytest.param(
            written(calls=[["a", {}, None, ["Error", "said", "hint", "more"], 1.0]]), "is damaged", id="error"
        ),
        pytest.param(written(calls=[["a", {}, None, ["Error", 1, "hint"], 1.0]]), "is damaged", id="message"),
        pytest.param(
            written(calls=[["a", {}, None, ["annotations", "said", "hint"], 1.0]]), "is damaged", id="no error"
        ),
        pytest.param(written(calls={"a": 1}), "is damaged", id="calls"),
        pytest.param(written(calls=[["a", {"text": "\ud800"}, None, None, 1.0]]), "is damaged", id="half a pair"),
    ],
)
def test_a_file_that_is_none(tmp_path, content, said):
    file = tmp_path / "x.gz"
    file.write_bytes(content)
    with pytest.raises(InvalidInputError, match=said):
        Cassette.load(file)


def test_a_recording_that_is_not_there(tmp_path):
    with pytest.raises(InvalidInputError, match=r"There is no recording .*x\.gz") as told:
        Cassette.load(tmp_path / "x.gz")
    assert "record" in told.value.hint
