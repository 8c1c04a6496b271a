"""The models of a provider, on one connection: one key, one rate."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from configs.settings import HostedSettings, VectorSettings
from memory.embedders.cohere import CohereConnection, CohereDense
from memory.embedders.hosted import HostedDense
from memory.embedders.openai import OpenAIConnection, OpenAIDense
from memory.embedders.voyage import VoyageConnection, VoyageDense
from memory.errors import ConfigError
from memory.imports import require
from memory.rerankers import Reranker, VoyageReranker


def open_hosted(
    settings: VectorSettings, hosted: HostedSettings, environ: Mapping[str, str] | None = None
) -> tuple[HostedDense, HostedDense, Reranker | None]:
    """The embedders of documents and of code, one object where it is one model, and the reranker if one is named.

    Nothing is sent. Raises ConfigError, naming the variable, for a key that is not set, and NotInstalledError.
    """
    if settings.provider == "voyage":
        require("voyage", "voyageai", "Asking Voyage AI")
        voyage = VoyageConnection(hosted, environ=environ)
        reranker = VoyageReranker(voyage, settings.reranker_model) if settings.reranker_model else None
        return *_pair(
            settings,
            lambda model: VoyageDense(voyage, model, dimension=settings.dimension, batch_size=hosted.batch_size),
        ), reranker
    if settings.reranker_model:
        raise ConfigError(
            "vector.reranker_model",
            "settings",
            f"no reranker is asked with provider {settings.provider}.",
            "Set it to null, or choose another provider.",
        )
    if settings.provider == "cohere":
        require("cohere", "cohere", "Asking Cohere")
        cohere = CohereConnection(hosted, environ=environ)
        return *_pair(
            settings,
            lambda model: CohereDense(cohere, model, dimension=settings.dimension, batch_size=hosted.batch_size),
        ), None
    require("openai", "httpx", "Asking an embedding endpoint")
    endpoint = OpenAIConnection(hosted, environ=environ)
    return *_pair(
        settings,
        lambda model: OpenAIDense(
            endpoint,
            model,
            dimension=settings.dimension,
            shortened=hosted.send_dimension,
            batch_size=hosted.batch_size,
        ),
    ), None


def _pair(settings: VectorSettings, make: Callable[[str], HostedDense]) -> tuple[HostedDense, HostedDense]:
    docs = make(settings.dense_model)
    return docs, make(settings.dense_code_model) if settings.dense_code_model else docs
