"""`Cassette`: the recording of one scenario as one compressed JSON document, the same bytes for the same content."""

from __future__ import annotations

import gzip
import io
import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

from memory.errors import InvalidInputError
from orchestrator.replay.codec import Codec, canonical
from orchestrator.replay.tape import Call, Tape

__all__ = ["Cassette"]

VERSION: Final = "1"


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
        try:
            document = json.loads(gzip.decompress(file.read_bytes()))
            if document["schema_version"] != VERSION:
                raise InvalidInputError(
                    f"{file} has schema {document['schema_version']}; this version reads {VERSION}.",
                    "Record the scenario again.",
                )
            calls = tuple(
                Call(name, arguments, answer, tuple(error) if error else None, ms)
                for name, arguments, answer, error, ms in document["calls"]
            )
            kept = {name: document[name] for name in ("id", "query", "pool", "answers", "result")}
            return cls(calls=calls, **kept)
        except FileNotFoundError:
            raise InvalidInputError(
                f"There is no recording {file}.", "Make one with `hybrid-retrieval record`."
            ) from None
        except (OSError, EOFError, zlib.error, ValueError, KeyError, TypeError, IndexError) as error:
            raise InvalidInputError(
                f"{file} is damaged ({type(error).__name__}).", "Record the scenario again."
            ) from None
