"""What a folder's `.git` says of it, read without running git (gitrepository-layout(5))."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Repository", "read_commit", "read_repository"]

_LIMIT = 10_000_000
_OBJECT = re.compile(r"(?:[0-9a-f]{40}|[0-9a-f]{64})")
_ORIGIN = re.compile(r'^\s*\[\s*remote\s+"origin"\s*\](?P<body>[^\[]*)', re.MULTILINE)
_URL = re.compile(r"^\s*url\s*=\s*(?P<url>\S+)\s*$", re.MULTILINE)
# scheme://[user@]host[:port]/owner/name or [user@]host:owner/name; only the path is looked at, so no password gets on.
_REMOTE = re.compile(r"(?:[a-z+]+://[^/]+/|(?:[^/@]+@)?[^/:]{2,}:/?)(?P<path>\S+)")


@dataclass(frozen=True, slots=True)
class Repository:
    """`repo` is owner/name of the remote `origin`, `commit` HEAD's object id; '' where git does not say."""

    repo: str = ""
    commit: str = ""


def read_repository(root: Path) -> Repository:
    """The repository whose top folder `root` is: an ordinary one, a worktree or a submodule; nothing found is ''."""
    folders = _folders(root)
    if folders is None:
        return Repository()
    git, shared = folders
    return Repository(repo=_origin(_read(shared / "config")), commit=_head(git, shared))


def read_commit(root: Path) -> str:
    """HEAD's object id alone; every answer asks for it, of each project that it cites."""
    folders = _folders(root)
    return _head(*folders) if folders else ""


def _folders(root: Path) -> tuple[Path, Path] | None:
    """The folder that has HEAD, and the one that a repository's worktrees share; None where there is none."""
    git = root / ".git"
    if git.is_file():
        pointer = _read(git)
        if not pointer.startswith("gitdir:"):
            return None
        git = root / pointer.removeprefix("gitdir:").strip()
    elif not git.is_dir():
        return None
    common = _read(git / "commondir").strip()
    return git, git / common if common else git


def _head(git: Path, shared: Path) -> str:
    head = _read(git / "HEAD").strip()
    if not head.startswith("ref:"):
        return _object(head)
    ref = head.removeprefix("ref:").strip()
    if not ref.startswith("refs/") or ".." in ref:
        return ""
    loose = _object(_read(git / ref).strip()) or _object(_read(shared / ref).strip())
    if loose:
        return loose
    for line in _read(shared / "packed-refs").split("\n"):
        commit, _, packed = line.strip().partition(" ")
        if packed == ref:
            return _object(commit)
    return ""


def _origin(config: str) -> str:
    section = _ORIGIN.search(config)
    url = _URL.search(section["body"]) if section else None
    remote = _REMOTE.fullmatch(url["url"]) if url else None
    if remote is None:
        return ""
    parts = remote["path"].rstrip("/").removesuffix(".git").split("/")
    return "/".join(parts[-2:]) if len(parts) > 1 else ""


def _object(text: str) -> str:
    return text if _OBJECT.fullmatch(text) else ""


def _read(file: Path) -> str:
    try:
        with file.open("rb") as stream:
            return stream.read(_LIMIT).decode("utf-8", "replace")
    except OSError:
        return ""
