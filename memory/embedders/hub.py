"""The model hub: whether it can be reached, and fastembed's download from it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from http.client import HTTPException
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from memory.errors import NoModelError
from memory.extras import brought_by

__all__ = ["answers", "download"]

_SECONDS = 2.0


def answers(url: str, seconds: float = _SECONDS) -> bool:
    """Whether anything answers there in time. A name server that stays silent is no answer either."""
    answered: SimpleQueue[bool] = SimpleQueue()
    Thread(target=lambda: answered.put(_responds(url, seconds)), daemon=True).start()
    try:
        return answered.get(timeout=seconds)
    except Empty:
        return False


def download(model: str, folder: Path, reachable: Callable[[], bool] | None = None) -> Path:
    """The folder that fastembed downloaded a model into. Raises NoModelError, and what its libraries raise.

    Args:
        model: its name.
        folder: where downloads are kept.
        reachable: whether the hub can be reached, by default asked of it once a process.
    """
    if not (reachable or _hub_answers)():
        raise NoModelError(f"The model hub, which has {model}, can't be reached.")
    from fastembed import TextEmbedding  # noqa: PLC0415 - half a second, only when nothing else is there
    from loguru import logger  # noqa: PLC0415 - comes with it

    logger.disable("fastembed")  # it prints what we say in one sentence
    embedding = TextEmbedding(model, cache_dir=str(folder), lazy_load=True)
    return Path(embedding.model._model_dir)  # type: ignore[attr-defined]  # noqa: SLF001 - it tells the folder nowhere else


@cache
def _hub_answers() -> bool:
    with brought_by("fastembed", "Downloading a model", NoModelError):
        from huggingface_hub import constants  # noqa: PLC0415 - comes with fastembed

    return not constants.HF_HUB_OFFLINE and answers(constants.ENDPOINT)


def _responds(url: str, seconds: float) -> bool:
    try:
        urlopen(Request(url, method="HEAD"), timeout=seconds).close()  # noqa: S310 - an address of the user's environment
    except HTTPError:
        return True  # it answers, if only with a refusal
    except (OSError, ValueError, HTTPException):
        return False
    return True
