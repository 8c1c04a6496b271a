from __future__ import annotations

import pytest

from configs.settings import QdrantSettings
from memory.errors import ConfigError
from memory.vector.qdrant_server import ServerVersion, api_key


@pytest.mark.parametrize(
    ("text", "number", "queries", "idf", "lacks"),
    [
        ("1.19.0", (1, 19), True, True, 0),
        ("v1.18.2-dev", (1, 18), True, False, 1),
        ("1.16.0", (1, 16), True, False, 2),
        ("1.10.1", (1, 10), True, False, 3),
        ("1.9.7", (1, 9), False, False, 3),
        ("2.0", (2, 0), True, True, 0),
        ("unknown", (0, 0), False, False, 3),
    ],
)
def test_what_a_version_has(text, number, queries, idf, lacks):
    version = ServerVersion(text)
    assert (version.number, version.answers_queries, version.idf_corpus) == (number, queries, idf)
    assert len(version.lacks) == lacks


@pytest.mark.parametrize(
    ("text", "k", "weighted", "fuses"),
    [
        ("1.15.0", 60, False, False),
        ("1.15.0", 2, False, True),
        ("1.15.0", 2, True, False),
        ("1.16.0", 60, False, True),
        ("1.16.0", 60, True, False),
        ("1.17.0", 60, True, True),
    ],
)
def test_which_fusion_a_version_can_do(text, k, weighted, fuses):
    assert ServerVersion(text).fuses(k, weighted=weighted) is fuses


def test_the_key_comes_from_the_variable_that_the_settings_name():
    assert api_key(QdrantSettings(), {"QDRANT_API_KEY": "x"}) is None
    assert api_key(QdrantSettings(api_key_env="TEAM"), {"TEAM": " x\n"}) == "x"
    with pytest.raises(ConfigError, match="TEAM is not set"):
        api_key(QdrantSettings(api_key_env="TEAM"), {})


def test_without_an_environment_it_is_this_process_s():
    with pytest.raises(ConfigError, match="HYBRID_RETRIEVAL_TEST_NO_SUCH_KEY"):
        api_key(QdrantSettings(api_key_env="HYBRID_RETRIEVAL_TEST_NO_SUCH_KEY"))
