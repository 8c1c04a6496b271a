from __future__ import annotations

from dataclasses import replace

import pytest

from configs import load_config
from configs.settings import HostedSettings, VectorSettings
from memory.embedders import FakeDenseEmbedder, FastEmbedSource, HostedDense, OnnxSource, VoyageDense
from memory.errors import ConfigError, ModelError
from wiring.models import Models, dense_source, dense_sources, open_hosted, open_models

VOYAGE = load_config("voyage").vector
KEYS = {"VOYAGE_API_KEY": "k", "COHERE_API_KEY": "k", "OPENAI_API_KEY": "k"}


class Stateful(FakeDenseEmbedder):
    """The fake, remembering what was done with it."""

    def __init__(self):
        super().__init__()
        self.state = []

    def load_ahead(self):
        self.state.append("ahead")

    async def warm_up(self):
        self.state.append("warm")

    async def close(self):
        self.state.append("closed")


async def made_ready(models):
    models.load_ahead()
    await models.warm_up()
    await models.close()


async def test_one_model_gets_ready_once():
    one = Stateful()
    models = Models.of(one)
    assert Models.of(models) is models
    assert (models.docs, models.code, models.reranker) == (one, one, None)
    await made_ready(models)
    assert one.state == ["ahead", "warm", "closed"]


async def test_two_models_get_ready_both():
    docs, code = Stateful(), Stateful()
    await made_ready(Models(docs, code))
    assert docs.state == code.state == ["ahead", "warm", "closed"]


async def test_the_defaults_model_is_here_and_one():
    models = open_models(VectorSettings())
    assert models.docs is models.code
    assert models.docs.model == "hybrid-retrieval/bge-small-systems"
    await models.close()
    docs, code = dense_sources(VectorSettings(), HostedSettings())
    assert docs is code
    assert isinstance(docs, OnnxSource)


def test_two_models_on_this_machine(tmp_path):
    settings = VectorSettings(dense_model="a", dense_model_path=str(tmp_path), dense_code_model="b", dimension=7)
    models = open_models(settings)
    assert (models.docs.model, models.code.model) == ("a", "b")
    assert dense_sources(settings, HostedSettings()) == (
        FastEmbedSource("a", 7, str(tmp_path)),
        FastEmbedSource("b", 7, None),  # the folder is the other's
    )


def test_a_folder_without_the_model(tmp_path):
    with pytest.raises(ModelError, match=r"lacks model\.onnx"):
        dense_source(VectorSettings(dense_model_path=str(tmp_path)))


def test_a_providers_models():
    models = open_models(VOYAGE, environ=KEYS)
    assert (models.docs.model, models.code.model) == ("voyage-context-3", "voyage-code-3")
    assert models.reranker.model == "rerank-2.5"
    docs, code = dense_sources(VOYAGE, HostedSettings(), KEYS)
    assert isinstance(docs, HostedDense)
    assert (docs.model, code.model) == ("voyage-context-3", "voyage-code-3")


def test_without_a_key():
    for ask in (open_models, dense_sources):
        with pytest.raises(ConfigError, match="VOYAGE_API_KEY is not set"):
            ask(VOYAGE, HostedSettings(), environ={})


def test_an_index_remembers_both_models():
    assert VOYAGE.dense_models == "voyage-context-3 and voyage-code-3"
    assert replace(VOYAGE, dense_code_model=None).dense_models == "voyage-context-3"


def test_the_profiles_models_at_voyage():
    docs, code, reranker = open_hosted(VOYAGE, HostedSettings(), KEYS)
    assert isinstance(docs, VoyageDense)
    assert [(one.model, one.dimension, one.in_context) for one in (docs, code)] == [
        ("voyage-context-3", 2048, True),
        ("voyage-code-3", 2048, False),
    ]
    assert reranker.model == "rerank-2.5"


def test_one_model_for_both_is_one_object_and_a_reranker_is_a_choice():
    docs, code, reranker = open_hosted(
        replace(VOYAGE, dense_code_model=None, reranker_model=None), HostedSettings(), KEYS
    )
    assert docs is code
    assert reranker is None


def test_coheres_models():
    settings = VectorSettings(provider="cohere", dense_model="embed-multilingual-v3.0", dimension=1024)
    docs, code, reranker = open_hosted(settings, HostedSettings(), KEYS)
    assert docs is code
    assert (docs.model, docs.dimension, reranker) == ("embed-multilingual-v3.0", 1024, None)
    with pytest.raises(ConfigError, match="no reranker is asked with provider cohere"):
        open_hosted(replace(settings, reranker_model="rerank-v3.5"), HostedSettings(), KEYS)


def test_an_endpoints_models():
    settings = load_config("openai").vector
    docs, code, reranker = open_hosted(settings, HostedSettings(), KEYS)
    assert docs is code
    assert (docs.model, docs.dimension, reranker) == ("text-embedding-3-small", 1536, None)
    with pytest.raises(ConfigError, match="no reranker is asked with provider openai"):
        open_hosted(replace(settings, reranker_model="rerank-1"), HostedSettings(), KEYS)


@pytest.mark.parametrize("provider", ["voyage", "cohere", "openai"])
def test_the_settings_say_how_many_texts_a_request_has(provider):
    (docs, _, _) = open_hosted(VectorSettings(provider=provider), HostedSettings(batch_size=7), KEYS)
    assert docs.limits.texts == 7


@pytest.mark.parametrize(
    ("provider", "variable"), [("voyage", "VOYAGE_API_KEY"), ("cohere", "COHERE_API_KEY"), ("openai", "OPENAI_API_KEY")]
)
def test_a_key_that_is_not_set(provider, variable):
    settings = VectorSettings(provider=provider)
    with pytest.raises(ConfigError, match=f"{variable} is not set"):
        open_hosted(settings, HostedSettings(), {})
    with pytest.raises(ConfigError, match="OURS is not set"):
        open_hosted(settings, HostedSettings(api_key_env="OURS"), KEYS)
