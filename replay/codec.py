"""What goes through a port, as JSON and back: exactly, and each chunk, entity and vector once.

Plain values stand for themselves; everything else is an object with one of these keys:

    {"()": [...]}  a tuple        {"{}": [...]}  a set, sorted      {":": [[key, value]]}  a mapping, in its order
    {"=": NAME, field: value}     a dataclass of ours; a field that has its default is left out
    {"~": base64, "kind": ..., "of": ...}  numbers: a list, tuple or array of float32 where that is exact, else float64
    {"#": digest}  what the pool holds under this digest
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import MISSING, fields, is_dataclass
from typing import Any, Final

import numpy as np

from memory.entities import Entity, Evidence, EvidenceFile, Relationship, Scope, ScopedProject
from memory.errors import InvalidInputError
from memory.graph import GraphPath
from memory.observations import GraphObservation, LocalObservation, Location, VectorObservation
from memory.statements import FoundStatement
from memory.vector import Chunk, FusedQuery, Hit, SparseVector, VectorQuery
from memory.vector.filters import Condition
from synthesis.language_model import TextDelta

_KINDS: Final = {
    kind.__name__: kind
    for kind in (
        *(Chunk, Condition, FusedQuery, Hit, SparseVector, VectorQuery),
        *(Entity, Evidence, EvidenceFile, GraphPath, Relationship, Scope, ScopedProject),
        *(GraphObservation, LocalObservation, Location, VectorObservation),
        *(FoundStatement, TextDelta),
    )
}
_POOLED: Final = (Chunk, Entity, Relationship, GraphObservation, LocalObservation, VectorObservation)
_LONG: Final = 16
"""From so many numbers on a list of them is packed."""


def canonical(document: Any) -> str:
    """The one text of a JSON document: keys sorted, nothing between."""
    return json.dumps(document, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))


class Codec:
    """Encodes into a pool and decodes out of it. pool: by digest what is kept once."""

    def __init__(self, pool: dict[str, Any] | None = None) -> None:
        self.pool = {} if pool is None else pool
        self._decoded: dict[str, Any] = {}

    def encode(self, value: Any) -> Any:
        """The value as JSON. Raises TypeError for what no port speaks."""
        if value is None or isinstance(value, str | bool | int):
            return value
        if is_dataclass(value) and type(value).__name__ in _KINDS:
            return self._dataclass(value)
        match value:
            case float():
                encoded: Any = value if np.isfinite(value) else {"~": str(value), "of": "text"}
            case np.ndarray():
                encoded = self._kept({**_packed(value), "kind": "array", "shape": list(value.shape)})
            case Mapping():
                encoded = {":": [[str(key), self.encode(item)] for key, item in value.items()]}
            case AbstractSet():
                encoded = {"{}": sorted(value)}
            case Sequence():
                encoded = self._sequence(value)
            case _:
                raise TypeError(f"a value of type {type(value).__name__} cannot be recorded")
        return encoded

    def decode(self, encoded: Any) -> Any:
        """The value `encode` was given, of the same types. Raises InvalidInputError for what is no value's form."""
        try:
            return self._decode(encoded)
        except (LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
            raise InvalidInputError(
                f"The recording is damaged ({type(error).__name__}).", "Record the scenario again."
            ) from None

    def _decode(self, encoded: Any) -> Any:
        match encoded:
            case list():
                value: Any = [self._decode(item) for item in encoded]
            case {"#": digest}:
                value = self._pooled(digest)
            case {"()": items}:
                value = tuple(self._decode(item) for item in items)
            case {"{}": items}:
                value = frozenset(items)
            case {":": items}:
                value = {key: self._decode(item) for key, item in items}
            case {"~": _}:
                value = _unpacked(encoded)
            case {"=": str(name)}:
                value = _KINDS[name](**{key: self._decode(item) for key, item in encoded.items() if key != "="})
            case _:
                value = encoded
        return value

    def _dataclass(self, value: Any) -> Any:
        given = {f.name: getattr(value, f.name) for f in fields(value) if f.init and not _is_default(f, value)}
        encoded = {"=": type(value).__name__, **{name: self.encode(item) for name, item in given.items()}}
        return self._kept(encoded) if isinstance(value, _POOLED) else encoded

    def _sequence(self, value: Sequence[Any]) -> Any:
        if len(value) >= _LONG and all(isinstance(item, float) for item in value):
            kind = "tuple" if isinstance(value, tuple) else "list"
            return self._kept({**_packed(np.array(value)), "kind": kind})
        items = [self.encode(item) for item in value]
        return {"()": items} if isinstance(value, tuple) else items

    def _kept(self, encoded: dict[str, Any]) -> Any:
        digest = hashlib.blake2b(canonical(encoded).encode(), digest_size=6).hexdigest()
        self.pool[digest] = encoded
        return {"#": digest}

    def _pooled(self, digest: str) -> Any:
        if digest not in self._decoded:
            self._decoded[digest] = self._decode(self.pool[digest])
        return self._decoded[digest]


def _is_default(field: Any, value: Any) -> bool:
    default = field.default_factory() if field.default_factory is not MISSING else field.default
    given = getattr(value, field.name)
    return type(given) is type(default) and bool(given == default)


def _packed(numbers: Any) -> dict[str, Any]:
    single = numbers.astype("<f4")
    kept = single if bool((single.astype("<f8") == numbers).all()) else numbers.astype("<f8")
    return {"~": base64.b64encode(kept.tobytes()).decode(), "of": kept.dtype.str}


def _unpacked(encoded: Mapping[str, Any]) -> Any:
    if encoded["of"] == "text":
        return float(encoded["~"])
    numbers = np.frombuffer(base64.b64decode(encoded["~"]), dtype=encoded["of"])
    if encoded["kind"] == "array":
        return numbers.reshape(encoded["shape"])
    listed = numbers.astype(float).tolist()
    return tuple(listed) if encoded["kind"] == "tuple" else listed
