"""The data folder: `CURRENT` names the generation that readers open, one indexer at a time makes the next.

See docs/design.md#generations.

hybrid-retrieval.json    our marker, the first file in a new folder; holds the index's namespace
CURRENT                  the number of the current generation, and the checksum of its files.json
generations/N/           vectors/ graph/ manifest.json facts/ statements/ vocabulary/ files.json lock
cache/embeddings.sqlite  by model and content; outlives generations
clones/NAME/             the repositories that were fetched to be indexed
index.lock               who is indexing
"""

from __future__ import annotations

import json
import shutil
import uuid
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from memory.disk import Disk, explained, is_private, make_folder, make_private
from memory.errors import DamagedIndexError, DataFolderError
from memory.generation.current import CURRENT, GENERATIONS, FileLock, Pointer, lock_for_indexing
from memory.generation.inventory import FACTS, Damage, checksum_of
from memory.generation.manifest import SCHEMA_VERSION, refuse_newer
from memory.generation.publishing import IndexingSession
from memory.generation.reading import examined, held

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from memory.generation.reading import Generation

MARKER: Final = "hybrid-retrieval.json"
LOCK_FILE: Final = "index.lock"
_INDEX_FIRST: Final = "Index some projects first: hybrid-retrieval index PATH."
_ATTEMPTS: Final = 100
_CACHE: Final = "cache"
_EMBEDDINGS: Final = "embeddings.sqlite"
_A_MOMENT: Final = 64 * 2**20
"""How many bytes are held against their checksums before questions: 40 ms; an index of 10,000 chunks has so many."""
_BEFORE_INDEXING: Final = 2**30


class DataFolder:
    """A folder of ours. `namespace` is the index's own id, made once; `disk` is how it is written (tests fill it)."""

    def __init__(self, root: Path, namespace: str, disk: Disk, *, is_copy: bool = False) -> None:
        self.root = root
        self.namespace = namespace
        self.is_copy = is_copy
        self._disk = disk

    @classmethod
    def open(cls, path: Path | str, *, disk: Disk | None = None) -> DataFolder:
        """The folder as it is. Raises DataFolderError: nothing indexed there, not ours, newer, no permission."""
        root = Path(path).expanduser().absolute()
        with explained(root):
            if not root.exists() or (root.is_dir() and _untouched(root)):
                raise DataFolderError(f"There is no index in {root}.", _INDEX_FIRST)
            namespace, is_copy = _marked(root)
            return cls(root, namespace, disk or Disk(), is_copy=is_copy)

    @classmethod
    def open_or_create(cls, path: Path | str, *, disk: Disk | None = None, copy_of: str | None = None) -> DataFolder:
        """The folder, made when it is missing or empty. copy_of: the namespace of an index elsewhere, what is announced
        of which is kept here (decision record 0084). Raises DataFolderError; into one not ours nothing is written.
        """
        root = Path(path).expanduser().absolute()
        disk = disk or Disk()
        with explained(root):
            if not root.exists() or (root.is_dir() and _untouched(root)):
                make_folder(root)
                _mark(root, disk, copy_of)
            namespace, is_copy = _marked(root)
            if copy_of is not None and (namespace, is_copy) != (copy_of, True):
                raise DataFolderError(f"{root} is the folder of another index.", "Give an empty one: --data-dir.")
            return cls(root, namespace, disk, is_copy=is_copy)

    @property
    def cache_path(self) -> Path:
        """Where embeddings are kept; its folder is made by whoever writes it."""
        return self.root / _CACHE / _EMBEDDINGS

    @property
    def clones_path(self) -> Path:
        """Where repositories are fetched to; made by whoever fetches one."""
        return self.root / "clones"

    def keep_clones(self, projects: Collection[str]) -> None:
        """Remove the clones of all other projects, which are indexed no more."""
        for clone in self.clones_path.iterdir() if self.clones_path.is_dir() else ():
            if clone.name not in projects:
                shutil.rmtree(clone)

    @property
    def pointer(self) -> Pointer:
        """The current generation's, as it is now: a folder that was removed and filled anew has another of the same
        number. Raises DataFolderError without an index, DamagedIndexError.
        """
        with explained(self.root):
            return self._current()

    @property
    def has_index(self) -> bool:
        """Whether a generation was published here."""
        return (self.root / CURRENT).exists()

    def reading(self) -> Generation:
        """The current generation, held. While one is being published it is the old or the new one, whole.

        Raises DataFolderError when there is no index yet, DamagedIndexError when a file that is read for questions is
        not what was written: the size of each is looked at, and what it holds as far as that takes a moment.
        """
        return self._reading(_A_MOMENT, without=frozenset({FACTS}))

    def examined(self) -> tuple[int, list[Damage]]:
        """How many files the current generation has, each read whole, and what is wrong. Raises as `reading`."""
        with explained(self.root):
            return examined(self.root, self._current())

    def _reading(self, most: int, without: frozenset[str] = frozenset()) -> Generation:
        with explained(self.root):
            for _ in range(_ATTEMPTS):
                pointer = self._current()
                if (generation := held(self.root, pointer, most=most, without=without)) is not None:
                    generation.is_copy = self.is_copy
                    return generation
        raise DamagedIndexError(self.root / CURRENT, f"names generation {pointer.number}, which is not there")

    def _current(self) -> Pointer:
        pointer = Pointer.read(self.root)
        if pointer is None:
            raise DataFolderError(f"There is no index in {self.root}.", _INDEX_FIRST)
        return pointer

    def indexing(self, holder: str) -> IndexingSession:
        """The right to write, for the time of a `with` block; a folder that others may read is closed to them. holder:
        the command, as its user would know it.

        Raises IndexLockedError that names who has it, DataFolderError when the current index is newer,
        DamagedIndexError.
        """
        if self.is_copy:
            raise DataFolderError(
                f"{self.root} holds what `serve --follow` fetched of an index that is made elsewhere.",
                "Index where its data folder is, or into another one: --data-dir.",
            )
        with explained(self.root):
            lock = lock_for_indexing(self.root / LOCK_FILE, holder)
            try:
                if not is_private(self.root):
                    make_private(self.root)
                if not (self.root / CURRENT).exists():
                    return IndexingSession(self.root, lock, self._disk, None)
                with self._reading(_BEFORE_INDEXING) as current:
                    return IndexingSession(self.root, lock, self._disk, current)
            except BaseException:
                lock.close()
                raise

    def check(self, dense_model: str, dimension: int) -> None:
        """Raises DataFolderError, naming both, where the index is of another model; an empty folder takes any."""
        if self.has_index:
            with self.reading() as current:
                current.manifest.check(dense_model, dimension)


