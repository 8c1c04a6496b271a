from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from memory.embedders import FastEmbedSource, LocalDense, OnnxSource
from memory.embedders.weights import DEFAULT_MODEL, SUMS
from memory.errors import ModelError
from tests.contracts.dense_embedder import DenseEmbedderContract
from tests.memory.tiny_onnx import tiny_image_model, tiny_text_model

TEXTS = ["How does OrderService connect to PaymentGateway?", "short", "word " * 400, "", "größe 顧客 🙂"]


class TestOnnxSource(DenseEmbedderContract):
    @pytest.fixture
    def embedder(self, bge_small):
        return LocalDense(OnnxSource(str(bge_small)))


async def test_its_vectors_are_fastembed_s(as_fastembed_names_it):
    oracle = LocalDense(FastEmbedSource("BAAI/bge-small-en-v1.5", 384, str(as_fastembed_names_it)))
    expected = await oracle.embed_documents(TEXTS)
    lean = LocalDense(OnnxSource(str(as_fastembed_names_it)))
    documents = await lean.embed_documents(TEXTS)
    assert documents.shape == (5, 384)
    assert documents.dtype == np.float32
    assert np.abs(documents - expected).max() < 1e-5
    assert np.linalg.norm(documents, axis=1) == pytest.approx(1.0)


async def test_a_vector_does_not_depend_on_what_is_embedded_with_it(bge_small):
    lean = LocalDense(OnnxSource(str(bge_small)))
    together = await lean.embed_queries(TEXTS)
    for text, vector in zip(TEXTS, together, strict=True):
        assert np.array_equal((await LocalDense(OnnxSource(str(bge_small))).embed_queries([text]))[0], vector)


async def test_what_is_related_is_near(bge_small):
    lean = LocalDense(OnnxSource(str(bge_small)))
    asked = (await lean.embed_queries(["who pays the invoice"]))[0]
    near, far = await lean.embed_documents(["billing sends the invoice to the customer", "the cat sleeps in the sun"])
    assert asked @ near > asked @ far + 0.2


async def test_what_stands_behind_max_tokens_does_not_count(bge_small):
    short = LocalDense(OnnxSource(str(bge_small), max_tokens=8))
    first, second = await short.embed_documents(
        ["one two three four five six seven", "one two three four five six eight"]
    )
    assert np.array_equal(first, second)
    assert short.dimension == 384
    assert short.model == DEFAULT_MODEL


async def test_no_texts_no_vectors(bge_small):
    lean = LocalDense(OnnxSource(str(bge_small)))
    await lean.warm_up()
    assert (await lean.embed_queries([])).shape == (0, 384)
    assert (await lean.embed_documents([])).shape == (0, 384)


def test_the_cache_key_tells_models_and_lengths_apart(bge_small, tmp_path):
    keys = {
        OnnxSource(str(bge_small)).cache_key,
        OnnxSource(str(bge_small), max_tokens=128).cache_key,
        OnnxSource(str(tmp_path)).cache_key,
    }
    assert len(keys) == 3


@pytest.mark.parametrize("broken", ["model.onnx", "tokenizer.json", "tokenizer_config.json"])
async def test_files_that_cannot_be_read(bge_small, tmp_path, broken):
    for file in bge_small.iterdir():
        if file.name not in {broken, SUMS}:
            (tmp_path / file.name).symlink_to(file)
    (tmp_path / broken).write_text("nonsense")
    with pytest.raises(ModelError, match="can't be read"):
        await LocalDense(OnnxSource(str(tmp_path))).warm_up()


@pytest.mark.parametrize("damaged", ["model.onnx", "tokenizer.json", "tokenizer_config.json"])
async def test_a_file_of_which_one_bit_is_another_is_not_loaded(bge_small, tmp_path, damaged):
    for file in bge_small.iterdir():
        (tmp_path / file.name).symlink_to(file)
    data = bytearray((bge_small / damaged).read_bytes())
    data[len(data) // 2] ^= 1
    (tmp_path / damaged).unlink()
    (tmp_path / damaged).write_bytes(data)
    with pytest.raises(ModelError, match=f"damaged: '{damaged}' is not what SHA256SUMS says"):
        await LocalDense(OnnxSource(str(tmp_path))).warm_up()


async def test_a_model_that_loads_and_then_fails_is_a_model_error(tmp_path):
    tiny_image_model(tmp_path)  # which takes pictures
    tiny_text_model(tmp_path / "text", {"a": [1.0]})
    for name in ("tokenizer.json", "tokenizer_config.json"):
        (tmp_path / name).symlink_to(tmp_path / "text" / name)
    with pytest.raises(ModelError, match="can't be read"):
        await LocalDense(OnnxSource(str(tmp_path), dimension=3)).warm_up()


async def test_a_model_of_another_size_than_the_settings_say(bge_small):
    with pytest.raises(ModelError, match=r"vectors of 384 numbers; the settings say 128. Set vector.dimension to 384"):
        await LocalDense(OnnxSource(str(bge_small), dimension=128)).warm_up()


def test_it_needs_nothing_of_fastembed(bge_small):
    code = f"""
import sys
from memory.embedders import Bm25Sparse, OnnxSource
OnnxSource({str(bge_small)!r}).load()(["a question"])
Bm25Sparse().embed_query("a question")
assert not set(sys.modules) & {{"fastembed", "huggingface_hub", "requests", "PIL", "loguru"}}
"""
    subprocess.run([sys.executable, "-c", code], check=True)  # noqa: S603 - our own interpreter


def test_nothing_is_sent_home_and_no_device_is_given_an_id(bge_small, tmp_path):
    program = "import sys; from memory.embedders import OnnxSource; OnnxSource(sys.argv[1]).load()(['a text'])"
    environment = {"HOME": str(tmp_path), "PYTHONPATH": ":".join(filter(None, sys.path))}
    subprocess.run([sys.executable, "-c", program, str(bge_small)], check=True, env=environment)  # noqa: S603 - our own
    assert list(tmp_path.rglob("*")) == []


def test_importing_the_package_is_cheap():
    code = "import sys, memory.embedders, memory.vector; assert not set(sys.modules) & {'numpy', 'onnxruntime', 'fastembed', 'qdrant_edge', 'sqlglot'}"
    subprocess.run([sys.executable, "-c", code], check=True)  # noqa: S603 - our own interpreter
