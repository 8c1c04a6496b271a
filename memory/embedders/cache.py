"""`EmbeddingCache`: vectors by model and content hash, in one sqlite file that several processes may use."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import zlib
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from memory.disk import FILE_MODE, make_folder
from memory.errors import DataFolderError, StorageFullError
from memory.together import batches

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

T = TypeVar("T")
_TABLE = "CREATE TABLE IF NOT EXISTS embeddings (model TEXT, hash TEXT, vector BLOB, checksum INTEGER, PRIMARY KEY (model, hash)) WITHOUT ROWID"  # noqa: E501 - text that is read whole
_BROKEN = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_NO_ROOM = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE}  # the last: to begin with
_PAGE = 500
_BYTES = 4  # of a number
_PATIENCE_S = 10.0


def text_key(text: str) -> str:
    """The key of a text: SHA-256 of exactly its characters."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


class EmbeddingCache:
    """Float32 vectors. A connection a call, short transactions (WAL), so that any number of processes may share it.

    A damaged file is set aside as `<name>.broken` and a new one begun, and a damaged vector is none: what is in here
    can be computed again. Raises StorageFullError and DataFolderError.
    """

    def __init__(self, path: Path | str) -> None:
        self._path = Path(path)
        try:
            make_folder(self._path.parent)
        except OSError as error:
            raise DataFolderError(
                f"The folder of {self._path} can't be made: {error}.", "Choose another data folder."
            ) from error
        self._run(lambda _: None)

    def get(self, model: str, keys: Iterable[str], dimension: int) -> dict[str, NDArray[np.float32]]:
        """The vectors of that length there are, by key."""
        import numpy as np  # noqa: PLC0415 - a third of a second that --help need not pay

        wanted = list(dict.fromkeys(keys))

        def read(connection: sqlite3.Connection) -> list[tuple[str, bytes, int | None]]:
            rows: list[tuple[str, bytes, int | None]] = []
            for page in batches(wanted, _PAGE):
                marks = ",".join("?" * len(page))
                query = f"SELECT hash, vector, checksum FROM embeddings WHERE model = ? AND hash IN ({marks})"  # noqa: S608 - only marks
                rows += connection.execute(query, (model, *page)).fetchall()
            return rows

        return {
            key: np.frombuffer(blob, dtype=np.float32)
            for key, blob, checksum in self._run(read)
            if isinstance(blob, bytes) and len(blob) == _BYTES * dimension and checksum == zlib.crc32(blob)
        }

    def put(self, model: str, vectors: Mapping[str, NDArray[np.float32]]) -> None:
        """Keep these, in one transaction."""
        blobs = {key: vector.astype("<f4").tobytes() for key, vector in vectors.items()}
        rows = [(model, key, blob, zlib.crc32(blob)) for key, blob in blobs.items()]

        def write(connection: sqlite3.Connection) -> None:
            connection.executemany("INSERT OR REPLACE INTO embeddings VALUES (?, ?, ?, ?)", rows)

        self._run(write)

    def keep_only(self, keys: Iterable[str]) -> None:
        """Remove all but these, of every model, and overwrite what they took."""

        def write(connection: sqlite3.Connection) -> None:
            connection.execute("PRAGMA secure_delete = ON")
            connection.execute("CREATE TEMP TABLE kept (hash TEXT PRIMARY KEY) WITHOUT ROWID")
            connection.executemany("INSERT OR IGNORE INTO kept VALUES (?)", ((key,) for key in keys))
            connection.execute("DELETE FROM embeddings WHERE hash NOT IN kept")

        self._run(write)

    def _run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        try:
            try:
                return self._attempt(work)
            except sqlite3.DatabaseError as error:
                if _code(error) & 0xFF not in _BROKEN:
                    raise
                self._set_aside()
                return self._attempt(work)
        except sqlite3.Error as error:
            if _code(error) in _NO_ROOM:
                raise StorageFullError(str(self._path)) from error
            raise DataFolderError(
                f"The embedding cache {self._path} can't be used: {error}.",
                "Check the rights on its folder, or remove it.",
            ) from error

    def _attempt(self, work: Callable[[sqlite3.Connection], T]) -> T:
        self._path.touch(FILE_MODE)  # else SQLite makes it, and what it writes beside it, as the system does
        with closing(sqlite3.connect(self._path, timeout=_PATIENCE_S)) as connection, connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(_TABLE)
            return work(connection)

    def _set_aside(self) -> None:
        """Another process may have done it already; then there is nothing left to move."""
        for suffix in ("-wal", "-shm"):
            self._path.with_name(self._path.name + suffix).unlink(missing_ok=True)
        if self._path.exists():
            os.replace(self._path, self._path.with_name(self._path.name + ".broken"))  # noqa: PTH105 - over an older one


def _code(error: sqlite3.Error) -> int:
    """The extended result code, whose low byte is the primary one; -1 where the module raised it itself."""
    return int(getattr(error, "sqlite_errorcode", -1))
