"""Where what 003 and 004 list by file and by library is here: the two tables of docs/contracts.md."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/contracts.md").read_text(encoding="utf-8")
_ROW = re.compile(r"^\| `.*", re.MULTILINE)
PLACES, LIBRARIES = (
    [line.strip("| ").split(" | ") for line in _ROW.findall(PAGE.partition(title)[2].partition("\n## ")[0])]
    for title in ("## Where the files", "## The libraries")
)


FILES_OF_003 = (
    "src/retrieval/hybrid_retriever.py",
    "src/retrieval/embeddings/dense_encoder.py",
    "src/retrieval/embeddings/sparse_encoder.py",
    "src/retrieval/embeddings/image_encoder.py",
    "src/retrieval/fusion/rrf.py",
    "src/retrieval/reranker.py",
    "src/retrieval/graphrag_integration.py",
    "test_retrieval/` of its tests",
    "src/vector_store/qdrant_manager.py",
    "src/config/embedding_config.py",
    "src/agents/retrieval.py",
)

FILES_OF_004 = (
    "backend/src/retrieval.py",
    "backend/scripts/test_retrieval.py",
    "backend/tests/unit/test_retrieval.py",
    "backend/requirements.txt",
    "quickstart.md",
    "data-model.md`, `contracts/retrieval_api.md",
    "validation-checklist.md",
)
NOT_OURS = (
    *("backend/src/__init__.py", "backend/src/main.py", "backend/tests/unit/test_main.py", "setup_embedding_env.sh"),
    *("run_embedding_pipeline.py", "spec.md", "research.md", "plan.md", "tasks.md"),
)


def ticked(cell):
    return re.findall(r"`([^`]+)`", cell)


@pytest.mark.specification("003 §6 files", "004 §8 files")
def test_every_listed_file_has_its_place_here():
    places = {theirs.strip("`"): ticked(ours) for theirs, ours in PLACES}
    assert set(places) == {*FILES_OF_003, *FILES_OF_004}
    assert [file for file in NOT_OURS if f"`{file}`" not in PAGE] == []
    missing = [path for paths in places.values() for path in paths if "/" in path and not (ROOT / path).is_file()]
    assert missing == []


@pytest.mark.specification("003 §12 libraries")
def test_no_listed_library_but_the_client_of_the_store_is_installed_with_ours():
    installed = dict(line.split("==") for line in (ROOT / "constraints.txt").read_text().splitlines() if "==" in line)
    theirs = [re.sub("[=>].*", "", name) for row in LIBRARIES for name in ticked(row[0])]
    assert theirs == [
        "qdrant-client",
        "sentence-transformers",
        "transformers",
        "torch",
        "llama-index-vector-stores-qdrant",
    ]
    assert [name for name in theirs if name in installed] == ["qdrant-client"]
    assert {"fastembed", "onnxruntime"} <= set(installed)
    assert tuple(map(int, installed["qdrant-client"].split("."))) > (1, 15, 0)


@pytest.mark.specification("004 §5 dependencies")
def test_the_libraries_of_004_are_dependencies_of_a_later_version():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    assert "hybrid-retrieval[qdrant]" in extras["cohere"]
    asked = dict(
        re.findall(r"([\w-]+)>=([\d.]+)", " ".join(project["dependencies"] + extras["cohere"] + extras["qdrant"]))
    )
    ours = {name: tuple(map(int, asked[name].split("."))) for name in ("cohere", "qdrant-client", "python-dotenv")}
    assert ours == {"cohere": (7, 3), "qdrant-client": (1, 20), "python-dotenv": (1, 0)}  # 4.0, 1.9 and 1.0 or later
    assert project["requires-python"] == ">=3.11"
