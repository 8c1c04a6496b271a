"""What a run of the indexer comes to when a part of it fails, and what is there afterwards."""

from __future__ import annotations

import errno
import os
import shutil
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import anyio

from indexing import IndexRequest
from memory.embedders import FakeSource
from memory.errors import HybridRetrievalError, ModelError, StoreError
from tests.organisation import CONFIG, FiledStores, Unsynced, indexer, opened_files

_CALLS: Final = ("refused", "reset in mid-answer", "429", "500")
_FILES: Final = ("refused", "garbage", "partial page", "byte flipped")
INDEXING: Final[Mapping[str, tuple[str, ...]]] = {
    "vector store": (*_CALLS, "cancelled caller"),
    "graph store": (*_CALLS, "cancelled caller"),
    "dense embedder": (*_CALLS, "garbage", "wrong schema", "partial page"),
    "cache": _FILES,
    "local files": ("refused", "black hole", "garbage", "partial page", "byte flipped"),
    "disk": ("disk full", "process killed in a write"),
}
"""By part, the faults that a run can meet there. Servers that hang or are slow end at their adapters' deadlines, as a 500 does."""

OLD: Final = "How does MooringDesk connect to Beacon?"
NEW: Final = "What does the Foghorn warn of?"
TEXT: Final = "# foghorn\n\nThe Foghorn warns ships of the reef.\n"
_WRITES: Final = frozenset({"upsert", "set_dense", "delete_files", "delete_project", "replace", "update"})


@dataclass(frozen=True)
class Run:
    """How a run ended; whether the index answers right after it, and the next run's what is new; what is left open."""

    outcome: str
    answers: bool
    mended: bool
    left: tuple[str, ...] = ()


class Killed(BaseException):
    """A process that dies in a write: nothing catches it."""


@dataclass
class _Failing:
    """A store whose writes fail; the first still comes through where the connection breaks in the middle."""

    store: Any
    fault: str
    scope: anyio.CancelScope | None
    writes: int = 0

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.store, name)
        return found if name not in _WRITES else lambda *given, **named: self._write(found, *given, **named)

    async def _write(self, found: Any, *given: Any, **named: Any) -> Any:
        self.writes += 1
        if self.fault == "cancelled caller" and self.scope is not None:
            self.scope.cancel()
            await anyio.sleep_forever()
        if self.fault == "reset in mid-answer" and self.writes == 1:
            await found(*given, **named)
        raise StoreError(f"It met the fault: {self.fault}.")


@dataclass
class _Stores(FiledStores):
    part: str
    fault: str
    scope: anyio.CancelScope | None = None

    def open_vectors(self, path: str, vectors: Mapping[str, int], namespace: str, *, copied: bool) -> Any:
        store = super().open_vectors(path, vectors, namespace, copied=copied)
        return _Failing(store, self.fault, self.scope) if self.part == "vector store" else store

    def open_graph(self, path: str, namespace: str, *, copied: bool) -> Any:
        store = super().open_graph(path, namespace, copied=copied)
        return _Failing(store, self.fault, self.scope) if self.part == "graph store" else store


class _Source(FakeSource):
    """Its model gives what the fault says."""

    __slots__ = ("fault",)

    def load(self) -> Any:
        encode = super().load()

        def bent(texts: Any) -> Any:
            if self.fault in _CALLS:
                raise ModelError(f"It met the fault: {self.fault}.")
            vectors = encode(texts)
            return {"garbage": "%PDF-1.4 garbage", "wrong schema": [{"unknown": 1}], "partial page": vectors[:-1]}[
                self.fault
            ]

        return bent


class _Disk(Unsynced):
    """Full, or gone, when the index in the making is to get its name."""

    def __init__(self, fault: str) -> None:
        self._fault = fault

    def write(self, path: Path, lines: Iterable[str]) -> None:
        self._meet(path)
        super().write(path, lines)

    def _meet(self, path: Path) -> None:
        if self._fault == "disk full":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))
        raise Killed


def run_indexing(root: Path, part: str, fault: str) -> Run:
    """A run over the organisation with one new file, on a copy of the index; then another without the fault."""
    data, threads, files = root / "copy", set(threading.enumerate()), _open_files()
    shutil.copytree(root / "data", data)
    new = root / "org/lighthouse/FOGHORN.md"
    try:
        with _bent(root, data, part, fault, new):
            outcome = _attempted(data, root / "org", part, fault)
        answers = _answers(data, OLD)
        new.write_text(TEXT, encoding="utf-8")
        _run(data, root / "org")
        mended = _answers(data, OLD) and _answers(data, NEW)
    finally:
        new.unlink(missing_ok=True)
        shutil.rmtree(data)
    for thread in set(threading.enumerate()) - threads:
        thread.join(10)
    left = ["a thread"] if set(threading.enumerate()) - threads else []
    return Run(outcome, answers, mended, tuple(left + (["a file"] if _open_files() > files else [])))


def _attempted(data: Path, org: Path, part: str, fault: str) -> str:
    options: dict[str, Any] = {"stores": _Stores(part, fault)}
    if part == "dense embedder":
        source = _Source()
        object.__setattr__(source, "fault", fault)
        options["source"] = source
    if part == "disk":
        options["disk"] = _Disk(fault)
    try:
        done = _run(data, org, **options)
    except HybridRetrievalError as error:
        return f"refused: {type(error).__name__}"
    except Killed:
        return "killed"
    return "indexed" if done else "cancelled"


def _run(data: Path, org: Path, **options: Any) -> bool:
    """Whether it came to its end."""
    stores = options.pop("stores", None) or FiledStores()
    config = replace(CONFIG, indexing=replace(CONFIG.indexing, workers=0))

    async def run() -> bool:
        with anyio.CancelScope() as limit:
            stores.scope = limit
            made = indexer(data, config, stores=stores, **options)
            await made.run(IndexRequest([org], each=True), holder="a test")
        return not limit.cancelled_caught

    return anyio.run(run)


def _answers(data: Path, question: str) -> bool:
    async def ask() -> bool:
        async with opened_files(data) as (orchestrator, _):
            result = await orchestrator.retrieve(question)
            return result.status == "answered" and bool(result.answer.citations)

    return anyio.run(ask)


@contextmanager
def _bent(root: Path, data: Path, part: str, fault: str, new: Path) -> Iterator[None]:
    """The new file on the disk, and what the fault makes of files."""
    new.write_text(TEXT, encoding="utf-8")
    if part == "cache":
        _bend(next((data / "cache").glob("*")), fault)
    elif part == "local files":
        _bend(new, fault)
    try:
        yield
    finally:
        with suppress(FileNotFoundError, IsADirectoryError):
            new.unlink()


def _bend(file: Path, fault: str) -> None:
    whole = file.read_bytes()
    file.unlink()
    if fault == "refused":
        file.symlink_to("nowhere")
    elif fault == "black hole":
        os.mkfifo(file)
    elif fault == "garbage":
        file.write_bytes(b"%PDF-1.4 garbage")
    elif fault == "partial page":
        file.write_bytes(whole[: len(whole) // 2])
    else:
        at = len(whole) // 2
        file.write_bytes(whole[:at] + bytes([whole[at] ^ 0x40]) + whole[at + 1 :])


def _open_files() -> int:
    folder = Path("/proc/self/fd")
    return len(list(folder.iterdir())) if folder.is_dir() else 0
