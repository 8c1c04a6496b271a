"""`hybrid-retrieval why RESULT.json OBSERVATION_ID`: why an observation has its place in a result, or has none: its way
through the stages, from the result alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from interfaces.cli.options import Door, common_options
from memory.errors import InvalidInputError


@click.command("why")
@common_options
@click.argument("result", metavar="RESULT.json", type=click.Path(path_type=Path))
@click.argument("observation_id")
def command(door: Door, *, result: Path, observation_id: str) -> int:
    """Say which stage kept or dropped an observation of a result, as `ask --json` printed it."""
    import replay as replaying  # noqa: PLC0415 - not needed for --help

    document = replaying.read_result(result)
    with replaying.reading(result):
        found = why(document, observation_id)
    door.show(found.to_dict(), lambda: "\n".join(found.lines()))
    return 0


@dataclass(frozen=True, slots=True)
class Why:
    """One observation's way: whether it is shown, the stage that decided it, and what happened at each stage."""

    id: str
    kept: bool
    stage: str
    stages: tuple[tuple[str, str], ...]

    def to_dict(self) -> dict[str, Any]:
        return {
            "schema_version": "1",
            "id": self.id,
            "kept": self.kept,
            "stage": self.stage,
            "stages": [{"stage": stage, "what": what} for stage, what in self.stages],
        }

    def lines(self) -> list[str]:
        verdict = f"{self.id} was {'kept' if self.kept else 'dropped'} by: {self.stage}"
        return [verdict, *(f"  {stage:<12} {what}" for stage, what in self.stages)]


def why(result: Mapping[str, Any], id_: str) -> Why:
    """Of the observation with this id, in the JSON of a result. Raises InvalidInputError when the result knows none."""
    for observation in result["observations"]:
        if observation["id"] == id_:
            stages = tuple(_kept(result, observation))
            return Why(id_, kept=True, stage=stages[-1][0], stages=stages)
    for dropped in result["metrics"].get("dropped", ()):
        if dropped["id"] == id_:
            stages = tuple(_dropped(result, dropped))
            return Why(id_, kept=False, stage=dropped["stage"], stages=stages)
    known = [o["id"] for o in (*result["observations"], *result["metrics"].get("dropped", ()))]
    raise InvalidInputError(
        f"No agent reported {id_} for this question.", f"Reported were: {', '.join(known) or 'none'}."
    )


def _kept(result: Mapping[str, Any], observation: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    places = ", ".join(_place(at) for at in observation["locations"]) or observation["source"]
    yield "found", f"by {observation['agent']} at {places}, confidence {observation['confidence']:.2f}"
    copies = [f"{d['source']} {_place(d['location'])}, {d['similarity']:.2f} alike" for d in observation["duplicates"]]
    also = observation["corroborated_by"]
    agreed = f"; {', '.join(also)} agree" if also else ""
    yield "deduplicate", (f"kept for {'; '.join(copies)}" if copies else "nothing else says the same") + agreed
    yield from _disputes(result, observation["id"])
    yield "rank", f"place {observation['rank']} of {len(result['observations'])}, score {observation['score']:.3f}"
    folded = observation["metadata"].get("also", ())
    yield "limits", f"shown, with {len(folded)} more hits in its file" if folded else "shown"
    cited = [c for c in result["citations"] if c["observation_id"] == observation["id"]]
    held = sum(c["verified"] for c in cited)
    yield (
        "answer",
        f"cited {len(cited)} times, {held} verified" if cited else "not cited: others say it, or say it first",
    )


def _dropped(result: Mapping[str, Any], dropped: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield "found", f"by {dropped['agent']}" + (f" at {_place(dropped['location'])}" if dropped["location"] else "")
    keeper = next((o for o in result["observations"] if o["id"] == dropped["into"]), None)
    into = f"{dropped['into']}, place {keeper['rank']}" if keeper else dropped["into"]
    if dropped["stage"] == "deduplicate":
        yield "deduplicate", f"says what {into or 'another'} says, which was kept for it"
        return
    yield "deduplicate", "nothing else says the same"
    yield from _disputes(result, dropped["id"])
    yield "limits", f"folded into {into}, the best of its file" if into else "ranked below the last that is shown"


def _disputes(result: Mapping[str, Any], id_: str) -> Iterator[tuple[str, str]]:
    for conflict in result["conflicts"]:
        if id_ == conflict["winner"]:
            yield "conflicts", f"won over {', '.join(conflict['losers'])}: {conflict['reason']}"
        elif id_ in conflict["losers"]:
            against = f"lost to {conflict['winner']}" if conflict["winner"] else "shown beside the other"
            yield "conflicts", f"{against}: {conflict['reason']}"


def _place(at: Mapping[str, Any] | None) -> str:
    return f"{at['project']}/{at['path']}:{at['start_line']}-{at['end_line']}" if at else ""
