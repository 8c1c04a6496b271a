"""What is read of a model's folder is held against its sums; what the system refuses is said in people's words."""

from __future__ import annotations

import subprocess

import pytest

from memory.embedders.model_files import SUMS, check_files, fingerprint, onnx_size, sums
from memory.errors import ModelError

FILES = {"model.onnx": b"\x00weights", "onnx/model.onnx_data": b"more", "tokenizer.json": b"{}", "README.md": b"# Mine"}


@pytest.fixture
def folder(tmp_path):
    for name, data in FILES.items():
        (tmp_path / "model" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "model" / name).write_bytes(data)
    return tmp_path / "model"


def test_a_folder_is_held_against_its_sums(folder):
    check_files(folder)  # it has none
    (folder / SUMS).write_text(sums(folder))
    check_files(folder)
    (folder / "README.md").write_text("# Yours")
    check_files(folder)
    for name in ("model.onnx", "onnx/model.onnx_data", "tokenizer.json"):
        (folder / name).write_bytes(b"\x01weights")
        with pytest.raises(ModelError, match=f"{name}' is not what SHA256SUMS says"):
            check_files(folder)
        (folder / name).unlink()
        with pytest.raises(ModelError, match=f"damaged: '{name}'"):
            check_files(folder)
        (folder / name).write_bytes(FILES[name])
        check_files(folder)


@pytest.mark.parametrize("text", ["nonsense\n", "\0\xff\n", "0" * 64 + "  ../../elsewhere\n"])
def test_damaged_sums_are_damage(folder, text):
    (folder / SUMS).write_text(text, encoding="latin-1")
    with pytest.raises(ModelError, match="is damaged"):
        check_files(folder)


def test_the_sums_are_those_of_the_usual_tool(folder):
    (folder / SUMS).write_text(sums(folder))
    done = subprocess.run(["sha256sum", "--check", SUMS], cwd=folder, capture_output=True, text=True, check=True)  # noqa: S603, S607 - wherever it is
    assert done.stdout.count(": OK") == 3


def test_a_fingerprint_tells_what_is_read_and_nothing_else(folder):
    before = fingerprint(folder)
    (folder / "README.md").unlink()
    (folder / SUMS).write_text("anything")
    assert fingerprint(folder) == before
    (folder / "tokenizer.json").write_bytes(b"[]")
    assert fingerprint(folder) != before
    assert onnx_size(folder) == 8
    assert onnx_size(folder / "nowhere") == 0


def test_a_folder_that_may_not_be_read_is_said(folder, nobody):
    for path, looks in ((folder / "model.onnx", [fingerprint]), (folder, [fingerprint, check_files, onnx_size])):
        path.chmod(0)
        for look in looks:
            with nobody, pytest.raises(ModelError, match=r"can't be read: Permission denied.*Check its permissions"):
                look(folder)
        path.chmod(0o755)
