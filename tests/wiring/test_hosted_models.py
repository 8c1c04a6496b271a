from __future__ import annotations

from dataclasses import replace

import pytest

from configs import load_config
from configs.settings import HostedSettings, VectorSettings
from memory.embedders import VoyageDense
from memory.errors import ConfigError
from wiring.hosted_models import open_hosted

KEYS = {"VOYAGE_API_KEY": "k", "COHERE_API_KEY": "k", "OPENAI_API_KEY": "k"}
VOYAGE = load_config("voyage").vector


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
