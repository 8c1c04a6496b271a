"""README.md runs: its bash blocks through the installed command, its Python blocks as they stand."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

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


def expected_exit(line: str) -> int:
    """0, or what a comment at the end of the line says: `# exit 4: …`."""
    said = re.search(r"# exit (\d+)", line)
    return int(said[1]) if said else 0


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A working folder with the example organisation in it and room for an index."""
    place = tmp_path_factory.mktemp("readme")
    shutil.copytree(ROOT / "examples/shop", place / "examples/shop")
    return place


@pytest.fixture(scope="module")
def environment(folder: Path) -> dict[str, str]:
    """Nobody's settings but the page's."""
    assert DATA
    kept = {name: value for name, value in os.environ.items() if not name.startswith("HYBRID_RETRIEVAL_")}
    return {**kept, "HYBRID_RETRIEVAL_DATA_DIR": str(folder / DATA[1])}


@pytest.fixture(scope="module")
def ran(folder: Path, environment: dict[str, str]) -> dict[str, subprocess.CompletedProcess[str]]:
    """Every line of the bash blocks, run in the order of the page, since the first one makes the index."""
    installed = Path(sys.executable).parent / COMMAND
    return {
        line: subprocess.run(  # noqa: S603 - our own command, with the page's arguments
            [installed, *shlex.split(line, comments=True)[1:]],
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        for line in LINES
    }


def test_the_page_shows_both_doors():
    assert len(LINES) == 10
    assert all(shlex.split(line, comments=True)[0] == COMMAND for line in LINES)
    assert len(PYTHON) == 2


@pytest.mark.parametrize("line", LINES)
def test_command(line, ran):
    done = ran[line]
    assert done.returncode == expected_exit(line), done.stderr[-2000:]
    assert "Traceback" not in done.stdout + done.stderr
    assert done.stdout.strip()


@pytest.mark.usefixtures("ran")
@pytest.mark.parametrize("block", PYTHON, ids=["over the index", "an agent of one's own"])
def test_python(block, folder, monkeypatch, capsys):
    monkeypatch.chdir(folder)
    exec(compile(block, "README.md", "exec"), {"__name__": "readme"})  # noqa: S102 - the page is ours, and it must run
    assert capsys.readouterr().out.strip()


def test_links_lead_somewhere():
    for page in (ROOT / "README.md", ROOT / "docs/README.md", ROOT / "docs/decisions/README.md"):
        for target in re.findall(r"\]\((?!https?://)([^)#]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
