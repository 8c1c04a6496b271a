"""What a damaged index or model looks like from outside: exit 3, the file's name and the way out, and no stack trace."""

from __future__ import annotations

import shutil

import pytest

from memory.copying import copy_tree
from memory.embedders import find_weights

pytestmark = pytest.mark.slow

QUESTION = "How does the harbour handle ships?"
SPOILT = (
    "CURRENT",
    "hybrid-retrieval.json",
    "generations/1/files.json",
    "generations/1/manifest.json",
    "generations/1/graph/partitions.json",
    "generations/1/graph/0-0.kgl",
    "edge_config.json",
    "segment.json",
    "payload_storage/page_0.dat",
    "vector_storage-dense_docs/vectors/chunk_0.mmap",
    "vector_storage-dense_docs/vectors/status.dat",
    "vector_storage-sparse_lexical/store/page_0.dat",
    "mutable_id_tracker.mappings",
)


def flip(file):
    content = bytearray(file.read_bytes())
    content[next(at for at, byte in enumerate(content) if byte) if any(content) else 0] ^= 1
    file.write_bytes(content)


def cut(file):
    content = file.read_bytes()
    file.write_bytes(content[: len(content) // 2])


@pytest.mark.parametrize("spoil", [flip, cut])
def test_each_file_of_an_index(document, data, tmp_path, spoil):
    for number, name in enumerate(SPOILT):
        copy = tmp_path / str(number)
        copy_tree(data, copy)
        [file] = [path for path in copy.rglob("*") if path.as_posix().endswith(f"/{name}")]
        spoil(file)
        code, found = document("ask", QUESTION, "--data-dir", copy)
        assert (code, found["error"]["code"]) == (3, "damaged_index"), name
        assert str(file) in found["error"]["message"]
        assert "into another data folder" in found["error"]["hint"]


@pytest.fixture
def model(reachable):
    """A copy of the real one in a folder of one's own."""
    shutil.copytree(find_weights(), reachable / "model")
    return reachable / "model"


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json"])
def test_a_file_of_the_model(document, data, model, name):
    setting = f"vector.dense_model_path={model}"
    answered = document("ask", QUESTION, "--data-dir", data, "--set", setting)[0]
    assert answered != 3
    flip_in_the_middle(model / name)
    code, found = document("ask", QUESTION, "--data-dir", data, "--set", setting)
    assert (code, found["error"]["code"]) == (3, "model")
    assert f"'{name}' is not what SHA256SUMS says" in found["error"]["message"]
    (model / "SHA256SUMS").unlink()  # then it is held against what the index was made with
    for command in (("ask", QUESTION), ("evidence", QUESTION), ("index", str(data.parent / "org"), "--each")):
        code, found = document(*command, "--data-dir", data, "--set", setting)
        assert (code, found["error"]["code"]) == (3, "model")
        assert "made with" in found["error"]["message"] or "can't be read" in found["error"]["message"]


def flip_in_the_middle(file):
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)


def test_a_model_that_may_not_be_read(document, data, model, nobody):
    model.chmod(0)
    with nobody:
        code, found = document("ask", QUESTION, "--data-dir", data, "--set", f"vector.dense_model_path={model}")
    model.chmod(0o755)
    assert (code, found["error"]["code"]) == (3, "model")
    assert f"{model} can't be read: Permission denied" in found["error"]["message"]
