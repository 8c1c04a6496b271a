"""What synthesis hands back: the answer, its citations (docs/design.md#output), and the markers that it cites with.

Markers are built and parsed here (001 §6.2, docs/design.md#citations):

    [local:PATH:A-B]   [vector:PROJECT/PATH:A-B]   [graph:PROJECT/NAME]   [graph:PROJECT/NAME→PROJECT/NAME→…]

`]` inside is `%5D`, a control character is left out. An observation without lines has a marker without `:A-B`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, cast

from memory.observations import Location
from memory.text.output import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memory.observations import NormalizedObservation


UNSAID: Final = "the extractive answerer found no sentence that answers this"
"""The note on an answer that is none, though something was found: a language model may make more of it."""


MARKER = re.compile(r"\[(local|graph|vector):([^\]\n]+)\]")
_PLACE = re.compile(r"(?P<path>.+):(?P<first>[1-9]\d{0,8})(?:-(?P<last>[1-9]\d{0,8}))?")
_ARROW = re.compile(r"(?:(?<!\s)\s+)?(?:→|->)\s*")


@dataclass(frozen=True, slots=True)
class Citation:
    """One claim and the text that bears it.

    marker: as it is written in the answer; quote: text of the cited lines, white space apart; location: those lines,
    None for an observation without lines; located: the place exists, and says what is quoted; supported: it also says
    what is claimed (names, numbers, denials, the relation's type and direction); reason: why one of the two is missing,
    None when neither is; stale: the file on disk has changed since it was indexed, which says nothing against the
    citation.
    """

    marker: str
    observation_id: str
    claim: str
    quote: str
    location: Location | None
    located: bool = False
    supported: bool = False
    reason: str | None = "not checked"
    stale: bool = False

    @property
    def verified(self) -> bool:
        """Whether it is located and supported."""
        return self.located and self.supported


EXTRACTIVE: Final = "extractive"
"""The name of the answerer that writes without a language model."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The text with its markers, the citations behind them, who wrote it, and what it lacks.

    answerer: `extractive` or the model's name; tokens: those the model reported, 0 without one; notes: what went wrong
    on the way, such as a model that was late.
    """

    text: str
    citations: tuple[Citation, ...] = ()
    answerer: str = EXTRACTIVE
    missing: tuple[str, ...] = ()
    tokens: int = 0
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Marker:
    """A parsed marker: `text` as it is written, where it is, and what it says.

    path and lines are set for local and vector, `names` (the path's entities in order) for graph.
    """

    text: str
    start: int
    end: int
    kind: Literal["local", "graph", "vector"]
    path: str = ""
    lines: tuple[int, int] | None = None
    names: tuple[str, ...] = ()


def _escaped(text: str) -> str:
    return printable(text).replace("]", "%5D").replace("\n", " ")


def marker_kind(observation: NormalizedObservation) -> Literal["local", "graph", "vector"]:
    """What an observation is cited as: its kind, whichever agent found it; `vector` where it is none of the three."""
    kind = observation.kind if observation.kind in {"local", "graph"} else "vector"
    return cast('Literal["local", "graph", "vector"]', kind)


def lines_marker(observation: NormalizedObservation, location: Location | None) -> str:
    """The marker of a local or vector observation's lines; without a location, of the observation as a whole."""
    path = location.path if location else observed_path(observation)
    kind = "local" if marker_kind(observation) == "local" else "vector"
    if kind == "vector":
        project = location.project if location else observation.source_project
        path = f"{project}/{path}" if project and path else path or project or observation.id
    span = f":{location.start_line}-{location.end_line}" if location else ""
    return f"[{kind}:{_escaped(path)}{span}]"


def graph_marker(labels: Sequence[str]) -> str:
    """The marker of an entity, or of the path through several; labels are `PROJECT/NAME`."""
    return f"[graph:{_escaped('→'.join(labels))}]"


def observed_path(observation: NormalizedObservation) -> str:
    """The path of an observation: of its first location, else the one it names."""
    if observation.locations:
        return observation.locations[0].path
    if observation.kind == "local" and ":" in observation.source:
        return observation.source.split(":", 1)[1]
    path = observation.metadata.get("source_file") or observation.metadata.get("path") or ""
    return str(path)


def also_at(observation: NormalizedObservation) -> list[Location]:
    """The further places of an observation that several were folded into (`metadata.also`: rows with `start_line` and
    `end_line`, and with `project` and `path` where they are in another file).
    """
    also = observation.metadata.get("also")
    if not observation.locations or not isinstance(also, list | tuple):
        return []
    at = observation.locations[0]
    rows = [row for row in also if isinstance(row, Mapping) and row.get("start_line") and row.get("end_line")]
    return [
        Location(
            str(row.get("project") or at.project),
            str(row.get("path") or at.path),
            int(row["start_line"]),
            int(row["end_line"]),
        )
        for row in rows
    ]


def parse_markers(text: str) -> list[Marker]:
    """Every marker in the text, in order; a model's `->` for `→` and a single line for a range are understood."""
    found = []
    for match in MARKER.finditer(text):
        kind = cast('Literal["local", "graph", "vector"]', match[1])
        body = match[2].replace("%5D", "]").strip()
        if kind == "graph":
            names = tuple(name for name in _ARROW.split(body) if name)
            found.append(Marker(match[0], match.start(), match.end(), kind, names=names))
            continue
        found.append(Marker(match[0], match.start(), match.end(), kind, *parse_place(body)))
    return found


def parse_place(text: str) -> tuple[str, tuple[int, int] | None]:
    """The path of PATH:FIRST-LAST or PATH:LINE, and its lines; the whole text, and None, where it names no lines."""
    place = _PLACE.fullmatch(text)
    if place is None:
        return text, None
    return place["path"], (int(place["first"]), int(place["last"] or place["first"]))
