"""What an index holds, to be compared with another of the same projects."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

from configs import HybridRetrievalConfig
from indexing.vectors import project_files, stored_points
from memory.entities import Entity, Relationship
from memory.generation import DataFolder
from memory.vector import DENSE_CODE, DENSE_DOCS, Point
from wiring.stores import open_graph_store, open_vector_store

_ELSEWHERE: Final = ("HYBRID_RETRIEVAL_PROFILE", "HYBRID_RETRIEVAL_VECTOR__", "HYBRID_RETRIEVAL_GRAPH__")
_LONGEST_MS: Final = 600_000
"""A server may take to tell all relations."""


def embedded(env: Mapping[str, str]) -> dict[str, str]:
    """The same environment with nothing about other stores."""
    return {name: value for name, value in env.items() if not name.startswith(_ELSEWHERE)}


@dataclass(frozen=True, slots=True)
class Indexed:
    """What a data folder's current generation holds, in whichever stores."""

    entities: Sequence[Entity]
    relations: Sequence[Relationship]
    points: Mapping[str, Point]

    @classmethod
    async def of(cls, data: Path, config: HybridRetrievalConfig) -> Indexed:
        """Read it whole."""
        folder = DataFolder.open(data)
        with folder.reading() as generation:
            everyone = generation.manifest.names
            patient = replace(config.graph, query_timeout_ms=_LONGEST_MS)
            graph = open_graph_store(patient, generation.graph_path, folder.namespace)
            vectors = await open_vector_store(config.vector, generation.vectors_path, folder.namespace)
            try:
                entities = await graph.all_entities(permission=everyone)
                relations = await graph.all_edges(permission=everyone)
                files = project_files(generation.manifest.projects)
                points = [one async for page in stored_points(vectors, files, (DENSE_DOCS, DENSE_CODE)) for one in page]
            finally:
                await graph.close()
                await vectors.close()
        return cls(sorted(entities, key=repr), sorted(relations, key=repr), {point.chunk.id: point for point in points})

    def differs(self, other: Indexed) -> list[str]:
        """Which of the three is not equal; vectors to the third digit, since a model's batches differ."""
        found = ["entities"] if self.entities != other.entities else []
        found += ["relations"] if self.relations != other.relations else []
        same = self.points.keys() == other.points.keys() and all(
            _same(point, other.points[id_]) for id_, point in self.points.items()
        )
        return found if same else [*found, "points"]


def _same(one: Point, other: Point) -> bool:
    return (
        one.chunk == other.chunk
        and one.sparse == other.sparse
        and one.dense.keys() == other.dense.keys()
        and all(np.allclose(vector, other.dense[name], atol=1e-3) for name, vector in one.dense.items())
    )
