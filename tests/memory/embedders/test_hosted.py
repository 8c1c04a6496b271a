"""What every hosted model has in common; the provider here is a list of answers."""

from __future__ import annotations

import anyio
import numpy as np
import pytest

from memory.embedders import FakeDenseEmbedder, HostedDense, RequestLimits
from memory.embedders.hosted import GivenModel
from memory.errors import ModelError


class Provider:
    """A `HostedModel` whose vectors are a text's length and 1; `answers` come first."""

    model = "model-2"
    dimension = 2
    in_context = False

    def __init__(self, *answers, limits=None):
        self.limits = limits or RequestLimits(texts=3, tokens=1000)
        self.answers = list(answers)
        self.asked = []
        self.state = []

    async def embed(self, documents, *, asked):
        self.asked.append((asked, [list(document) for document in documents]))
        await anyio.lowlevel.checkpoint()
        return self.answers.pop(0) if self.answers else [[len(text), 1.0] for one in documents for text in one]

    def load_ahead(self):
        self.state.append("ahead")

    async def warm_up(self):
        self.state.append("warm")

    async def close(self):
        self.state.append("closed")


async def test_vectors_are_made_unit_length():
    found = await HostedDense(Provider([[3.0, 4.0]])).embed_documents(["a"])
    assert found.dtype == np.float32
    np.testing.assert_allclose(found, [[0.6, 0.8]])  # 3/5, 4/5


async def test_documents_are_asked_as_such_as_many_as_the_limits_allow():
    provider = Provider()
    assert (await HostedDense(provider).embed_documents(list("abcde"))).shape == (5, 2)
    assert provider.asked == [(False, [["a"], ["b"], ["c"]]), (False, [["d"], ["e"]])]
    assert (await HostedDense(provider).embed_documents([])).shape == (0, 2)


async def test_questions_that_wait_together_are_one_request_and_remembered():
    provider = Provider()
    dense = HostedDense(provider)

    async with anyio.create_task_group() as group:
        group.start_soon(dense.embed_queries, ["a"])
        group.start_soon(dense.embed_queries, ["b", "a"])
    [(asked, documents)] = provider.asked
    assert asked
    assert sorted(documents) == [["a"], ["b"]]
    await dense.embed_queries(["b"])
    assert len(provider.asked) == 1
    assert (await dense.embed_queries([])).shape == (0, 2)


async def test_with_none_remembered_each_question_is_a_request():
    provider = Provider()
    dense = HostedDense(provider, remembered=0)
    await dense.embed_queries(["a"])
    await dense.embed_queries(["a"])
    assert len(provider.asked) == 2


@pytest.mark.parametrize(
    ("answer", "message", "hint"),
    [
        ([[1.0, 0.0]], "model-2 gives 1 vectors for 2 texts.", "Try again."),
        ([[1.0], [1.0]], "model-2 gives vectors of 1 numbers; the settings say 2.", "Set vector.dimension to 1"),
        ([[1.0, 0.0], [1.0, 0.0, 0.0]], "vectors of 3 numbers", "Set vector.dimension to 3"),
        ([[1.0, 0.0], [0.0, 0.0]], "model-2 gives a vector that has no direction.", "Try again."),
        ([[1.0, 0.0], [float("nan"), 0.0]], "no direction", "Try again."),
        ([[1.0, 0.0], [float("inf"), 0.0]], "no direction", "Try again."),
    ],
)
async def test_what_was_not_asked_for_is_refused(answer, message, hint):
    for ask in ("embed_documents", "embed_queries"):
        with pytest.raises(ModelError) as met:
            await getattr(HostedDense(Provider(answer)), ask)(["a", "b"])
        assert message in met.value.message
        assert hint in met.value.hint


@pytest.mark.parametrize(
    ("documents", "batches"),
    [
        ([], []),
        ([["a"], ["b"], ["c"], ["d"]], [[["a"], ["b"], ["c"]], [["d"]]]),  # 3 texts
        ([["a", "b"], ["c", "d"]], [[["a", "b"]], [["c", "d"]]]),  # 2 + 2 > 3
        ([["one two"], ["three four"], ["five"]], [[["one two"], ["three four"]], [["five"]]]),  # 2 + 2 tokens, + 1 > 4
        ([["far too long for one request"], ["a"]], [[["far too long for one request"]], [["a"]]]),
    ],
)
def test_batches(documents, batches):
    dense = HostedDense(Provider(limits=RequestLimits(texts=3, tokens=4)))
    assert dense.batches(documents) == batches


def test_the_settings_may_allow_less_than_the_provider():
    limits = RequestLimits(texts=3, tokens=1000)
    assert (limits.at_most(2).texts, limits.at_most(9).texts, limits.at_most(0)) == (2, 3, limits)
    assert HostedDense(Provider(limits=limits), batch_size=1).batches([["a"], ["b"]]) == [[["a"]], [["b"]]]


async def test_the_rest_is_the_providers():
    provider = Provider()
    dense = HostedDense(provider)
    dense.load_ahead()
    await dense.warm_up()
    await dense.close()
    assert provider.state == ["ahead", "warm", "closed"]
    assert (dense.model, dense.dimension, dense.cache_key) == ("model-2", 2, "model-2:2:hosted")


class Given(FakeDenseEmbedder):
    """An embedder of one's own that raises what it is made with, or gives it."""

    def __init__(self, given):
        super().__init__()
        self.given = given

    async def embed_queries(self, texts):
        if isinstance(self.given, BaseException):
            raise self.given
        return self.given

    embed_documents = embed_queries


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (SystemExit(3), "failed: SystemExit: 3."),
        (KeyError("x"), "failed: KeyError: 'x'."),
        (TimeoutError(), "gave no answer in time."),
        pytest.param([[10**400] * 64], "gave no vectors of numbers: int too large", id="large"),
    ],
)
async def test_whatever_one_of_ones_own_raises_is_a_model_that_failed(given, said):
    dense = HostedDense(GivenModel(Given(given)))
    for embed in (dense.embed_queries, dense.embed_documents):
        with pytest.raises(ModelError) as told:
            await embed(["a"])
        assert said in told.value.message
