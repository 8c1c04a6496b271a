"""A shard of Qdrant Edge that is only read.

Every load replaces a small file of the shard, maps others to be written to, and removes a payload index that it could
not map. So what is loaded is a folder of links to the shard's files, which has no name any more once they are mapped.
Where the shard's own files can't be written to, for want of room or of the right, they are copied there but for what is
large and only read. Decision records 0042 and 0111.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final

import qdrant_edge as edge

from memory.attempt import panics_as
from memory.copying import copy_file
from memory.disk import make_private
from memory.errors import (
    ANOTHER_FOLDER,
    HIGHER_LIMITS,
    DataFolderError,
    HybridRetrievalError,
    StorageFullError,
    StoreError,
)
from memory.vector.edge_files import Room, bytes_to_map, is_only_read

_NO_ROOM = ("os error 28", "Errno 28", "No space left", "os error 122", "os error 27")  # full, quota, limit of a file
_NO_ACCESS = ("os error 13", "Errno 13", "Permission denied", "os error 30", "Errno 30", "Read-only")

_SHORT = ("os error 12)", "Errno 12]", "Cannot allocate memory", "os error 11)", "Errno 11]")  # no memory, no thread

_BESIDE: Final = 2**20
_LINKED_INSIDE: Final = ("segments", "segments/*", "segments/*/payload_index")
"""What is no link itself, but a folder of links."""


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
    if any(sign in message for sign in _SHORT):
        return StoreError(f"The vector index in {path} could not {doing}: {message}.", HIGHER_LIMITS)
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
    """The shard in a folder that may be full, or not be written to; nothing in it is changed. places: where what stands
    for it may be, the first with room.

    Raises StoreError when the shard is damaged, or a copy is needed and fits nowhere.
    """
    places = _usual() if places is None else places
    if not room.in_memory(path) or room.free(path) >= bytes_to_map(path) + _BESIDE:
        place = _roomy(path, _BESIDE, room, places)
        with suppress(StorageFullError, DataFolderError), translated(path, "open"), _linked(path, place) as linked:
            shard = ReadingShard(edge.EdgeShard.load(str(linked)), path)
            if linked == path:
                make_private(path)  # each load writes some files anew
            return shard
    files = [file for file in path.rglob("*") if file.is_file()]
    copied = [file for file in files if not is_only_read(file.as_posix())]
    wanted = _BESIDE + sum(file.stat().st_blocks * 512 for file in copied)
    place = _roomy(path, wanted, room, places)
    if place is None:
        raise StoreError(
            f"The vector index in {path} has no room on its disk or may not be written to, and a copy of "
            f"{wanted // 2**20} MB to read from fits nowhere: {', '.join(map(str, places)) or 'no place'} tried.",
            "Free some room, or name a folder that has it in TMPDIR.",
        )
    with _folder_in(place) as copy, translated(path, "open"):
        for file in files:
            own = copy / file.relative_to(path)
            own.parent.mkdir(parents=True, exist_ok=True)
            if file in copied:
                copy_file(file, own)
            else:
                own.symlink_to(file.absolute())
        return ReadingShard(edge.EdgeShard.load(str(copy)), path)


@contextmanager
def _folder_in(place: Path) -> Iterator[Path]:
    """A folder for the time of the block."""
    with tempfile.TemporaryDirectory(prefix="hybrid-retrieval-", dir=place) as made:
        yield Path(made)


@contextmanager
def _linked(shard: Path, place: Path | None) -> Iterator[Path]:
    """For the time of the block a folder that stands for the shard: links to its files, and copies of the small
    documents that the engine writes anew. The shard itself without a place, and where no links can be made (Windows
    asks for a right).

    Payload indexes are linked one by one: what the engine removes of one that it could not map, be it for want of
    memory, is the link.
    """
    with ExitStack() as made:
        linked = shard
        if place is not None:
            with suppress(OSError):
                folder = made.enter_context(_folder_in(place))
                _link(shard, folder)
                linked = folder
        yield linked


def _link(shard: Path, into: Path) -> None:
    folders = [shard, *(one for depth in _LINKED_INSIDE for one in shard.glob(depth))]
    for folder in folders:
        own = into / folder.relative_to(shard)
        own.mkdir(exist_ok=True)
        for entry in folder.iterdir():
            if entry.suffix == ".json":
                copy_file(entry, own / entry.name)
            elif entry not in folders:
                (own / entry.name).symlink_to(entry.absolute())


def _roomy(shard: Path, wanted: int, room: Room, places: Sequence[Path]) -> Path | None:
    """The first of the places with room for so many bytes, and for what is mapped of them."""
    for place in places:
        if room.free(place) >= wanted + (bytes_to_map(shard) if room.in_memory(place) else 0):
            return place
    return None


def _usual() -> list[Path]:
    places = [Path("/dev/shm")]  # noqa: S108 - a folder of a name of its own is made there
    with suppress(OSError):  # none that can be written to
        places.insert(0, Path(tempfile.gettempdir()))
    return [place for place in places if place.is_dir()]
