"""Who may ask over HTTP, and which projects each of them sees: a file of names and of what their tokens hash to."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from memory.documents import read_yaml_file
from memory.errors import InvalidInputError

_HINT: Final = "docs/mcp.md shows how a policy file is written."
_KEYS: Final = frozenset({"name", "token_sha256", "projects"})
_SCHEME: Final = "bearer"


@dataclass(frozen=True, slots=True)
class Principal:
    """Somebody who may ask.

    digest: the SHA-256 of the token, in hexadecimal; empty for whoever asks a server without a policy. projects: None
    for all that is indexed.
    """

    name: str
    digest: str
    projects: frozenset[str] | None


ANYBODY: Final = Principal("anybody", "", None)
"""Whoever asks a server without a policy."""


def read_policy(path: Path) -> tuple[Principal, ...]:
    """The principals of a YAML file, `principals: [{name, token_sha256, projects}]`; projects: a list, or `all`.

    Raises InvalidInputError for a file that can't be read, or is no policy. No part of a token's hash is quoted.
    """
    document = read_yaml_file(path, hint=_HINT)
    rows = document.get("principals") if isinstance(document, dict) else None
    if not isinstance(rows, list) or not rows:
        raise InvalidInputError(f"{path} has no list of principals.", _HINT)
    if set(document) != {"principals"}:
        unknown = ", ".join(sorted(map(str, set(document) - {"principals"})))
        raise InvalidInputError(f"{path} has what no policy has: {unknown}.", _HINT)
    principals = tuple(_principal(row, f"{path}, principal {number}") for number, row in enumerate(rows, start=1))
    _check_once(path, "name", (one.name for one in principals))
    _check_once(path, "token", (one.digest for one in principals))
    return principals


def to_json(principals: Iterable[Principal]) -> bytes:
    """Principals as one process tells another."""
    rows = [(one.name, one.digest, None if one.projects is None else sorted(one.projects)) for one in principals]
    return json.dumps(rows).encode()


def from_json(data: bytes) -> tuple[Principal, ...]:
    """What `to_json` gave."""
    return tuple(
        Principal(name, digest, None if projects is None else frozenset(projects))
        for name, digest, projects in json.loads(data)
    )


def principal_of(authorization: bytes, principals: Iterable[Principal]) -> Principal | None:
    """Whose token the header `Bearer TOKEN` has; takes the same time for every principal and every wrong token."""
    scheme, _, token = authorization.partition(b" ")
    if scheme.lower() != _SCHEME.encode() or not token.strip():
        return None
    digest = hashlib.sha256(token.strip()).hexdigest()
    found = [one for one in principals if hmac.compare_digest(one.digest, digest)]
    return found[0] if found else None


def within(principal: Principal, allowed: frozenset[str] | None) -> Principal:
    """The same principal, seeing no more than `allowed`; None allows all."""
    if allowed is None:
        return principal
    return replace(principal, projects=allowed if principal.projects is None else principal.projects & allowed)


def _principal(row: Any, where: str) -> Principal:
    if not isinstance(row, dict) or set(row) != _KEYS:
        raise InvalidInputError(f"{where} must have exactly these: {', '.join(sorted(_KEYS))}.", _HINT)
    name, digest, projects = row["name"], row["token_sha256"], row["projects"]
    if not isinstance(name, str) or not name.strip():
        raise InvalidInputError(f"{where} has no name.", _HINT)
    if not _is_digest(digest):
        raise InvalidInputError(
            f"{where}: token_sha256 is not 64 hexadecimal digits in quotes.",
            "It is the token's SHA-256, never the token itself. " + _HINT,
        )
    if projects == "all":
        return Principal(name, digest.lower(), None)
    if not isinstance(projects, list) or not projects or not all(isinstance(one, str) for one in projects):
        raise InvalidInputError(f"{where}: projects is neither a list of names nor `all`.", _HINT)
    return Principal(name, digest.lower(), frozenset(projects))


def _is_digest(value: Any) -> bool:
    return isinstance(value, str) and len(value) == 64 and set(value.lower()) <= set("0123456789abcdef")


def _check_once(path: Path, what: str, values: Iterable[str]) -> None:
    """Raises InvalidInputError where two principals have the same; a token is not quoted, not even hashed."""
    seen: set[str] = set()
    for number, value in enumerate(values, start=1):
        if value in seen:
            raise InvalidInputError(f"{path}, principal {number} has the {what} of another.", _HINT)
        seen.add(value)
