from __future__ import annotations

import anyio
import pytest

from agents.evidence.representations import NO_MODEL, CachedQueries, QueryRepresenter
from memory.embedders import WordsOnly
from memory.errors import ModelError
from memory.together import AsyncLRUCache
from memory.vector import DENSE_CODE, DENSE_DOCS, SPARSE_LEXICAL
from replay.parts import VirtualTimeLoop
from tests.agents.evidence.making import CountedDense, CountedSparse


@pytest.fixture(scope="module")
def anyio_backend():
    return "asyncio", {"loop_factory": VirtualTimeLoop}


class Made:
    """Counts what it makes; waits first, if told to; fails, if told to."""

    def __init__(self, value, failure=None):
        self.value, self.failure, self.times = value, failure, 0

    async def __call__(self):
        self.times += 1
        await anyio.sleep(1)
        if self.failure is not None:
            raise self.failure
        return self.value


async def test_what_was_made_is_remembered():
    memory, made = AsyncLRUCache(8), Made("a")
    assert [await memory.get("k", made) for _ in range(3)] == ["a"] * 3
    assert (made.times, memory.hits, memory.misses, memory.kept) == (1, 2, 1, 1)


async def test_the_least_used_goes_first():
    memory, made = AsyncLRUCache(2), Made("a")
    for key in ("x", "y", "x", "z", "x", "y"):
        await memory.get(key, made)
    assert (made.times, memory.kept) == (4, 2)  # x, y, z, and y again


async def test_with_no_room_nothing_is_kept():
    memory, made = AsyncLRUCache(0), Made("a")
    assert [await memory.get("k", made), await memory.get("k", made)] == ["a", "a"]
    assert (made.times, memory.kept) == (2, 0)


async def test_what_should_not_be_kept_is_not():
    memory, made = AsyncLRUCache(8), Made("a")
    for _ in range(2):
        await memory.get("k", made, keep=lambda value: value != "a")
    assert made.times == 2


async def test_who_asks_at_the_same_time_waits_for_the_one():
    memory, made, got = AsyncLRUCache(8), Made("a"), []

    async def ask():
        got.append(await memory.get("k", made))

    async with anyio.create_task_group() as group:
        for _ in range(5):
            group.start_soon(ask)
    assert (got, made.times, memory.hits) == (["a"] * 5, 1, 4)


async def test_who_waits_gets_what_is_not_kept_too():
    memory, made, got = AsyncLRUCache(8), Made("a"), []

    async def ask():
        got.append(await memory.get("k", made, keep=lambda _: False))

    async with anyio.create_task_group() as group:
        for _ in range(5):
            group.start_soon(ask)
    assert (got, made.times, memory.kept) == (["a"] * 5, 1, 0)


async def test_a_failure_is_nobody_elses():
    memory, broken, made = AsyncLRUCache(8), Made("", ModelError("broken")), Made("a")
    got = []

    async def ask_later():
        await anyio.sleep(0.5)
        got.append(await memory.get("k", made))

    async with anyio.create_task_group() as group:
        group.start_soon(ask_later)
        with pytest.raises(ModelError):
            await memory.get("k", broken)
    assert (got, memory.kept) == (["a"], 1)


async def test_who_gives_up_hands_over():
    memory, made = AsyncLRUCache(8), Made("a")
    with anyio.move_on_after(0.5):
        await memory.get("k", made)
    assert await memory.get("k", made) == "a"


BOTH = (DENSE_DOCS, DENSE_CODE)
DOWN = ModelError("The model is down.", "Wait.")


def representer(docs=None, code=None, sparse=None, profile="p", memory=None, timeout_s=60):
    parts = docs or CountedDense("d"), code or CountedDense("c"), sparse or CountedSparse()
    return QueryRepresenter(*parts, profile=profile, timeout_s=timeout_s, remembered=memory or AsyncLRUCache(99)), parts


@pytest.mark.specification("000 §4 three", "000 §4.1 docs", "000 §4.2 code", "000 §4.3 sparse", "000 §10 step 2")
async def test_three_representations_of_what_is_asked():
    one, (docs, code, sparse) = representer()
    made = await one.represent("agent tools", BOTH)
    assert set(made.vectors) == {DENSE_DOCS, DENSE_CODE, SPARSE_LEXICAL}
    assert (docs.asked, code.asked, sparse.asked) == (["agent tools"],) * 3  # as queries, each once
    assert made.vectors[SPARSE_LEXICAL] == CountedSparse().embed_query("agent tools")
    assert len(made.vectors[DENSE_DOCS]) == docs.dimension
    assert made.failures == ()


@pytest.mark.specification("000 §4 three")
async def test_only_what_the_template_needs():
    one, (docs, code, _) = representer()
    assert set((await one.represent("q", [DENSE_CODE])).vectors) == {DENSE_CODE, SPARSE_LEXICAL}
    assert (docs.asked, code.asked) == ([], ["q"])


@pytest.mark.specification("000 §4.2 code", "000 §4 three")
async def test_one_model_for_both_is_asked_once():
    dense = CountedDense()
    one, _ = representer(dense, dense)
    made = await one.represent("q", BOTH)
    assert dense.asked == ["q"]
    assert made.vectors[DENSE_DOCS] == made.vectors[DENSE_CODE]


