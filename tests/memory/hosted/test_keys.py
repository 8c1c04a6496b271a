from __future__ import annotations

import pytest

from configs.settings import HostedSettings
from memory.errors import ConfigError
from memory.hosted import api_key
from memory.hosted.keys import key_variable

USUAL = "VOYAGE_API_KEY"


@pytest.mark.parametrize(
    ("settings", "environ"),
    [
        (HostedSettings(), {"VOYAGE_API_KEY": " secret\n"}),
        (HostedSettings(api_key_env="OURS"), {"OURS": "secret", "VOYAGE_API_KEY": "another"}),
    ],
)
def test_the_key_comes_out_of_the_variable_without_white_space(settings, environ):
    assert api_key("Voyage", settings, USUAL, environ) == "secret"


@pytest.mark.parametrize("environ", [{}, {"VOYAGE_API_KEY": ""}, {"VOYAGE_API_KEY": "  "}])
def test_a_key_that_is_not_set_is_an_error_that_names_the_variable(environ):
    with pytest.raises(ConfigError) as met:
        api_key("Voyage", HostedSettings(), USUAL, environ)
    assert met.value.message == "environment: hosted.api_key_env: VOYAGE_API_KEY is not set."
    assert met.value.hint.startswith("Put your Voyage API key there")


def test_a_variable_of_ones_own_is_the_one_that_is_named():
    settings = HostedSettings(api_key_env="TEAM_KEY")
    assert key_variable(settings, USUAL) == "TEAM_KEY"
    with pytest.raises(ConfigError, match="TEAM_KEY is not set"):
        api_key("Voyage", settings, USUAL, {"VOYAGE_API_KEY": "secret"})


def test_without_an_environment_the_process_own_is_read():
    with pytest.raises(ConfigError, match="NOBODY_HAS_SET_THIS is not set"):
        api_key("Voyage", HostedSettings(api_key_env="NOBODY_HAS_SET_THIS"), USUAL)
