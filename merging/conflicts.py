"""Which observations contradict each other (001 §5.4, docs/design.md#conflicts); everything else is variation.

factual: different values for the same subject and property in the same project; temporal: the same lines of a file at
different times, or sections of one heading that state different dates; scope: one claims for all projects what another
limits to one. What states a value is a rule's business (`merging.claims`). Observations that are no belief candidates
are left out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import combinations
from operator import attrgetter
from typing import Any, Final, Literal

from memory.observations import Location, NormalizedObservation
from merging.agreement import line_overlap, overlaps
from merging.claims import EVERYONE, REACH, Claim, read_claims, stated_time, time_of
from merging.normalise import identified

ConflictType = Literal["factual", "temporal", "scope"]
Strategy = Literal["latest_wins", "source_priority", "highest_confidence", "ask_user", "include_both"]

DEFAULT_STRATEGIES: Final[dict[ConflictType, Strategy]] = {
    "temporal": "latest_wins",
    "factual": "source_priority",
    "scope": "include_both",
}


@dataclass(frozen=True, slots=True)
class Conflict:
    """001 §5.4's conflict, and what it is about.

    `values[i]` is what `observations[i]` states. `winner` and `losers` are ids, empty where both are kept as equals;
    `question` is what to ask the user when `needs_user`. `source_priority` is the specification's order for facts.
    `project` is the one that the values are stated of, where that is known; `places` is by an observation's id where in
    it the value stands, where that is told.
    """

    observations: tuple[NormalizedObservation, ...]
    conflict_type: ConflictType
    resolution_strategy: Strategy
    subject: str = ""
    property: str = ""
    values: tuple[str, ...] = ()
    winner: str | None = None
    losers: tuple[str, ...] = ()
    needs_user: bool = False
    question: str = ""
    reason: str = ""
    project: str = ""
    places: Mapping[str, str] = field(default_factory=dict)

    def place_of(self, observation: NormalizedObservation) -> str:
        """Where one of its observations says so."""
        return self.places.get(observation.id) or place_of(observation)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready (docs/design.md#output): the observations by id, each with what it states."""
        return {
            "conflict_type": self.conflict_type,
            "subject": self.subject,
            "property": self.property,
            "winner": self.winner,
            "losers": list(self.losers),
            "resolution_strategy": self.resolution_strategy,
            "reason": self.reason,
            "values": {o.id: value for o, value in zip(self.observations, self.values, strict=True)},
            "needs_user": self.needs_user,
            "question": self.question,
        }


def detect_conflicts(observations: Iterable[NormalizedObservation]) -> list[Conflict]:
    """All conflicts, in an order of their own: by type, subject and property."""
    beliefs = [o for o in identified(observations) if o.is_belief_candidate]
    temporal = list(_temporal(beliefs))
    explained = [{o.id for o in conflict.observations} for conflict in temporal]
    stated = [c for c in _stated(beliefs) if not any({o.id for o in c.observations} <= ids for ids in explained)]
    return sorted([*temporal, *stated], key=lambda c: (c.conflict_type, c.subject, c.property, c.values))


def place_of(observation: NormalizedObservation, claim: Claim | None = None) -> str:
    """`PROJECT/PATH:A-B`, or as much of it as is known; of several places the first that has the claim's lines, or
    is in its project.
    """
    if observation.locations:
        places = observation.locations
        if claim is not None:
            own = [at for at in places if claim.where is not None and overlaps(at, claim.where)]
            places = (*own, *(at for at in places if at.project == claim.project), *places)
        at = places[0]
        return f"{at.project}/{at.path}:{at.start_line}-{at.end_line}"
    file = observation.metadata.get("source_file")
    return f"{observation.source_project or ''}/{file}".lstrip("/") if file else observation.source


def _stated(beliefs: Sequence[NormalizedObservation]) -> Iterator[Conflict]:
    about: dict[tuple[str, str, str, str], list[tuple[NormalizedObservation, Claim]]] = defaultdict(list)
    for observation in sorted(beliefs, key=attrgetter("id")):
        for claim in read_claims(observation):
            about[claim.key()].append((observation, claim))
    for (project, _, subject, prop), stated in about.items():
        if len(stated) < 2:
            continue
        settled = _without_unclear_files(_text_before_summary(stated))
        values = {claim.value for _, claim in settled}
        if len(values) < 2 or (prop == REACH and EVERYONE not in values):
            continue
        conflict_type: ConflictType = "scope" if prop == REACH else "factual"
        yield Conflict(
            observations=tuple(observation for observation, _ in settled),
            conflict_type=conflict_type,
            resolution_strategy=DEFAULT_STRATEGIES[conflict_type],
            subject=f"{project}/{subject}" if project else subject,
            property=prop,
            values=tuple(claim.value for _, claim in settled),
            project=project,
            places={observation.id: place_of(observation, claim) for observation, claim in settled},
        )


