"""Three teams with a customers table, and an order that becomes a payment: files, and observations over them."""

from __future__ import annotations

import pytest

from memory.entities import Entity, Evidence, Relationship
from memory.files import FakeFiles
from memory.observations import Location, NormalizedObservation
from memory.query import QueryClassification, RetrievalPath
from memory.question import QueryType
from memory.text.lines import split_lines

TEXTS = {
    "billing/docs/schema.md": """# Schema

## Customer

The table `customers` of billing uses a random UUID key. Audit column: created_at.

## Deployment

One replica a region.
""",
    "billing/db/schema.sql": """-- Who is billed.
CREATE TABLE customers (
  id UUID PRIMARY KEY,
  name TEXT NOT NULL,
  created_at TIMESTAMP NOT NULL
);
""",
    "auth/db/schema.sql": """-- Somebody who can log in.
CREATE TABLE customers (
  email TEXT PRIMARY KEY,
  created_at TIMESTAMP NOT NULL
);
""",
    "crm/docs/schema.md": "# Tables\n\nThe customers table has a composite key of tenant and number.\n",
    "crm/db/schema.sql": """CREATE TABLE customers (
  tenant_id BIGINT NOT NULL,
  number BIGINT NOT NULL,
  created_at TIMESTAMP NOT NULL,
  PRIMARY KEY (tenant_id, number)
);
""",
    "orders/orders/service.py": '''class OrderService:
    """Takes baskets, takes money."""

    def place(self, amount: int) -> str:
        return self.adapter.process_payment(amount)
''',
    "orders/orders/adapter.py": '''class PaymentAdapter:
    """Keeps the outside world outside."""

    def process_payment(self, amount: int) -> str:
        """Charge it; a late till is asked again."""
        gateway = PaymentGateway()
        for attempt in range(3):
            try:
                return gateway.charge(amount)
            except TillTimeout:
                time.sleep(2**attempt)
        raise RuntimeError("the till did not answer three times")
''',
    "orders/pyproject.toml": '[project]\nname = "orders"\ndependencies = ["payments"]\n',
    "payments/payments/gateway.py": '''class PaymentGateway:
    """Talks to the tills."""

    def charge(self, amount: int) -> str:
        return "charged"

    def refund(self, amount: int) -> None:
        """Give it back."""
''',
    "billing/CLAUDE.md": "# Working here\n\n## Reviews\n\nEvery refund needs two reviewers. Nobody reviews alone.\n\n## Style\n\nShort functions.\n",
}


class Organisation:
    """Makes observations whose lines stand in `TEXTS`."""

    def __init__(self) -> None:
        self.texts = dict(TEXTS)

    @property
    def files(self) -> FakeFiles:
        return FakeFiles(self.texts)

    def lines(self, key: str, first: int, last: int) -> str:
        return "\n".join(split_lines(self.texts[key])[first - 1 : last])

    def seen(self, key: str, first: int = 1, last: int = 0, *, agent: str = "vector", score: float = 0.8, **more):
        project, path = key.split("/", 1)
        last = last or len(split_lines(self.texts[key]))
        metadata = {"corpus": "docs" if path.endswith(".md") else "code", **more.pop("metadata", {})}
        return NormalizedObservation(
            content=self.lines(key, first, last),
            source=f"local:{path}" if agent == "local" else "vector:qdrant",
            source_project=project,
            confidence=score,
            observation_type="code",
            id=f"{agent}-{key}-{first}",
            locations=(Location(project, path, first, last),),
            metadata=metadata,
            score=score,
            **more,
        )

    def entity(self, name: str, key: str, first: int = 1, kind: str = "class") -> Entity:
        project, path = key.split("/", 1)
        return Entity(name, kind, project, path, first, len(split_lines(self.texts[key])))

    def edge(self, source: Entity, kind: str, target: Entity, path: str = "", line: int = 0, says: str = ""):
        evidence = (Evidence("rule", source.project, path, line, says),) if says else ()
        lines = (line,) if line else ()
        return Relationship(source, kind, target, project=source.project, path=path, lines=lines, evidence=evidence)

    def graph(self, *edges: Relationship, score: float = 0.9) -> NormalizedObservation:
        names = dict.fromkeys(end.name for edge in edges for end in (edge.source, edge.target))
        return NormalizedObservation(
            content=". ".join(f"{e.source.name} {e.type} {e.target.name}" for e in edges) + ".",
            source="graph:fake",
            source_project=edges[0].source.project,
            confidence=score,
            observation_type="relationship",
            entities_mentioned=tuple(names),
            id="graph-" + "-".join(names),
            locations=tuple(Location(e.project, e.path, n, n) for e in edges for n in e.lines),
            relationships=edges,
            score=score,
        )

    def known(self, entity: Entity, score: float = 0.85) -> NormalizedObservation:
        at = Location(entity.project, entity.path, entity.start_line, entity.end_line)
        return NormalizedObservation(
            content=f"{entity.name} is a {entity.kind} of {entity.project}.",
            source="graph:fake",
            source_project=entity.project,
            confidence=score,
            observation_type="entity",
            entities_mentioned=(entity.name,),
            id=f"graph-{entity.id}",
            locations=(at,) if entity.path else (),
            metadata={"kind": entity.kind},
            score=score,
        )

    @property
    def path(self) -> tuple[Relationship, Relationship]:
        service = self.entity("OrderService", "orders/orders/service.py")
        adapter = self.entity("PaymentAdapter", "orders/orders/adapter.py")
        gateway = self.entity("PaymentGateway", "payments/payments/gateway.py")
        says = "OrderService.place calls PaymentAdapter.process_payment"
        then = "PaymentAdapter.process_payment calls PaymentGateway.charge"
        return (
            self.edge(service, "CALLS", adapter, "orders/service.py", 5, says),
            self.edge(adapter, "CALLS", gateway, "orders/adapter.py", 9, then),
        )

    @staticmethod
    def asked(query: str, *types: QueryType, entities: tuple[str, ...] = ()) -> QueryClassification:
        return QueryClassification(query, types, (RetrievalPath.GRAPH, RetrievalPath.VECTOR), entities=entities)


@pytest.fixture
def org() -> Organisation:
    return Organisation()
