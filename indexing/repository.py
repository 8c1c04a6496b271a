"""What a folder's `.git` says of it, read without running git (gitrepository-layout(5)).

Of git's index it is which folders have files in it (gitformat-index(5)): versions 2 to 4, and the shared index that a
split one leads to; what is none of these has no folders.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from memory.regular_files import read_regular

_LIMIT = 50_000_000
_OBJECT = re.compile(r"(?:[0-9a-f]{40}|[0-9a-f]{64})")
_ORIGIN = re.compile(r'^[ \t]*\[\s*remote\s+"origin"\s*\](?P<body>[^\[]*)', re.MULTILINE)
# Any part of a value may stand in quotes; outside of them # and ; begin a comment (git-config(1)).
_URL = re.compile(r'^[ \t]*url[ \t]*=[ \t]*(?P<url>(?:"[^"\n]*"|[^\s"#;])+)\s*(?:[#;].*)?$', re.MULTILINE)
_WORKTREE = re.compile(r"^[ \t]*worktree[ \t]*=[ \t]*(?P<path>[^\n]+)$", re.MULTILINE)
_OF_AZURE = "_git"  # between a project and its repository
# scheme://[user@]host[:port]/owner/name or [user@]host:owner/name; only the path is looked at, so no password gets on.
_REMOTE = re.compile(r"(?:[a-z+]+://[^/]+/|(?:[^/@]+@)?[^/:]{2,}:/?)(?P<path>[^\s?#]+)(?:[?#]\S*)?", re.IGNORECASE)
_HEADER: Final = 12
_SIGNATURE: Final = b"DIRC"
_STATE: Final = 40
"""The bytes of an entry before its object's id: times, device, inode, mode, owner and size."""
_EXTENDED: Final = 0x4000
_ALIGNED: Final = 8
_NO_OBJECT: Final = re.compile(r"0+")


@dataclass(frozen=True, slots=True)
class Repository:
    """`repo` is owner/name of the remote `origin`, with the groups between them, `commit` HEAD's object id; '' where
    git does not say.
    """

    repo: str = ""
    commit: str = ""


def read_repository(root: Path) -> Repository:
    """The repository whose top folder `root` is: an ordinary one, a worktree or a submodule; nothing found is ''.

    Of a folder inside a repository that has files of it the commit is that repository's. `repo` is not: paths are the
    folder's.
    """
    top = _top(root)
    place = _place(top)
    if place is None:
        return Repository()
    if top == root:
        return Repository(repo=_origin(place.read(place.shared / "config")), commit=_head(place))
    commit = _head(place)
    tracked = commit and _real(root).relative_to(top).as_posix() in _tracked(place, len(commit) // 2)
    return Repository(commit=commit) if tracked else Repository()


def read_commit(root: Path) -> str:
    """HEAD's object id of a folder's repository; every answer asks for it, of each project that it cites."""
    place = _place(_top(root))
    return _head(place) if place else ""


def _top(root: Path) -> Path:
    """The folder itself or the nearest around it that has a `.git`; itself where none has."""
    if os.path.lexists(root / ".git"):
        return root
    return next((folder for folder in _real(root).parents if os.path.lexists(folder / ".git")), root)


@dataclass(frozen=True, slots=True)
class _Place:
    """The folder that has HEAD, and the one that a repository's worktrees share. Nothing outside `within` is read."""

    git: Path
    shared: Path
    within: Path

    def read(self, file: Path) -> str:
        return _read(file, self.within)

    def bytes(self, file: Path) -> bytes:
        return _read_bytes(file, self.within)


def _tracked(place: _Place, id_bytes: int) -> frozenset[str]:
    """The folders with files in the repository's index, which is read anew once it has changed."""
    try:
        state = (place.git / "index").stat()
    except OSError:
        return frozenset()
    return _read_tracked(place, id_bytes, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=4)
def _read_tracked(place: _Place, id_bytes: int, _changed: int, _size: int) -> frozenset[str]:
    data = place.bytes(place.git / "index")
    beside = shared_index(data, id_bytes)
    return tracked_folders(data, id_bytes) | (
        tracked_folders(place.bytes(place.git / beside), id_bytes) if beside else frozenset()
    )


def _place(root: Path) -> _Place | None:
    """Where git keeps what it knows of `root`; None where there is none, or where it is another folder's.

    A `.git` may point anywhere, and what it points to must not be shown unless it is this folder's: outside `root`
    git's folder has to point back, which the folder of a worktree and that of a submodule do.
    """
    git = root / ".git"
    if os.path.isfile(git):  # noqa: PTH113 - `Path.is_file` raises in a folder that may not be entered
        pointer = _read(git, root)
        if not pointer.startswith("gitdir:"):
            return None
        git = root / pointer.removeprefix("gitdir:").strip()
    elif not os.path.isdir(git):  # noqa: PTH112 - as above
        return None
    root, git = _real(root), _real(git)
    if git.is_relative_to(root):
        return _Place(git, _shared(git, root), root)
    if _is_submodule(git, root):
        return _Place(git, git, git)
    shared = _shared(git, git.parent.parent)
    if git.parent == shared / "worktrees" and _names(_read(git / "gitdir", git), git, root / ".git"):
        return _Place(git, shared, shared)
    return None


def _shared(git: Path, within: Path) -> Path:
    """The folder that `commondir` names; git's own where it names none, or one outside `within`."""
    shared = _real(git / _read(git / "commondir", git).strip())
    return shared if shared.is_relative_to(within) else git


def _is_submodule(git: Path, root: Path) -> bool:
    worktree = _WORKTREE.search(_read(git / "config", git))
    return worktree is not None and _names(worktree["path"], git, root)


def _names(path: str, beside: Path, what: Path) -> bool:
    """Whether a path that a file says, relative to the folder it is in, is this one."""
    return bool(path.strip()) and _real(beside / path.strip().strip('"')) == _real(what)


def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))  # `Path.resolve` raises for a loop of links


