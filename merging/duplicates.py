"""One observation a statement (001 §5.2, design §4): the best is kept, the others become its duplicates.

Duplicates are texts that are equal but for white space (across projects too), and the same lines of one file whoever found
them. What is nearly the same is agreement and folds nothing: a twin in another file is another place that counts. Sections
of instruction files are merged with the same lines alone. What contradicts is never merged. Candidates are compared with
what is kept, best first, in an order that does not depend on arrival.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations
from operator import attrgetter
from typing import Any

import numpy as np

from memory.observations import Duplicate, NormalizedObservation
from merging.changing import changed
from merging.conflicts import detect_conflicts
from merging.corroboration import independent_sources
from merging.normalise import identified
from merging.similarity import Likeness, likeness, overlaps

__all__ = ["INSTRUCTION_FILES", "deduplicate_observations", "file_of", "is_instruction"]

INSTRUCTION_FILES = frozenset({"CLAUDE.md", "AGENTS.md"})


def deduplicate_observations(
    observations: Iterable[NormalizedObservation], similarity_threshold: float = 0.85
) -> list[NormalizedObservation]:
    """The observations that are kept, highest confidence first (ties by id), with `duplicates` and `corroborated_by`.

    similarity_threshold is the cosine's from which texts agree, inclusive; texts without vectors of one model agree from a
    Jaccard similarity of 0.8. A text's copies lend it their places. `confidence` is left alone: agreement enters the ranking, once.
    """
    ordered = _in_order(observations)
    if not ordered:
        return []
    alike = likeness(ordered, similarity_threshold)
    sides = _sides(ordered)

    def undisputed(pair: tuple[int, int]) -> bool:
        return sides.get(pair[0]) == sides.get(pair[1])

    pairs = [(one, other) for one, other in np.argwhere(alike.near).tolist() if one < other]
    near = list(filter(undisputed, pairs)) if sides else pairs
    agree = _neighbours(near)
    clusters = _clusters(len(ordered), _neighbours(filter(undisputed, _candidates(ordered))))
    kept = []
    for row, copies in clusters.items():
        observation, sources = ordered[row], ordered[row].corroborated_by
        if row in agree:
            others = [*sorted(agree[row] & clusters.keys()), *[copy for copy in copies if copy in agree[row]]]
            sources = independent_sources(observation, [ordered[other] for other in others])
        if copies:
            similar = [(ordered[copy], _similarity(alike, ordered, row, copy)) for copy in copies]
            observation = _folded(observation, similar, sources)
        elif sources != observation.corroborated_by:
            observation = changed(observation, corroborated_by=sources)
        kept.append(observation)
    return kept


def file_of(observation: NormalizedObservation) -> tuple[str, str] | None:
    """Project and path of the file that a text was read from; None for what the graph says, and where no file is known."""
    if observation.kind == "graph":
        return None
    if observation.locations:
        return observation.locations[0].project, observation.locations[0].path
    path = observation.metadata.get("source_file")
    return (observation.source_project or "", str(path)) if path else None


def is_instruction(observation: NormalizedObservation) -> bool:
    """Whether it is a section of CLAUDE.md or AGENTS.md."""
    return _holds_instructions(file_of(observation))


def _holds_instructions(file: tuple[str, str] | None) -> bool:
    return file is not None and file[1].rpartition("/")[2] in INSTRUCTION_FILES


def _in_order(observations: Iterable[NormalizedObservation]) -> list[NormalizedObservation]:
    """Best first. Of one thing reported twice, what its agents say beside it decides, not who came first."""
    named = identified(observations)
    reports = Counter([(o.confidence, o.id) for o in named])
    if len(reports) == len(named):
        return sorted(sorted(named, key=attrgetter("id")), key=attrgetter("confidence"), reverse=True)

    def key(o: NormalizedObservation) -> tuple[Any, ...]:
        return (-o.confidence, o.id, *([_beside(o)] if reports[o.confidence, o.id] > 1 else ()))

    return sorted(named, key=key)


def _beside(observation: NormalizedObservation) -> tuple[str, str, bytes]:
    o = observation
    said = (o.attention_weight, o.is_belief_candidate, o.observation_type, o.entities_mentioned, o.corroborated_by)
    vector = np.array([] if o.semantic_embedding is None else o.semantic_embedding, dtype=np.float32)
    return repr((said, o.duplicates, sorted(o.metadata.items()))), o.embedding_model, vector.tobytes()


def _sides(ordered: Sequence[NormalizedObservation]) -> dict[int, frozenset[tuple[int, str]]]:
    """On which side of which conflicts each row stands; who does not stand with another is not merged with it."""
    conflicts = detect_conflicts(ordered)
    if not conflicts:
        return {}
    sides: dict[str, frozenset[tuple[int, str]]] = {}
    for number, conflict in enumerate(conflicts):
        for observation, value in zip(conflict.observations, conflict.values, strict=True):
            sides[observation.id] = sides.get(observation.id, frozenset()) | {(number, value)}
    return {row: sides[o.id] for row, o in enumerate(ordered) if o.id in sides}


def _clusters(count: int, same: Mapping[int, set[int]]) -> dict[int, list[int]]:
    """Each row that is kept, and its copies: what is the same as it and was not folded into a better one."""
    free = set(range(count))
    clusters = {}
    for row in range(count):
        if row in free:
            clusters[row] = sorted(same[row] & free) if row in same else []
            free.difference_update(clusters[row])
    return clusters


def _neighbours(pairs: Iterable[tuple[int, int]]) -> dict[int, set[int]]:
    """Whom each is paired with."""
    found: defaultdict[int, set[int]] = defaultdict(set)
    for one, other in pairs:
        found[one].add(other)
        found[other].add(one)
    return found


def _candidates(ordered: Sequence[NormalizedObservation]) -> Iterator[tuple[int, int]]:
    """Pairs of equal texts, and of those that stand on the same lines."""
    files = [file_of(observation) for observation in ordered]
    for one, other in _sharing([o.content_hash for o in ordered]):
        if not (_holds_instructions(files[one]) or _holds_instructions(files[other])):
            yield one, other
    for one, other in _sharing(files):
        if _one_place(ordered[one], ordered[other]):
            yield one, other


def _sharing(keys: Iterable[Hashable]) -> Iterator[tuple[int, int]]:
    """The pairs of rows with one key; None is no key."""
    first: dict[Hashable, int] = {}
    several: dict[Hashable, list[int]] = {}
    for row, key in enumerate(keys):
        if key is None:
            continue
        before = first.setdefault(key, row)
        if before != row:
            several.setdefault(key, [before]).append(row)
    return chain.from_iterable(combinations(together, 2) for together in several.values())


def _one_place(one: NormalizedObservation, other: NormalizedObservation) -> bool:
    if one.locations and other.locations:
        return overlaps(one.locations[0], other.locations[0])
    return one.content_hash == other.content_hash


def _similarity(alike: Likeness, ordered: Sequence[NormalizedObservation], row: int, other: int) -> float:
    if ordered[row].content_hash == ordered[other].content_hash:
        return 1.0
    return round(float(alike.value[row, other]), 6)


def _folded(
    kept: NormalizedObservation, copies: Sequence[tuple[NormalizedObservation, float]], sources: tuple[str, ...]
) -> NormalizedObservation:
    duplicates = list(kept.duplicates)
    entities = dict.fromkeys(kept.entities_mentioned)
    relationships = {edge.id: edge for edge in kept.relationships}
    weight, believed = kept.attention_weight, kept.is_belief_candidate
    for copy, similarity in copies:
        duplicates += [Duplicate(copy.source, at, similarity) for at in copy.locations or (None,)]
        duplicates += copy.duplicates
        entities.update(dict.fromkeys(copy.entities_mentioned))
        for edge in copy.relationships:
            relationships[edge.id] = edge
        weight = max(weight, copy.attention_weight)
        believed = believed or copy.is_belief_candidate
    places = dict.fromkeys(kept.locations)
    for copy, _ in copies:
        if copy.content_hash == kept.content_hash:
            places.update(dict.fromkeys(copy.locations))
    return changed(
        kept,
        corroborated_by=sources,
        locations=tuple(places),
        duplicates=tuple(duplicates),
        entities_mentioned=tuple(entities),
        relationships=tuple(relationships.values()),
        attention_weight=weight,
        is_belief_candidate=believed,
    )
