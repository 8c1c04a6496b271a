from __future__ import annotations

import pytest

from configs import VectorSettings, load_config
from memory.embedders import Bm25Sparse, FastEmbedSource, SpladeSparse
from memory.embedders.weights import DEFAULT_MODEL
from memory.errors import ConfigError
from tests.memory.tiny_onnx import tiny_splade
from wiring.local_models import (
    image_text_source,
    open_cross_encoder,
    open_images,
    open_sparse,
    picture_models,
)
from wiring.models import dense_source


@pytest.mark.specification(
    "000 §4.3 sparse",
    "000 §12 rerank",
    "003 REQ-0042 dense",
    "003 REQ-0043 sparse",
    "003 REQ-0044 images",
    "003 REQ-0045 reranker",
    "003 §3 query",
    "003 §5 collection",
    "003 §6 files",
)
def test_profile_fastembed_names_the_specification_s_models():
    vector = load_config("fastembed").vector
    assert vector.qdrant.collection == "hybrid_retrieval"
    dense = dense_source(vector)
    assert (dense.model, dense.dimension, vector.max_tokens) == ("BAAI/bge-large-en-v1.5", 1024, 512)
    assert isinstance(dense, FastEmbedSource)  # which knows that this model's vector is its first token's
    sparse, models, reranker = open_sparse(vector), picture_models(vector), open_cross_encoder(vector)
    assert isinstance(sparse, SpladeSparse)
    assert sparse.model == load_config("voyage").vector.sparse_model == "prithivida/Splade_PP_en_v1"
    assert (models.images.model, models.images.dimension) == ("Qdrant/clip-ViT-B-32-vision", 512)
    assert (models.texts.model, models.texts.dimension) == ("Qdrant/clip-ViT-B-32-text", 512)
    assert reranker.model == "BAAI/bge-reranker-v2-m3"


@pytest.mark.specification(
    "000 §4.1 docs",
    "000 §4.2 code",
    "000 §4.3 sparse",
    "003 REQ-0042 dense",
    "003 REQ-0043 sparse",
    "003 REQ-0044 images",
    "003 REQ-0045 reranker",
    "003 §3 query",
)
def test_the_default_has_none_of_them():
    vector = load_config("embedded").vector
    assert vector == VectorSettings()
    assert (dense_source(vector).model, dense_source(vector).dimension, vector.max_tokens) == (DEFAULT_MODEL, 384, 256)
    assert isinstance(open_sparse(vector), Bm25Sparse)
    assert [picture_models(vector), image_text_source(vector), open_images(vector), open_cross_encoder(vector)] == [
        *[None] * 4
    ]


def test_the_folders_of_the_settings_are_used(tmp_path):
    folder = tiny_splade(tmp_path, {"word": {"word": 1.0}})
    given = VectorSettings(sparse_model="prithivida/Splade_PP_en_v1", sparse_model_path=str(folder))
    assert open_sparse(given).embed_document("word").indices == (4,)
    texts = image_text_source(VectorSettings(image_model="m", image_text_model="t", image_text_model_path="x"))
    assert (texts.model, texts.folder) == ("t", "x")


def test_a_picture_model_alone_is_not_enough():
    with pytest.raises(ConfigError, match=r"image_text_model.*Qdrant/clip-ViT-B-32-text"):
        picture_models(VectorSettings(image_model="Qdrant/clip-ViT-B-32-vision"))


def test_a_provider_s_reranker_is_not_opened_here():
    assert open_cross_encoder(VectorSettings(provider="voyage", reranker_model="rerank-2.5")) is None
