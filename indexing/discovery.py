"""Which files of a folder, or of an installed Python distribution, are a project's: found by name and size alone.

None is opened (docs/design.md#secrets, docs/design.md#projects).
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from importlib import metadata
from operator import attrgetter
from pathlib import Path, PurePosixPath

from indexing.ignores import GitIgnores, file_reason, folder_reason
from indexing.images import is_picture
from indexing.reading import SkipReason
from indexing.repository import read_repository
from memory.errors import DuplicateProjectError, InvalidInputError
from memory.generation import SkippedFile
from memory.generation.folder import MARKER
from memory.secrets import is_secret_folder, is_secret_name
from memory.text.output import printable

_ORDER = attrgetter("path", "reason")
_BOOKKEEPING = (".dist-info", ".egg-info", ".data")
_DESCRIPTIONS = {"METADATA", "PKG-INFO"}


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
    root = readable_folder(root)
    if not (name := name or root.name):
        raise InvalidInputError(f"{root} has no name that a project could have.", "Index a folder below it.")
    if _printable(str(root)) != str(root):
        raise InvalidInputError(
            f"The name of {_printable(str(root))} is not UTF-8 or has control characters.", "Rename the folder."
        )
    files, skipped = _walk(root, max_file_bytes, pictures=pictures)
    git = read_repository(root)
    return DiscoveredProject(
        name, root, git.repo or name, git.commit, tuple(sorted(files)), tuple(sorted(skipped, key=_ORDER))
    )


def each_subfolder(path: Path) -> list[Path]:
    """The direct sub-folders that are projects under `--each`: no files, links, hidden folders, caches or packages, and
    none that `unnamed` tells. Raises InvalidInputError for a path that is no readable folder.
    """
    path = readable_folder(path)
    return [path / name for name in _subfolders(path) if _printable(name) == name]


def unnamed(path: Path) -> list[str]:
    """How the names read of sub-folders that would be projects if they were UTF-8 without control characters."""
    return [_printable(name) for name in _subfolders(path) if _printable(name) != name]


def _subfolders(path: Path) -> list[str]:
    with os.scandir(path) as entries:
        names = [e.name for e in entries if e.is_dir(follow_symlinks=False) and not e.name.startswith(".")]
    kept = [name for name in sorted(names) if folder_reason(name, ()) not in {"ignored", "vendored"}]
    return [name for name in kept if not (path / name / MARKER).exists()]


def refuse_duplicates(projects: Iterable[tuple[str, str | Path]]) -> None:
    """Raises DuplicateProjectError when two of these (name, where) share a name but not the place."""
    seen: dict[str, str] = {}
    for name, where in projects:
        first = seen.setdefault(name, str(where))
        if first != str(where):
            raise DuplicateProjectError(name, first, str(where))


def readable_folder(path: Path) -> Path:
    """Its absolute path. Raises InvalidInputError for what is no readable folder."""
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
        if prefix and (by_mark := _marked(names)):
            skipped.append(SkippedFile(prefix.rstrip("/"), by_mark))
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


def _marked(names: Collection[str]) -> SkipReason | None:
    """Why a folder with these entries is left out: an environment, or the folder of an index, which holds what other
    projects say.
    """
    if "pyvenv.cfg" in names:
        return "vendored"
    return "ignored" if MARKER in names else None


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


def _size_reason(entry: os.DirEntry[str] | Path, limit: int) -> SkipReason | None:
    try:
        state = entry.stat(follow_symlinks=False)
    except OSError:
        return "unreadable"
    if not stat.S_ISREG(state.st_mode):  # a pipe or a device: opening it could wait for ever
        return "unreadable"
    return "too_large" if state.st_size > limit else None


def _printable(path: str) -> str:
    """The path as UTF-8 on one line, else with U+FFFD, so that no name can pass for what is said about it."""
    text = os.fsencode(path).decode("utf-8", "replace")
    if text.isprintable():
        return text
    return "".join(
        letter if printable(letter) == letter and letter.splitlines() == [letter] else "\ufffd" for letter in text
    )


def is_installed(name: str) -> bool:
    return any(True for _ in metadata.distributions(name=name))


def discover_distribution(name: str, *, max_file_bytes: int, pictures: bool = False) -> DiscoveredProject:
    """The project of an installed distribution: its package's files and METADATA, which holds its long description.

    `root` is the folder it is installed in, so that paths read `httpx/_client.py`; `commit` is its version. Raises
    InvalidInputError when it is not installed, keeps no record, or is installed in editable form.
    """
    try:
        found = metadata.distribution(name)
    except (metadata.PackageNotFoundError, ValueError):
        raise InvalidInputError(
            f"No distribution {name!r} is installed here.", f"Install it: pip install {name}"
        ) from None
    _refuse_editable(found, name)
    recorded = found.files
    if recorded is None:
        raise InvalidInputError(f"The distribution {name!r} has no RECORD of its files.", "Index its folder instead.")
    root = Path(str(found.locate_file("")))
    files: set[str] = set()
    skipped: set[SkippedFile] = set()
    for path in recorded:
        row = _row(root, PurePosixPath(path), max_file_bytes, pictures=pictures)
        if isinstance(row, SkippedFile):
            skipped.add(row)
        elif row is not None:
            files.add(row)
    title = found.metadata["Name"]
    return DiscoveredProject(
        title, root, title, found.version, tuple(sorted(files)), tuple(sorted(skipped, key=_ORDER))
    )


def _refuse_editable(found: metadata.Distribution, name: str) -> None:
    origin = json.loads(found.read_text("direct_url.json") or "{}")
    if origin.get("dir_info", {}).get("editable"):
        folder = str(origin.get("url", "")).removeprefix("file://")
        raise InvalidInputError(
            f"The distribution {name!r} is installed in editable form.", f"Index its folder instead: {folder}"
        )


def _row(root: Path, path: PurePosixPath, limit: int, *, pictures: bool) -> str | SkippedFile | None:
    """The path when it is to be read, why it is not, or None for what is not the package's (scripts, bookkeeping)."""
    if path.is_absolute() or ".." in path.parts:
        return None
    packaged = path.parts[0].endswith(_BOOKKEEPING)
    if packaged and path.name not in _DESCRIPTIONS:
        return None
    for depth in range(int(packaged), len(path.parts) - 1):
        if by_folder := folder_reason(path.parts[depth], ()):
            return SkippedFile("/".join(path.parts[: depth + 1]), by_folder)
    reason = _file_reason(root / path, limit, pictures=pictures)
    return SkippedFile(str(path), reason) if reason else str(path)


def _file_reason(file: Path, limit: int, *, pictures: bool) -> SkipReason | None:
    if is_secret_name(file.name):
        return "secret"
    if not (pictures and is_picture(file.name)) and (by_name := file_reason(file.name)):
        return by_name
    return "symlink" if file.is_symlink() else _size_reason(file, limit)
