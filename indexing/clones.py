"""Repositories that are fetched to be indexed, and the file that lists them (`--sources`).

A clone is a folder with the one commit in it. Whichever machine reads its files fetches it for itself, unless it has
that commit.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from configs.documents import DocumentError, parse_yaml, read_text
from indexing.discovery import DiscoveredProject, discover
from indexing.repository import read_commit
from memory.disk import make_folder
from memory.errors import InvalidInputError, UnavailableError
from memory.generation.current import FileLock
from memory.text.output import without_credentials

_NAME: Final = re.compile(r"[\w][\w.@+-]*")
_LONGEST_S: Final = 900
_GIT: Final = ("git", "-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", "-c", "protocol.version=2")
"""Nothing that a repository or a template brings is run."""
_WHOSE: Final = frozenset(
    (
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_COMMON_DIR",
        "GIT_DIR",
        "GIT_GRAFT_FILE",
        "GIT_INDEX_FILE",
        "GIT_NAMESPACE",
        "GIT_OBJECT_DIRECTORY",
        "GIT_PREFIX",
        "GIT_REPLACE_REF_BASE",
        "GIT_SHALLOW_FILE",
        "GIT_WORK_TREE",
    )
)
"""What says which repository git means, as in a hook: the user's (`git rev-parse --local-env-vars`)."""


class NotFetchedError(UnavailableError):
    """A repository of a list can't be had; the others of the list can."""


@dataclass(frozen=True, slots=True)
class Clone:
    """A repository's address, what of it is wanted (a branch, a tag, a commit, HEAD), and the folder that holds it."""

    url: str
    ref: str
    folder: str


@dataclass(frozen=True, slots=True)
class Listed:
    """One row of a list: a folder of this machine as it is, or a repository to be fetched."""

    name: str
    path: Path | None = None
    url: str = ""
    ref: str = "HEAD"

    def clone(self, clones: Path) -> Clone:
        return Clone(self.url, self.ref, str(clones / self.name))


def read_list(file: Path) -> list[Listed]:
    """The rows of a YAML file: `name`, `url` or `path` (relative to the file), `ref`. Raises InvalidInputError."""
    try:
        rows = parse_yaml(read_text(file))
    except DocumentError as error:
        raise InvalidInputError(f"{file} can't be read: it {error}", "It is a YAML list of projects.") from None
    if not isinstance(rows, list) or not rows:
        raise InvalidInputError(
            f"{file} lists no projects.", "Give each a name, a url or a path, and a ref if need be."
        )
    listed = [_row(file, number, row) for number, row in enumerate(rows, start=1)]
    twice = [name for name, times in Counter(one.name for one in listed).items() if times > 1]
    if twice:
        raise InvalidInputError(f"{file} lists {twice[0]} more than once.", "Give each project a name of its own.")
    return listed


def _row(file: Path, number: int, row: Any) -> Listed:
    def wrong(what: str) -> InvalidInputError:
        return InvalidInputError(f"Project {number} of {file} {what}.", "Give each a name, a url or a path, and a ref.")

    if not isinstance(row, dict):
        raise wrong("is no mapping of texts")
    if unknown := row.keys() - {"name", "url", "path", "ref"}:
        raise wrong(f"has {', '.join(sorted(map(str, unknown)))}, which means nothing")
    if odd := [key for key, value in row.items() if not isinstance(value, str)]:
        raise wrong(f"has a {odd[0]} that is no text; put it in quotes")
    name, url, path, ref = (row.get(key, "") for key in ("name", "url", "path", "ref"))
    if bool(url) == bool(path):
        raise wrong("has to have one of url and path")
    folder = Path(os.path.abspath(file.parent / path))  # noqa: PTH100 - a link's own name is the project's
    if not _NAME.fullmatch(name := name or (folder.name if path else "")):
        raise wrong(f"has no name that a folder could have: {name!r}")
    if path and not ref:
        if name != folder.name:
            raise wrong(f"is called {name}, its folder {folder.name}")
        return Listed(name, path=folder)
    if problem := _problem(url, ref, path):
        raise wrong(problem)
    return Listed(name, url=url or str(folder), ref=ref or "HEAD")


