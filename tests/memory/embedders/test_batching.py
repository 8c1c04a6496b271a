from __future__ import annotations

import anyio
import numpy as np
import pytest

from memory.embedders.batching import QueryBatcher


class Model:
    """Counts calls; a call takes until `gate` opens, where one is given."""

    def __init__(self):
        self.calls: list[list[str]] = []
        self.gate: anyio.Event | None = None
        self.failures = 0

    async def __call__(self, texts):
        self.calls.append(list(texts))
        if self.gate is not None:
            await self.gate.wait()
        if self.failures:
            self.failures -= 1
            raise RuntimeError("no")
        return np.array([[len(text), 0] for text in texts], dtype=np.float32)


async def test_those_who_start_together_share_one_call():
    model, got = Model(), {}
    batcher = QueryBatcher(model, 2)

    async def ask(*texts):
        got[texts] = [vector[0] for vector in await batcher.vectors(texts)]

    async with anyio.create_task_group() as group:
        for texts in (("a",), ("bb", "a"), ("ccc",)):
            group.start_soon(ask, *texts)
    assert got == {("a",): [1], ("bb", "a"): [2, 1], ("ccc",): [3]}
    assert len(model.calls) == 1
    assert sorted(model.calls[0]) == ["a", "bb", "ccc"]


async def test_those_who_come_during_a_call_share_the_next():
    model = Model()
    batcher = QueryBatcher(model, 2)
    model.gate = anyio.Event()
    async with anyio.create_task_group() as group:
        group.start_soon(batcher.vectors, ["first"])
        await anyio.wait_all_tasks_blocked()
        for text in ("x", "y", "z"):
            group.start_soon(batcher.vectors, [text])
        await anyio.wait_all_tasks_blocked()
        model.gate.set()
    assert model.calls[0] == ["first"]
    assert sorted(model.calls[1]) == ["x", "y", "z"]
    assert len(model.calls) == 2


async def test_what_was_asked_is_remembered_up_to_a_bound():
    model = Model()
    batcher = QueryBatcher(model, 2, remembered=2)
    for text in ("a", "b", "a", "c", "a"):  # c puts b out, a was used since
        await batcher.vectors([text])
    assert model.calls == [["a"], ["b"], ["c"]]
    await batcher.vectors(["b"])
    assert model.calls[-1] == ["b"]


async def test_a_call_has_a_largest_size():
    model = Model()
    batcher = QueryBatcher(model, 2, largest=2)
    async with anyio.create_task_group() as group:
        for text in ("a", "b", "c"):
            group.start_soon(batcher.vectors, [text])
    assert sorted(map(len, model.calls)) == [1, 2]


async def test_a_leader_that_is_cancelled_hands_over():
    model, got = Model(), []
    batcher = QueryBatcher(model, 2)
    model.gate = anyio.Event()

    async def follow():
        got.extend(await batcher.vectors(["lead", "follow"]))

    async with anyio.create_task_group() as group:
        with anyio.CancelScope() as leading:
            async with anyio.create_task_group() as inner:
                inner.start_soon(batcher.vectors, ["lead"])
                await anyio.wait_all_tasks_blocked()
                group.start_soon(follow)
                await anyio.wait_all_tasks_blocked()
                leading.cancel()
        model.gate.set()
    assert [vector[0] for vector in got] == [4, 6]
    assert model.calls == [["lead"], ["lead", "follow"]]


async def test_a_failure_is_the_leader_s_alone_and_nothing_is_left_waiting():
    model = Model()
    batcher = QueryBatcher(model, 2)
    model.failures = 1
    with pytest.raises(RuntimeError, match="no"):
        await batcher.vectors(["a"])
    assert (await batcher.vectors(["b"]))[0][0] == 1
    assert model.calls == [["a"], ["b"]]


async def test_with_no_memory_at_all_everybody_still_gets_an_answer():
    model, got = Model(), []
    batcher = QueryBatcher(model, 2, remembered=0)

    async def ask(text):
        got.append((await batcher.vectors([text]))[0][0])

    async with anyio.create_task_group() as group:
        for text in ("a", "bb"):
            group.start_soon(ask, text)
    assert sorted(got) == [1, 2]


async def test_where_nothing_is_remembered_those_who_wait_share_the_call_all_the_same():
    model = Model()
    batcher = QueryBatcher(model, 2, remembered=0)
    async with anyio.create_task_group() as group:
        for number in range(10):
            group.start_soon(batcher.vectors, [f"question {number}"])
    assert [len(texts) for texts in model.calls] == [10]
    await batcher.vectors(["question 1"])
    assert len(model.calls) == 2  # and nobody later has what was theirs
