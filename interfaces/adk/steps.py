"""What a stage of a turn shows as it ends: how much it found, in which projects, and the best of it with its places."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from google.genai import types

if TYPE_CHECKING:
    from memory.observations import Location

__all__ = ["Finding", "Step", "is_step"]

BEST: Final = 3
_CHARS: Final = 100
_CONTENT: Final = frozenset({"read_as", "error"})  # what a trace does not show


@dataclass(frozen=True, slots=True)
class Finding:
    """A place and what it says, in one line."""

    place: str
    text: str

    @classmethod
    def of(cls, content: str, locations: Sequence[Location]) -> Finding:
        """The first place of an observation; '' where it has none."""
        at = locations[0] if locations else None
        text = " ".join(content.split())
        place = f"{at.project}/{at.path}:{at.start_line}-{at.end_line}" if at else ""
        return cls(place, text if len(text) <= _CHARS else f"{text[: _CHARS - 1]}…")

    def line(self) -> str:
        """For people, the text as code: `adk web` renders Markdown, in which `__init__` would lose its underscores."""
        ticks = "``" if "`" in self.text else "`"
        pad = " " if "`" in self.text else ""
        text = f"{ticks}{pad}{self.text}{pad}{ticks}"
        return f"{self.place}  {text}" if self.place else text


@dataclass(frozen=True, slots=True)
class Step:
    """How a stage ended.

    stage: its name; summary: what the session's state keeps of it; scope: the projects that it looked at or named;
    best: the best findings, best first; state: what else the session's state keeps.
    """

    stage: str
    summary: Mapping[str, Any]
    scope: tuple[str, ...] = ()
    best: tuple[Finding, ...] = ()
    state: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def best_of(cls, findings: Iterable[tuple[str, Sequence[Location]]]) -> tuple[Finding, ...]:
        """The first three of these contents and places."""
        return tuple(Finding.of(*one) for one, _ in zip(findings, range(BEST), strict=False))

    def content(self) -> types.Content:
        """The step as a thought: shown, and no part of the answer for whoever joins the texts of a turn."""
        return types.Content(role="model", parts=[types.Part(text=self.text(), thought=True)])

    def text(self) -> str:
        """The step for people; its lines end, since those of several stages are shown one after the other."""
        lines = [f"{self.stage}: {', '.join(self._words())}"]
        lines += [f"{number}. {finding.line()}" for number, finding in enumerate(self.best, 1)]
        return "".join(f"{line}\n" for line in lines)

    def attributes(self) -> dict[str, Any]:
        """The step for a trace: counts, names and places, no content."""
        named = {
            f"hybrid_retrieval.{key}": _plain(value)
            for key, value in self.summary.items()
            if value is not None and key not in _CONTENT
        }
        if self.scope:
            named["hybrid_retrieval.scope"] = list(self.scope)
        if self.best:
            named["hybrid_retrieval.best"] = [finding.place for finding in self.best if finding.place]
        return named

    def _words(self) -> Iterable[str]:
        summary = self.summary
        if "error" in summary:
            yield str(summary["error"]["message"])
            return
        if "types" in summary:
            yield " and ".join(summary["types"])
            yield from summary["entities"]
            if "read_as" in summary:
                yield f"read as: {summary['read_as']}"
        elif summary.get("status") not in {None, "ok", "answered"}:
            yield str(summary["status"])
        if "observations" in summary:
            yield f"{summary['observations']} findings" if summary["observations"] != 1 else "1 finding"
        if summary.get("conflicts"):
            yield f"{summary['conflicts']} conflicts"
        if self.scope:
            yield f"in {', '.join(self.scope)}"
        if summary.get("reason"):
            yield str(summary["reason"])


def is_step(content: types.Content | None) -> bool:
    """Whether it says nothing but how a stage ended."""
    return content is None or all(part.thought for part in content.parts or [])


def _plain(value: Any) -> Any:
    """A value as a span may bear it."""
    if isinstance(value, Mapping):
        return [f"{key}: {one}" for key, one in value.items()]
    return list(value) if isinstance(value, list | tuple) else value
