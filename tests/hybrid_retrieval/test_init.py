"""In a checkout the folders at the top are also `hybrid_retrieval.…`: the same modules, under both names."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

import hybrid_retrieval

ROOT = Path(__file__).parents[2]
HOOK = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"][
    "wheel"
]["hooks"]["custom"]
NAMES = [
    "agents",
    "configs.settings",
    "extraction.languages",
    "memory.errors",
    "merging",
    "interfaces.cli.main",
    "synthesis",
]


def run(*arguments):
    return subprocess.run(  # noqa: S603 - our own interpreter and text
        [sys.executable, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize("name", NAMES)
def test_both_names_are_one_module(name):
    module = import_module(f"hybrid_retrieval.{name}")
    assert module is import_module(name)
    assert module.__name__ == module.__spec__.name == name


def test_whichever_name_is_imported_first():
    both = "import {}.errors, {}.errors as again; from {} import errors; assert errors is again, again.__spec__"
    for first, second in (("memory", "hybrid_retrieval.memory"), ("hybrid_retrieval.memory", "memory")):
        done = run("-c", both.format(first, second, first))
        assert done.stderr == ""


def test_a_class_is_what_it_is_by_both():
    from hybrid_retrieval.memory import LocalObservation as ours  # noqa: N813, PLC0415 - what is tested
    from memory import LocalObservation  # noqa: PLC0415 - as above

    assert ours is LocalObservation


@pytest.mark.parametrize(
    "name", ["hybrid_retrieval.memory.nothing", "hybrid_retrieval.tests", "hybrid_retrieval.anyio"]
)
def test_there_is_nothing_else_in_it(name):
    with pytest.raises(ModuleNotFoundError):
        import_module(name)


def test_a_module_of_it_can_be_run():
    done = run("-m", "hybrid_retrieval.facades.book", "--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Usage: python -m hybrid_retrieval.facades.book")


def test_the_finder_the_links_and_the_wheel_have_the_same_folders():
    links = {
        link.name: link.resolve() for link in Path(hybrid_retrieval.__file__).parent.iterdir() if link.is_symlink()
    }
    assert links == {name: ROOT / name for name in HOOK["folders"]}
    for name in links:
        import_module(f"hybrid_retrieval.{name}")
