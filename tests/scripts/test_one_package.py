"""The wheel is the folders with the package's name before theirs in every import, and with nothing else changed."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
spec = importlib.util.spec_from_file_location("one_package", ROOT / "scripts/one_package.py")
one_package = importlib.util.module_from_spec(spec)
spec.loader.exec_module(one_package)

HOOK = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"][
    "wheel"
]["hooks"]["custom"]

FOLDERS = ["agents", "memory"]


def prefixed(text):
    return one_package.prefixed(text, FOLDERS, "ours")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("from memory import errors", "from ours.memory import errors"),
        ("from memory.errors import (\n    A,\n    B,\n)", "from ours.memory.errors import (\n    A,\n    B,\n)"),
        ("import memory.errors as e, agents as a", "import ours.memory.errors as e, ours.agents as a"),
        ("if x:\n    from agents import b  # from memory", "if x:\n    from ours.agents import b  # from memory"),
        ("é = 'é'; from memory import a", "é = 'é'; from ours.memory import a"),
        ("from memory import a; from agents import b", "from ours.memory import a; from ours.agents import b"),
        ("from . import memory", "from . import memory"),
        ("from memorysafe import a\nimport agents_of.b", "from memorysafe import a\nimport agents_of.b"),
        ("from anyio import memory", "from anyio import memory"),
        ('memory = {"memory": agents.memory}', 'memory = {"memory": agents.memory}'),
        ('"""How to:\n\n    from memory import a\n"""', '"""How to:\n\n    from memory import a\n"""'),
        ('import_module(f"{__name__}.memory")', 'import_module(f"{__name__}.memory")'),
        ('find_spec("json")\ncall("memory.errors")', 'find_spec("json")\ncall("memory.errors")'),
    ],
)
def test_imports_alone(before, after):
    assert prefixed(before) == after


@pytest.mark.parametrize(
    "text",
    [
        "import memory",
        "import memory.errors",
        'import_module("memory.errors")',
        'importlib.import_module(f"memory.{name}")',
        '__import__("agents")',
        'files("memory")',
        'START = "from memory.worker import main; main()"',
        'START = f"import agents.{name}"',
        "from \\\n memory import a",
    ],
)
def test_what_would_look_for_a_folder_outside_is_refused_with_its_line(text):
    with pytest.raises(ValueError, match="line 2"):
        prefixed(f"\n{text}")


def test_a_refusal_names_the_file(tmp_path):
    (tmp_path / "made.py").write_text("import memory")
    with pytest.raises(ValueError, match=r"agents/graph\.py: line 1"):
        one_package.rewrite(tmp_path / "made.py", FOLDERS, Path("agents/graph.py"))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    from hatchling.builders.wheel import WheelBuilder  # noqa: PLC0415 - only for this

    [made] = WheelBuilder(str(ROOT)).build(directory=str(tmp_path_factory.mktemp("wheel")), versions=["standard"])
    with zipfile.ZipFile(made) as archive:
        texts = {name: archive.read(name) for name in archive.namelist() if not name.endswith(".onnx")}
        return {name: text.decode() for name, text in texts.items()}


def test_the_wheel_owns_one_name(wheel):
    assert {name.partition("/")[0] for name in wheel} == {"hybrid_retrieval", "hybrid_retrieval-0.1.0.dist-info"}
    assert (
        "hybrid-retrieval = hybrid_retrieval.interfaces.cli.main:main"
        in wheel["hybrid_retrieval-0.1.0.dist-info/entry_points.txt"]
    )


def test_the_wheel_has_every_file_of_the_folders_and_their_data(wheel):
    for name in (
        "configs/profiles/neo4j.yaml",
        "extraction/languages/go.scm",
        "inspector/page.html",
        "memory/embedders/bge_small/tokenizer.json",
        "apps/hybrid_retrieval_app/answers.evalset.json",
    ):
        assert wheel[f"hybrid_retrieval/{name}"] == (ROOT / name).read_text(encoding="utf-8")
    ours = {name.removeprefix("hybrid_retrieval/") for name in wheel if name.endswith(".py")} - {"__init__.py"}
    assert ours == {str(file.relative_to(ROOT)) for folder in HOOK["folders"] for file in (ROOT / folder).rglob("*.py")}
    assert "hybrid_retrieval/py.typed" in wheel


def test_its_modules_are_imported_by_its_name(wheel, tmp_path):
    for name, text in wheel.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    code = "from hybrid_retrieval.facades.book import RetrievalPipeline as it; print(it.__module__)"
    done = subprocess.run(  # noqa: S603 - our own interpreter and text
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("hybrid_retrieval.facades.book.pipeline\n", "")


def test_a_line_keeps_its_number(wheel):
    for name in ("memory/__init__.py", "wiring/opening.py"):
        before, after = (ROOT / name).read_text(encoding="utf-8"), wheel[f"hybrid_retrieval/{name}"]
        assert after != before
        assert after.replace("hybrid_retrieval.", "") == before.replace("hybrid_retrieval.", "")
        assert len(after.splitlines()) == len(before.splitlines())
