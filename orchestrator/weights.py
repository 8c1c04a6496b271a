"""Which files the models on this machine are read from, as a manifest remembers them: fingerprints by model.

Of a model that fastembed downloads by itself nothing is known: name its folder in the settings to have it checked.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from memory.embedders.model_files import fingerprint
from memory.embedders.weights import MINILM, find_weights
from memory.errors import ModelError

if TYPE_CHECKING:
    from configs.settings import VectorSettings
    from memory.generation import Manifest

__all__ = ["check_weights", "weights"]


def weights(settings: VectorSettings) -> dict[str, str]:
    """The fingerprints of the models that make vectors. Raises ModelError when a folder can't be read."""
    return {model: fingerprint(folder) for model, folder in _folders(settings)}


def check_weights(manifest: Manifest, settings: VectorSettings) -> None:
    """Raises ModelError where the settings' models are other files than those that the index was made with."""
    if not manifest.weights:
        return
    for model, folder in _folders(settings):
        if model in manifest.weights and manifest.weights[model] != fingerprint(folder):
            raise ModelError(
                f"The files of {model} in {folder} are not those that this index was made with.",
                "Put those back, or index into another data folder.",
            )


def _folders(settings: VectorSettings) -> Iterator[tuple[str, str]]:
    named: list[tuple[str | None, str | None]] = [
        (settings.sparse_model, settings.sparse_model_path),
        (settings.image_model, settings.image_model_path),
        (settings.image_text_model, settings.image_text_model_path),
    ]
    if settings.provider == "fastembed":
        named += [(settings.dense_code_model, None), (settings.dense_model, settings.dense_model_path)]
    for model, folder in named:
        if model == MINILM:
            yield model, str(find_weights(model, path=folder))
        elif model and folder:
            yield model, folder
