"""One observation a statement (001 §5.2, design §4): the best is kept, the others become its duplicates.

Duplicates are texts that are equal but for white space (across projects too), the same lines of one file whoever found
them, and, inside one project, what is nearly the same. Sections of instruction files are merged with the same lines
alone. What contradicts is never merged. Candidates are compared with what is kept, best first, in an order that does
not depend on arrival.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from itertools import combinations

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
    undisputed = _equal(_sides(ordered))
    same = _candidates(ordered, alike) & undisputed
    agree = alike.near & undisputed
    free = np.ones(len(ordered), dtype=np.bool_)
    clusters = []
    for row in range(len(ordered)):
        if free[row]:
            free[row] = False
            copies = np.flatnonzero(same[row] & free).tolist()
            free[copies] = False
            clusters.append((row, copies))
    kept = np.zeros(len(ordered), dtype=np.bool_)
    kept[[row for row, _ in clusters]] = True
    heard = frozenset(np.flatnonzero(agree.any(axis=1)).tolist())
    folded = []
    for row, copies in clusters:
        observation, sources = ordered[row], ordered[row].corroborated_by
        if row in heard:
            others = [*np.flatnonzero(agree[row] & kept).tolist(), *(copy for copy in copies if agree[row, copy])]
            sources = independent_sources(observation, [ordered[other] for other in others])
        folded.append(
            _folded(observation, [(ordered[o], _similarity(alike, ordered, row, o)) for o in copies], sources)
        )
    return folded


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
    return sorted(named, key=lambda o: (-o.confidence, o.id, _beside(o) if seen[o.id] > 1 else ()))


def _beside(observation: NormalizedObservation) -> tuple[str, str, bytes]:
    o = observation
    said = (o.attention_weight, o.is_belief_candidate, o.observation_type, o.entities_mentioned, o.corroborated_by)
    vector = np.array([] if o.semantic_embedding is None else o.semantic_embedding, dtype=np.float32)
    return repr((said, o.duplicates, sorted(o.metadata.items()))), o.embedding_model, vector.tobytes()


def _sides(ordered: Sequence[NormalizedObservation]) -> list[frozenset[tuple[int, str]]]:
    """On which side of which conflicts each stands; who does not stand with another is not merged with it."""
    sides: dict[str, set[tuple[int, str]]] = {}
    for number, conflict in enumerate(detect_conflicts(ordered)):
        for observation, value in zip(conflict.observations, conflict.values, strict=True):
            sides.setdefault(observation.id, set()).add((number, value))
    return [frozenset(sides.get(observation.id, ())) for observation in ordered]


def _candidates(ordered: Sequence[NormalizedObservation], alike: Likeness) -> NDArray[np.bool_]:
    equal = _equal([o.content_hash for o in ordered])
    near = alike.near & _equal([o.source_project for o in ordered])
    instructions = np.array([is_instruction(o) for o in ordered])
    alone = instructions[:, None] | instructions[None, :]
    return np.asarray(((equal | near) & ~alone) | _same_lines(ordered))


def _same_lines(ordered: Sequence[NormalizedObservation]) -> NDArray[np.bool_]:
    """Texts that stand on the same lines, or are equal and from one file whose lines are not known."""
    same = np.zeros((len(ordered), len(ordered)), dtype=np.bool_)
    files: dict[tuple[str, str], list[int]] = {}
    for row, observation in enumerate(ordered):
        file = file_of(observation)
        if file is not None:
            files.setdefault(file, []).append(row)
    for rows in files.values():
        for one, other in combinations(rows, 2):
            same[one, other] = same[other, one] = _one_place(ordered[one], ordered[other])
    return same


def _one_place(one: NormalizedObservation, other: NormalizedObservation) -> bool:
    if one.locations and other.locations:
        return overlaps(one.locations[0], other.locations[0])
    return one.content_hash == other.content_hash


def _equal(values: Sequence[Hashable]) -> NDArray[np.bool_]:
    """Which two are equal, n × n."""
    numbers: dict[Hashable, int] = {}
    codes = np.array([numbers.setdefault(value, len(numbers)) for value in values])
    return np.asarray(codes[:, None] == codes[None, :])


def _similarity(alike: Likeness, ordered: Sequence[NormalizedObservation], row: int, other: int) -> float:
    if ordered[row].content_hash == ordered[other].content_hash:
        return 1.0
    return round(float(alike.value[row, other]), 6)


def _folded(
    kept: NormalizedObservation, copies: Sequence[tuple[NormalizedObservation, float]], sources: tuple[str, ...]
) -> NormalizedObservation:
    if not copies:
        return kept if sources == kept.corroborated_by else replace(kept, corroborated_by=sources)
    duplicates = list(kept.duplicates)
    for copy, similarity in copies:
        duplicates += [Duplicate(copy.source, at, similarity) for at in copy.locations or (None,)]
        duplicates += copy.duplicates
    members = [kept, *(copy for copy, _ in copies)]
    relationships = {edge.id: edge for member in members for edge in member.relationships}
    return replace(
        kept,
        corroborated_by=sources,
        duplicates=tuple(duplicates),
        entities_mentioned=tuple(dict.fromkeys(name for member in members for name in member.entities_mentioned)),
        relationships=tuple(relationships.values()),
        attention_weight=max(member.attention_weight for member in members),
        is_belief_candidate=any(member.is_belief_candidate for member in members),
    )
