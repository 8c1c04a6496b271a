"""`FastEmbedSource`: any dense text model of fastembed, for profiles other than the default one; `FastEmbedModel`: what
the other kinds have in common; and what reading a model by fastembed takes, whichever of its classes reads it.

A folder in fastembed's `specific_model_path` form skips every download. What is in its cache is read without asking the
hub, which is asked once otherwise, for two seconds at most: fastembed itself would try for 40.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, TypeVar

import anyio.to_thread

from memory.attempt import panics_as
from memory.embedders.weights import check_files, send_nothing
from memory.errors import ModelError, NoModelError
from memory.imports import brought_by

if TYPE_CHECKING:
    import numpy as np
    from fastembed.common.model_management import ModelManagement
    from numpy.typing import NDArray

    from memory.embedders.local import Encode

_HUB_S: Final = 2.0
"""Seconds in which the model hub has to answer."""
_NAMED: Final = "Check its name, or give its folder (vector.dense_model_path)."


@dataclass(frozen=True, slots=True)
class FastEmbedSource:
    """A model by fastembed's name; `folder` holds its files, None lets fastembed download them into `cache`."""

    model: str
    dimension: int
    folder: str | None = None
    cache: str | None = None
    max_tokens: int = 256

    @property
    def cache_key(self) -> str:
        return f"{self.model}:{self.max_tokens}:fastembed"

    def load(self) -> Encode:
        """Read the model, one thread. Raises ModelError."""
        import numpy as np  # noqa: PLC0415 - a third of a second that --help need not pay

        embedding = read_model(
            "fastembed:TextEmbedding", "model", _NAMED, self.model, self.folder, self.cache, self.max_tokens
        )

        def encode(texts: Sequence[str]) -> NDArray[np.float32]:
            vectors = np.stack(list(embedding.embed(list(texts), batch_size=max(1, len(texts))))).astype(np.float32)
            if vectors.shape[1] != self.dimension:
                raise ModelError(
                    f"{self.model} gives vectors of {vectors.shape[1]} numbers; the settings say {self.dimension}.",
                    f"Set the dimension to {vectors.shape[1]}, or choose another model.",
                )
            return np.asarray(vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12))

        return encode


def read_model(
    kind: str, what: str, hint: str, model: str, folder: str | None, cache: str | None, max_tokens: int
) -> Any:
    """A model by the class of fastembed that reads its kind (`MODULE:CLASS`), one thread. what: the kind, for people.
    Raises ModelError.
    """
    with loading(f"{what} {model}", hint, folder):
        reader = resolve_name(kind)  # half a second, only for who has such a model
        find(reader, model, folder, cache, hint)
        made = reader(model, cache_dir=cache, threads=1, specific_model_path=folder)
        tokenizer = getattr(made.model, "tokenizer", None)
        if tokenizer is not None:
            cut_at(tokenizer, max_tokens)
    return made


def find(kind: type[ModelManagement[Any]], model: str, folder: str | None, cache: str | None, hint: str) -> None:
    """Raises NoModelError for a model of fastembed's that has no folder, is not in its cache and not on the hub now.

    What fastembed logs of its own tries is no more shown: what fails is raised. A name that it does not know is for it
    to refuse.
    """
    from fastembed.common.utils import define_cache_dir  # noqa: PLC0415 - its callers have imported fastembed
    from huggingface_hub import try_to_load_from_cache  # noqa: PLC0415 - as above
    from loguru import logger  # noqa: PLC0415 - as above

    logger.disable("fastembed")
    known = next((one for one in kind.list_supported_models() if one["model"].lower() == model.lower()), None)
    if folder or known is None:
        return
    repository = known["sources"]["hf"]
    kept = try_to_load_from_cache(repository, known["model_file"], define_cache_dir(cache))
    if not isinstance(kept, str) and not _is_on_hub(repository):
        raise NoModelError(f"The model {model} is not on this machine, and the model hub can't be reached.", hint)


def _is_on_hub(repository: str) -> bool:
    """Asked in a thread that is left behind: looking up a name heeds no deadline."""
    found = threading.Event()

    def ask() -> None:
        from huggingface_hub import model_info  # noqa: PLC0415 - as above

        with suppress(ModelError), loading(repository, ""):
            model_info(repository, timeout=_HUB_S)
            found.set()

    asking = threading.Thread(target=ask, daemon=True)
    asking.start()
    asking.join(_HUB_S)
    return found.is_set()


@contextmanager
def loading(what: str, hint: str, folder: str | None = None) -> Iterator[None]:
    """Around the reading of `what`, its files in `folder` checked first: what fails is a ModelError with this hint."""
    if folder:
        check_files(folder)
    send_nothing()
    try:
        with (
            brought_by("fastembed", f"The {what}", ModelError),
            panics_as(lambda panic: ModelError(f"The {what} can't be loaded: {panic}.", hint)),
        ):
            yield
    except ModelError:
        raise
    except Exception as error:  # an unknown name, no network, a broken file: whatever its libraries raise
        raise ModelError(f"The {what} can't be loaded: {error}.", hint) from error


def cut_at(tokenizer: Any, most: int) -> None:
    """Read no more than `most` tokens of a text; a model that reads fewer stays as it is."""
    if tokenizer.truncation["max_length"] > most:
        tokenizer.enable_truncation(max_length=most)


T = TypeVar("T")


class Once(Generic[T]):
    """Calls `load` for the first who asks; who asks meanwhile waits, from any thread. What failed is tried again."""

    def __init__(self, load: Callable[[], T]) -> None:
        self._load = load
        self._loading = threading.Lock()  # an abandoned thread may still be at it
        self._loaded: T | None = None

    def __call__(self) -> T:
        """What was loaded. Raises what loading raises."""
        with self._loading:
            if self._loaded is None:
                self._loaded = self._load()
            return self._loaded


class FastEmbedModel:
    """A model of fastembed's in this process; `folder` holds its files, None lets fastembed download them into `cache`.

    kind: the class that reads it; what: what it is, for people; setting: where its name is. max_tokens: of all that it
    reads at once; what is beyond is not read.
    """

    kind: ClassVar[str]
    what: ClassVar[str]
    setting: ClassVar[str]

    def __init__(
        self, model: str, *, folder: Path | str | None = None, cache: Path | str | None = None, max_tokens: int = 512
    ) -> None:
        self.model = model
        self._folder = str(folder) if folder else None
        self._cache = str(cache) if cache else None
        self._max_tokens = max_tokens
        self._model: Once[Any] = Once(self._read)

    def load(self) -> None:
        """Read the model now, for who does not want the first call to pay for it. Raises ModelError."""
        self._model()

    async def warm_up(self) -> None:
        """`load`, off the event loop."""
        await anyio.to_thread.run_sync(self.load, abandon_on_cancel=True)

    def _read(self) -> Any:
        hint = f"Check {self.setting}, or give its folder ({self.setting}_path)."
        return read_model(self.kind, self.what, hint, self.model, self._folder, self._cache, self._max_tokens)
