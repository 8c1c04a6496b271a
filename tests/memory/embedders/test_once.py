from __future__ import annotations

import threading

import pytest

from memory.embedders.once import Once


def test_many_threads_load_one_time():
    calls = []
    begin = threading.Barrier(8)
    once = Once(lambda: calls.append("load") or "model")
    found = []

    def ask():
        begin.wait()
        found.append(once())

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (calls, found) == (["load"], ["model"] * 8)


def test_what_failed_is_tried_again():
    answers = iter([OSError("not yet"), "model"])

    def load():
        answer = next(answers)
        if isinstance(answer, OSError):
            raise answer
        return answer

    once = Once(load)
    with pytest.raises(OSError, match="not yet"):
        once()
    assert once() == once() == "model"
