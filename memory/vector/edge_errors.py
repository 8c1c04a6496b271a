"""What Qdrant Edge says when it fails, as the errors of this project.

The engine raises bare `Exception` with a text; what the operating system refused is told by its number in there. Where it
panics it raises what is no `Exception` (`memory.panics`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from memory.errors import ANOTHER_FOLDER, DataFolderError, HybridRetrievalError, StorageFullError, StoreError
from memory.panics import panics_as

__all__ = ["engine_error", "translated"]

_NO_ROOM = ("os error 28", "Errno 28", "No space left", "os error 122", "os error 27")  # full, quota, limit of a file
_NO_ACCESS = ("os error 13", "Errno 13", "Permission denied", "os error 30", "Errno 30", "Read-only")


@contextmanager
def translated(path: Path, doing: str) -> Iterator[None]:
    """Raise what happens inside as one of our errors; `doing` is a verb (open, write, search)."""
    try:
        with panics_as(lambda said: engine_error(path, doing, said)):
            yield
    except HybridRetrievalError:
        raise
    except Exception as error:
        if type(error) is not Exception and not isinstance(error, OSError | ValueError):
            raise  # a mistake of ours, not the engine's answer
        raise engine_error(path, doing, str(error)) from error


def engine_error(path: Path, doing: str, said: str) -> HybridRetrievalError:
    """The error of ours for a text of the engine's."""
    if any(sign in said for sign in _NO_ROOM):
        return StorageFullError(str(path))
    if any(sign in said for sign in _NO_ACCESS):
        return DataFolderError(
            f"The vector index in {path} may not be written to, and can't be used without.",
            "Give yourself write permission on the folder, or use another data folder.",
        )
    if "already contains segment data" in said:
        return DataFolderError(f"There is a vector index in {path} already.", "Open it, or choose another folder.")
    if doing == "open":
        return StoreError(f"The vector index in {path} can't be opened: {said}.", ANOTHER_FOLDER)
    return StoreError(
        f"The vector index in {path} could not {doing}: {said}.", "Try again; if it goes on, index again."
    )