def _text_before_summary(
    stated: Sequence[tuple[NormalizedObservation, Claim]],
) -> list[tuple[NormalizedObservation, Claim]]:
    """A graph's summary says what its lines say: where these were found too, they have the word."""
    texts = [claim for observation, claim in stated if observation.kind != "graph"]

    def settle(observation: NormalizedObservation, claim: Claim) -> Claim:
        if observation.kind == "graph" and claim.where is not None:
            for text in texts:
                if text.where is not None and overlaps(text.where, claim.where):
                    return replace(claim, value=text.value)
        return claim

    return [(observation, settle(observation, claim)) for observation, claim in stated]


def _without_unclear_files(
    stated: Sequence[tuple[NormalizedObservation, Claim]],
) -> list[tuple[NormalizedObservation, Claim]]:
    """A file with two values on different lines (several documents, several schemas) does not contradict itself.

    Which of them holds is not for us to say, so it has no word against other files either.
    """
    unclear = {
        _file(one.where)
        for (_, one), (_, other) in combinations(stated, 2)
        if one.where and other.where and one.value != other.value
        if _file(one.where) == _file(other.where) and not overlaps(one.where, other.where)
    }
    return [(o, claim) for o, claim in stated if claim.where is None or _file(claim.where) not in unclear]


def _file(where: Location) -> tuple[str, str]:
    return where.project, where.path


def _temporal(beliefs: Sequence[NormalizedObservation]) -> Iterator[Conflict]:
    files: dict[tuple[str, str], list[NormalizedObservation]] = defaultdict(list)
    for observation in beliefs:
        if observation.kind != "graph":
            files[file_of(observation) or ("", observation.source)].append(observation)
    several = [found for found in files.values() if len(found) > 1 and len({o.content_hash for o in found}) > 1]
    for found in sorted(several, key=lambda found: min(o.id for o in found)):
        timed = [(time, o) for o in found if (time := time_of(o)) is not None]
        timed.sort(key=lambda pair: (-pair[0], pair[1].id))
        taken: set[str] = set()
        for newest, observation in timed:
            if observation.id in taken:
                continue
            older = [
                (time, other)
                for time, other in timed
                if time < newest and other.id not in taken and _rewritten(observation, other)
            ]
            if older:
                equals = [
                    (time, o)
                    for time, o in timed
                    if time == newest and o.id not in taken and (_rewritten(observation, o) or _is_copy(observation, o))
                ]
                taken.update(other.id for _, other in [*equals, *older])
                yield _at_times([(newest, observation), *equals, *older])


def file_of(observation: NormalizedObservation) -> tuple[str, str] | None:
    """Project and path of the file that a text was read from;
    None for what the graph says, and where no file is known.
    """
    if observation.kind == "graph":
        return None
    if observation.locations:
        return observation.locations[0].project, observation.locations[0].path
    path = observation.metadata.get("source_file")
    return (observation.source_project or "", str(path)) if path else None


def _at_times(versions: Sequence[tuple[float, NormalizedObservation]]) -> Conflict:
    newest = versions[0][1]
    section = str(newest.metadata.get("section") or "")
    places = {place_of(o) for _, o in versions}
    return Conflict(
        observations=tuple(o for _, o in versions),
        conflict_type="temporal",
        resolution_strategy=DEFAULT_STRATEGIES["temporal"],
        subject=place_of(newest).rpartition(":")[0] if len(places) > 1 else place_of(newest),
        property=section or "text",
        values=tuple(_day(time) for time, _ in versions),
    )


def _day(seconds: float) -> str:
    """`2024-05-01`, with the time of day where there is one."""
    return datetime.fromtimestamp(seconds, UTC).isoformat().removesuffix("T00:00:00+00:00")


def _rewritten(one: NormalizedObservation, other: NormalizedObservation) -> bool:
    """Whether two hits of one file are the same place with another text, or two dated sections of one heading.

    A piece of the other's lines was cut otherwise, unless both are of the same lines.
    """
    if one.content_hash == other.content_hash:
        return False
    section = one.metadata.get("section")
    same_section = bool(section) and section == other.metadata.get("section")
    differs = same_section
    if one.locations and other.locations:
        first, second = one.locations[0], other.locations[0]
        if first == second:
            return True
        if line_overlap(first, second) == 0:  # a long section's pieces do not each state a date
            differs = same_section and stated_time(one) is not None and stated_time(other) is not None
        else:
            differs = overlaps(first, second) and (
                _shared_lines(one, first, second) != _shared_lines(other, second, first)
            )
    if not differs:
        return False
    here, there = ("\n".join(["", *filter(None, _lines(o)), ""]) for o in (one, other))
    return here not in there and there not in here


def _is_copy(one: NormalizedObservation, other: NormalizedObservation) -> bool:
    """Whether another has the same text: it takes the same side, so that they are still merged."""
    return one.id != other.id and one.content_hash == other.content_hash


def _shared_lines(observation: NormalizedObservation, own: Location, other: Location) -> list[str]:
    start = max(own.start_line, other.start_line)
    end = min(own.end_line, other.end_line)
    return _lines(observation)[start - own.start_line : end - own.start_line + 1]


def _lines(observation: NormalizedObservation) -> list[str]:
    return [" ".join(line.split()) for line in observation.content.splitlines()]
