"""What a scenario expects of its result, and where the result falls short."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Self, get_args

from configs import AGENTS
from memory.errors import InvalidInputError
from orchestrator.specs import OutcomeStatus

_STATUS = get_args(OutcomeStatus)
_ANSWER = ("answered", "partial", "not_found")


@dataclass(frozen=True, slots=True)
class Expectations:
    """Each is checked where it is given; lists of names are sets.

    status: how each agent ended, and `answer` the whole; scope: the projects the graph named; contains, absent: texts
    of the answer, of what it says it lacks, or of `PROJECT/PATH` of what was found; citations: files `PROJECT/PATH`
    that a verified citation is in, or how many verified ones there are at least; conflicts: TYPE or TYPE/STRATEGY of
    those that there must be, or how many there are; max_ms: of the whole question.
    """

    query_types: tuple[str, ...] | None = None
    paths: tuple[str, ...] | None = None
    status: Mapping[str, str] = field(default_factory=dict)
    scope: tuple[str, ...] | None = None
    contains: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    citations: tuple[str, ...] | int = 0
    conflicts: tuple[str, ...] | int | None = None
    max_ms: float | None = None

    @classmethod
    def read(cls, given: Mapping[str, Any]) -> Self:
        """From a scenario's `expect`. Raises InvalidInputError for a value of the wrong kind."""
        values: dict[str, Any] = {}
        for name, value in given.items():
            if name == "status":
                values[name] = _statuses(value)
            elif name == "max_ms" or (name in {"citations", "conflicts"} and not isinstance(value, list)):
                values[name] = _number(name, value)
            else:
                values[name] = _texts(name, value)
        return cls(**values)

    def unmet(self, result: Mapping[str, Any]) -> list[str]:
        """A line for each expectation that the result's JSON does not meet."""
        return list(self._unmet(result))

    def _unmet(self, result: Mapping[str, Any]) -> Iterator[str]:
        classification = result["classification"]
        yield from _set("query_types", self.query_types, classification["query_types"])
        yield from _set("paths", self.paths, classification["paths"])
        ended = {agent["agent"]: agent["status"] for agent in result["coverage"]["agents"]}
        ended["answer"] = result["status"]
        for name, status in self.status.items():
            if ended.get(name) != status:
                yield f"status: {name} ended {ended.get(name)}, expected {status}"
        yield from _set("scope", self.scope, [one["project"] for one in result["scope"]["projects"]])
        shown = "\n".join(_shown(result))
        yield from (f"contains: {text!r} is nowhere" for text in self.contains if text not in shown)
        yield from (f"absent: {text!r} is there" for text in self.absent if text in shown)
        yield from self._citations(result)
        yield from self._conflicts(result)
        took = result["metrics"]["total_time_ms"]
        if self.max_ms is not None and took > self.max_ms:
            yield f"max_ms: it took {took:g} ms, expected at most {self.max_ms:g}"

    def _citations(self, result: Mapping[str, Any]) -> Iterator[str]:
        verified = [c["location"] for c in result["citations"] if c["verified"] and c["location"]]
        if isinstance(self.citations, int):
            if len(verified) < self.citations:
                yield f"citations: {len(verified)} are verified, expected at least {self.citations}"
            return
        cited = {f"{at['project']}/{at['path']}" for at in verified}
        yield from (f"citations: {place} is not cited" for place in self.citations if place not in cited)

    def _conflicts(self, result: Mapping[str, Any]) -> Iterator[str]:
        found = [f"{c['conflict_type']}/{c['resolution_strategy']}" for c in result["conflicts"]]
        if isinstance(self.conflicts, int):
            if len(found) != self.conflicts:
                yield f"conflicts: there are {len(found)}, expected {self.conflicts}"
            return
        for wanted in self.conflicts or ():
            if not any(wanted in {one, one.partition("/")[0]} for one in found):
                yield f"conflicts: {_named(sorted(found))}, expected {wanted}"


def _shown(result: Mapping[str, Any]) -> Iterator[str]:
    yield result["answer"]["text"]
    yield from result["answer"]["missing"]
    for observation in result["observations"]:
        yield from (f"{at['project']}/{at['path']}" for at in observation["locations"])


def _set(name: str, expected: Iterable[str] | None, found: Iterable[str]) -> Iterator[str]:
    if expected is not None and set(expected) != set(found):
        yield f"{name}: {_named(sorted(found))}, expected {_named(sorted(expected))}"


def _named(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"


def _texts(name: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InvalidInputError(f"{name} is {value!r}.", "Give a list of texts.")
    return tuple(value)


def _number(name: str, value: Any) -> float:
    whole = name != "max_ms"
    if isinstance(value, bool) or not isinstance(value, int if whole else int | float) or value < 0:
        raise InvalidInputError(f"{name} is {value!r}.", "Give a number from 0" + (", or a list." if whole else "."))
    return value


def _statuses(value: Any) -> dict[str, str]:
    if not isinstance(value, Mapping):
        raise InvalidInputError(f"status is {value!r}.", "Write AGENT: STATUS lines.")
    for name, status in value.items():
        known = _ANSWER if name == "answer" else _STATUS
        if name not in {*AGENTS, "answer"} or status not in known:
            raise InvalidInputError(
                f"status.{name} is {status!r}.",
                f"For local, graph and vector one of {', '.join(_STATUS)}; for answer one of {', '.join(_ANSWER)}.",
            )
    return dict(value)
