"""Which files of a folder are a project's: found by name and size alone, none is opened (docs/design.md#secrets)."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

from indexing.ignores import GitIgnores, file_reason, folder_reason
from indexing.images.reading import is_picture
from indexing.reading import SkipReason
from indexing.repository import read_repository
from memory.errors import DuplicateProjectError, InvalidInputError
from memory.secrets import is_secret_folder, is_secret_name
from memory.text.output import printable

__all__ = ["DiscoveredProject", "SkippedFile", "discover", "each_subfolder", "refuse_duplicates"]


@dataclass(frozen=True, slots=True, order=True)
class SkippedFile:
    """A file or a whole folder that is left out, and why. The path is relative with `/`."""

    path: str
    reason: SkipReason


@dataclass(frozen=True, slots=True)
class DiscoveredProject:
    """A project before it is read: `files` are worth opening, which may still find a reason against (`read_source`).

    repo: owner/name of the remote `origin`, else the project's name; commit: HEAD of the repository that root is or is
    a part of, else ''; all paths are relative to root with `/`, sorted; every entry below root is in `files`, in
    `skipped`, or inside a skipped folder.
    """

    name: str
    root: Path
    repo: str
    commit: str
    files: tuple[str, ...]
    skipped: tuple[SkippedFile, ...]


def discover(root: Path, *, name: str | None = None, max_file_bytes: int, pictures: bool = False) -> DiscoveredProject:
    """What is to be read below `root`, which is a project of its own whatever surrounds it.

    pictures: they are read as well. Links are never followed, special files never opened. Raises InvalidInputError for
    a root that is no readable folder.
    """
    root = _folder(root)
    if not (name := name or root.name):
        raise InvalidInputError(f"{root} has no name that a project could have.", "Index a folder below it.")
    if _printable(str(root)) != str(root):
        raise InvalidInputError(
            f"The name of {_printable(str(root))} is not UTF-8 or has control characters.", "Rename the folder."
        )
    files, skipped = _walk(root, max_file_bytes, pictures=pictures)
    git = read_repository(root)
    return DiscoveredProject(name, root, git.repo or name, git.commit, tuple(sorted(files)), tuple(sorted(skipped)))


def each_subfolder(path: Path) -> list[Path]:
    """The direct sub-folders that are projects under `--each`: no files, links, hidden folders, caches or packages.

    Raises InvalidInputError for a path that is no readable folder.
    """
    path = _folder(path)
    with os.scandir(path) as entries:
        names = [e.name for e in entries if e.is_dir(follow_symlinks=False) and not e.name.startswith(".")]
    return [path / name for name in sorted(names) if folder_reason(name, ()) not in {"ignored", "vendored"}]


def refuse_duplicates(projects: Iterable[tuple[str, str | Path]]) -> None:
    """Raises DuplicateProjectError when two of these (name, where) share a name but not the place."""
    seen: dict[str, str] = {}
    for name, where in projects:
        first = seen.setdefault(name, str(where))
        if first != str(where):
            raise DuplicateProjectError(name, first, str(where))


def _folder(path: Path) -> Path:
    path = Path(os.path.abspath(path))  # noqa: PTH100 - not resolved: a link's own name is the project's
    try:
        with os.scandir(path):
            return path
    except FileNotFoundError:
        raise InvalidInputError(f"There is no folder {path}.", "Check the path.") from None
    except NotADirectoryError:
        raise InvalidInputError(f"{path} is a file, not a folder.", f"Index its folder: {path.parent}.") from None
    except OSError as error:
        raise InvalidInputError(
            f"{path} can't be read: {error.strerror}.", "Check its permissions and links."
        ) from None


def _walk(root: Path, max_file_bytes: int, *, pictures: bool) -> tuple[list[str], list[SkippedFile]]:
    files: list[str] = []
    skipped: list[SkippedFile] = []
    pending = [("", GitIgnores())]
    while pending:
        prefix, rules = pending.pop()
        try:
            with os.scandir(root / prefix) as listing:
                entries = list(listing)
        except OSError:
            skipped.append(SkippedFile(prefix.rstrip("/"), "unreadable"))
            continue
        names = {entry.name for entry in entries}
        if prefix and "pyvenv.cfg" in names:
            skipped.append(SkippedFile(prefix.rstrip("/"), "vendored"))
            continue
        rules = rules.within(root / prefix, prefix)
        for entry in entries:
            path = prefix + entry.name
            reason = _reason(entry, path, names, rules, max_file_bytes, pictures=pictures)
            if reason is not None:
                skipped.append(SkippedFile(_printable(path), reason))
            elif entry.is_dir(follow_symlinks=False):
                pending.append((f"{path}/", rules))
            else:
                files.append(path)
    return files, skipped


def _reason(
    entry: os.DirEntry[str], path: str, beside: Collection[str], rules: GitIgnores, limit: int, *, pictures: bool
) -> SkipReason | None:
    if entry.is_symlink():
        return "symlink"
    if _printable(path) != path:
        return "undecodable"
    by_name: SkipReason | None
    folder = entry.is_dir(follow_symlinks=False)
    if folder:
        by_name = "secret" if is_secret_folder(entry.name) else folder_reason(entry.name, beside)
    else:
        by_name = "secret" if is_secret_name(entry.name) else file_reason(entry.name)
    if by_name in {"secret", "vendored", "ignored"}:
        return by_name
    if rules.ignores(path, folder=folder):
        return "ignored"
    if pictures and is_picture(entry.name) and not folder:
        by_name = None
    return by_name if by_name or folder else _size_reason(entry, limit)


def _size_reason(entry: os.DirEntry[str], limit: int) -> SkipReason | None:
    try:
        state = entry.stat(follow_symlinks=False)
    except OSError:
        return "unreadable"
    if not stat.S_ISREG(state.st_mode):  # a pipe or a device: opening it could wait for ever
        return "unreadable"
    return "too_large" if state.st_size > limit else None


def _printable(path: str) -> str:
    """The path as UTF-8 on one line; what is neither becomes U+FFFD,
    so that no name can pass for what is said about it.
    """
    text = os.fsencode(path).decode("utf-8", "replace")
    if text.isprintable():
        return text
    return "".join(
        letter if printable(letter) == letter and letter.splitlines() == [letter] else "\ufffd" for letter in text
    )
