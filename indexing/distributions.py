"""An installed Python distribution as a project: the files its RECORD lists (docs/design.md#projects)."""

from __future__ import annotations

import json
from importlib import metadata
from pathlib import Path, PurePosixPath

from indexing.discovery import DiscoveredProject, SkippedFile
from indexing.ignores import file_reason, folder_reason
from indexing.images.reading import is_picture
from indexing.reading import SkipReason
from memory.errors import InvalidInputError
from memory.secrets import is_secret_name

__all__ = ["discover_distribution", "is_installed"]

_BOOKKEEPING = (".dist-info", ".egg-info", ".data")
_DESCRIPTIONS = {"METADATA", "PKG-INFO"}


def is_installed(name: str) -> bool:
    """Whether there is a distribution of this name."""
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
    return DiscoveredProject(title, root, title, found.version, tuple(sorted(files)), tuple(sorted(skipped)))


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
    if file.is_symlink():
        return "symlink"
    if not file.is_file():
        return "unreadable"
    return "too_large" if file.stat().st_size > limit else None
