"""The models that the settings name. Apart from the stores, so that a door can load one while it imports the rest."""

from __future__ import annotations

from configs.settings import VectorSettings
from memory.embedders.local import LocalDense
from memory.embedders.onnx import OnnxSource
from memory.embedders.weights import find_weights

__all__ = ["dense_source", "open_dense"]


def dense_source(settings: VectorSettings, *, optimise: bool = True) -> OnnxSource:
    """Where the dense model's weights are. Raises ModelError when they are nowhere."""
    folder = find_weights(settings.dense_model, path=settings.dense_model_path)
    return OnnxSource(str(folder), settings.dense_model, settings.dimension, settings.max_tokens, optimise)


def open_dense(settings: VectorSettings, *, optimise: bool = True) -> LocalDense:
    """The dense embedder, not yet loaded. Raises ModelError when its weights are nowhere.

    optimise: for many questions; without it loading takes 0.1 s less and each question 0.01 s more.
    """
    return LocalDense(dense_source(settings, optimise=optimise))
