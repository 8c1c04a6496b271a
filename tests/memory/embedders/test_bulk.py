"""Many documents at once: in this process, by workers, or by a hosted model, and what one run has kept so far."""

from __future__ import annotations

from dataclasses import dataclass

import anyio
import numpy as np
import pytest

from memory.embedders import (
    EmbeddingCache,
    FakeSource,
    HostedDense,
    OnnxSource,
    Workers,
    embed_bulk,
    embed_hosted,
    text_key,
    vector_keys,
)
from memory.embedders.bulk import KeptVectors
from memory.errors import HybridRetrievalError, ModelError, StorageFullError
from tests.memory.embedders.counted import Provider

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


@dataclass(frozen=True)
class LoadedSource(CountingSource):
    """Counts how often it is loaded instead."""

    def load(self):
        self.seen.append("load")
        return FakeSource(self.dimension).load()


async def test_a_model_in_this_process_stays_with_the_workers():
    seen: list[str] = []
    async with Workers(1) as workers:
        for texts in (TEXTS[:2], TEXTS[2:4]):
            await embed_bulk(texts, LoadedSource(seen), workers=workers)
    assert seen == ["load"]


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


async def test_workers_and_this_process_give_the_same_numbers(bge_small):
    source = OnnxSource(str(bge_small))
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
    cache, texts = EmbeddingCache(tmp_path / "cache.sqlite"), [f"text {number}" for number in range(80)]
    with anyio.CancelScope() as scope:
        await embed_bulk(
            texts, FakeSource(), in_process_chars=0, cache=cache, progress=lambda done, _: done and scope.cancel()
        )
    assert scope.cancelled_caught
    kept = cache.get(FakeSource().cache_key, map(text_key, texts), FakeSource().dimension)
    assert 0 < len(kept) <= 4 * 8  # two workers of two pieces ahead: what they answer by then is kept without a wait


async def test_a_mistake_in_the_caller_s_progress_is_shown_as_it_is():
    def progress(done, total):
        if done:
            raise KeyError("mine")

    with pytest.raises(BaseExceptionGroup) as caught:
        await embed_bulk(TEXTS, FakeSource(), in_process_chars=0, progress=progress)
    assert caught.group_contains(KeyError)


def rows(*numbers):
    return np.array([[number, 0] for number in numbers], dtype=np.float32)


@pytest.fixture
def cache(tmp_path):
    return EmbeddingCache(tmp_path / "cache.sqlite")


def kept(keys, cache=None, progress=None):
    return KeptVectors(keys, "model", 2, cache=cache, progress=progress)


def test_vectors_in_the_order_of_the_keys_equal_ones_counted_each():
    steps = []
    found = kept(["a", "b", "a"], progress=lambda *step: steps.append(step))
    assert found.lacking == ["a", "b"]
    found.keep(["b"], rows(2))
    assert found.lacking == ["a"]
    found.keep(["a"], rows(1))
    assert found.all()[:, 0].tolist() == [1, 2, 1]
    assert steps == [(0, 3), (1, 3), (3, 3)]


def test_what_is_there_stays_and_is_not_counted_twice(cache):
    steps = []
    cache.put("model", {"a": rows(7)[0]})
    found = kept(["a", "b"], cache, lambda *step: steps.append(step))
    found.keep(["a", "b"], rows(1, 2))
    assert found.all()[:, 0].tolist() == [7, 2]
    assert steps == [(1, 2), (2, 2)]
    assert {key: vector[0] for key, vector in cache.get("model", ["a", "b"], 2).items()} == {"a": 7, "b": 2}


def test_a_cached_vector_of_another_dimension_or_model_is_none(cache):
    cache.put("model", {"a": np.ones(3, dtype=np.float32)})
    cache.put("another", {"b": rows(1)[0]})
    assert kept(["a", "b"], cache).lacking == ["a", "b"]


def test_no_keys():
    assert kept([]).all().shape == (0, 2)


def ratios(vectors):
    """How many times its own length stands around a chunk."""
    return [round(float(whole / own), 3) for own, whole in vectors]


