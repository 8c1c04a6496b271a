"""Who is asked in a thread: a model; counting words is done in place."""

from __future__ import annotations

import threading

import pytest

from memory.embedders import FakeSparseEmbedder
from memory.embedders.port import without_blocking


class Model(FakeSparseEmbedder):
    is_model = True


@pytest.mark.parametrize(("sparse", "in_a_thread"), [(FakeSparseEmbedder(), False), (Model(), True)])
async def test_only_a_model_is_asked_in_a_thread(sparse, in_a_thread):
    assert (await without_blocking(sparse, threading.get_ident) != threading.get_ident()) is in_a_thread


@pytest.mark.parametrize("sparse", [FakeSparseEmbedder(), Model()])
async def test_what_is_raised_arrives(sparse):
    with pytest.raises(ZeroDivisionError):
        await without_blocking(sparse, lambda: 1 // 0)
