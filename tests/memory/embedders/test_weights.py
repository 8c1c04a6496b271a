"""A model's files: from a folder of the user's, or those that come with the package."""

from __future__ import annotations

import json
import shutil

import pytest

from memory.embedders.model_files import SUMS, check_files
from memory.embedders.weights import find_weights, missing_in
from memory.errors import ModelError, NoModelError


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


def test_weights_that_nothing_here_can_run_are_no_model():
    with pytest.raises(NoModelError, match="What runs the model") as caught:
        find_weights(runtime=["json", "no_such_package_here"])
    assert caught.value.hint == "Install it: pip install 'hybrid-retrieval[offline]'."
