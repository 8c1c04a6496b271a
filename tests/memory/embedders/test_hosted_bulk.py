"""Bulk embedding through a provider that counts requests; in context a vector is (own length, length of all)."""

from __future__ import annotations

import pytest

from memory.embedders import EmbeddingCache, HostedDense, embed_bulk, embed_hosted, vector_keys
from memory.errors import ModelError
from tests.memory.embedders.counted import Provider


def ratios(vectors):
    """How many times its own length stands around a chunk."""
    return [round(float(whole / own), 3) for own, whole in vectors]


@pytest.fixture
def cache(tmp_path):
    return EmbeddingCache(tmp_path / "cache.sqlite")


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
