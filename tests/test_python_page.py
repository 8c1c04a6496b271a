"""docs/python.md runs: each block is a program over the index of the example organisation."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from memory.copying import copy_tree

pytestmark = pytest.mark.no_cover  # what it walks through, other tests prove

ROOT = Path(__file__).parents[1]
BLOCKS = re.findall(r"^```python\n(.*?)^```$", (ROOT / "docs/python.md").read_text("utf-8"), re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module", autouse=True)
def folder(shop, tmp_path_factory):
    place = tmp_path_factory.mktemp("page")
    shutil.copytree(ROOT / "examples/shop", place / "examples/shop")
    with pytest.MonkeyPatch.context() as world:
        world.chdir(place)
        copy_tree(shop, place / ".demo/shop")
        yield place


def test_the_page_has_programs():
    assert len(BLOCKS) == 4


@pytest.mark.parametrize("block", BLOCKS, ids=["script", "stream", "agents", "parts"])
def test_program(block, capsys):
    exec(compile(block, "docs/python.md", "exec"), {"__name__": "page"})  # noqa: S102 - the page is ours, and it must run
    assert capsys.readouterr().out.strip()


def test_what_the_programs_print(capsys):
    exec(compile(BLOCKS[2], "docs/python.md", "exec"), {"__name__": "page"})  # noqa: S102 - as above
    out = capsys.readouterr().out
    assert "('tickets', 'ok')" in out
    assert "SHOP-7" in out
