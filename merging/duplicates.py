"""One observation a statement (001 §5.2, design §4): the best is kept, the others become its duplicates.

Duplicates are texts that are equal but for white space (across projects too), the same lines of one file whoever found
them, and, inside one project, what is nearly the same. Sections of instruction files are merged with the same lines
alone. What contradicts is never merged. Candidates are compared with what is kept, best first, in an order that does
not depend on arrival.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from memory.observations import Duplicate, NormalizedObservation
from merging.conflicts import detect_conflicts
from merging.corroboration import independent_sources
from merging.normalise import identified, kind
from merging.similarity import Likeness, likeness, overlaps

__all__ = ["INSTRUCTION_FILES", "deduplicate_observations", "file_of", "is_instruction"]

INSTRUCTION_FILES = frozenset({"CLAUDE.md", "AGENTS.md"})


def deduplicate_observations(
    observations: Iterable[NormalizedObservation], similarity_threshold: float = 0.85
) -> list[NormalizedObservation]:
    """The observations that are kept, highest confidence first (ties by id), with `duplicates` and `corroborated_by`.

    similarity_threshold is the cosine's, inclusive; texts without vectors of one model are near duplicates from a
    Jaccard similarity of 0.8. `confidence` is left alone: agreement enters the ranking, once.
    """
    ordered = _in_order(observations)
    if not ordered:
        return []
    alike = likeness(ordered, similarity_threshold)
    same = _candidates(ordered, alike)
    free = np.ones(len(ordered), dtype=np.bool_)
    kept = []
    for row, observation in enumerate(ordered):
        if not free[row]:
            continue
        free[row] = False
        copies = [
            other for other in np.flatnonzero(same[row] & free).tolist() if not _contradict(observation, ordered[other])
        ]
        free[copies] = False
        near = [ordered[other] for other in np.flatnonzero(alike.near[row]).tolist()]
        agreeing = [other for other in near if not _contradict(observation, other)]
        corroborated = (
            replace(observation, corroborated_by=independent_sources(observation, agreeing))
            if agreeing
            else observation
        )
        kept.append(_folded(corroborated, [(ordered[o], _similarity(alike, ordered, row, o)) for o in copies]))
    return kept


def file_of(observation: NormalizedObservation) -> tuple[str, str] | None:
    """Project and path of the file that a text was read from; None for what the graph says, and where no file is known."""
    if kind(observation) == "graph":
        return None
    if observation.locations:
        return observation.locations[0].project, observation.locations[0].path
    path = observation.metadata.get("source_file")
    return (observation.source_project or "", str(path)) if path else None


def is_instruction(observation: NormalizedObservation) -> bool:
    """Whether it is a section of CLAUDE.md or AGENTS.md."""
    file = file_of(observation)
    return file is not None and file[1].rpartition("/")[2] in INSTRUCTION_FILES


def _in_order(observations: Iterable[NormalizedObservation]) -> list[NormalizedObservation]:
    """Best first. Of one thing reported twice, what its agents say beside it decides, not who came first."""
    named = identified(observations)
    seen = Counter(o.id for o in named)
    return sorted(named, key=lambda o: (-o.confidence, o.id, _beside(o) if seen[o.id] > 1 else ""))


def _beside(observation: NormalizedObservation) -> str:
    o = observation
    said = (o.attention_weight, o.is_belief_candidate, o.observation_type, o.entities_mentioned, o.corroborated_by)
    return repr((said, o.duplicates, sorted(o.metadata.items())))


def _candidates(ordered: Sequence[NormalizedObservation], alike: Likeness) -> NDArray[np.bool_]:
    projects = _codes([o.source_project for o in ordered])
    texts = _codes([o.content_hash for o in ordered])
    same = (texts[:, None] == texts[None, :]) | (alike.near & (projects[:, None] == projects[None, :]))
    instructions = np.array([is_instruction(o) for o in ordered])
    alone: NDArray[np.bool_] = instructions[:, None] | instructions[None, :]
    return np.asarray((same & ~alone) | _same_lines(ordered))


def _same_lines(ordered: Sequence[NormalizedObservation]) -> NDArray[np.bool_]:
    """Texts that stand on the same lines, or are equal and from one file whose lines are not known."""
    same = np.zeros((len(ordered), len(ordered)), dtype=np.bool_)
    files: dict[tuple[str, str], list[int]] = {}
    for row, observation in enumerate(ordered):
        file = file_of(observation)
        if file is not None:
            files.setdefault(file, []).append(row)
    for rows in files.values():
        for position, row in enumerate(rows):
            for other in rows[position + 1 :]:
                same[row, other] = same[other, row] = _one_place(ordered[row], ordered[other])
    return same


def _one_place(one: NormalizedObservation, other: NormalizedObservation) -> bool:
    if one.locations and other.locations:
        return overlaps(one.locations[0], other.locations[0])
    return one.content_hash == other.content_hash


def _codes(values: Sequence[str | None]) -> NDArray[np.int64]:
    """Equal values, equal numbers."""
    numbers: dict[str | None, int] = {}
    return np.array([numbers.setdefault(value, len(numbers)) for value in values], dtype=np.int64)


def _contradict(one: NormalizedObservation, other: NormalizedObservation) -> bool:
    return (
        one.is_belief_candidate
        and other.is_belief_candidate
        and one.content_hash != other.content_hash
        and bool(detect_conflicts((one, other)))
    )


def _similarity(alike: Likeness, ordered: Sequence[NormalizedObservation], row: int, other: int) -> float:
    if ordered[row].content_hash == ordered[other].content_hash:
        return 1.0
    return round(float(alike.value[row, other]), 6)


def _folded(
    kept: NormalizedObservation, copies: Sequence[tuple[NormalizedObservation, float]]
) -> NormalizedObservation:
    if not copies:
        return kept
    duplicates = list(kept.duplicates)
    for copy, similarity in copies:
        duplicates += [Duplicate(copy.source, at, similarity) for at in copy.locations or (None,)]
        duplicates += copy.duplicates
    members = [kept, *(copy for copy, _ in copies)]
    relationships = {edge.id: edge for member in members for edge in member.relationships}
    return replace(
        kept,
        duplicates=tuple(duplicates),
        entities_mentioned=tuple(dict.fromkeys(name for member in members for name in member.entities_mentioned)),
        relationships=tuple(relationships.values()),
        attention_weight=max(member.attention_weight for member in members),
        is_belief_candidate=any(member.is_belief_candidate for member in members),
    )
