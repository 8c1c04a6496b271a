"""`Tape`: every call that went through a port, by its exact input. It answers from what was recorded, on recorded time.

A call that it lacks goes to the live part behind it where there is one, and is kept; otherwise it is named, never
guessed.

`Cassette`: the recording of one scenario as one compressed JSON document, the same bytes for the same content.
"""

from __future__ import annotations

import gzip
import io
import time
import zlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import UnionType
from typing import Any, Final, Self, TypeVar, cast

import anyio
from anyio.from_thread import BlockingPortal

from configs.checks import fits
from configs.documents import DocumentError, parse_json, read_bytes
from memory import errors
from memory.errors import InvalidInputError
from replay.codec import Codec, canonical

T = TypeVar("T")
_PATIENCE: Final = 60.0  # seconds a live call may take
_SHOWN: Final = 200


class MissingCallError(errors.UserError):
    """A replay asked what no one recorded."""

    code = "missing_call"

    def __init__(self, calls: Sequence[str], where: str) -> None:
        more = f" and {len(calls) - 1} more" if len(calls) > 1 else ""
        super().__init__(
            f"{where} lacks a call: {calls[0]}{more}.",
            "Record the scenario again, or give --data-dir to ask the index itself.",
        )


@dataclass(frozen=True, slots=True)
class Call:
    """One call: to which port and method, with what; `answer` or `error` (class, message, hint); milliseconds."""

    name: str
    arguments: Any
    answer: Any = None
    error: tuple[str, str, str] | None = None
    ms: float = 0.0


