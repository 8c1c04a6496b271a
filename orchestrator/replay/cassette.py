"""`Cassette`: the recording of one scenario as one compressed JSON document, the same bytes for the same content."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

from configs.documents import DocumentError, parse_json, read_bytes
from memory.errors import InvalidInputError
from orchestrator.replay.codec import Codec, canonical
from orchestrator.replay.tape import Call, Tape

__all__ = ["Cassette"]

VERSION: Final = "1"
_MOST_UNPACKED: Final = 256_000_000  # bytes: hundreds of times what a question of ten projects takes


_KEPT: Final = {"id": str, "query": str, "pool": dict, "answers": dict, "result": dict}


@dataclass(frozen=True, slots=True)
class Cassette:
    """What was recorded of a scenario.

    calls: every input and output of a store, a model and a folder, with its milliseconds; pool: what they share (`codec`);
    answers: by way of asking (`as asked`, `scope none`, `without graph`, ...) and agent how it ended, its scope and its
    observations; result: the JSON of `HybridResult`, which a replay gives again.
    """

    id: str
    query: str
    calls: tuple[Call, ...]
    pool: Mapping[str, Any]
    answers: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    result: Mapping[str, Any] = field(default_factory=dict)

    def tape(self, **options: Any) -> Tape:
        """A fresh tape of these calls."""
        return Tape(self.calls, Codec(dict(self.pool)), **options)

    def save(self, file: Path) -> None:
        """Write it; neither the time nor the file's name enters the bytes."""
        calls = [[c.name, c.arguments, c.answer, c.error, c.ms] for c in self._ordered()]
        document = {
            "schema_version": VERSION,
            "id": self.id,
            "query": self.query,
            "calls": calls,
            "pool": self.pool,
            "answers": self.answers,
            "result": self.result,
        }
        packed = io.BytesIO()
        with gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=packed, mtime=0) as stream:
            stream.write(canonical(document).encode())
        file.write_bytes(packed.getvalue())

    def _ordered(self) -> list[Call]:
        return sorted(self.calls, key=lambda call: (call.name, canonical(call.arguments)))

    @classmethod
    def load(cls, file: Path) -> Self:
        """Read it. Raises InvalidInputError when it is not there, damaged, or of another version."""
        if not file.exists():
            raise InvalidInputError(f"There is no recording {file}.", "Make one with `hybrid-retrieval record`.")
        try:
            document = parse_json(_unpacked(read_bytes(file)))
            if document["schema_version"] != VERSION:
                raise InvalidInputError(
                    f"{file} has schema {document['schema_version']}; this version reads {VERSION}.",
                    "Record the scenario again.",
                )
            calls = tuple(
                Call(name, arguments, answer, tuple(error) if error else None, float(ms))
                for name, arguments, answer, error, ms in document["calls"]
            )
            return cls(calls=calls, **{name: _of(kind, document[name]) for name, kind in _KEPT.items()})
        except DocumentError as error:
            raise InvalidInputError(f"{file} is damaged: it {error}", "Record the scenario again.") from None
        except (OSError, EOFError, zlib.error, ValueError, KeyError, TypeError, IndexError) as error:
            raise InvalidInputError(
                f"{file} is damaged ({type(error).__name__}).", "Record the scenario again."
            ) from None


def _of(kind: type, value: Any) -> Any:
    if not isinstance(value, kind):
        raise TypeError(f"{value!r} is no {kind.__name__}")
    return value


def _unpacked(packed: bytes) -> bytes:
    with gzip.GzipFile(fileobj=io.BytesIO(packed)) as stream:
        content = stream.read(_MOST_UNPACKED + 1)
    if len(content) > _MOST_UNPACKED:
        raise DocumentError(f"is larger than {_MOST_UNPACKED / 1_000_000:g} MB.")
    return content
