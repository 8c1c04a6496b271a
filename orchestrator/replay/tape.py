"""`Tape`: every call that went through a port, by its exact input. It answers from what was recorded, on recorded time.

A call that it lacks goes to the live part behind it where there is one, and is kept; otherwise it is named, never guessed.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import anyio

from memory import errors
from orchestrator.replay.codec import Codec, canonical

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal

__all__ = ["Call", "MissingCallError", "Tape"]

_PATIENCE: Final = 60.0  # seconds a live call may take
_SHOWN: Final = 200


class MissingCallError(errors.UserError):
    """A replay asked what nobody recorded."""

    code = "missing_call"

    def __init__(self, calls: Sequence[str], where: str) -> None:
        more = f" and {len(calls) - 1} more" if len(calls) > 1 else ""
        super().__init__(
            f"{where} lacks a call: {calls[0]}{more}.",
            "Record the scenario again, or give --data-dir to ask the index itself.",
        )


@dataclass(frozen=True, slots=True)
class Call:
    """One call: to which port and method, with what; `answer` or `error` (class, message, hint); its own milliseconds."""

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

    def look(self, name: str, fetch: Callable[[], Any], **asked: Any) -> Any:
        """The answer of a part that answers at once."""
        arguments = self._encoded(asked)
        key = _key(name, arguments)
        if key not in self.calls:
            self._note(name, arguments)
            self.calls[key] = Call(name, arguments, self.codec.encode(fetch()))
        return self._answered(self.calls[key])

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
            told = failure.message if isinstance(failure, errors.HybridRetrievalError) else "took too long"
            answers, error = (None,) * len(lacking), (type(failure).__name__, told, getattr(failure, "hint", ""))
        ms = round((time.perf_counter() - began) * 1000 / len(lacking), 3)
        for place, answer in zip(lacking, answers, strict=True):
            call = Call(name, arguments[place], self.codec.encode(answer), error, ms)
            self.calls[_key(name, arguments[place])] = call

    def _note(self, name: str, arguments: Any) -> BlockingPortal:
        """Whom to ask what is not recorded. Raises MissingCallError where there is nobody."""
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
        raise getattr(errors, kind)(message, hint)

    def _described(self, name: str, arguments: Any) -> str:
        text = ", ".join(f"{key}={_told(self.codec.decode(value))}" for key, value in sorted(arguments.items()))
        return f"{name}({text if len(text) <= _SHOWN else text[:_SHOWN] + '…'})"


async def _in_time(fetch: Callable[[list[int]], Awaitable[Sequence[Any]]], lacking: list[int]) -> Sequence[Any]:
    with anyio.fail_after(_PATIENCE):
        return await fetch(lacking)


def _key(name: str, arguments: Any) -> str:
    return f"{name} {canonical(arguments)}"


def _told(value: Any) -> str:
    """An argument for people: sets in order, vectors left out."""
    if isinstance(value, frozenset):
        return "{" + ", ".join(sorted(value)) + "}"
    vector = getattr(value, "vector", None)
    if hasattr(value, "using") and vector is not None:
        where = "".join(f", {c.key} in {list(c.any_of)[:5]}" for c in value.conditions)
        return f"{value.using or 'listing'} limit {value.limit}{where}"
    return repr(value)
