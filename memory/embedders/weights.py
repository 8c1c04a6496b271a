"""Where the default model's files are, and whether a model's files are what they were. See docs/design.md#models.

The default's are a package of their own, which the extra `offline` brings; any folder may take their place.

What is read of a folder is hashed with SHA-256 (FIPS 180-4). A folder that has a file SHA256SUMS, as sha256sum(1)
writes it, is held against that whenever the model is loaded, as the default's is. What an index was made with
is in its manifest, as the folder's fingerprint. A hash is taken once a process and state of a file: 22 ms for the 34 MB
of bge-small-en-v1.5 where the processor helps, 75 where it does not.
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Final

from memory.errors import ModelError, NoModelError
from memory.imports import install

DEFAULT_MODEL: Final = "hybrid-retrieval/bge-small-systems"
_PACKAGE: Final = "hybrid_retrieval_bge_small"
_RUNTIME: Final = ("onnxruntime", "tokenizers")
_PATH_HINT: Final = "Set vector.dense_model_path to a folder with model.onnx and its tokenizer."
SUMS: Final = "SHA256SUMS"
_READ: Final = (".onnx", ".onnx_data", ".onnx.data", ".json", ".txt")
_hashing: Final = threading.Lock()  # who comes second finds it done


def find_weights(path: Path | str | None = None, *, runtime: Sequence[str] = _RUNTIME) -> Path:
    """A folder with model.onnx and its tokenizer, in the form of fastembed's `specific_model_path`.

    Args:
        path: a folder of the user's own; None: that of the package `hybrid-retrieval-bge-small` (`weights/`).
        runtime: the modules that run a model.

    Raises:
        ModelError: it says what is missing in a configured folder.
        NoModelError: the model or what runs it is not installed; it says what to do.
    """
    if path is not None:
        with readable(Path(path)):
            missing = missing_in(Path(path))
        if missing:
            raise ModelError(f"The model folder {path} lacks {', '.join(missing)}.", _PATH_HINT)
        return Path(path)
    found = importlib.util.find_spec(_PACKAGE)
    if found is None or found.origin is None or any(importlib.util.find_spec(name) is None for name in runtime):
        raise NoModelError(f"The model {DEFAULT_MODEL} or what runs it is not installed.", install("offline"))
    return Path(found.origin).parent


def missing_in(folder: Path) -> list[str]:
    """What a model folder lacks: files, or a positive model_max_length in its tokenizer_config.json."""
    names = ("model.onnx", "tokenizer.json", "tokenizer_config.json")
    missing = [name for name in names if not (folder / name).is_file()]
    if not missing and not _max_length((folder / "tokenizer_config.json").read_bytes()):
        missing.append("a positive model_max_length in tokenizer_config.json")
    return missing


def send_nothing() -> None:
    """To be called before onnxruntime or the model hub's client is imported: both send usage data home unless they are
    told otherwise, and the first writes a device's id into the user's cache.

    Source: onnxruntime's Privacy.md; huggingface_hub's environment variables.
    """
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")


def check_files(folder: Path | str) -> None:
    """Raises ModelError that names the file that is not what SHA256SUMS says; without one there is nothing to go by."""
    folder = Path(folder)
    with readable(folder):
        if not (folder / SUMS).is_file():
            return
        for line in (folder / SUMS).read_text("utf-8", errors="replace").splitlines():
            digest, _, name = line.partition("  ")
            if not (folder / name).is_file() or _hash_of(folder / name) != digest:
                raise ModelError(
                    f"The model in {folder} is damaged: {name!r} is not what {SUMS} says.",
                    "Put the file back; where it is that of hybrid-retrieval-bge-small, install that again.",
                )


def sums(folder: Path) -> str:
    """The text of a SHA256SUMS for a folder. Raises OSError."""
    return "".join(f"{_hash_of(file)}  {file.relative_to(folder).as_posix()}\n" for file in _files(folder))


def fingerprint(folder: Path | str) -> str:
    """One hash of all that a model's folder holds, whatever else is there. Raises ModelError if it can't be read."""
    with readable(Path(folder)):
        return hashlib.sha256(sums(Path(folder)).encode()).hexdigest()


def onnx_size(folder: Path | str) -> int:
    """The size of its model.onnx, which tells the weights of one name apart; 0 without one. Raises ModelError."""
    file = Path(folder) / "model.onnx"
    with readable(Path(folder)):
        return file.stat().st_size if file.is_file() else 0


@contextmanager
def readable(folder: Path) -> Iterator[None]:
    """Raise what the system refuses of a model's folder as ModelError."""
    try:
        yield
    except OSError as error:
        raise ModelError(
            f"The model folder {folder} can't be read: {error.strerror}.",
            "Check its permissions, or name another folder.",
        ) from error


def _max_length(config: bytes) -> int:
    try:
        length = json.loads(config).get("model_max_length")
    except (ValueError, AttributeError):
        return 0
    return length if isinstance(length, int) and length > 0 else 0


def _files(folder: Path) -> list[Path]:
    def refuse(error: OSError) -> None:
        raise error  # else a folder that may not be read is an empty one

    inside = os.walk(folder, onerror=refuse)
    return sorted(Path(where, name) for where, _, names in inside for name in names if name.endswith(_READ))


def _hash_of(file: Path) -> str:
    state = file.stat()
    with _hashing:
        return _hash(file, state.st_ino, state.st_size, state.st_mtime_ns)


@lru_cache(maxsize=256)
def _hash(file: Path, *_state: int) -> str:
    with file.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
