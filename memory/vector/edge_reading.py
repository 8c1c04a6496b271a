"""A shard of Qdrant Edge that is only read.

Every load replaces a small file of the shard, and maps others to be written to. Where that can't be, for want of room
or of the right to write, a copy is loaded, which is on another disk and has no name any more once it is mapped. What is
large and only read by the engine stays where it is. Decision record 0042.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import qdrant_edge as edge

from memory.attempt import panics_as
from memory.copying import copy_file
from memory.disk import make_private
from memory.errors import ANOTHER_FOLDER, DataFolderError, HybridRetrievalError, StorageFullError, StoreError
from memory.vector.edge_files import Room, bytes_to_map, is_only_read

_NO_ROOM = ("os error 28", "Errno 28", "No space left", "os error 122", "os error 27")  # full, quota, limit of a file
_NO_ACCESS = ("os error 13", "Errno 13", "Permission denied", "os error 30", "Errno 30", "Read-only")

_BESIDE: Final = 2**20


@contextmanager
def translated(path: Path, doing: str) -> Iterator[None]:
    """Raise what happens inside as one of our errors; `doing` is a verb (open, write, search)."""
    try:
        with panics_as(lambda message: engine_error(path, doing, message)):
            yield
    except HybridRetrievalError:
        raise
    except Exception as error:
        if type(error) is not Exception and not isinstance(error, OSError | ValueError):
            raise  # a mistake of ours, not the engine's answer
        raise engine_error(path, doing, str(error)) from error


def engine_error(path: Path, doing: str, message: str) -> HybridRetrievalError:
    """The error of ours for a text of the engine's."""
    if any(sign in message for sign in _NO_ROOM):
        return StorageFullError(str(path))
    if any(sign in message for sign in _NO_ACCESS):
        return DataFolderError(
            f"The vector index in {path} may not be written to, and can't be used without.",
            "Give yourself write permission on the folder, or use another data folder.",
        )
    if "already contains segment data" in message:
        return DataFolderError(f"There is a vector index in {path} already.", "Open it, or choose another folder.")
    if doing == "open":
        return StoreError(f"The vector index in {path} can't be opened: {message}.", ANOTHER_FOLDER)
    return StoreError(
        f"The vector index in {path} could not {doing}: {message}.", "Try again; if it goes on, index again."
    )


class ReadingShard:
    """A shard that nothing is written to. `engine` is Edge's own."""

    def __init__(self, engine: edge.EdgeShard, path: Path) -> None:
        self.engine = engine
        self.path = path

    def check_room(self, points: int) -> None:
        """Raises StoreError: there is no writing."""
        raise StoreError(f"The vector index in {self.path} was opened to be read; {points} points are to be written.")

    def update(self, operation: edge.UpdateOperation, points: int = 0) -> None:  # noqa: ARG002 - as a shard that is written to
        """Raises StoreError: there is no writing."""
        self.check_room(points)

    def close(self) -> None:
        """Let go of it. The engine writes a small file then too, which no one needs."""
        with suppress(StorageFullError, DataFolderError), translated(self.path, "close"):
            self.engine.close()
        make_private(self.path)


def load_to_read(path: Path, room: Room, places: Sequence[Path] | None = None) -> ReadingShard:
    """The shard in a folder that may be full, or not be written to. places: where a copy may be, the first with room
    for it.

    Raises StoreError when the shard is damaged or a copy fits nowhere.
    """
    if not room.in_memory(path) or room.free(path) >= bytes_to_map(path) + _BESIDE:
        with suppress(StorageFullError, DataFolderError), translated(path, "open"):
            shard = ReadingShard(edge.EdgeShard.load(str(path)), path)
            make_private(path)  # each load writes some files anew
            return shard
    with _copied(path, room, _usual() if places is None else places) as copy, translated(path, "open"):
        return ReadingShard(edge.EdgeShard.load(str(copy)), path)


@contextmanager
def _copied(shard: Path, room: Room, places: Sequence[Path]) -> Iterator[Path]:
    """A copy of the shard for the time of the block, links to what the engine only reads in it."""
    files = [file.relative_to(shard) for file in shard.rglob("*") if file.is_file()]
    copied = [file for file in files if not is_only_read(file.as_posix())]
    wanted = _BESIDE + sum((shard / file).stat().st_blocks * 512 for file in copied)
    with tempfile.TemporaryDirectory(prefix="hybrid-retrieval-", dir=_roomy(shard, wanted, room, places)) as made:
        for file in files:
            (Path(made) / file).parent.mkdir(parents=True, exist_ok=True)
            if file in copied:
                copy_file(shard / file, Path(made) / file)
            else:
                (Path(made) / file).symlink_to((shard / file).absolute())
        yield Path(made)


def _roomy(shard: Path, wanted: int, room: Room, places: Sequence[Path]) -> Path:
    for place in places:
        if room.free(place) >= wanted + (bytes_to_map(shard) if room.in_memory(place) else 0):
            return place
    raise StoreError(
        f"The vector index in {shard} has no room on its disk or may not be written to, and a copy of "
        f"{wanted // 2**20} MB to read from fits nowhere: {', '.join(map(str, places)) or 'no place'} tried.",
        "Free some room, or name a folder that has it in TMPDIR.",
    )


def _usual() -> list[Path]:
    places = [Path("/dev/shm")]  # noqa: S108 - a folder of a name of its own is made there
    with suppress(OSError):  # none that can be written to
        places.insert(0, Path(tempfile.gettempdir()))
    return [place for place in places if place.is_dir()]
