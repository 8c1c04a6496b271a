from __future__ import annotations

import pytest

from memory.embedders import find_weights


@pytest.fixture(scope="session")
def bge_small():
    """The real model, which comes with the package."""
    return find_weights()


@pytest.fixture(scope="session")
def as_fastembed_names_it(bge_small, tmp_path_factory):
    """A folder of the same files, with the name that fastembed looks for beside ours."""
    folder = tmp_path_factory.mktemp("fastembed")
    for file in bge_small.iterdir():
        (folder / file.name).symlink_to(file)
    (folder / "model_optimized.onnx").symlink_to(bge_small / "model.onnx")
    return folder
