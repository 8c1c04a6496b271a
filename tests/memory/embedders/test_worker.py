from __future__ import annotations

import io
import pickle
import struct

import numpy as np

from memory.embedders import FakeSource, OnnxSource
from memory.embedders.worker import serve


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
