"""A chunk as a store's payload and back: the canonical keys of 000 §6.3, `namespace`, and `file` = PROJECT/PATH."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from memory.vector.port import Chunk

__all__ = ["KEYWORD_KEYS", "NUMBER_KEYS", "chunk_of", "file_key", "payload_of"]

KEYWORD_KEYS = ("namespace", "project", "corpus", "repo", "path", "file", "symbol", "commit", "chunk_kind", "lang")
NUMBER_KEYS = ("start_line", "end_line")
_CHUNK_KEYS = tuple(field.name for field in fields(Chunk) if field.name != "id")


def file_key(project: str, path: str) -> str:
    """A file's name across projects."""
    return f"{project}/{path}"


def payload_of(chunk: Chunk, namespace: str) -> dict[str, Any]:
    """What is stored beside a chunk's vectors; its id is the point's."""
    payload = {key: getattr(chunk, key) for key in _CHUNK_KEYS}
    return payload | {"namespace": namespace, "file": file_key(chunk.project, chunk.path)}


def chunk_of(id_: object, payload: Mapping[str, Any]) -> Chunk:
    """The chunk that `payload_of` took apart."""
    return Chunk(id=str(id_), **{key: payload[key] for key in _CHUNK_KEYS})
