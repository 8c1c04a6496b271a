"""README.md runs: its bash blocks line by line, its Python blocks as they stand, in one process over one index."""

from __future__ import annotations

import io
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

import pytest

from interfaces.cli.main import run

pytestmark = [pytest.mark.no_cover, pytest.mark.slow]  # what it walks through, other tests prove

ROOT = Path(__file__).parents[1]
COMMAND = "hybrid-retrieval"


def blocks(language: str) -> list[str]:
    """The fenced blocks of that language, in order. `sh` blocks are for people: they set things up."""
    return re.findall(
        rf"^```{language}\n(.*?)^```$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )


DATA = re.search(r"^export HYBRID_RETRIEVAL_DATA_DIR=(\S+)", "".join(blocks("sh")), re.MULTILINE)
LINES = [line for block in blocks("bash") for line in block.splitlines()]
PYTHON = blocks("python")


class Ran(NamedTuple):
    """What a line of the page did."""

    code: int
    out: str
    err: str


def expected_exit(line: str) -> int:
    """0, or what a comment at the end of the line says: `# exit 4: …`."""
    said = re.search(r"# exit (\d+)", line)
    return int(said[1]) if said else 0


@pytest.fixture(scope="module", autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The working folder, with the example organisation in it and nobody's settings but the page's."""
    assert DATA
    place = tmp_path_factory.mktemp("readme")
    shutil.copytree(ROOT / "examples/shop", place / "examples/shop")
    with pytest.MonkeyPatch.context() as world:
        for name in [name for name in os.environ if name.startswith("HYBRID_RETRIEVAL_")]:
            world.delenv(name)
        world.setenv("HYBRID_RETRIEVAL_DATA_DIR", str(place / DATA[1]))
        world.chdir(place)
        yield place


@pytest.fixture(scope="module")
def ran(folder: Path) -> dict[str, Ran]:
    """Every line of the bash blocks, run in the order of the page, since the first one makes the index."""
    done = {}
    for line in LINES:
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            code = run(shlex.split(line, comments=True)[1:])
        done[line] = Ran(code, out.getvalue(), err.getvalue())
    return done


def test_the_page_shows_both_doors():
    assert len(LINES) == 11
    assert all(shlex.split(line, comments=True)[0] == COMMAND for line in LINES)
    assert len(PYTHON) == 2


def test_the_command_is_installed():
    installed = Path(sys.executable).parent / COMMAND
    help_page = subprocess.run([installed, "--help"], capture_output=True, text=True, check=True, timeout=60).stdout  # noqa: S603 - ours
    assert all(shlex.split(line)[1] in help_page for line in LINES)


@pytest.mark.parametrize("line", LINES)
def test_command(line, ran):
    code, out, err = ran[line]
    assert code == expected_exit(line), err[-2000:]
    assert out.strip()
    assert err == ""


@pytest.mark.usefixtures("ran")
@pytest.mark.parametrize("block", PYTHON, ids=["over the index", "an agent of one's own"])
def test_python(block, capsys):
    exec(compile(block, "README.md", "exec"), {"__name__": "readme"})  # noqa: S102 - the page is ours, and it must run
    assert capsys.readouterr().out.strip()


def test_links_lead_somewhere():
    for page in (ROOT / "README.md", ROOT / "docs/README.md", ROOT / "docs/decisions/README.md"):
        for target in re.findall(r"\]\((?!https?://)([^)#]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_every_decision_is_listed():
    records = {page.name for page in (ROOT / "docs/decisions").glob("0*.md")}
    listed = re.findall(r"\]\((0[^)]+)\)", (ROOT / "docs/decisions/README.md").read_text(encoding="utf-8"))
    assert sorted(listed) == sorted(records)
