"""`OnnxSource`: bge-small-en-v1.5 on onnxruntime and tokenizers alone, with fastembed's vectors.

Loading through fastembed imports 0.5-1.3 s of what is not needed here (hub client, HTTP, images). Both are held equal
within 1e-5 by a test: WordPiece, the state of the first token, unit length.

Texts are encoded one by one. The model's activations are rounded to eight bits by the range of a whole batch, so that a
text's vector would else depend on what it is embedded with; on one core a batch gains nothing here.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memory.attempt import panics_as
from memory.embedders.weights import DEFAULT_MODEL, check_files, onnx_size, send_nothing
from memory.errors import ModelError
from memory.imports import brought_by

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from memory.embedders.local import Encode


@dataclass(frozen=True, slots=True)
class OnnxSource:
    """A folder with model.onnx, tokenizer.json and tokenizer_config.json (fastembed's `specific_model_path`)."""

    folder: str
    model: str = DEFAULT_MODEL
    dimension: int = 384
    max_tokens: int = 256

    @property
    def cache_key(self) -> str:
        """The size tells the int8 weights from the others of one name."""
        return f"{self.model}:{self.max_tokens}:{onnx_size(self.folder)}"

    def load(self) -> Encode:
        """Read the model, one thread. Raises ModelError where none can be read, it is damaged, or of another size."""
        send_nothing()
        with brought_by("offline", f"The model {self.model}", ModelError):
            import onnxruntime  # noqa: PLC0415 - 40 ms, only for who embeds
            import tokenizers  # noqa: F401, PLC0415 - 12 ms, only for who embeds

        check_files(self.folder)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        file = str(Path(self.folder) / "model.onnx")
        try:
            session = onnxruntime.InferenceSession(file, sess_options=options, providers=["CPUExecutionProvider"])
        except Exception as error:  # the runtime's errors have no common class of their own
            raise _unreadable(self.folder, error) from error
        given = session.get_outputs()[0].shape[-1]
        if isinstance(given, int) and given != self.dimension:
            raise ModelError(
                f"{self.model} gives vectors of {given} numbers; the settings say {self.dimension}.",
                f"Set vector.dimension to {given}, or choose another model.",
            )
        return _encoder(session, _tokenizer(Path(self.folder), self.max_tokens), self.folder)


def _encoder(session: Any, tokenizer: Any, folder: str) -> Encode:
    """The first token's last hidden state in unit length; shape (texts, dimension)."""
    import numpy as np  # noqa: PLC0415 - a third of a second that --help need not pay

    inputs = {node.name for node in session.get_inputs()}

    def first_state(text: str) -> NDArray[np.float32]:
        ids = np.array([tokenizer.encode(text).ids], dtype=np.int64)
        given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        try:
            states = session.run(None, {name: value for name, value in given.items() if name in inputs})[0]
        except Exception as error:  # as when it is loaded
            raise _unreadable(folder, error) from error
        return np.asarray(states[0, 0])

    def encode(texts: Sequence[str]) -> NDArray[np.float32]:
        firsts = np.array([first_state(text) for text in texts], dtype=np.float64)
        norms = np.linalg.norm(firsts, axis=1, keepdims=True)
        return np.asarray(firsts / np.maximum(norms, 1e-12), dtype=np.float32)

    return encode


def _tokenizer(folder: Path, max_tokens: int) -> Any:
    """The folder's tokenizer, cut at max_tokens and without padding."""
    from tokenizers import Tokenizer  # noqa: PLC0415 - 12 ms, only for who embeds

    try:
        longest = json.loads((folder / "tokenizer_config.json").read_text("utf-8"))["model_max_length"]
        with panics_as(lambda panic: _unreadable(folder, panic)):
            tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
    except ModelError:
        raise
    except Exception as error:  # the tokenizer raises the bare class
        raise _unreadable(folder, error) from error
    tokenizer.enable_truncation(max_length=min(max_tokens, longest))
    tokenizer.no_padding()
    return tokenizer


def _unreadable(folder: Path | str, error: Exception | str) -> ModelError:
    return ModelError(f"The model in {folder} can't be read: {error}.", "Remove that folder and run it again.")
