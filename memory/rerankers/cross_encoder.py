"""`CrossEncoderReranker`: a cross-encoder by fastembed reads question and text together (003 REQ-0045).

Its scores are the sigmoid of the model's logit, 0..1, as the model card of bge-reranker-v2-m3 has it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import anyio.to_thread

from memory.embedders.fastembed_loading import Once, cut_at, loading

__all__ = ["CrossEncoderReranker"]

_BATCH = 8  # texts of about equal length: padding costs more than calls


class CrossEncoderReranker:
    """A reranker on a fastembed model; `folder` holds its files, None lets fastembed download them into `cache`.

    max_tokens: of question and text together; what is beyond is not read.
    """

    def __init__(
        self, model: str, *, folder: Path | str | None = None, cache: Path | str | None = None, max_tokens: int = 512
    ) -> None:
        self.model = model
        self._folder = str(folder) if folder else None
        self._cache = str(cache) if cache else None
        self._max_tokens = max_tokens
        self._model: Once[Any] = Once(self._load)

    async def warm_up(self) -> None:
        """Load the model, before the clock starts. Raises ModelError."""
        await anyio.to_thread.run_sync(self._model, abandon_on_cancel=True)

    async def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        return await anyio.to_thread.run_sync(partial(self._scores, query, texts), abandon_on_cancel=True)

    def _scores(self, query: str, texts: Sequence[str]) -> list[float]:
        order = sorted(range(len(texts)), key=lambda n: len(texts[n]))
        logits = self._model().rerank(query, [texts[n] for n in order], batch_size=_BATCH)
        by_place = dict(zip(order, logits, strict=True))
        return [_sigmoid(by_place[n]) for n in range(len(texts))]

    def _load(self) -> Any:
        hint = "Check vector.reranker_model, or give its folder (vector.reranker_model_path)."
        with loading(f"reranker {self.model}", hint, self._folder):
            from fastembed.rerank.cross_encoder import TextCrossEncoder  # noqa: PLC0415 - half a second, only for who reranks

            encoder = TextCrossEncoder(self.model, cache_dir=self._cache, threads=1, specific_model_path=self._folder)
            cut_at(encoder.model.tokenizer, self._max_tokens)  # type: ignore[attr-defined]  # it has one once it is loaded
        return encoder


def _sigmoid(logit: float) -> float:
    return 1 / (1 + math.exp(-logit)) if logit >= 0 else 1 - 1 / (1 + math.exp(logit))
