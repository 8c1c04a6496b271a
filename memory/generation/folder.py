"""The data folder: `CURRENT` names the generation that readers open, one indexer at a time makes the next (design §5).

hybrid-retrieval.json    our marker, the first file in a new folder; holds the index's namespace
CURRENT                  the number of the current generation
generations/N/           vectors/ graph/ manifest.json facts/ statements/ vocabulary/ lock
cache/embeddings.sqlite  by model and content; outlives generations
index.lock               who is indexing
"""

from __future__ import annotations

import json
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Final

from memory.errors import DataFolderError
from memory.generation.disk import Disk, explained
from memory.generation.locks import FileLock, lock_for_indexing
from memory.generation.manifest import SCHEMA_VERSION, Manifest, refuse_newer
from memory.generation.publishing import (
    CURRENT,
    GENERATIONS,
    GRAPH,
    LOCK,
    MANIFEST,
    STATEMENTS,
    VECTORS,
    VOCABULARY,
    IndexingSession,
)
from memory.generation.statements import StatementsFolder
from memory.generation.vocabulary import VocabularyFolder

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

__all__ = ["DataFolder", "Generation"]

MARKER: Final = "hybrid-retrieval.json"
_INDEX_FIRST: Final = "Index some projects first: hybrid-retrieval index PATH."
_ATTEMPTS: Final = 100
_CACHE: Final = "cache"
_EMBEDDINGS: Final = "embeddings.sqlite"


class Generation:
    """One published generation, kept from being removed until `close` or the end of a `with` block."""

    def __init__(self, path: Path, manifest: Manifest, lock: FileLock) -> None:
        self.path = path
        self.number = int(path.name)
        self.manifest = manifest
        self.vectors_path = path / VECTORS
        self.graph_path = path / GRAPH
        self.statements = StatementsFolder(path / STATEMENTS)
        self.vocabulary = VocabularyFolder(path / VOCABULARY)
        self._lock = lock

    def close(self) -> None:
        """Let it be removed; a second time does nothing."""
        self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class DataFolder:
    """A folder of ours. `namespace` is the index's own id, made once; `disk` is how it is written (tests fill one up)."""

    def __init__(self, root: Path, namespace: str, disk: Disk) -> None:
        self.root = root
        self.namespace = namespace
        self._disk = disk

    @classmethod
    def open(cls, path: Path | str, *, disk: Disk | None = None) -> DataFolder:
        """The folder as it is. Raises DataFolderError: nothing indexed there, not ours, newer, no permission."""
        root = Path(path).expanduser().absolute()
        with explained(root):
            if not root.exists() or (root.is_dir() and _untouched(root)):
                raise DataFolderError(f"There is no index in {root}.", _INDEX_FIRST)
            return cls(root, _namespace(root), disk or Disk())

    @classmethod
    def open_or_create(cls, path: Path | str, *, disk: Disk | None = None) -> DataFolder:
        """The folder, made when it is missing or empty. Raises DataFolderError; into one not ours nothing is written."""
        root = Path(path).expanduser().absolute()
        disk = disk or Disk()
        with explained(root):
            if not root.exists() or (root.is_dir() and _untouched(root)):
                root.mkdir(parents=True, exist_ok=True)
                _mark(root, disk)
            return cls(root, _namespace(root), disk)

    @property
    def cache_path(self) -> Path:
        """Where embeddings are kept; its folder is made by whoever writes it."""
        return self.root / _CACHE / _EMBEDDINGS

    @property
    def number(self) -> int:
        """Of the current generation, as it is now. Raises DataFolderError when there is no index yet, or it is damaged."""
        with explained(self.root):
            return self._current()

    @property
    def has_index(self) -> bool:
        """Whether a generation was published here."""
        return (self.root / CURRENT).exists()

    def reading(self) -> Generation:
        """The current generation, held. While one is being published it is the old or the new one, whole.

        Raises DataFolderError when there is no index yet, or it is damaged.
        """
        with explained(self.root):
            for _ in range(_ATTEMPTS):
                generation = self._hold(self._current())
                if generation is not None:
                    return generation
        raise DataFolderError(f"{self.root / CURRENT} names a generation that is not there.", _INDEX_FIRST)

    def _current(self) -> int:
        try:
            return int((self.root / CURRENT).read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise DataFolderError(f"There is no index in {self.root}.", _INDEX_FIRST) from None
        except ValueError:
            raise DataFolderError(f"{self.root / CURRENT} is damaged.", "Index into a new data folder.") from None

    def _hold(self, number: int) -> Generation | None:
        """None when it was removed after `CURRENT` was read: a newer one is there by now."""
        path = self.root / GENERATIONS / str(number)
        try:
            lock = FileLock.shared(path / LOCK)
        except FileNotFoundError:
            return None
        if lock is None:
            return None
        try:
            manifest = Manifest.from_json((path / MANIFEST).read_text(encoding="utf-8"), str(path / MANIFEST))
        except BaseException:
            lock.close()
            raise
        return Generation(path, manifest, lock)

    def indexing(self, holder: str) -> IndexingSession:
        """The right to write, for the time of a `with` block. holder: the command, as its user would know it.

        Raises IndexLockedError that names who has it, DataFolderError when the current index is damaged or newer.
        """
        with explained(self.root):
            lock = lock_for_indexing(self.root / "index.lock", holder)
            try:
                if not (self.root / CURRENT).exists():
                    return IndexingSession(self.root, lock, self._disk, 0, None)
                with self.reading() as current:
                    return IndexingSession(self.root, lock, self._disk, current.number, current.manifest)
            except BaseException:
                lock.close()
                raise

    def check(self, dense_model: str, dimension: int) -> None:
        """Raises DataFolderError, naming both, when the index was made with another model; an empty folder takes any."""
        if self.has_index:
            with self.reading() as current:
                current.manifest.check(dense_model, dimension)


def _untouched(root: Path) -> bool:
    """Empty, but for a marker that was never finished, and a cache of embeddings that was put here to be used again."""
    return all(entry.name.startswith(f".{MARKER}.") or _is_cache(entry) for entry in root.iterdir())


def _is_cache(entry: Path) -> bool:
    return entry.name == _CACHE and entry.is_dir() and all(one.name.startswith(_EMBEDDINGS) for one in entry.iterdir())


def _mark(root: Path, disk: Disk) -> None:
    """Two processes may come here at once: the first one's marker stays."""
    content = {
        "what": "a data folder of hybrid-retrieval",
        "schema_version": SCHEMA_VERSION,
        "namespace": uuid.uuid4().hex,
    }
    lock = FileLock.waiting(root)
    try:
        if not (root / MARKER).exists():
            disk.write(root / MARKER, [json.dumps(content)])
    finally:
        lock.close()


def _namespace(root: Path) -> str:
    where = root / MARKER
    try:
        marker = json.loads(where.read_text(encoding="utf-8"))
        refuse_newer(marker["schema_version"], str(root))
        return str(marker["namespace"])
    except (FileNotFoundError, NotADirectoryError):
        raise DataFolderError(
            f"{root} is not a data folder of hybrid-retrieval.", "Choose an empty or a new folder with --data-dir."
        ) from None
    except (ValueError, KeyError, TypeError) as error:
        raise DataFolderError(f"{where} is damaged: {error!r}.", "Choose another folder with --data-dir.") from error
