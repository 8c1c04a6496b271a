"""A model's files: from a folder of the user's, or those that come with the package."""

from __future__ import annotations

import json
import shutil
import subprocess

import pytest

from memory.embedders import english
from memory.embedders.weights import (
    SUMS,
    check_files,
    find_weights,
    fingerprint,
    missing_in,
    onnx_size,
    sums,
)
from memory.errors import ModelError, NoModelError

FILES = {"model.onnx": b"\x00weights", "onnx/model.onnx_data": b"more", "tokenizer.json": b"{}", "README.md": b"# Mine"}


def make_folder(folder, **config):
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("model.onnx", "tokenizer.json"):
        (folder / name).write_text("{}")
    (folder / "tokenizer_config.json").write_text(json.dumps({"model_max_length": 512} | config))
    return folder


def test_a_configured_folder_comes_first(tmp_path):
    assert find_weights(path=make_folder(tmp_path / "mine")) == tmp_path / "mine"


@pytest.mark.parametrize(
    ("spoil", "lacking"),
    [
        (lambda folder: (folder / "model.onnx").unlink(), "model.onnx"),
        (lambda folder: (folder / "tokenizer.json").unlink(), "tokenizer.json"),
        (lambda folder: make_folder(folder, model_max_length=0), "model_max_length"),
        (lambda folder: make_folder(folder, model_max_length=1e30), "model_max_length"),
        (lambda folder: (folder / "tokenizer_config.json").write_text("[]"), "model_max_length"),
        (lambda folder: (folder / "tokenizer_config.json").write_text("{"), "model_max_length"),
        (shutil.rmtree, "model.onnx, tokenizer.json, tokenizer_config.json"),
    ],
)
def test_a_configured_folder_that_lacks_something_is_named_with_what_it_lacks(tmp_path, spoil, lacking):
    spoil(make_folder(tmp_path / "mine"))
    with pytest.raises(ModelError, match=lacking) as caught:
        find_weights(path=tmp_path / "mine")
    assert "dense_model_path" in caught.value.hint


@pytest.mark.parametrize("locked", ["mine", "mine/tokenizer_config.json"])
def test_a_folder_that_may_not_be_read_is_said(reachable, nobody, locked):
    folder = make_folder(reachable / "mine")
    (reachable / locked).chmod(0)
    with nobody, pytest.raises(ModelError, match=r"mine can't be read: Permission denied.*Check its permissions"):
        find_weights(path=folder)
    (reachable / locked).chmod(0o755)


def test_the_model_that_comes_with_the_package_is_what_its_sums_say():
    folder = find_weights()
    assert missing_in(folder) == []
    assert len((folder / SUMS).read_text().splitlines()) == 5
    check_files(folder)


def test_the_words_of_english_are_those_of_the_model():
    assert (find_weights() / "tokenizer.json").read_bytes() == english._TOKENIZER.read_bytes()


def test_weights_that_nothing_here_can_run_are_no_model():
    with pytest.raises(NoModelError, match="or what runs it is not installed") as caught:
        find_weights(runtime=["json", "no_such_package_here"])
    assert caught.value.hint == "Install it: pip install 'hybrid-retrieval[offline]'."


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


def test_a_folder_of_files_that_may_not_be_read_is_said(folder, nobody):
    for path, looks in ((folder / "model.onnx", [fingerprint]), (folder, [fingerprint, check_files, onnx_size])):
        path.chmod(0)
        for look in looks:
            with nobody, pytest.raises(ModelError, match=r"can't be read: Permission denied.*Check its permissions"):
                look(folder)
        path.chmod(0o755)
