from __future__ import annotations

import io
import pickle
import struct
from collections import deque

import anyio
import numpy as np
import pytest

from memory.embedders import FakeSource, OnnxSource, Workers, embed_bulk
from memory.embedders.workers import serve
from memory.errors import ModelError
from tests.memory.embedders.logged import LoggedSource, loads

TEXTS = {str(number): f"text number {number}" for number in range(20)}


def in_pieces():
    return deque({key: TEXTS[key]} for key in TEXTS)


class Kept(dict):
    """Vectors by key, and the pieces in the order they came."""

    def __init__(self, pieces=()):
        self.left = []
        self._pieces = pieces

    def keep(self, keys, vectors):
        self.left.append(len(self._pieces))
        self.update(zip(keys, vectors, strict=True))


def expected(source):
    return dict(zip(TEXTS, source.load()(list(TEXTS.values())), strict=True))


async def test_the_same_processes_serve_one_call_after_the_other(tmp_path):
    source = LoggedSource.at(tmp_path)
    async with Workers(2) as workers:
        assert not workers.have(source)
        await workers.start(source)
        assert workers.have(source)
        for _ in range(2):
            kept = Kept()
            await workers.embed(in_pieces(), source, kept.keep)
            assert np.array_equal(list(kept.values()), [expected(FakeSource(4))[key] for key in kept])
            assert set(kept) == set(TEXTS)
    assert loads(tmp_path) == ["worker"] * 2
    assert not workers.have(source)


async def test_no_more_are_started_than_there_are_pieces(tmp_path):
    async with Workers(3) as workers:
        kept = Kept()
        await workers.embed(deque([TEXTS]), LoggedSource.at(tmp_path), kept.keep)
        assert loads(tmp_path) == ["worker"]
        assert set(kept) == set(TEXTS)
        await workers.embed(in_pieces(), LoggedSource.at(tmp_path), Kept().keep)
    assert loads(tmp_path) == ["worker"] * 3


async def test_a_process_has_its_next_piece_while_this_one_deals_with_the_last():
    pieces = in_pieces()
    kept = Kept(pieces)
    async with Workers(1) as workers:
        await workers.embed(pieces, FakeSource(4), kept.keep)
    assert kept.left == [*range(18, 0, -1), 0, 0]  # of 20, two are out when the first comes back


async def test_another_model_takes_the_place_of_the_first(tmp_path):
    async with Workers(1) as workers:
        for dimension in (4, 8, 4):
            kept = Kept()
            await workers.embed(in_pieces(), LoggedSource.at(tmp_path, dimension), kept.keep)
            assert {len(vector) for vector in kept.values()} == {dimension}
    assert loads(tmp_path) == ["worker"] * 3


async def test_what_is_started_is_used_for_few_texts_too(tmp_path):
    source = LoggedSource.at(tmp_path)
    async with Workers(1) as workers:
        await workers.start(source)
        found = await embed_bulk(list(TEXTS.values()), source, workers=workers)
        assert np.array_equal(found, list(expected(FakeSource(4)).values()))
    assert loads(tmp_path) == ["worker"]


async def test_a_model_that_cannot_be_loaded_is_said_to_who_embeds(tmp_path):
    (tmp_path / "model.onnx").write_text("nonsense")
    async with Workers(2) as workers:
        await workers.start(OnnxSource(str(tmp_path)))
        with pytest.raises(ModelError, match="can't be read"):
            await workers.embed(in_pieces(), OnnxSource(str(tmp_path)), Kept().keep)
        kept = Kept()
        await workers.embed(in_pieces(), FakeSource(4), kept.keep)
        assert set(kept) == set(TEXTS)


async def test_what_was_cut_short_leaves_no_answer_for_the_next():
    source = FakeSource(4)
    async with Workers(2) as workers:
        with anyio.CancelScope() as scope:
            await workers.embed(in_pieces(), source, lambda keys, vectors: scope.cancel())
        assert scope.cancelled_caught
        assert not workers.have(source)
        kept = Kept()
        await workers.embed(in_pieces(), source, kept.keep)
        assert all(np.array_equal(kept[key], vector) for key, vector in expected(source).items())


def frame(value):
    data = pickle.dumps(value)
    return struct.pack(">I", len(data)) + data


def frames(data):
    found = []
    while data:
        (size,) = struct.unpack(">I", data[:4])
        found.append(data[4 : 4 + size])
        data = data[4 + size :]
    return found


def served(*requests):
    answers = io.BytesIO()
    serve(io.BytesIO(b"".join(requests)), answers)
    return frames(answers.getvalue())


def test_it_answers_each_list_until_its_input_ends():
    hello, first, second = served(frame(FakeSource(4)), frame(["a b", "c"]), frame(["d"]))
    assert hello == b""
    assert np.array_equal(np.frombuffer(first, dtype=np.float32).reshape(2, 4), FakeSource(4).load()(["a b", "c"]))
    assert np.array_equal(np.frombuffer(second, dtype=np.float32).reshape(1, 4), FakeSource(4).load()(["d"]))


def test_input_that_ends_inside_a_frame_ends_it():
    assert served(frame(FakeSource()), frame(["a"])[:-3]) == [b""]
    assert served() == []


def test_a_model_that_cannot_be_loaded_is_said(tmp_path):
    (said,) = served(frame(OnnxSource(str(tmp_path))))
    assert b"can't be read" in said