def _head(place: _Place) -> str:
    head = place.read(place.git / "HEAD").strip()
    if not head.startswith("ref:"):
        return _object(head)
    ref = head.removeprefix("ref:").strip()
    if not ref.startswith("refs/") or ".." in ref:
        return ""
    loose = _object(place.read(place.git / ref).strip()) or _object(place.read(place.shared / ref).strip())
    if loose:
        return loose
    for line in place.read(place.shared / "packed-refs").split("\n"):
        commit, _, packed = line.strip().partition(" ")
        if packed == ref:
            return _object(commit)
    return ""


def _origin(config: str) -> str:
    section = _ORIGIN.search(config)
    url = _URL.search(section["body"]) if section else None
    remote = _REMOTE.fullmatch(url["url"].replace('"', "")) if url else None
    if remote is None:
        return ""
    path = remote["path"].strip("/").removesuffix(".git")
    parts = [part for part in path.split("/") if part != _OF_AZURE]
    return "/".join(parts) if len(parts) > 1 else ""


def _object(text: str) -> str:
    return text if _OBJECT.fullmatch(text) else ""


def _read(file: Path, within: Path) -> str:
    return _read_bytes(file, within).decode("utf-8", "replace").replace("\0", "")  # it may become a path


def _read_bytes(file: Path, within: Path) -> bytes:
    try:
        return read_regular(file, _LIMIT, within=within)[0]
    except OSError:
        return b""


def tracked_folders(data: bytes, id_bytes: int) -> frozenset[str]:
    """The folders that have files in an index, each with those around it, relative to the repository's top.

    Args:
        data: the file.
        id_bytes: how long an object's id is: 20 for SHA-1, 32 for SHA-256.
    """
    found: set[str] = set()
    for name in _entries(data, id_bytes):
        folder = name.decode("utf-8", "replace").rpartition("/")[0]
        while folder and folder not in found:
            found.add(folder)
            folder = folder.rpartition("/")[0]
    return frozenset(found)


def shared_index(data: bytes, id_bytes: int) -> str:
    """The name of the file beside a split index that has the other entries; '' where it is whole."""
    at = data.rfind(b"link")
    object_id = data[at + 8 : at + 8 + id_bytes].hex() if at > 0 else ""
    known = len(object_id) == 2 * id_bytes and not _NO_OBJECT.fullmatch(object_id)
    return f"sharedindex.{object_id}" if known else ""


def _entries(data: bytes, id_bytes: int) -> Iterator[bytes]:
    version, count = int.from_bytes(data[4:8]), int.from_bytes(data[8:_HEADER])
    if data[:4] != _SIGNATURE or not 2 <= version <= 4:
        return
    at, before = _HEADER, b""
    for _ in range(count):
        flags_at = at + _STATE + id_bytes
        flags = int.from_bytes(data[flags_at : flags_at + 2])
        start = flags_at + (4 if flags & _EXTENDED else 2)
        kept = b""
        if version == 4:
            removed, start = _number(data, start)
            kept = before[: len(before) - removed] if removed <= len(before) else b""
        end = data.find(b"\0", start)
        if end < 0:
            return
        before = kept + data[start:end]
        yield before
        length = end - at
        at = end + 1 if version == 4 else at + (length + _ALIGNED) // _ALIGNED * _ALIGNED


def _number(data: bytes, at: int) -> tuple[int, int]:
    """A number of variable width, as git writes an offset, and where it ends."""
    value = -1
    while at < len(data):
        byte = data[at]
        value = (value + 1 << 7) | (byte & 0x7F)
        at += 1
        if byte < 0x80:
            break
    return max(value, 0), at