async def test_texts_alone_are_asked_for_once_in_batches():
    provider, steps = Provider(texts=2), []
    vectors = await embed_hosted(
        ["a", "b", "a", "c"], ["f"] * 4, HostedDense(provider), progress=lambda *step: steps.append(step)
    )
    assert provider.requests == [[["a"], ["b"]], [["c"]]]
    assert ratios(vectors) == [1, 1, 1, 1]
    assert steps == [(0, 4), (3, 4), (4, 4)]
    assert provider.closed == 1


async def test_chunks_of_a_file_are_given_together():
    provider = Provider(in_context=True)
    vectors = await embed_hosted(["aa", "bb", "cccc"], ["f", "f", "g"], HostedDense(provider))
    assert provider.requests == [[["aa", "bb"], ["cccc"]]]
    assert ratios(vectors) == [2, 2, 1]  # (2 + 2) / 2 twice, 4 / 4


async def test_a_long_file_is_cut_between_chunks():
    provider = Provider(in_context=True, texts=9, document_tokens=2)
    await embed_hosted(["a", "b", "c", "d e f", "g"], ["f"] * 5, HostedDense(provider))
    assert provider.requests == [[["a", "b"], ["c"], ["d e f"], ["g"]]]
    provider = Provider(in_context=True, texts=2)
    await embed_hosted(["a", "b", "c"], ["f"] * 3, HostedDense(provider))
    assert sorted(provider.requests) == [[["a", "b"]], [["c"]]]


async def test_the_same_chunk_among_others_is_another_vector(cache):
    provider = Provider(in_context=True)
    dense = HostedDense(provider)
    alone = await embed_hosted(["aa"], ["f"], dense, cache=cache)
    among = await embed_hosted(["aa", "bb"], ["f", "f"], dense, cache=cache)
    assert (ratios(alone), ratios(among)) == ([1], [2, 2])
    assert provider.requests == [[["aa"]], [["aa", "bb"]]]


async def test_what_the_cache_has_is_not_asked_for_again(cache):
    provider = Provider(in_context=True)
    texts, files = ["aa", "bb", "cc"], ["f", "f", "g"]
    first = await embed_hosted(texts, files, HostedDense(provider), cache=cache)
    again = await embed_bulk(texts, HostedDense(provider), files=files, cache=cache)
    assert len(provider.requests) == 1
    assert again.tolist() == first.tolist()
    changed = await embed_bulk(["aa", "dd", "cc"], HostedDense(provider), files=files, cache=cache)
    assert provider.requests[1:] == [[["aa", "dd"]]]
    assert ratios(changed) == [2, 2, 1]


async def test_a_run_that_breaks_keeps_what_it_paid_for(cache):
    provider = Provider(texts=1, broken=True)
    with pytest.raises(ModelError, match="out of reach"):
        await embed_hosted(["a", "b", "c"], ["f"] * 3, HostedDense(provider), cache=cache, at_once=1)
    assert provider.requests == [[["a"]], [["b"]]]
    assert provider.closed == 1
    provider = Provider(texts=1)
    await embed_hosted(["a", "b", "c"], ["f"] * 3, HostedDense(provider), cache=cache)
    assert provider.requests == [[["b"]], [["c"]]]


async def test_so_many_requests_at_once_and_no_more():
    provider = Provider(texts=1)
    await embed_hosted(list("abcdefgh"), ["f"] * 8, HostedDense(provider), at_once=3)
    assert provider.most == 3


def test_keys_say_all_that_a_vector_is_made_from():
    plain, context = HostedDense(Provider()), HostedDense(Provider(in_context=True))
    assert vector_keys(["a", "b"], plain, files=["f", "f"]) == vector_keys(["a", "b"], plain, files=["f", "g"])
    together = vector_keys(["a", "b"], context, files=["f", "f"])
    assert len({*together, *vector_keys(["b", "a"], context, files=["f", "f"])}) == 4
    assert vector_keys(["a", "b"], context, files=["f", "g"]) == vector_keys(["a", "b"], plain)
    assert vector_keys(["a", "b"], context) == vector_keys(["a", "b"], plain)  # no files: each text one of its own
    assert vector_keys(["ab", "c"], context, files="ff") != vector_keys(["a", "bc"], context, files="ff")


async def test_nothing():
    assert (await embed_bulk([], HostedDense(Provider()))).shape == (0, 2)
