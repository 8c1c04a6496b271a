"""The models that run here beside the dense one: sparse, pictures, cross-encoder. None is loaded yet.

`weights` are the fingerprints by which a manifest remembers which files they were read from. Of a model that fastembed
downloads by itself nothing is known: name its folder in the settings to have it checked.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from configs.settings import VectorSettings
from memory.embedders import Bm25Sparse, find_weights
from memory.embedders.weights import DEFAULT_MODEL, fingerprint
from memory.errors import ConfigError, ModelError, NoModelError

if TYPE_CHECKING:
    from indexing.images import PictureModels
    from memory.embedders import EncoderSource, FastEmbedImages, SparseEmbedder
    from memory.generation import Manifest
    from memory.rerankers import CrossEncoderReranker


def open_sparse(settings: VectorSettings) -> SparseEmbedder:
    """The sparse embedder, by `vector.sparse_model`: BM25, else a SPLADE of fastembed's."""
    if settings.sparse_model == Bm25Sparse.model:
        return Bm25Sparse()
    from memory.embedders import SpladeSparse  # noqa: PLC0415 - the default does without

    return SpladeSparse(settings.sparse_model, folder=settings.sparse_model_path, max_tokens=settings.max_tokens)


def open_images(settings: VectorSettings) -> FastEmbedImages | None:
    """The image embedder; None without `vector.image_model`. Raises ConfigError where no model reads its questions."""
    if settings.image_model is None:
        return None
    if settings.image_text_model is None:
        raise ConfigError(
            "vector.image_text_model",
            "settings",
            f"{settings.image_model} needs a model of its space that reads text.",
            "Name it: Qdrant/clip-ViT-B-32-text is the other half of Qdrant/clip-ViT-B-32-vision.",
        )
    from memory.embedders import FastEmbedImages  # noqa: PLC0415 - the default does without

    return FastEmbedImages(settings.image_model, dimension=settings.image_dimension, folder=settings.image_model_path)


def image_text_source(settings: VectorSettings) -> EncoderSource | None:
    """What puts questions and documents into the pictures' space; None without `vector.image_model`."""
    if settings.image_model is None or settings.image_text_model is None:
        return None
    model, folder = settings.image_text_model, settings.image_text_model_path
    from memory.embedders import FastEmbedSource  # noqa: PLC0415 - the default does without

    return FastEmbedSource(model, settings.image_dimension, folder, max_tokens=settings.max_tokens)


def picture_models(settings: VectorSettings) -> PictureModels | None:
    """Both halves, for indexing; None without `vector.image_model`. Raises ConfigError as `open_images`."""
    images, texts = open_images(settings), image_text_source(settings)
    if images is None or texts is None:
        return None
    from indexing.images import PictureModels  # noqa: PLC0415 - parsers and grammars that a question does not need

    return PictureModels(images, texts)


def open_cross_encoder(settings: VectorSettings) -> CrossEncoderReranker | None:
    """The reranker that runs here; None where the settings name none, or a provider's."""
    if settings.reranker_model is None or settings.provider != "local":
        return None
    from memory.rerankers import CrossEncoderReranker  # noqa: PLC0415 - only for who reranks

    return CrossEncoderReranker(settings.reranker_model, folder=settings.reranker_model_path)


async def warm_cross_encoder(settings: VectorSettings) -> CrossEncoderReranker | None:
    """The same, loaded. Raises ModelError."""
    encoder = open_cross_encoder(settings)
    if encoder is not None:
        await encoder.warm_up()
    return encoder


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
    if settings.provider == "local":
        named += [(settings.dense_code_model, None), (settings.dense_model, settings.dense_model_path)]
    for model, folder in named:
        if model == DEFAULT_MODEL:
            with suppress(NoModelError):  # then no vector is made by it
                yield model, str(find_weights(folder))
        elif model and folder:
            yield model, folder
