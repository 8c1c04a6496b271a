"""A small organisation as a graph: what the agents' tests ask about."""

from __future__ import annotations

from memory.entities import Entity, Evidence, Relationship
from memory.graph.port import FileMention, GraphBatch


def entity(
    project: str, name: str, kind: str = "class", line: int = 1, path: str | None = None, summary: str = ""
) -> Entity:
    return Entity(name, kind, project, path or f"{project}/{name.lower()}.py", line, line + 9, summary)


def edge(source: Entity, kind: str, target: Entity, lines: tuple[int, ...] = (5,), says: str = "") -> Relationship:
    proof = Evidence("test", source.project, source.path, lines[0], says)
    return Relationship(source, kind, target, source.project, source.path, lines, "confirmed", (proof,))


BILLING = entity("billing", "billing", "project", path="pyproject.toml")
ORDERS = entity("orders", "orders", "project", path="pyproject.toml")
PAYMENTS = entity("payments", "payments", "project", path="pyproject.toml")
CUSTOMERS = [
    entity(p, "customers", "table", path="db/schema.sql", summary="columns: id") for p in ("auth", "billing", "crm")
]
MODELS = [entity(p, "Customer") for p in ("auth", "billing", "crm")]
SERVICE = entity("orders", "OrderService")
ADAPTER = entity("orders", "PaymentAdapter")
GATEWAY = entity("payments", "PaymentGateway", summary="Talks to the tills.")
CHARGE = entity("payments", "PaymentGateway.charge", "method", path="payments/paymentgateway.py", line=4)

EDGES = [
    edge(SERVICE, "CALLS", ADAPTER, (12, 20), "OrderService.place calls PaymentAdapter.process_payment"),
    edge(ADAPTER, "CALLS", GATEWAY, (8,), "PaymentAdapter.process_payment calls PaymentGateway.charge"),
    edge(ORDERS, "DEPENDS_ON", PAYMENTS, (4,)),
    *(edge(model, "STORES_IN", table) for model, table in zip(MODELS, CUSTOMERS, strict=True)),
]
ENTITIES = [BILLING, ORDERS, PAYMENTS, *CUSTOMERS, *MODELS, SERVICE, ADAPTER, GATEWAY, CHARGE]
BATCH = GraphBatch(ENTITIES, EDGES, [FileMention("payments", "docs/gateway.md", GATEWAY.id, 3)])
EVERYONE = frozenset({"auth", "billing", "crm", "orders", "payments"})
