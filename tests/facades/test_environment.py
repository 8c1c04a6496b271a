from __future__ import annotations

import pytest

from configs import load_config
from facades.environment import pointed, read_environment
from memory.errors import ConfigError


@pytest.mark.specification("004 §5 configuration")
def test_a_file_stands_below_the_variables_that_are_set(tmp_path, monkeypatch):
    file = tmp_path / "mine.env"
    file.write_text("COHERE_API_KEY=from-file\nQDRANT_URL='http://q'\nBARE\n# comment\n", encoding="utf-8")
    monkeypatch.setenv("COHERE_API_KEY", "from-environment")
    found = read_environment(file)
    assert (found["COHERE_API_KEY"], found["QDRANT_URL"]) == ("from-environment", "http://q")
    assert "BARE" not in found


@pytest.mark.specification("004 §5 configuration")
def test_the_file_of_the_current_folder_is_read_if_there_is_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "FROM_DOTENV" not in read_environment()
    (tmp_path / ".env").write_text("FROM_DOTENV=1\n", encoding="utf-8")
    assert read_environment()["FROM_DOTENV"] == "1"


def test_a_file_that_was_named_must_be_there(tmp_path):
    with pytest.raises(ConfigError) as met:
        read_environment(tmp_path / "nowhere.env")
    assert met.value.message == f"{tmp_path / 'nowhere.env'}: the environment file: there is none."
    assert met.value.hint == "Name one that is there, or leave it out."


@pytest.mark.specification("004 §5 configuration")
def test_what_the_variables_point_at():
    config = load_config("cohere-book")
    assert pointed(config, {"QDRANT_URL": " ", "QDRANT_API_KEY": ""}) == config
    there = pointed(config, {"QDRANT_URL": "http://q", "QDRANT_API_KEY": "k"}, collection="c", model="m").vector
    assert (there.qdrant.url, there.qdrant.api_key_env, there.qdrant.collection) == ("http://q", "QDRANT_API_KEY", "c")
    assert there.dense_model == "m"
    assert there.qdrant.payload == config.vector.qdrant.payload
