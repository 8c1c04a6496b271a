from __future__ import annotations

from dataclasses import dataclass

import anyio
import numpy as np
import pytest

from memory.embedders import EmbeddingCache, FakeSource, OnnxSource, embed_bulk, text_key
from memory.errors import HybridRetrievalError, ModelError, StorageFullError

TEXTS = [f"text number {number} about {'billing ' * (number % 5)}" for number in range(30)]


@dataclass(frozen=True)
class CountingSource:
    """Tells through a list what was encoded."""

    seen: list[str]
    model: str = "counting"
    dimension: int = 2
    cache_key: str = "counting"

    def load(self):
        def encode(texts):
            self.seen.extend(texts)
            return np.array([[len(text), 1] for text in texts], dtype=np.float32)

        return encode


def expected(texts):
    return FakeSource().load()(texts)


@pytest.mark.parametrize("in_process_chars", [0, 10**6])
async def test_vectors_come_in_the_order_of_the_texts(in_process_chars):
    seen = []
    vectors = await embed_bulk(
        TEXTS, FakeSource(), in_process_chars=in_process_chars, progress=lambda *step: seen.append(step)
    )
    assert np.array_equal(vectors, expected(TEXTS))
    assert seen[0] == (0, 30)
    assert seen[-1] == (30, 30)
    assert seen == sorted(seen)


async def test_workers_and_this_process_give_the_same_numbers(minilm):
    source = OnnxSource(str(minilm))
    apart = await embed_bulk(TEXTS[:10], source, in_process_chars=0)
    assert np.array_equal(apart, await embed_bulk(TEXTS[:10], source))


async def test_equal_texts_are_embedded_once_longest_first():
    seen = []
    vectors = await embed_bulk(["b", "aaa", "b", "aaa", "cc"], CountingSource(seen))
    assert seen == ["aaa", "cc", "b"]
    assert vectors[:, 0].tolist() == [1, 3, 1, 3, 2]


async def test_what_the_cache_holds_is_not_embedded_again(tmp_path):
    cache, seen, steps = EmbeddingCache(tmp_path / "cache.sqlite"), [], []
    await embed_bulk(["a", "bb"], CountingSource(seen), cache=cache)
    vectors = await embed_bulk(
        ["bb", "ccc", "a"], CountingSource(seen), cache=cache, progress=lambda *step: steps.append(step)
    )
    assert seen == ["bb", "a", "ccc"]
    assert vectors[:, 0].tolist() == [2, 3, 1]
    assert steps == [(2, 3), (3, 3)]


async def test_a_cached_vector_of_another_dimension_is_replaced(tmp_path):
    cache, seen = EmbeddingCache(tmp_path / "cache.sqlite"), []
    cache.put("counting", {text_key("a"): np.ones(7, dtype=np.float32)})
    assert (await embed_bulk(["a"], CountingSource(seen), cache=cache)).shape == (1, 2)
    assert seen == ["a"]


async def test_no_texts():
    assert (await embed_bulk([], FakeSource())).shape == (0, 64)


async def test_a_model_that_a_worker_cannot_load_is_a_model_error(tmp_path):
    (tmp_path / "model.onnx").write_text("nonsense")
    with pytest.raises(ModelError, match="can't be read"):
        await embed_bulk(TEXTS, OnnxSource(str(tmp_path)), in_process_chars=0)


async def test_a_worker_that_dies_is_a_model_error(capfd):
    with pytest.raises(ModelError, match="too soon"):
        await embed_bulk(TEXTS, FakeSource(dimension=0), in_process_chars=0)
    assert "Error" in capfd.readouterr().err


class FullCache(EmbeddingCache):
    def put(self, model, vectors):
        raise StorageFullError("the cache")


async def test_a_full_disk_ends_it_as_itself(tmp_path):
    with pytest.raises(StorageFullError) as caught:
        await embed_bulk(TEXTS, FakeSource(), in_process_chars=0, cache=FullCache(tmp_path / "c.sqlite"))
    assert isinstance(caught.value, HybridRetrievalError)


async def test_cancelled_it_takes_its_workers_along(tmp_path):
    cache = EmbeddingCache(tmp_path / "cache.sqlite")
    with anyio.CancelScope() as scope:
        await embed_bulk(
            TEXTS, FakeSource(), in_process_chars=0, cache=cache, progress=lambda done, _: done and scope.cancel()
        )
    assert scope.cancelled_caught
    kept = cache.get(FakeSource().cache_key, map(text_key, TEXTS))
    assert 0 < len(kept) < 30


async def test_a_mistake_in_the_caller_s_progress_is_shown_as_it_is():
    def progress(done, total):
        if done:
            raise KeyError("mine")

    with pytest.raises(BaseExceptionGroup) as caught:
        await embed_bulk(TEXTS, FakeSource(), in_process_chars=0, progress=progress)
    assert caught.group_contains(KeyError)
