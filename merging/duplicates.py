"""One observation a statement (001 §5.2): the best is kept, the others become its duplicates.

Duplicates are texts that are equal but for white space (across projects too), and the same lines of one file whoever
found them. What is nearly the same is agreement and folds nothing: a twin in another file is another place that counts.
Sections of instruction files are merged with the same lines alone. What contradicts is never merged. The best come
first, in an order that does not depend on arrival, and each is folded into the first that it shares a bucket with: the
text, or the file. What was read from a file as it is now comes before all that was indexed of it, which it replaces.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np

from memory.files import is_instruction_file
from memory.observations import FRESH, Duplicate, NormalizedObservation
from merging.agreement import Heard, alike_pairs, independent_sources, label, overlaps, similarity
from merging.claims import DATES, read_claims
from merging.conflicts import Conflict, detect_conflicts, file_of
from merging.normalise import identified
from merging.ranking import Standing

_Sides: TypeAlias = frozenset[tuple[int, str]]


def deduplicate_observations(
    observations: Iterable[NormalizedObservation], similarity_threshold: float = 0.85
) -> list[NormalizedObservation]:
    """The observations that are kept, highest confidence first (ties by id), with `duplicates` and `corroborated_by`.

    `confidence` is left alone: agreement enters the ranking, once.

    Args:
        observations: in any order.
        similarity_threshold: the cosine from which texts agree, inclusive; texts without vectors of one model agree
            from a Jaccard similarity of 0.8.
    """
    return fold(observations, similarity_threshold)[0]


def fold(
    observations: Iterable[NormalizedObservation], threshold: float, standings: Mapping[str, Standing] | None = None
) -> tuple[list[NormalizedObservation], list[Conflict]]:
    """What is kept, best first, and what contradicts among it;
    by their standings instead of their confidence where they have one.
    """
    standing, replaced = _as_it_is(identified(observations))
    ordered = _in_order(standing, standings or {})
    conflicts = detect_conflicts(ordered)
    sides = _sides(conflicts)
    folded = _copies(ordered, sides)
    kept = [
        _with_copies(ordered[row], [*(ordered[copy] for copy in copies), *replaced.get(ordered[row].id, ())])
        for row, copies in folded.items()
    ]
    agree: dict[int, Heard] = {}  # each with those that it agrees with
    for one, other in alike_pairs(kept, list(map(label, kept)), threshold):
        here, there = (agree.get(row) or agree.setdefault(row, Heard(kept[row])) for row in (one, other))
        if kept[other] not in here and kept[one] not in there and not _contradict(kept[one], kept[other], sides):
            here.add(kept[other])
            there.add(kept[one])
    for row, heard in agree.items():
        if others := heard.observations[1:]:
            kept[row] = replace(kept[row], corroborated_by=independent_sources(kept[row], others))
    return kept, _among(conflicts, {observation.id: observation for observation in kept})


def is_instruction(observation: NormalizedObservation) -> bool:
    """Whether it is a section of CLAUDE.md or AGENTS.md."""
    file = file_of(observation)
    return file is not None and is_instruction_file(file[1])


def _in_order(
    observations: Iterable[NormalizedObservation], standings: Mapping[str, Standing]
) -> list[NormalizedObservation]:
    """Best first. Of one thing reported twice, what its agents say beside it decides, not who came first."""

    def worth(o: NormalizedObservation) -> float:
        return standings[o.id].worth if o.id in standings else o.confidence

    rated = [(-worth(observation), observation.id, observation) for observation in observations]
    reports = Counter((worth, id_) for worth, id_, _ in rated)
    rated.sort(key=lambda one: (one[0], one[1], _beside(one[2]) if reports[one[0], one[1]] > 1 else ("", "", b"")))
    return [observation for _, _, observation in rated]


def _beside(observation: NormalizedObservation) -> tuple[str, str, bytes]:
    o = observation
    fields = (o.attention_weight, o.is_belief_candidate, o.observation_type, o.entities_mentioned, o.corroborated_by)
    vector = np.array([] if o.semantic_embedding is None else o.semantic_embedding, dtype=np.float32)
    return repr((fields, o.duplicates, sorted(o.metadata.items()))), o.embedding_model, vector.tobytes()


def _sides(conflicts: Sequence[Conflict]) -> dict[str, _Sides]:
    """The sides of the conflicts that each takes; those on different sides are not merged."""
    sides: dict[str, _Sides] = {}
    for number, conflict in enumerate(conflicts):
        for observation, value in zip(conflict.observations, conflict.values, strict=True):
            sides[observation.id] = sides.get(observation.id, frozenset()) | {(number, value)}
    return sides


def _contradict(one: NormalizedObservation, other: NormalizedObservation, sides: Mapping[str, _Sides]) -> bool:
    """Whether they take different sides of one conflict, or state different values, if of two projects."""
    here, there = sides.get(one.id, frozenset()), sides.get(other.id, frozenset())
    disputed = {number for number, _ in here} & {number for number, _ in there}
    if any(number in disputed for number, _ in here ^ there):
        return True
    stated = {(claim.subject, claim.property): claim.value for claim in read_claims(one)}
    return any(stated.get((claim.subject, claim.property), claim.value) != claim.value for claim in read_claims(other))


def _as_it_is(
    observations: Sequence[NormalizedObservation],
) -> tuple[list[NormalizedObservation], dict[str, list[NormalizedObservation]]]:
    """What still stands, and by the id of what was read from a file as it is now what it says in place of. A text in
    several files loses the places that say something else now.
    """
    fresh = [o for o in observations if o.metadata.get(FRESH, False) and o.locations]
    standing, replaced = [], defaultdict[str, list[NormalizedObservation]](list)
    for observation in observations:
        others = [o for o in fresh if o.content_hash != observation.content_hash]
        if not others or observation.kind == "graph" or observation.metadata.get(FRESH, False):
            standing.append(observation)
            continue
        now = [next((o for o in others if overlaps(at, o.locations[0])), None) for at in observation.locations]
        left = tuple(at for at, other in zip(observation.locations, now, strict=True) if other is None)
        if left == observation.locations:
            standing.append(observation)
        elif left:
            metadata = {**observation.metadata, "source_file": left[0].path}
            moved = replace(observation, locations=left, source_project=left[0].project, metadata=metadata)
            standing.append(moved)
        else:
            replaced[next(filter(None, now)).id].append(observation)
    return standing, replaced


def _copies(ordered: Sequence[NormalizedObservation], sides: Mapping[str, _Sides]) -> dict[int, list[int]]:
    """Each row that is kept, and the rows that are folded into it: what is in its text, or in its lines anywhere."""
    texts: dict[tuple[Any, ...], int] = {}
    files = defaultdict[tuple[Any, ...], list[tuple[int, int]]](list)  # a row, and the one that is kept for it
    copies: dict[int, list[int]] = {}
    for row, observation in sorted(enumerate(ordered), key=lambda one: not one[1].metadata.get(FRESH, False)):
        file, side = file_of(observation), sides.get(observation.id)
        text = (observation.content_hash, side, row if is_instruction(observation) else None)
        rows = [texts[text]] if text in texts else []
        here = [at for at in files[file, side] if _one_place(ordered[at[0]], observation)] if file is not None else []
        rows += [kept for _, kept in here[:1]]
        kept = min(rows, default=row)
        if rows:
            copies[kept].append(row)
        else:
            copies[row] = []
            texts[text] = row
        if file is not None and observation.content_hash == ordered[kept].content_hash:
            files[file, side].append((row, kept))
    return dict(sorted(copies.items()))


def _one_place(one: NormalizedObservation, other: NormalizedObservation) -> bool:
    if one.locations and other.locations:
        return overlaps(one.locations[0], other.locations[0])
    return one.content_hash == other.content_hash


def _with_copies(kept: NormalizedObservation, copies: Sequence[NormalizedObservation]) -> NormalizedObservation:
    """What is kept with what its copies know; those of its own text lend it their places,
    and a date where it has none.
    """
    if not copies:
        return kept
    duplicates, metadata = list(kept.duplicates), dict(kept.metadata)
    places = list(kept.locations)
    for copy in copies:
        same = copy.content_hash == kept.content_hash
        likeness = 1.0 if same else similarity(kept, copy)
        duplicates += [Duplicate(copy.source, at, likeness) for at in copy.locations or (None,)]
        duplicates += copy.duplicates
        places += copy.locations if same else ()
        if same and not metadata.keys() & DATES:
            metadata |= {key: copy.metadata[key] for key in DATES if key in copy.metadata}
    alike = (kept, *copies)
    return replace(
        kept,
        metadata=metadata,
        locations=tuple(dict.fromkeys(places)),
        duplicates=tuple(duplicates),
        entities_mentioned=tuple(dict.fromkeys(name for o in alike for name in o.entities_mentioned)),
        relationships=tuple({edge.id: edge for o in alike for edge in o.relationships}.values()),
        attention_weight=max(o.attention_weight for o in alike),
        is_belief_candidate=any(o.is_belief_candidate for o in alike),
    )


def _among(conflicts: Iterable[Conflict], kept: Mapping[str, NormalizedObservation]) -> list[Conflict]:
    """The conflicts between what is kept: a copy's side is that of what it was folded into."""
    found = []
    for conflict in conflicts:
        stated = dict(zip((o.id for o in conflict.observations), conflict.values, strict=True))
        stated = {id_: value for id_, value in stated.items() if id_ in kept}
        values = tuple(stated.values())
        found.append(replace(conflict, observations=tuple(kept[id_] for id_ in stated), values=values))
    return sorted(found, key=lambda c: (c.conflict_type, c.subject, c.property, c.values))
