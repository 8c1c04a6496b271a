"""Who else says it: agreement counts independent sources only, and enters the ranking once (design §4).

Another kind of source (local, graph, vector) or another project's file that says nearly the same. A byte-identical
copy and the same lines found twice are one source whoever found them.
"""

from __future__ import annotations

from collections.abc import Iterable

from memory.observations import NormalizedObservation
from merging.similarity import overlaps

__all__ = ["independent_sources", "same_source"]


def independent_sources(observation: NormalizedObservation, alike: Iterable[NormalizedObservation]) -> tuple[str, ...]:
    """`KIND:PROJECT` of every independent source among those that are alike, each once, sorted.

    Of several in `alike` that are one source, the first speaks for it.
    """
    heard = [observation]
    labels = set(observation.corroborated_by)
    own = _label(observation)
    for other in alike:
        label = _label(other)
        if label == own:
            continue
        for known in heard:
            if same_source(other, known):
                break
        else:
            heard.append(other)
            labels.add(label)
    return tuple(sorted(labels))


def same_source(one: NormalizedObservation, other: NormalizedObservation) -> bool:
    """Whether two are the same text, or stand on the same lines."""
    if one.content_hash == other.content_hash:
        return True
    for here in one.locations:
        for there in other.locations:
            if overlaps(here, there):
                return True
    return False


def _label(observation: NormalizedObservation) -> str:
    source = observation.kind
    return f"{source}:{observation.source_project}" if observation.source_project else source
