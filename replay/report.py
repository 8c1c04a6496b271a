"""What a replay of several scenarios found, as text, JSON and JUnit XML; and results that were printed, read again.

What differs between two results: ranking, citations, coverage, conflicts, the answer, time; and anything else.
"""

from __future__ import annotations

import difflib
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree as ET

from memory.documents import read_json_file
from memory.errors import InvalidInputError
from replay.codec import canonical

_MOST: Final = 20
_COMPARED: Final = ("status", "answer", "coverage", "scope", "observations", "citations", "conflicts", "metrics")


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
            "status": list(_changed("", self.before["status"], self.after["status"])),
            "ranking": list(self._ranking()),
            "citations": list(_sets(_cited(self.before), _cited(self.after))),
            "coverage": list(self._coverage()),
            "scope": list(self._scope()),
            "conflicts": list(_sets(_disputed(self.before), _disputed(self.after))),
            "answer": list(self._answer()),
            "time": list(self._time()),
        }
        hidden = () if self and not any(found.values()) else _COMPARED  # what none of the others looks at
        rest = [{k: v for k, v in one.items() if k not in hidden} for one in (self.before, self.after)]
        found["other"] = list(islice(_walk(rest[0], rest[1], ""), _MOST))
        return {name: lines for name, lines in found.items() if lines}

    def lines(self) -> list[str]:
        return [line for name, listed in self.to_dict().items() for line in (name, *(f"  {one}" for one in listed))]

    def _ranking(self) -> Iterator[str]:
        before, after = _ranks(self.before), _ranks(self.after)
        for id_, (rank, place) in after.items():
            if id_ not in before:
                yield f"+ {rank:>2}. {place} ({id_})"
            elif before[id_][0] != rank:
                yield f"~ {rank:>2}. {place}, was {before[id_][0]}."
        yield from (f"- {rank:>2}. {place} ({id_})" for id_, (rank, place) in before.items() if id_ not in after)

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

    def _answer(self) -> Iterator[str]:
        texts = (self.before["answer"]["text"].splitlines(), self.after["answer"]["text"].splitlines())
        lines = difflib.unified_diff(*texts, lineterm="", n=0)
        yield from islice((line for line in lines if not line.startswith(("---", "+++", "@@"))), _MOST)

    def _time(self) -> Iterator[str]:
        before, after = self.before["metrics"], self.after["metrics"]
        for key in before:
            if key.endswith("_ms") and before[key] != after.get(key):
                yield f"{key.removesuffix('_ms')} {before[key]:.1f} -> {after[key]:.1f} ms"


def _ranks(result: Mapping[str, Any]) -> dict[str, tuple[int, str]]:
    return {o["id"]: (o["rank"], _place(o)) for o in result["observations"]}


def _place(observation: Mapping[str, Any]) -> str:
    if not observation["locations"]:
        return str(observation["source"])
    at = observation["locations"][0]
    return f"{observation['agent']} {at['project']}/{at['path']}:{at['start_line']}-{at['end_line']}"


def _cited(result: Mapping[str, Any]) -> list[str]:
    return [
        c["marker"] + ("" if c["verified"] else f" not {'supported' if c['located'] else 'verified'}: {c['reason']}")
        for c in result["citations"]
    ]


def _disputed(result: Mapping[str, Any]) -> list[str]:
    return [
        f"{c['conflict_type']} {c['subject']}, {c['property']}: {c['resolution_strategy']}, {c['winner'] or 'neither'} won"  # noqa: E501 - text that is read whole
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


def sha256(result: Any) -> str:
    """Of a result's one JSON text: what a golden file holds."""
    return hashlib.sha256(canonical(result).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Replayed:
    """One scenario's replay.

    unmet: expectations that do not hold; differences: from the recording; what_if: something was changed on purpose, so
    that the differences are what was asked for and no failure; live: calls that went to the index.
    """

    id: str
    result: dict[str, Any]
    unmet: tuple[str, ...]
    differences: Differences
    what_if: bool = False
    live: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """The expectations hold, and the recording where nothing was changed."""
        return not self.unmet and (self.what_if or not self.differences)

    def to_dict(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "passed": self.passed,
            "unmet": list(self.unmet),
            "changes": self.differences.to_dict(),
            "live": list(self.live),
            "sha256": sha256(self.result),
            "result": self.result,
        }

    def lines(self) -> list[str]:
        rows = [f"{'ok  ' if self.passed else 'FAIL'} {self.id}  {self.result['status']}"]
        rows[0] += f"  {self.result['metrics']['total_time_ms']:.1f} ms"
        rows += [f"     expected: {one}" for one in self.unmet]
        if self.differences:
            against = "as recorded -> what if" if self.what_if else "as recorded -> now"
            rows += [f"     {against}", *(f"       {line}" for line in self.differences.lines())]
        return rows + [f"     live, since the recording lacks it: {call}" for call in self.live]


def report(replayed: Sequence[Replayed]) -> dict[str, Any]:
    return {
        "schema_version": "1",
        "passed": all(one.passed for one in replayed),
        "scenarios": [one.to_dict() for one in replayed],
    }


def junit(replayed: Sequence[Replayed]) -> str:
    """The same as JUnit XML: one test case a scenario, its time the virtual one."""
    failed = sum(not one.passed for one in replayed)
    seconds = [one.result["metrics"]["total_time_ms"] / 1000 for one in replayed]
    suite = ET.Element(
        "testsuite", name="replay", tests=str(len(replayed)), failures=str(failed), time=f"{sum(seconds):.3f}"
    )
    for one, took in zip(replayed, seconds, strict=True):
        case = ET.SubElement(suite, "testcase", classname="scenarios", name=one.id, time=f"{took:.3f}")
        if not one.passed:
            first = one.unmet[0] if one.unmet else "differs from the recording"
            ET.SubElement(case, "failure", message=_legal(first)).text = _legal("\n".join(one.lines()))
    ET.indent(suite)
    return ET.tostring(suite, encoding="unicode", xml_declaration=False) + "\n"


def _legal(text: str) -> str:
    """Without the characters that XML cannot carry."""
    return "".join(c for c in text if c in "\t\n" or (c >= " " and c not in "\ufffe\uffff"))


@contextmanager
def reading(*files: Path, hint: str = "Give what `ask --json` printed.") -> Iterator[None]:
    """For who looks into the results of these files. Raises InvalidInputError, with this hint, where one lacks what
    every result has.
    """
    try:
        yield
    except (LookupError, TypeError, ValueError, AttributeError):
        names = " or ".join(map(str, files))
        raise InvalidInputError(f"{names} is no whole result.", hint) from None


def read_result(file: Path) -> Any:
    """The JSON of a result, as `ask --json` or `replay --json` of one scenario printed it. Raises InvalidInputError."""
    document = read_json_file(file, hint="Give a result's JSON.")
    match document:
        case {"scenarios": [{"result": result}]}:
            document = result
    if not isinstance(document, dict) or not {"observations", "citations", "metrics"} <= document.keys():
        raise InvalidInputError(f"{file} is no result.", "Give what `ask --json` printed.")
    return document