class Tape:
    """The calls of a cassette. portal: the thread in which the live parts are open, None where there are none.

    A live call holds the loop up, so that no virtual time passes; then its time is waited on that loop's clock, as on
    every replay after. `missing` and `live` describe what was lacking, and what was asked of the live parts instead.
    """

    def __init__(
        self, calls: Sequence[Call] = (), codec: Codec | None = None, portal: BlockingPortal | None = None
    ) -> None:
        self.codec = codec or Codec()
        self.calls = {_key(call.name, call.arguments): call for call in calls}
        self.missing: list[str] = []
        self.live: list[str] = []
        self._portal = portal

    async def ask(
        self, name: str, asked: Sequence[dict[str, Any]], fetch: Callable[[list[int]], Awaitable[Sequence[Any]]]
    ) -> list[Any]:
        """One answer for each of `asked`; `fetch` gets those of the live part, by their places in `asked`."""
        arguments = [self._encoded(one) for one in asked]
        keys = [_key(name, one) for one in arguments]
        lacking = [place for place, key in enumerate(keys) if key not in self.calls]
        if lacking:
            self._fetch(name, arguments, lacking, fetch)
        calls = [self.calls[key] for key in keys]
        await anyio.sleep(sum(call.ms for call in calls) / 1000)
        return [self._answered(call) for call in calls]

    def look(self, name: str, kind: type[T] | UnionType, fetch: Callable[[], Any], **asked: Any) -> T:
        """The answer of a part that answers at once. Raises InvalidInputError where the recorded one is no such."""
        arguments = self._encoded(asked)
        key = _key(name, arguments)
        if key not in self.calls:
            self._note(name, arguments)
            self.calls[key] = Call(name, arguments, self.codec.encode(fetch()))
        answer = self._answered(self.calls[key])
        if not fits(answer, kind):
            was = f"{name} is {_shown(answer)[:_SHOWN]}"
            raise InvalidInputError(f"The recording is damaged: {was}.", "Record the scenario again.")
        return cast("T", answer)

    def holds(self, name: str) -> bool:
        return any(call.name == name for call in self.calls.values())

    def _fetch(
        self,
        name: str,
        arguments: Sequence[Any],
        lacking: list[int],
        fetch: Callable[[list[int]], Awaitable[Sequence[Any]]],
    ) -> None:
        for place in lacking:
            portal = self._note(name, arguments[place])
        began = time.perf_counter()
        try:
            answers, error = portal.call(_in_time, fetch, lacking), None
        except (errors.HybridRetrievalError, TimeoutError) as failure:
            message = failure.message if isinstance(failure, errors.HybridRetrievalError) else "took too long"
            answers, error = (None,) * len(lacking), (type(failure).__name__, message, getattr(failure, "hint", ""))
        ms = round((time.perf_counter() - began) * 1000 / len(lacking), 3)
        for place, answer in zip(lacking, answers, strict=True):
            call = Call(name, arguments[place], self.codec.encode(answer), error, ms)
            self.calls[_key(name, arguments[place])] = call

    def _note(self, name: str, arguments: Any) -> BlockingPortal:
        """Whom to ask what is not recorded. Raises MissingCallError where there is no one."""
        described = self._described(name, arguments)
        if self._portal is None:
            self.missing.append(described)
            raise MissingCallError([described], "The recording")
        self.live.append(described)
        return self._portal

    def _encoded(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        return {name: self.codec.encode(value) for name, value in asked.items()}

    def _answered(self, call: Call) -> Any:
        if call.error is None:
            return self.codec.decode(call.answer)
        kind, message, hint = call.error
        if kind == "TimeoutError":
            raise TimeoutError(message)
        raise _again(getattr(errors, kind), message, hint)

    def _described(self, name: str, arguments: Any) -> str:
        text = ", ".join(f"{key}={_shown(self.codec.decode(value))}" for key, value in sorted(arguments.items()))
        return f"{name}({text if len(text) <= _SHOWN else text[:_SHOWN] + '…'})"


async def _in_time(fetch: Callable[[list[int]], Awaitable[Sequence[Any]]], lacking: list[int]) -> Sequence[Any]:
    with anyio.fail_after(_PATIENCE):
        return await fetch(lacking)


def _again(kind: type[errors.HybridRetrievalError], message: str, hint: str) -> errors.HybridRetrievalError:
    """A failure as it was told, whatever its class is made from."""
    failure = kind.__new__(kind)
    errors.HybridRetrievalError.__init__(failure, message, hint)
    return failure


def _key(name: str, arguments: Any) -> str:
    return f"{name} {canonical(arguments)}"


def _shown(value: Any) -> str:
    """An argument for people: sets in order, vectors left out."""
    if isinstance(value, frozenset):
        return "{" + ", ".join(sorted(value)) + "}"
    vector = getattr(value, "vector", None)
    if hasattr(value, "using") and vector is not None:
        where = "".join(f", {c.key} in {list(c.any_of)[:5]}" for c in value.conditions)
        return f"{value.using or 'listing'} limit {value.limit}{where}"
    return repr(value)


VERSION: Final = "1"
_MOST_UNPACKED: Final = 256_000_000  # bytes: hundreds of times what a question of ten projects takes
_KEPT: Final = {"id": str, "query": str, "pool": dict, "answers": dict, "result": dict}


@dataclass(frozen=True, slots=True)
class Cassette:
    """What was recorded of a scenario.

    calls: every input and output of a store, a model and a folder, with its milliseconds; pool: what they share
    (`codec`); answers: by way of asking (`as asked`, `scope none`, `without graph`, ...) and agent how it ended, its
    scope and its observations; result: the JSON of `HybridResult`, which a replay gives again.
    """

    id: str
    query: str
    calls: tuple[Call, ...]
    pool: Mapping[str, Any]
    answers: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    result: Mapping[str, Any] = field(default_factory=dict)

    def tape(self, **options: Any) -> Tape:
        return Tape(self.calls, Codec(dict(self.pool)), **options)

    def save(self, file: Path) -> None:
        """Write it; neither the time nor the file's name enters the bytes."""
        ordered = sorted(self.calls, key=lambda call: (call.name, canonical(call.arguments)))
        calls = [[c.name, c.arguments, c.answer, c.error, c.ms] for c in ordered]
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
        if file.is_symlink() or not file.is_file():  # a link would lead elsewhere, a pipe would be waited for
            file.unlink(missing_ok=True)
        file.write_bytes(packed.getvalue())

    @classmethod
    def load(cls, file: Path) -> Self:
        """Read it. Raises InvalidInputError when it is not there, damaged, or of another version."""
        if not file.is_file():  # nor a pipe, which would be waited for
            raise InvalidInputError(f"There is no recording {file}.", "Make one with `hybrid-retrieval record`.")
        try:
            document = parse_json(_unpacked(read_bytes(file)))
            canonical(document).encode()  # half a surrogate pair, which JSON may hold, was never recorded
            if document["schema_version"] != VERSION:
                raise InvalidInputError(
                    f"{file} has schema {document['schema_version']}; this version reads {VERSION}.",
                    "Record the scenario again.",
                )
            calls = tuple(
                Call(name, arguments, answer, _failure(error) if error else None, float(ms))
                for name, arguments, answer, error, ms in document["calls"]
            )
            return cls(calls=calls, **{name: _of(kind, document[name]) for name, kind in _KEPT.items()})
        except DocumentError as error:
            raise InvalidInputError(f"{file} is damaged: it {error}", "Record the scenario again.") from None
        except (OSError, EOFError, zlib.error, ValueError, KeyError, TypeError, IndexError, OverflowError) as error:
            raise InvalidInputError(
                f"{file} is damaged ({type(error).__name__}).", "Record the scenario again."
            ) from None


def _failure(error: Any) -> tuple[str, str, str]:
    kind, message, hint = (_of(str, part) for part in error)
    if kind not in {*errors.__all__, "TimeoutError"}:
        raise ValueError(f"{kind!r} is no error")
    return kind, message, hint


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