@pytest.mark.specification("000 §10 step 2")
@pytest.mark.parametrize(
    ("broken", "left"),
    [
        ({"docs": CountedDense("d", DOWN)}, {DENSE_CODE, SPARSE_LEXICAL}),
        ({"code": CountedDense("c", DOWN)}, {DENSE_DOCS, SPARSE_LEXICAL}),
        ({"sparse": CountedSparse(DOWN)}, {DENSE_DOCS, DENSE_CODE}),
        ({"docs": CountedDense("d", DOWN), "sparse": CountedSparse(DOWN)}, {DENSE_CODE}),
    ],
)
async def test_what_fails_is_left_out_and_said(broken, left):
    one, _ = representer(**broken)
    made = await one.represent("q", BOTH)
    assert set(made.vectors) == left
    failed = [route for route in (*BOTH, SPARSE_LEXICAL) if route not in left]
    assert made.failures == tuple(f"{route} failed: The model is down." for route in failed)


@pytest.mark.specification("000 §10 step 2")
@pytest.mark.parametrize(
    "broken", [{"docs": CountedDense("d", OSError("refused"))}, {"sparse": CountedSparse(KeyError("x"))}]
)
async def test_a_model_has_failed_whatever_it_raises(broken):
    one, _ = representer(**broken)
    made = await one.represent("q", BOTH)
    assert (len(made.vectors), len(made.failures)) == (2, 1)
    assert "failed: OSError: refused." in made.failures[0] or "failed: KeyError: 'x'." in made.failures[0]


@pytest.mark.specification("000 §10 step 2")
async def test_without_any_dense_there_is_no_retrieval():
    one, _ = representer(CountedDense("d", DOWN), CountedDense("c", DOWN))
    with pytest.raises(ModelError) as raised:
        await one.represent("q", BOTH)
    assert raised.value.message == (
        "No dense representation of the query: dense_docs failed: The model is down.; dense_code failed: The model is down."
    )
    one, _ = representer(CountedDense("d", DOWN))
    with pytest.raises(ModelError):  # the only one that the template has
        await one.represent("q", [DENSE_DOCS])


@pytest.mark.specification("000 §10 step 2")
async def test_where_no_model_is_installed_the_words_are_left():
    none = WordsOnly("none", 64)
    one, _ = representer(none, none)
    made = await one.represent("agent tools", BOTH)
    assert (set(made.vectors), made.failures) == ({SPARSE_LEXICAL}, (NO_MODEL,))
    assert (await one.represent("?!", BOTH)).vectors == {}
    one, _ = representer(none, CountedDense("c"))
    assert (await one.represent("q", BOTH)).failures == ("dense_docs failed: none made no vector",)
    one, _ = representer(none, none, CountedSparse(DOWN))
    with pytest.raises(ModelError, match=r"sparse_lexical failed: The model is down\."):
        await one.represent("q", BOTH)


class Hanging(CountedDense):
    async def embed_queries(self, texts):
        await anyio.sleep_forever()


@pytest.mark.specification("000 §10 step 2")
async def test_a_model_that_hangs_has_failed():
    one, _ = representer(docs=Hanging(), timeout_s=0.02)
    with pytest.raises(ModelError, match=r"dense_docs failed: fake-docs gave no answer within 0\.02 s"):
        await one.represent("q", [DENSE_DOCS])
    ranking = CachedQueries(Hanging(), AsyncLRUCache(9), "p", 0.02)
    with pytest.raises(ModelError, match=r"fake-docs gave no answer within 0\.02 s"):
        await ranking.embed_queries(["q"])


@pytest.mark.specification("000 §4 three", "000 §4.3 sparse")
async def test_a_query_without_terms_is_not_searched_by_words():
    one, _ = representer()
    made = await one.represent("?!", BOTH)
    assert set(made.vectors) == set(BOTH)
    assert made.failures == ()


@pytest.mark.specification("000 §12 embedding cache")
async def test_remembered_by_profile_model_dimension_and_text():
    memory = AsyncLRUCache(99)
    one, (docs, code, sparse) = representer(memory=memory)
    for query in ("a", "b", "a"):
        await one.represent(query, BOTH)
    assert docs.asked == code.asked == sparse.asked == ["a", "b"]
    again, (other, same, _) = representer(CountedDense("other"), CountedDense("c"), memory=memory)
    await again.represent("a", BOTH)
    assert (other.asked, same.asked) == (["a"], [])
    elsewhere, (docs, _, _) = representer(profile="q", memory=memory)
    await elsewhere.represent("a", BOTH)
    assert docs.asked == ["a"]
    smaller = CountedDense("d")
    smaller.dimension = 32
    shorter, _ = representer(smaller, memory=memory)
    await shorter.represent("a", BOTH)
    assert smaller.asked == ["a"]


@pytest.mark.specification("000 §12 embedding cache")
async def test_so_are_the_questions_of_ranked_packs():
    memory, inner, other = AsyncLRUCache(99), CountedDense("d"), CountedDense("other")
    for model, profile in ((inner, "p"), (inner, "p"), (other, "p"), (inner, "q")):
        await CachedQueries(model, memory, profile, 60).embed_queries(["a", "b"])
    assert (inner.asked, other.asked) == (["a", "b"] * 2, ["a", "b"])
    smaller = CountedDense("d")
    smaller.dimension = 32
    await CachedQueries(smaller, memory, "p", 60).embed_queries(["a"])
    assert smaller.asked == ["a"]


def test_the_models_are_known():
    one, (docs, code, _) = representer()
    assert one.models == (("d", docs.dimension), ("c", code.dimension), ("fake-counts", 0))
