"""What the graph says stands with the files that prove it: behind the last of them, so that files keep their order.

A relation is a reason for its files to be there. It takes no place from them: what it adds to their rank was added when
they were ranked (`agents/file_ranking.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memory.observations import NormalizedObservation
from merging.duplicates import file_of

__all__ = ["attach_relations"]


def attach_relations(ranked: Sequence[NormalizedObservation]) -> list[NormalizedObservation]:
    """The ranking with each graph observation behind the last file that proves it; ranks are counted anew.

    One of which no file is listed comes after all files; where no file is listed at all, the order stays.
    """
    places: dict[tuple[str, str], int] = {}
    for position, observation in enumerate(ranked):
        file = file_of(observation)
        if file is not None:
            places.setdefault(file, position)
    if not places:
        return list(ranked)
    end = len(ranked)

    def place(position: int, observation: NormalizedObservation) -> tuple[int, bool, int]:
        if observation.kind != "graph":
            return position, False, position
        proven = [places.get((at.project, at.path), end) for at in observation.locations]
        return max(proven, default=end), True, position

    order = sorted(range(end), key=lambda position: place(position, ranked[position]))
    return [
        observation if observation.rank == rank else replace(observation, rank=rank)
        for rank, observation in enumerate((ranked[position] for position in order), start=1)
    ]
