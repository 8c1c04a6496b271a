"""The two corpora of 000 §11: a small one of our own, and the real ones where their folders are given.

HYBRID_RETRIEVAL_TEST_ADK names the folders of google/adk-python and google/adk-docs, separated by a colon.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from configs import load_config
from indexing import IndexRequest
from wiring.opening import open_indexer

CORPUS = Path(__file__).parent / "agents/evidence/corpus"
REAL = [Path(folder) for folder in os.environ.get("HYBRID_RETRIEVAL_TEST_ADK", "").split(":") if folder]
COMMIT = "5" * 40


def checked_out(root: Path) -> list[Path]:
    """A copy of the small corpus below `root` as two clones of Google's repositories."""
    for name in ("adk-python", "adk-docs"):
        shutil.copytree(CORPUS / name, root / name)
        git = root / name / ".git"
        git.mkdir()
        (git / "HEAD").write_text(f"{COMMIT}\n")
        (git / "config").write_text(f'[remote "origin"]\n\turl = https://example.org/google/{name}.git\n')
    return [root / "adk-python", root / "adk-docs"]


async def indexed(data: Path, folders: list[Path]) -> Path:
    """A data folder with these, made with the real model."""
    await open_indexer(data, load_config(), profile="embedded").run(IndexRequest(folders), holder="a test")
    return data
