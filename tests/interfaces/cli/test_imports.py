"""What a command does not need it does not import: that is how `--help` and a cold `ask` stay quick.

See docs/design.md#logging-and-imports.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from interfaces.cli.main import run

ROOT = Path(__file__).parents[3]
SCRIPT = """
import sys
from interfaces.cli.main import run
code = run(sys.argv[1:])
print("\\n" + " ".join(sys.modules))
sys.exit(code)
"""
HEAVY = {"qdrant_client", "google", "voyageai", "fastembed", "neo4j", "huggingface_hub", "PIL", "pydantic"}
WRITING = {"indexing.build", "indexing.discovery", "sqlglot", "ast_grep_py", "pathspec"}
SERVERS = (
    "memory.graph.neo4j",
    "memory.vector.qdrant",
    "wiring.neo4j_stores",
    "memory.hosted",
    "memory.embedders.hosted",
)
FOR_PEOPLE_WHO_WAIT = {"structlog", "rich"}


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index of one small project."""
    folder = tmp_path_factory.mktemp("cold")
    (folder / "shop").mkdir()
    (folder / "shop/README.md").write_text("# Shop\n\nA failed payment is tried three times, one minute apart.\n")
    assert run(["index", str(folder / "shop"), "--data-dir", str(folder / "data"), "--json"]) == 0
    return folder / "data"


def modules_after(*arguments: str) -> tuple[str, set[str]]:
    """What a fresh process prints, and what it has imported by then."""
    done = subprocess.run(  # noqa: S603 - our own interpreter and text
        [sys.executable, "-c", SCRIPT, *arguments],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    printed, _, modules = done.stdout.rstrip().rpartition("\n")
    return printed, set(modules.split())


def test_help_needs_click_and_nothing_of_ours():
    printed, modules = modules_after("--help")
    assert "evaluate" in printed
    assert {
        m
        for m in modules
        if m.partition(".")[0] in {"memory", "configs", "agents", "wiring", "orchestrator", "numpy", "anyio", "yaml"}
    } == set()
    assert {m for m in modules if m.startswith("interfaces")} == {
        "interfaces",
        "interfaces.cli",
        "interfaces.cli.main",
    }


def test_a_question_imports_what_it_asks(data):
    printed, modules = modules_after(
        "ask", "How often is a failed payment tried?", "--data-dir", str(data), "--profile", "embedded", "--json"
    )
    assert "three times" in json.loads(printed)["answer"]["text"]
    assert modules.isdisjoint(HEAVY | WRITING | FOR_PEOPLE_WHO_WAIT)
    assert {"qdrant_edge", "kglite", "onnxruntime"} <= modules
    assert not [m for m in modules if m.startswith(SERVERS)]


def test_a_window_of_an_editor_opens_without_what_answers(data):
    _, modules = modules_after("serve", "--data-dir", str(data))  # whose client goes at once
    assert "mcp" in modules
    assert not [
        m
        for m in modules
        if m.partition(".")[0] in {"numpy", "agents", "merging", "synthesis", "extraction", "indexing"}
    ]
