"""Globs of paths inside a project, as rules say which files they are for."""

from __future__ import annotations

import re

__all__ = ["glob_pattern"]


def glob_pattern(glob: str) -> str:
    """`**/` is any folders or none, `*` and `?` stay inside one name; without a slash it is any folder's file."""
    glob = glob if "/" in glob else f"**/{glob}"
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", glob.removeprefix("/"))
    meant = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return "".join(meant.get(part, re.escape(part)) for part in parts)
