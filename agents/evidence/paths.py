"""Which file a question means: path-like tokens, and what is indexed under them (000 §6.4, design §4)."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable

from memory.errors import InvalidInputError

__all__ = ["looks_like_file", "path_tokens", "resolve_path", "unknown_path"]

_TOKEN = re.compile(r"[^\s`'\"()\[\]{}<>,;]+")
_FILE = re.compile(r"\.\w{1,8}$|^(?:\.{0,2}/|src/)|/.*/")
_NEAREST = 5


def path_tokens(query: str) -> list[str]:
    """The tokens with a `/` between words or a `.py` at their end, in their order; addresses of the web are none."""
    tokens = (token.rstrip(".:!?") for token in _TOKEN.findall(query))
    return list(dict.fromkeys(token for token in tokens if _is_path(token)))


def _is_path(token: str) -> bool:
    return "://" not in token and (token.endswith(".py") or re.search(r"\w/|/\w", token) is not None)


def looks_like_file(token: str) -> bool:
    """Whether a path is all that it can be: `and/or` is none, `src/tools` and `tools/base.py` are."""
    return _FILE.search(token) is not None


def resolve_path(token: str, paths: Collection[str]) -> str | None:
    """The indexed path that a token names: itself, or the only one that ends with it; None otherwise."""
    token = token.strip().removeprefix("./").strip("/")
    if token in paths:
        return token
    ending = [path for path in paths if path.endswith(f"/{token}")] if token else []
    return ending[0] if len(ending) == 1 else None


def unknown_path(tokens: Iterable[str], paths: Collection[str]) -> InvalidInputError:
    """The error that lists the paths nearest to the first token: those that end with it, then the most alike."""
    token = next(iter(tokens), "")
    if not token:
        return InvalidInputError(
            "TARGETED_FILE needs a path, and the question names none.", "Give path_scope, or write the path."
        )
    ending = sorted(path for path in paths if path.endswith(f"/{token.strip('/')}"))
    name = token.rstrip("/").rpartition("/")[2]
    alike = difflib.get_close_matches(token, paths, n=_NEAREST, cutoff=0.3)
    named = sorted(path for path in paths if path.rpartition("/")[2] == name)
    nearest = list(dict.fromkeys([*ending, *named, *alike]))[:_NEAREST]
    what = f"ends {len(ending)} indexed paths" if len(ending) > 1 else "is no indexed path"
    return InvalidInputError(f"{token!r} {what}.", f"Nearest: {', '.join(nearest) or 'none'}.")
