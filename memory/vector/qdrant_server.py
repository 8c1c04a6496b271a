"""Which Qdrant server: its address, its key, its version and what that version lacks."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from configs.settings import QdrantSettings
from memory.errors import ConfigError

if TYPE_CHECKING:
    from qdrant_client import AsyncQdrantClient

__all__ = ["ServerVersion", "api_key", "connect"]

_QUERY, _RRF_K, _RRF_WEIGHTS, _IDF_CORPUS = (1, 10), (1, 16), (1, 17), (1, 19)


@dataclass(frozen=True, slots=True)
class ServerVersion:
    """A version as the server tells it, such as 1.19.2."""

    text: str

    @property
    def number(self) -> tuple[int, int]:
        """Major and minor; (0, 0) for what is no version."""
        found = re.match(r"v?(\d+)\.(\d+)", self.text)
        return (int(found[1]), int(found[2])) if found else (0, 0)

    @property
    def answers_queries(self) -> bool:
        """Whether it has the Query API, without which nothing works."""
        return self.number >= _QUERY

    @property
    def idf_corpus(self) -> bool:
        """Whether IDF can be taken over the permission."""
        return self.number >= _IDF_CORPUS

    def fuses(self, k: int, *, weighted: bool) -> bool:
        """Whether its own fusion can have this k, and weights."""
        return self.number >= (_RRF_WEIGHTS if weighted else _RRF_K) or (k == 2 and not weighted)  # its fixed k

    @property
    def lacks(self) -> list[str]:
        """What an older version has not, and what that means here."""
        known = (
            (_RRF_K, "k of its reciprocal rank fusion (1.16): lists are fused here"),
            (_RRF_WEIGHTS, "weights of it (1.17): lists are fused here"),
            (_IDF_CORPUS, "IDF over the permission (1.19): word scores depend on all projects of the collection"),
        )
        return [text for since, text in known if self.number < since]


def api_key(settings: QdrantSettings, environ: Mapping[str, str] | None = None) -> str | None:
    """The key in the variable that the settings name. Raises ConfigError, naming it, where it is not set."""
    if not settings.api_key_env:
        return None
    key = (os.environ if environ is None else environ).get(settings.api_key_env, "").strip()
    if not key:
        raise ConfigError(
            "vector.qdrant.api_key_env",
            "environment",
            f"{settings.api_key_env} is not set.",
            f"Put the API key of {settings.url} there, or set vector.qdrant.api_key_env to null.",
        )
    return key


def connect(settings: QdrantSettings, environ: Mapping[str, str] | None = None) -> AsyncQdrantClient:
    """A client; nothing is sent yet. Raises ConfigError for an address that is none, or a missing key."""
    key = api_key(settings, environ)
    from qdrant_client import AsyncQdrantClient  # noqa: PLC0415 - 1.2 s that a wrong setting need not cost

    seconds = -(-max(settings.timeout_ms, settings.write_timeout_ms) // 1000)  # our own deadline is the shorter one
    try:
        # As a header: given as api_key, the client warns on standard error wherever the address is plain http.
        return AsyncQdrantClient(
            url=settings.url,
            headers={"api-key": key} if key else None,
            timeout=seconds,
            check_compatibility=False,
            cloud_inference=True,  # only spares looking for texts to embed in every request
        )
    except ValueError as error:
        raise ConfigError("vector.qdrant.url", "settings", f"{settings.url!r} is no address: {error}.") from None
