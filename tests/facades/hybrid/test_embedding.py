from __future__ import annotations

import threading

import anyio
import numpy as np
import pytest
from PIL import Image

from facades.hybrid_retriever import EmbeddingManager
from memory.clock import VirtualClock
from memory.embedders import FakeDenseEmbedder, FakeImageEmbedder, FakeSparseEmbedder
from memory.errors import ConfigError, InvalidInputError, ModelError
from tests.memory.embedders.test_images import picture


@pytest.fixture
def anyio_backend():
    return "asyncio"


def manager(**options):
    return EmbeddingManager(FakeDenseEmbedder(), FakeSparseEmbedder(), FakeImageEmbedder(), **options)


@pytest.mark.specification("003 §4 EmbeddingManager")
def test_the_specification_s_calls_are_synchronous(tmp_path):
    models = manager()
    dense = models.generate_dense_embedding("a red rose")
    assert (dense.shape, dense.dtype) == ((64,), np.float32)
    words = models.generate_sparse_embedding("red red rose")
    assert (sorted(words.values()), {type(index) for index in words}) == ([1.0, 2.0], {int})
    (tmp_path / "red.png").write_bytes(picture("red"))
    vectors = [
        models.generate_image_embedding(one)
        for one in (Image.new("RGBA", (5, 5), "red"), picture("red"), tmp_path / "red.png")
    ]
    assert all(vector.shape == (64,) and np.array_equal(vector, vectors[0]) for vector in vectors)


@pytest.mark.specification("003 REQ-0042 dense", "003 §4 EmbeddingManager")
def test_it_opens_with_a_profile_s_models():
    models = EmbeddingManager.open("embedded")
    near = models.generate_dense_embedding("who pays the invoice")
    assert near.shape == (384,)
    assert near @ models.generate_dense_embedding("the invoice is paid") > 0.5
    assert len(models.generate_sparse_embedding("who pays the invoice")) == 2
    with pytest.raises(ConfigError, match=r"vector\.image_model: there is none"):
        models.generate_image_embedding(picture("red"))


@pytest.mark.specification("003 §4 EmbeddingManager")
@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("generate_dense_embedding", "x"),
        ("generate_sparse_embedding", "x"),
        ("generate_image_embedding", picture("red")),
    ],
)
async def test_inside_a_loop_the_twin_is_named_and_awaited(name, given):
    models = manager()
    with pytest.raises(InvalidInputError, match=f"a{name}"):
        getattr(models, name)(given)
    assert len(await getattr(models, f"a{name}")(given)) in {1, 64}


@pytest.mark.parametrize("name", ["agenerate_dense_embedding", "agenerate_sparse_embedding"])
async def test_an_empty_text_has_no_embedding(name):
    with pytest.raises(InvalidInputError) as met:
        await getattr(manager(), name)(" \n")
    assert (met.value.message, met.value.hint) == ("There is no text to embed.", "Give one.")
    with pytest.raises(InvalidInputError, match="half of a surrogate pair"):
        await getattr(manager(), name)("ok \ud800")


@pytest.mark.specification("003 §4 EmbeddingManager")
async def test_pictures_need_a_model_and_a_file(tmp_path):
    models = EmbeddingManager(FakeDenseEmbedder(), FakeSparseEmbedder())
    with pytest.raises(ConfigError) as met:
        await models.agenerate_image_embedding(picture("red"))
    assert met.value.message == "settings: vector.image_model: there is none."
    assert met.value.hint == "Set it, or use profile fastembed."
    with pytest.raises(InvalidInputError) as met_too:
        await manager().agenerate_image_embedding(tmp_path / "none.png")
    assert met_too.value.message == f"{tmp_path / 'none.png'} can't be read: No such file or directory."
    assert met_too.value.hint == "Check the path."
    for strange in (None, 3, "/etc/passwd"):
        with pytest.raises(InvalidInputError, match="The picture is a value of type") as told:
            await manager().agenerate_image_embedding(strange)
        assert told.value.hint == "Give bytes, a Path or a picture of Pillow's."


@pytest.mark.specification("003 §9 rate")
async def test_calls_are_kept_to_a_rate():
    clock = VirtualClock()
    free = manager(clock=clock)
    for n in range(100):
        await free.agenerate_dense_embedding(f"text {n}")
    assert clock.seconds == 0.0  # off by default
    models = manager(calls_per_minute=2, clock=clock)
    await models.agenerate_dense_embedding("one")
    await models.agenerate_sparse_embedding("two")
    assert clock.seconds == 0.0
    await models.agenerate_image_embedding(picture("red"))
    assert clock.seconds == 60.0


class Hanging(FakeDenseEmbedder):
    async def embed_documents(self, texts):
        await anyio.sleep_forever()


class HangingImages(FakeImageEmbedder):
    async def embed_images(self, images):
        await anyio.sleep_forever()


class HangingWords(FakeSparseEmbedder):
    is_model = True

    def __init__(self):
        self.released = threading.Event()

    def embed_document(self, text):
        self.released.wait(60)


async def test_a_model_that_hangs_is_given_up():
    words = HangingWords()
    models = EmbeddingManager(Hanging(), words, HangingImages(), timeout_ms=50)
    try:
        for call, given in (
            (models.agenerate_dense_embedding, "x"),
            (models.agenerate_sparse_embedding, "x"),
            (models.agenerate_image_embedding, picture("red")),
        ):
            with pytest.raises(ModelError) as met:
                await call(given)
            assert met.value.message == "The model gave no vector within 50 ms."
            assert met.value.hint == "Try again, or give it longer."
    finally:
        words.released.set()
