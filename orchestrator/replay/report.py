"""What a replay of several scenarios found, as text, JSON and JUnit XML."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from xml.etree import ElementTree as ET

from orchestrator.replay.codec import canonical
from orchestrator.replay.differences import Differences

__all__ = ["Replayed", "junit", "report", "sha256"]


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
    live: tuple[str, ...] = field(default=())

    @property
    def passed(self) -> bool:
        """The expectations hold, and the recording where nothing was changed."""
        return not self.unmet and (self.what_if or not self.differences)

    def to_dict(self) -> dict[str, Any]:
        """One of `scenarios` in the JSON."""
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
        """For people."""
        told = [f"{'ok  ' if self.passed else 'FAIL'} {self.id}  {self.result['status']}"]
        told[0] += f"  {self.result['metrics']['total_time_ms']:.1f} ms"
        told += [f"     expected: {one}" for one in self.unmet]
        if self.differences:
            against = "as recorded -> what if" if self.what_if else "as recorded -> now"
            told += [f"     {against}", *(f"       {line}" for line in self.differences.lines())]
        return told + [f"     live, since the recording lacks it: {call}" for call in self.live]


def report(replayed: Sequence[Replayed]) -> dict[str, Any]:
    """The JSON document of a replay."""
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
