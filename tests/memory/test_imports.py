"""Names are imported when they are first used; what an extra installs, asked for without it, is an error with the one
command.
"""

from __future__ import annotations

import json.decoder
import re
import tomllib
from pathlib import Path
from typing import get_args

import pytest

from memory.errors import ModelError, NotInstalledError
from memory.imports import Extra, brought_by, install, lazy_names, require

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_a_name_comes_from_its_home_and_another_is_none_of_the_packages():
    named = lazy_names("json", {"JSONDecoder": "decoder"})
    assert named("JSONDecoder") is json.decoder.JSONDecoder
    with pytest.raises(AttributeError, match="module 'json' has no attribute 'loads'"):
        named("loads")


def test_the_one_command():
    with pytest.raises(NotInstalledError) as caught, brought_by("neo4j", "A graph on a server"):
        import no_such_package_here  # noqa: F401, PLC0415 - it is not there
    assert str(caught.value) == (
        "A graph on a server needs a package that is not installed. Install it: pip install 'hybrid-retrieval[neo4j]'."
    )
    assert isinstance(caught.value, ImportError)
    assert caught.value.exit_code == 2


def test_as_another_error_where_callers_expect_one():
    with pytest.raises(ModelError, match=re.escape("hybrid-retrieval[voyage]")), brought_by("voyage", "It", ModelError):
        import no_such_package_here  # noqa: F401, PLC0415 - it is not there


def test_a_mistake_of_another_kind_is_left_alone():
    with pytest.raises(ImportError, match="cannot import name"), brought_by("neo4j", "It"):
        from json import no_such_name  # noqa: F401, PLC0415 - it is not there


def test_a_package_is_looked_for_without_importing_it():
    require("mcp", "json", "It")
    with pytest.raises(NotInstalledError, match=re.escape("hybrid-retrieval[mcp]")):
        require("mcp", "no_such_package_here", "It")


@pytest.mark.parametrize("extra", get_args(Extra))
def test_the_command_names_an_extra_that_there_is_and_that_all_has(extra):
    extras = PROJECT["optional-dependencies"]
    assert extra in extras
    assert extra in re.split(r"[\[,\]]", extras["all"][0])
    assert f"[{extra}]" in install(extra)
