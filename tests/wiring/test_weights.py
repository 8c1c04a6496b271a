"""An index is asked with the files of a model that it was made with, or not at all."""

from __future__ import annotations

from dataclasses import replace

import pytest

from configs.settings import VectorSettings
from memory.embedders.weights import DEFAULT_MODEL
from memory.errors import ModelError
from memory.generation import Manifest
from wiring.local_models import check_weights, weights


@pytest.fixture
def settings(tmp_path):
    for name in ("dense", "sparse"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "model.onnx").write_text(name)
    return VectorSettings(
        dense_model="ours",
        dense_model_path=str(tmp_path / "dense"),
        sparse_model="words",
        sparse_model_path=str(tmp_path / "sparse"),
    )


def made_with(found):
    return Manifest("n", "embedded", "ours", 384, weights=found)


def test_each_model_in_a_folder_has_a_fingerprint(settings):
    found = weights(settings)
    assert set(found) == {"ours", "words"}
    assert len(set(found.values())) == 2
    assert weights(replace(settings, provider="voyage")) == {"words": found["words"]}
    assert set(weights(VectorSettings())) == {DEFAULT_MODEL}


@pytest.mark.parametrize(("folder", "model"), [("dense", "ours"), ("sparse", "words")])
def test_other_files_than_the_index_was_made_with_are_refused(settings, tmp_path, folder, model):
    manifest = made_with(weights(settings))
    check_weights(manifest, settings)
    (tmp_path / folder / "model.onnx").write_text("other")
    with pytest.raises(ModelError, match=rf"The files of {model} in .*{folder} are not those that this index"):
        check_weights(manifest, settings)
    check_weights(made_with({}), settings)  # made before they were remembered
    check_weights(made_with({"another": "one"}), settings)


def test_a_manifest_remembers_them(settings):
    manifest = made_with(weights(settings))
    assert Manifest.from_json(manifest.to_json(), "m") == manifest
