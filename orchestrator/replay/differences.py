"""What differs between two results: ranking, citations, coverage, conflicts, the answer, time; and anything else."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

__all__ = ["Differences"]

_MOST: Final = 20
_TOLD: Final = ("status", "answer", "coverage", "scope", "observations", "citations", "conflicts", "metrics")


@dataclass(frozen=True, slots=True)
class Differences:
    """Between the JSON of one result and another's; false when they are equal."""

    before: Mapping[str, Any]
    after: Mapping[str, Any]

    def __bool__(self) -> bool:
        return self.before != self.after

    def to_dict(self) -> dict[str, list[str]]:
        """Lines by what they are about; what is equal is left out."""
        found = {
            "status": list(self._status()),
            "ranking": list(self._ranking()),
            "citations": list(self._citations()),
            "coverage": list(self._coverage()),
            "scope": list(self._scope()),
            "conflicts": list(self._conflicts()),
            "answer": list(self._answer()),
            "time": list(self._time()),
        }
        found["other"] = list(self._other()) if self and not any(found.values()) else list(self._beside())
        return {name: lines for name, lines in found.items() if lines}

    def lines(self) -> list[str]:
        """The same for people."""
        return [line for name, told in self.to_dict().items() for line in (name, *(f"  {one}" for one in told))]

    def _status(self) -> Iterator[str]:
        yield from _changed("", self.before["status"], self.after["status"])

    def _ranking(self) -> Iterator[str]:
        before, after = _ranks(self.before), _ranks(self.after)
        for id_, (rank, place) in after.items():
            if id_ not in before:
                yield f"+ {rank:>2}. {place} ({id_})"
            elif before[id_][0] != rank:
                yield f"~ {rank:>2}. {place}, was {before[id_][0]}."
        yield from (f"- {rank:>2}. {place} ({id_})" for id_, (rank, place) in before.items() if id_ not in after)

    def _citations(self) -> Iterator[str]:
        yield from _sets(_cited(self.before), _cited(self.after))

    def _coverage(self) -> Iterator[str]:
        before = {agent["agent"]: agent for agent in self.before["coverage"]["agents"]}
        for agent in self.after["coverage"]["agents"]:
            was = before.get(agent["agent"], {})
            for key in ("role", "status", "observations", "reason"):
                yield from _changed(f"{agent['agent']} {key}", was.get(key), agent[key])
        yield from _sets(self.before["answer"]["missing"], self.after["answer"]["missing"])

    def _scope(self) -> Iterator[str]:
        before, after = self.before["scope"], self.after["scope"]
        for key in ("mode", "strength"):
            yield from _changed(key, before[key], after[key])
        yield from _sets([p["project"] for p in before["projects"]], [p["project"] for p in after["projects"]])
        yield from _changed("widened by", ", ".join(before["widened_by"]), ", ".join(after["widened_by"]))

    def _conflicts(self) -> Iterator[str]:
        yield from _sets(_disputed(self.before), _disputed(self.after))

    def _answer(self) -> Iterator[str]:
        texts = (self.before["answer"]["text"].splitlines(), self.after["answer"]["text"].splitlines())
        lines = difflib.unified_diff(*texts, lineterm="", n=0)
        yield from islice((line for line in lines if not line.startswith(("---", "+++", "@@"))), _MOST)

    def _time(self) -> Iterator[str]:
        before, after = self.before["metrics"], self.after["metrics"]
        for key in before:
            if key.endswith("_ms") and before[key] != after.get(key):
                yield f"{key.removesuffix('_ms')} {before[key]:.1f} -> {after[key]:.1f} ms"

    def _beside(self) -> Iterator[str]:
        """Keys of a result that none of the others looks at."""
        rest = [{key: value for key, value in one.items() if key not in _TOLD} for one in (self.before, self.after)]
        yield from islice(_walk(rest[0], rest[1], ""), _MOST)

    def _other(self) -> Iterator[str]:
        yield from islice(_walk(self.before, self.after, ""), _MOST)


def _ranks(result: Mapping[str, Any]) -> dict[str, tuple[int, str]]:
    return {o["id"]: (o["rank"], _place(o)) for o in result["observations"]}


def _place(observation: Mapping[str, Any]) -> str:
    if not observation["locations"]:
        return str(observation["source"])
    at = observation["locations"][0]
    return f"{observation['agent']} {at['project']}/{at['path']}:{at['start_line']}-{at['end_line']}"


def _cited(result: Mapping[str, Any]) -> list[str]:
    return [c["marker"] + ("" if c["verified"] else f" not verified: {c['reason']}") for c in result["citations"]]


def _disputed(result: Mapping[str, Any]) -> list[str]:
    return [
        f"{c['conflict_type']} {c['subject']}, {c['property']}: {c['resolution_strategy']}, {c['winner'] or 'nobody'} won"
        for c in result["conflicts"]
    ]


def _changed(name: str, before: object, after: object) -> Iterator[str]:
    if before != after:
        yield f"{name} {before} -> {after}".strip()


def _sets(before: list[str], after: list[str]) -> Iterator[str]:
    yield from (f"+ {one}" for one in dict.fromkeys(after) if one not in before)
    yield from (f"- {one}" for one in dict.fromkeys(before) if one not in after)


def _walk(before: Any, after: Any, at: str) -> Iterator[str]:
    """Where two JSON values differ, and how."""
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in dict.fromkeys([*before, *after]):
            yield from _walk(before.get(key), after.get(key), f"{at}.{key}" if at else str(key))
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for place, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from _walk(one, other, f"{at}[{place}]")
    elif before != after:
        yield f"{at}: {_short(before)} -> {_short(after)}"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 100 else text[:100] + "…"
