"""A chunk as a store's payload and back: the canonical keys of 000 §6.3, `namespace`, and `file` = PROJECT/PATH; and
how a collection of somebody else's names what a chunk has (docs/design.md#payload-mapping).

Only the adapter knows their names; everybody else speaks the canonical ones.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, get_args

from configs.settings import QdrantSettings
from memory.errors import ConfigError
from memory.vector.filters import NUMBER_KEYS, Condition
from memory.vector.port import DENSE_CODE, DENSE_DOCS, IMAGE, SPARSE_LEXICAL, Chunk, Corpus

# What questions filter on. Each index costs every load of a shard about 7 ms: the rest is filtered by reading payloads.
INDEXED_KEYS = ("namespace", "project", "corpus", "repo", "path", "file", "symbol", "commit", "chunk_kind")
TENANT_KEYS = ("namespace", "project")  # in every filter: their points are stored together
CHUNK_KEYS = tuple(field.name for field in fields(Chunk) if field.name != "id")
_KEYS = (*CHUNK_KEYS, "namespace", "file")
_OURS = frozenset(_KEYS)
PLACE_KEYS = ("project", "path", "start_line", "end_line", "chunk_kind")
"""What a chunk is ranked by."""
_DEFAULTS: dict[str, Any] = {"corpus": "docs", "chunk_kind": "doc"} | dict.fromkeys(NUMBER_KEYS, 0)
_CORPORA = get_args(Corpus)
_MOST_LINES = 1 << 31
_VECTORS = (DENSE_DOCS, DENSE_CODE, IMAGE, SPARSE_LEXICAL)


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


def place_chunk(id_: object, payload: Mapping[str, Any]) -> Chunk:
    """A chunk of which nothing but its place was read."""
    project, path, start, end, kind = map(payload.__getitem__, PLACE_KEYS)
    return Chunk(str(id_), project, "", path, "", "docs", "", kind, "", "", start, end, "", "", "")


def bare_chunk(id_: object) -> Chunk:
    """A chunk of which the id alone was read: payloads are most of a search's cost, and few of a list are shown."""
    return Chunk(str(id_), "", "", "", "", "docs", "", "doc", "", "", 0, 0, "", "", "")


@dataclass(frozen=True, slots=True)
class FieldMapping:
    """`payload` and `vectors` list what differs from the canonical name, None is "they have none"; `constants` is the
    value of a key that their payload lacks and that is the same for every point.

    A key without either, or with a value that is none of its kind, reads as '' (corpus docs, chunk_kind doc, lines 0,
    text_hash from the text). Raises ConfigError
    for unknown keys, and where nothing says which project a point belongs to.
    """

    payload: Mapping[str, str | None] = field(default_factory=dict)
    constants: Mapping[str, str] = field(default_factory=dict)
    vectors: Mapping[str, str | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name, given, known in (
            ("payload", self.payload, _KEYS),
            ("constants", self.constants, tuple(key for key in CHUNK_KEYS if key not in NUMBER_KEYS)),
            ("vectors", self.vectors, _VECTORS),
        ):
            for key in given:
                if key not in known:
                    raise _config_error(name, f"unknown {key!r}.", f"Known: {', '.join(known)}.")
        if self.key("project") is None and not self.constants.get("project"):
            raise _config_error("payload", "nothing says which project a point is of.", "Give constants.project.")
        if self.key("file") is None and self.key("project") is not None:
            raise _config_error(
                "payload", "`file` can be null only where all is one project.", "Give constants.project."
            )

    @classmethod
    def of(cls, settings: QdrantSettings) -> FieldMapping:
        """What the settings say."""
        return cls(settings.payload, settings.constants, settings.vectors)

    def key(self, canonical: str) -> str | None:
        """Their name of a payload key; None where they have no such field."""
        return None if canonical in self.constants else self.payload.get(canonical, canonical)

    def vector(self, canonical: str) -> str | None:
        """Their name of a vector, '' the unnamed one; None where they have no such vector."""
        return self.vectors.get(canonical, canonical)

    def canonical_vector(self, theirs: str) -> str:
        """The first of our names for a vector of theirs; two may share one."""
        return next((name for name in _VECTORS if self.vector(name) == theirs), theirs)

    def stored(self, chunk: Chunk, namespace: str) -> dict[str, Any]:
        """What is written beside a chunk's vectors."""
        payload = payload_of(chunk, namespace)
        named = ((self.key(canonical), value) for canonical, value in payload.items())
        return {key: value for key, value in named if key is not None}

    def chunk(self, id_: object, payload: Mapping[str, Any]) -> Chunk:
        """The chunk of a point, its missing fields filled."""
        values = {canonical: self._read(canonical, payload) for canonical in CHUNK_KEYS}
        values["end_line"] = max(values["start_line"], values["end_line"])
        values["text_hash"] = values["text_hash"] or hashlib.sha256(values["text"].encode()).hexdigest()
        return Chunk(id=str(id_), **values)

    def rest(self, payload: Mapping[str, Any]) -> dict[str, Any]:
        """What is in a payload besides the canonical keys."""
        known = {self.key(canonical) for canonical in _KEYS}
        return {key: value for key, value in payload.items() if key not in known}

    def conditions(self, conditions: Iterable[Condition]) -> list[Condition] | None:
        """The conditions that their fields can tell; None when one of the others can't hold."""
        asked = []
        for condition in conditions:
            mapped = self._of_path(condition) if condition.key == "file" and self.key("file") is None else condition
            if mapped.key == "id" or self.key(mapped.key) is not None:
                asked.append(mapped)
            elif not mapped.holds(self._constant(mapped.key)):
                return None
        return asked

    def _of_path(self, condition: Condition) -> Condition:
        """A condition on `file` as one on `path`: all points are of one project here."""
        prefix = f"{self.constants['project']}/"
        paths = tuple(str(file)[len(prefix) :] for file in condition.any_of if str(file).startswith(prefix))
        return replace(condition, key="path", any_of=paths)

    def _constant(self, canonical: str) -> Any:
        return self.constants.get(canonical, _DEFAULTS.get(canonical, ""))

    def _read(self, canonical: str, payload: Mapping[str, Any]) -> Any:
        key = self.key(canonical)
        value = None if key is None else payload.get(key)
        if canonical in NUMBER_KEYS:
            return value if type(value) is int and 0 < value < _MOST_LINES else 0
        if value is None or (canonical == "corpus" and value not in _CORPORA):
            return self._constant(canonical)
        return _text(value)


def _text(value: Any) -> str:
    """As it can be stored and shown: half a surrogate pair, which JSON can spell, is no text."""
    return str(value).encode("utf-8", "replace").decode()


def _config_error(name: str, problem: str, hint: str) -> ConfigError:
    return ConfigError(f"vector.qdrant.{name}", "settings", problem, hint)
