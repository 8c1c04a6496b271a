from __future__ import annotations

import pytest

from memory.embedders import FastEmbedDense, FastEmbedSource
from memory.embedders.weights import MINILM
from memory.errors import ModelError


async def test_it_cuts_at_max_tokens(minilm):
    short = FastEmbedDense(MINILM, dimension=384, folder=minilm, max_tokens=8)
    first, second = await short.embed_documents(
        ["one two three four five six seven", "one two three four five six eight"]
    )
    assert (first == second).all()
    assert short.model == MINILM


async def test_an_unknown_model_is_a_model_error_that_says_what_to_do(tmp_path):
    with pytest.raises(ModelError, match="nobody/nothing") as caught:
        await FastEmbedDense("nobody/nothing", dimension=3, cache=tmp_path).warm_up()
    assert "dense_model_path" in caught.value.hint


def test_the_cache_key_tells_lengths_apart():
    assert FastEmbedSource("m", 3).cache_key != FastEmbedSource("m", 3, max_tokens=5).cache_key
