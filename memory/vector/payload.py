"""A chunk as a store's payload and back: the canonical keys of 000 §6.3, `namespace`, and `file` = PROJECT/PATH."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from memory.vector.port import Chunk

# What questions filter on. Each index costs every load of a shard about 7 ms: the rest is filtered by reading payloads.
INDEXED_KEYS = ("namespace", "project", "corpus", "repo", "path", "file", "symbol", "commit", "chunk_kind")
TENANT_KEYS = ("namespace", "project")  # in every filter: their points are stored together
CHUNK_KEYS = tuple(field.name for field in fields(Chunk) if field.name != "id")
_OURS = frozenset((*CHUNK_KEYS, "namespace", "file"))


def file_key(project: str, path: str) -> str:
    """A file's name across projects."""
    return f"{project}/{path}"


def payload_of(chunk: Chunk, namespace: str) -> dict[str, Any]:
    """What is stored beside a chunk's vectors; its id is the point's."""
    payload = {key: getattr(chunk, key) for key in CHUNK_KEYS}
    return payload | {"namespace": namespace, "file": file_key(chunk.project, chunk.path)}


def chunk_of(id_: object, payload: Mapping[str, Any]) -> Chunk:
    """The chunk that `payload_of` took apart."""
    return Chunk(str(id_), *map(payload.__getitem__, CHUNK_KEYS))


def extra_of(payload: Mapping[str, Any]) -> dict[str, Any]:
    """What is in a payload beside a chunk's own keys."""
    return {key: value for key, value in payload.items() if key not in _OURS}


PLACE_KEYS = ("project", "path", "start_line", "end_line", "chunk_kind")
"""What a chunk is ranked by."""


def place_chunk(id_: object, payload: Mapping[str, Any]) -> Chunk:
    """A chunk of which nothing but its place was read."""
    project, path, start, end, kind = map(payload.__getitem__, PLACE_KEYS)
    return Chunk(str(id_), project, "", path, "", "docs", "", kind, "", "", start, end, "", "", "")


def bare_chunk(id_: object) -> Chunk:
    """A chunk of which the id alone was read: payloads are most of a search's cost, and few of a list are shown."""
    return Chunk(str(id_), "", "", "", "", "docs", "", "doc", "", "", 0, 0, "", "", "")
