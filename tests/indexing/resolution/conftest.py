"""Small organisations, resolved."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from extraction.reading import extract_facts
from indexing.resolution import resolve
from memory.graph import GraphBatch


@dataclass(frozen=True)
class Graph:
    """A resolved graph, with its edges as short rows."""

    batch: GraphBatch

    def rows(self, *types, status=None, kind=None):
        """kind: of the target."""
        return [
            (f"{r.project}/{r.source.name}", r.type, f"{r.target.project}/{r.target.name}", r.path, list(r.lines))
            for r in self.batch.relationships
            if (not types or r.type in types)
            and (status is None or r.status == status)
            and kind in (None, r.target.kind)
        ]

    def edge(self, source, target, relation="CALLS"):
        found = [
            r for r in self.batch.relationships if (r.source.name, r.type, r.target.name) == (source, relation, target)
        ]
        assert len(found) == 1, self.rows(relation)
        return found[0]

    def entity(self, name, kind):
        found = [e for e in self.batch.entities if (e.name, e.kind) == (name, kind)]
        assert len(found) == 1, [e.id for e in self.batch.entities]
        return found[0]


@pytest.fixture
def graph():
    """`graph({project: {path: text}})`."""

    def build(organisation):
        facts = {
            project: {path: extract_facts(path, text, project) for path, text in files.items()}
            for project, files in organisation.items()
        }
        return Graph(resolve(facts))

    return build
