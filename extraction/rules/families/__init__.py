"""The families that come with the product: YAML files as docs/rules.md says, a folder for each kind."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files

from configs.documents import read_yaml
from extraction.rules.structure import Family
from extraction.rules.structure.reading import family_of

__all__ = ["families_hash", "shipped_families"]


@cache
def shipped_families(kind: str = "") -> tuple[Family, ...]:
    """Those of one folder, or of all, by their paths."""
    return tuple(
        family_of(read_yaml(text), path)
        for path, text in _texts()
        if not kind or path.startswith((f"{kind}/", f"{kind}.yaml"))
    )


@cache
def families_hash() -> str:
    """Twelve hex digits that change with any of the files."""
    return hashlib.sha256("\0".join(f"{path}\0{text}" for path, text in _texts()).encode()).hexdigest()[:12]


@cache
def _texts() -> tuple[tuple[str, str], ...]:
    folders = [one for one in files(__package__).iterdir() if one.is_dir()]
    found = [(folder, one) for folder in folders for one in folder.iterdir() if one.name.endswith(".yaml")]
    return tuple(sorted((f"{folder.name}/{file.name}", file.read_text("utf-8")) for folder, file in found))
