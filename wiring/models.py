"""The models that the settings name. Apart from the stores, so that a door can load one while it imports the rest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Protocol, cast

from configs.settings import HostedSettings, VectorSettings
from memory.embedders.local import EncoderSource, LocalDense, WordsOnly
from memory.embedders.onnx import OnnxSource
from memory.embedders.port import DenseEmbedder
from memory.embedders.weights import DEFAULT_MODEL, find_weights
from memory.errors import ConfigError, NoModelError
from memory.imports import require
from memory.rerankers import Reranker, VoyageReranker

if TYPE_CHECKING:
    from memory.embedders import DenseSource
    from memory.embedders.hosted import HostedDense


class OpenableDense(DenseEmbedder, Protocol):
    """A dense embedder that gets ready before it is asked."""

    def load_ahead(self) -> None:
        """Begin to load, while the caller opens something else."""
        ...

    async def warm_up(self) -> None:
        """Load, before the clock starts. Raises ModelError."""
        ...

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Models:
    """What questions are asked with: the embedders of documents and of code, which may be one, and the reranker."""

    docs: OpenableDense
    code: OpenableDense
    reranker: Reranker | None = None

    @classmethod
    def of(cls, dense: Models | DenseEmbedder) -> Models:
        """One embedder for both; models as they are."""
        if isinstance(dense, Models):
            return dense
        opened = cast("OpenableDense", dense) if hasattr(dense, "load_ahead") else embedder_source(dense)
        return cls(opened, opened)

    @property
    def words_only(self) -> bool:
        """Whether there is no dense model, and words and relations alone are searched."""
        return isinstance(self.docs, WordsOnly)

    def load_ahead(self) -> None:
        """Begin to load, while the caller opens something else."""
        for dense in self._distinct():
            dense.load_ahead()

    async def warm_up(self) -> None:
        """Load, before the clock starts. Raises ModelError."""
        for dense in self._distinct():
            await dense.warm_up()

    async def close(self) -> None:
        for dense in self._distinct():
            await dense.close()

    def lent(self) -> Models:
        """The same, for one generation of several that are asked with them: its end does not close them."""
        return _Lent(self.docs, self.code, self.reranker)

    def _distinct(self) -> tuple[OpenableDense, ...]:
        return (self.docs,) if self.code is self.docs else (self.docs, self.code)


class _Lent(Models):
    __slots__ = ()

    async def close(self) -> None:
        """Left to whoever lent them."""


def open_models(
    settings: VectorSettings,
    hosted: HostedSettings | None = None,
    *,
    environ: Mapping[str, str] | None = None,
) -> Models:
    """The models that questions need, not yet loaded; nothing is sent.

    Raises ConfigError, naming the variable, for a key that is not set, and ModelError when a model's weights are
    nowhere.
    """
    if settings.provider == "local":
        docs, code = _here(settings)
        dense = LocalDense(docs)
        return Models(dense, dense if code is docs else LocalDense(code))
    return Models(*open_hosted(settings, hosted or HostedSettings(), environ))


def models_at_hand(settings: VectorSettings, hosted: HostedSettings | None = None) -> Models:
    """As `open_models`; where the default model can't be had, words and relations alone are searched."""
    try:
        return open_models(settings, hosted)
    except NoModelError:
        none = WordsOnly(settings.dense_model, settings.dimension)
        return Models(none, none)


def dense_sources(
    settings: VectorSettings, hosted: HostedSettings, environ: Mapping[str, str] | None = None
) -> tuple[DenseSource, DenseSource]:
    """What documents are embedded with, and code, as `models_at_hand`; raises what that raises."""
    try:
        return _here(settings) if settings.provider == "local" else open_hosted(settings, hosted, environ)[:2]
    except NoModelError:
        none = WordsOnly(settings.dense_model, settings.dimension)
        return none, none


def open_hosted(
    settings: VectorSettings, hosted: HostedSettings, environ: Mapping[str, str] | None = None
) -> tuple[HostedDense, HostedDense, Reranker | None]:
    """The embedders of documents and of code, one object where it is one model, and the reranker if one is named.

    All of a provider's are on one connection: one key, one rate. Nothing is sent.

    Raises ConfigError, naming the variable, for a key that is not set, and NotInstalledError.
    """
    if settings.reranker_model and settings.provider != "voyage":
        raise ConfigError(
            "vector.reranker_model",
            "settings",
            f"no reranker is asked with provider {settings.provider}.",
            "Set it to null, or choose another provider.",
        )
    make: Callable[[str], HostedDense]
    reranker, size, most = None, settings.dimension, hosted.batch_size
    if settings.provider == "voyage":
        from memory.embedders.voyage import VoyageConnection, VoyageDense  # noqa: PLC0415 - the default does without

        require("voyage", "voyageai", "Asking Voyage AI")
        voyage = VoyageConnection(hosted, environ=environ)
        reranker = VoyageReranker(voyage, settings.reranker_model) if settings.reranker_model else None
        make = partial(VoyageDense, voyage, dimension=size, batch_size=most)
    elif settings.provider == "cohere":
        from memory.embedders.cohere import CohereConnection, CohereDense  # noqa: PLC0415 - as above

        require("cohere", "cohere", "Asking Cohere")
        make = partial(CohereDense, CohereConnection(hosted, environ=environ), dimension=size, batch_size=most)
    else:
        from memory.embedders.openai import OpenAIConnection, OpenAIDense  # noqa: PLC0415 - as above

        require("openai", "httpx", "Asking an embedding endpoint")
        endpoint = OpenAIConnection(hosted, environ=environ)
        make = partial(OpenAIDense, endpoint, dimension=size, shortened=hosted.send_dimension, batch_size=most)
    docs = make(settings.dense_model)
    return docs, make(settings.dense_code_model) if settings.dense_code_model else docs, reranker


def embedder_source(embedder: DenseEmbedder) -> HostedDense:
    """An embedder of the caller's as one that indexes and answers alike."""
    from memory.embedders.hosted import GivenModel, HostedDense  # noqa: PLC0415 - the default does without

    return embedder if isinstance(embedder, HostedDense) else HostedDense(GivenModel(embedder))


def dense_source(settings: VectorSettings, model: str | None = None) -> EncoderSource:
    """Where the weights of a dense model on this machine are, by default `dense_model`'s.

    The default model is read without fastembed, which takes half a second to import; any other is fastembed's to know
    (its pooling, its files). Raises ModelError when they are nowhere.
    """
    folder = settings.dense_model_path if model in {None, settings.dense_model} else None
    model = model or settings.dense_model
    if model != DEFAULT_MODEL:
        from memory.embedders.fastembed_dense import FastEmbedSource  # noqa: PLC0415 - the default does without

        return FastEmbedSource(model, settings.dimension, folder, max_tokens=settings.max_tokens)
    weights = find_weights(folder)
    return OnnxSource(str(weights), model, settings.dimension, settings.max_tokens)


def _here(settings: VectorSettings) -> tuple[EncoderSource, EncoderSource]:
    docs, code = dense_source(settings), settings.dense_code_model
    return docs, dense_source(settings, code) if code else docs
