"""Where the default model's files are: a configured folder, or the one that comes with this package.

See docs/design.md#models.
"""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from memory.embedders.model_files import readable
from memory.errors import ModelError, NoModelError
from memory.extras import install

__all__ = ["BGE_SMALL", "find_weights", "missing_in"]

BGE_SMALL: Final = "BAAI/bge-small-en-v1.5"
_FOLDER: Final = Path(__file__).with_name("bge_small")
_RUNTIME: Final = ("onnxruntime", "tokenizers")
_PATH_HINT: Final = "Set vector.dense_model_path to a folder with model.onnx and its tokenizer."


def find_weights(path: Path | str | None = None, *, runtime: Sequence[str] = _RUNTIME) -> Path:
    """A folder with model.onnx and its tokenizer, in the form of fastembed's `specific_model_path`.

    Args:
        path: a folder of the user's own; None: the one of this package.
        runtime: the modules that run a model.

    Raises:
        ModelError: it says what is missing in a configured folder.
        NoModelError: what runs the model is not installed; it says what to do.
    """
    if path is not None:
        with readable(Path(path)):
            missing = missing_in(Path(path))
        if missing:
            raise ModelError(f"The model folder {path} lacks {', '.join(missing)}.", _PATH_HINT)
        return Path(path)
    if any(importlib.util.find_spec(name) is None for name in runtime):
        raise NoModelError(f"What runs the model {BGE_SMALL} is not installed.", install("offline"))
    return _FOLDER


def missing_in(folder: Path) -> list[str]:
    """What a model folder lacks: files, or a positive model_max_length in its tokenizer_config.json."""
    names = ("model.onnx", "tokenizer.json", "tokenizer_config.json")
    missing = [name for name in names if not (folder / name).is_file()]
    if not missing and not _max_length((folder / "tokenizer_config.json").read_bytes()):
        missing.append("a positive model_max_length in tokenizer_config.json")
    return missing


def _max_length(config: bytes) -> int:
    try:
        length = json.loads(config).get("model_max_length")
    except (ValueError, AttributeError):
        return 0
    return length if isinstance(length, int) and length > 0 else 0
