"""The pages of docs/ run over the index of the example organisation: Python blocks are programs, and commands end well."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from memory.copying import copy_tree

pytestmark = pytest.mark.no_cover  # what it walks through, other tests prove

ROOT = Path(__file__).parents[1]


def blocks(page: str, language: str) -> list[str]:
    """The page's fenced blocks of that language. `sh` blocks are for people: they set things up."""
    return re.findall(rf"^```{language}\n(.*?)^```$", (ROOT / page).read_text("utf-8"), re.MULTILINE | re.DOTALL)


PAGES = sorted(
    str(page.relative_to(ROOT)) for folder in ("docs", "examples") for page in (ROOT / folder).glob("**/*.md")
)
PYTHON = blocks("docs/python.md", "python")


@pytest.fixture(scope="module", autouse=True)
def folder(shop, tmp_path_factory):
    place = tmp_path_factory.mktemp("page")
    for name in ("shop", "scenarios"):
        shutil.copytree(ROOT / "examples" / name, place / "examples" / name)
    with pytest.MonkeyPatch.context() as world:
        for name in [name for name in os.environ if name.startswith("HYBRID_RETRIEVAL_")]:
            world.delenv(name)
        world.chdir(place)
        for data in (".demo/shop", "my-index"):
            copy_tree(shop, place / data)
        yield place


@pytest.mark.parametrize("page", [page for page in PAGES if blocks(page, "python")])
def test_every_python_block_is_a_program(page):
    for block in blocks(page, "python"):
        compile(block, page, "exec")


def test_the_page_has_programs():
    assert len(PYTHON) == 4


@pytest.mark.parametrize(
    "block",
    [*PYTHON, blocks("docs/contracts.md", "python")[1]],
    ids=["script", "stream", "agents", "parts", "specification 003"],
)
def test_program(block, capsys):
    exec(compile(block, "docs/python.md", "exec"), {"__name__": "page"})  # noqa: S102 - the page is ours, and it must run
    assert capsys.readouterr().out.strip()


def test_what_the_programs_print(capsys):
    exec(compile(PYTHON[2], "docs/python.md", "exec"), {"__name__": "page"})  # noqa: S102 - as above
    out = capsys.readouterr().out
    assert "('tickets', 'ok')" in out
    assert "SHOP-7" in out


@pytest.mark.slow
@pytest.mark.parametrize("block", blocks("docs/replay.md", "bash"), ids=["record and replay", "why"])
def test_commands(block):
    place = {
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "HYBRID_RETRIEVAL_DATA_DIR": ".demo/shop",
    }
    done = subprocess.run(  # noqa: S603 - the page is ours
        ["bash", "-e", "-c", block],  # noqa: S607 - as above
        env=place,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.strip()