def _untouched(root: Path) -> bool:
    """Empty, but for a marker that was never finished, and a cache of embeddings that was put here to be used again."""
    return all(entry.name.startswith(f".{MARKER}.") or _is_cache(entry) for entry in root.iterdir())


def _is_cache(entry: Path) -> bool:
    return entry.name == _CACHE and entry.is_dir() and all(one.name.startswith(_EMBEDDINGS) for one in entry.iterdir())


def _mark(root: Path, disk: Disk, copy_of: str | None) -> None:
    """Two processes may come here at once: the first one's marker stays."""
    content = {
        "what": "a data folder of hybrid-retrieval",
        "schema_version": SCHEMA_VERSION,
        "namespace": copy_of or uuid.uuid4().hex,
    }
    if copy_of is not None:
        content["is_copy"] = True
    lock = FileLock.waiting(root)
    try:
        if not (root / MARKER).exists():
            disk.write(root / MARKER, [json.dumps(content | {"checksum": _checksum(content)})])
    finally:
        lock.close()


def _checksum(marker: Mapping[str, Any]) -> str:
    """Of everything else that it says."""
    fields = {key: value for key, value in marker.items() if key != "checksum"}
    return checksum_of(json.dumps(fields, sort_keys=True).encode())


def _marked(root: Path) -> tuple[str, bool]:
    """The index's namespace, and whether it is made elsewhere."""
    where = root / MARKER
    try:
        marker = json.loads(where.read_bytes())
        if marker.get("checksum") not in {None, _checksum(marker)}:
            raise DamagedIndexError(where, "does not hold what was written to it")
        refuse_newer(marker["schema_version"], str(root))
        return str(marker["namespace"]), "is_copy" in marker
    except (FileNotFoundError, NotADirectoryError):
        if (root / GENERATIONS).is_dir():
            raise DamagedIndexError(where, "is missing") from None
        raise DataFolderError(
            f"{root} is not a data folder of hybrid-retrieval.", "Choose an empty or a new folder with --data-dir."
        ) from None
    except IsADirectoryError as error:
        raise DamagedIndexError(where, "is a folder") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise DamagedIndexError(where, "can't be read") from error