def _problem(url: str, ref: str, path: str) -> str:
    """What is wrong with where a repository is; empty where nothing is."""
    if (ref or url).startswith("-") or "\0" in url + ref + path:
        return "has an option or a NUL in place of an address"
    if _hides_secrets(url):
        return (
            "has an address with a query or a `#`, or with a password that no address can have, such as one with a `/`"
        )
    return ""


def _hides_secrets(url: str) -> bool:
    """Whether an address may have a secret where none is looked for: in a query or a fragment, in a password that ends
    the host, or that `user@host:path` does not take.
    """
    if "://" not in url:
        user, at, _ = url.partition("@")
        return bool(at) and ":" in user
    address = urlsplit(url)
    try:
        return bool(address.query or address.fragment) or address.port == 0
    except ValueError:  # what should be the port is no number
        return True


def fetch(clone: Clone) -> str:
    """Have the clone's folder hold what is wanted; the commit. What is there already is not fetched again. Raises
    NotFetchedError where git can't get it. A password in the address is neither kept nor shown.
    """
    folder = Path(clone.folder)
    kept = folder / ".git"
    try:
        make_folder(folder)
    except OSError as error:
        raise NotFetchedError(f"{folder} can't be made: {error.strerror}.", "Remove what is in its place.") from error
    lock = FileLock.waiting(folder)
    try:
        for left in kept.glob("*.lock"):  # by a git that was killed
            left.unlink(missing_ok=True)
        commit = read_commit(folder) if kept.exists() else ""
        if not commit:
            shutil.rmtree(kept, ignore_errors=True)
        own = ("-C", str(folder), f"--git-dir={kept}", f"--work-tree={folder}")  # and no repository that is around it
        if commit == clone.ref:
            _git(clone, *own, "checkout", "--quiet", "--force", "--detach", "HEAD")  # what was lost of it
        else:
            _git(clone, "init", "--quiet", "--template=", str(folder))
            _git(clone, *own, "config", "remote.origin.url", without_credentials(clone.url))
            _git(clone, *own, "fetch", "--quiet", "--depth=1", "--no-tags", clone.url, clone.ref)
            _git(clone, *own, "checkout", "--quiet", "--force", "--detach", "FETCH_HEAD")
        return read_commit(folder)
    finally:
        lock.close()


def fetched(clone: Clone, max_file_bytes: int, pictures: bool) -> DiscoveredProject:  # noqa: FBT001 - sent as it is
    """The project in a clone, which is fetched first. Raises NotFetchedError."""
    fetch(clone)
    return discover(Path(clone.folder), max_file_bytes=max_file_bytes, pictures=pictures)


def _git(clone: Clone, *arguments: str) -> None:
    if shutil.which("git") is None:
        raise UnavailableError("Fetching a repository needs git.", "Install it on every machine that reads projects.")
    environment = {name: value for name, value in os.environ.items() if name not in _WHOSE} | {
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ALLOW_PROTOCOL": "file:git:http:https:ssh",
        "GIT_LFS_SKIP_SMUDGE": "1",
    }
    address = without_credentials(clone.url)
    try:
        done = subprocess.run(  # noqa: S603 - no shell
            [*_GIT, *arguments], env=environment, capture_output=True, text=True, timeout=_LONGEST_S, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise NotFetchedError(f"Fetching {address} took longer than {_LONGEST_S} s.", "Try again later.") from error
    if done.returncode:
        why = (
            without_credentials(done.stderr).strip().partition("\n")[0].rstrip(".")
            or f"git ended with {done.returncode}"
        )
        raise NotFetchedError(f"{clone.ref} of {address} can't be fetched: {why}.", "Check its address and ref.")
