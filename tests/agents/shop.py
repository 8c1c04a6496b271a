"""A small organisation as a graph: what the agents' tests ask about."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from memory.embedders import Bm25Sparse
from memory.entities import Entity, Evidence, Relationship
from memory.generation import Disk
from memory.generation.arrays import StatementsFolder
from memory.graph.port import GraphBatch
from memory.question import ParsedQuestion
from memory.statements import FoundStatement, StatementIndex


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
BATCH = GraphBatch(ENTITIES, EDGES)
EVERYONE = frozenset({"auth", "billing", "crm", "orders", "payments"})


def spoken_index(root: Path, edges: Sequence[Relationship] = EDGES) -> StatementIndex:
    """These relations as statements, kept in a folder below `root`."""
    folder, words = StatementsFolder(root / "statements"), Bm25Sparse()
    folder.path.mkdir(parents=True, exist_ok=True)
    for project in sorted({edge.source.project for edge in edges}):
        folder.write(Disk(), project, [edge for edge in edges if edge.source.project == project], words.token_ids)
    return StatementIndex(folder.segment)


def speaking(root: Path, edges: Sequence[Relationship] = EDGES) -> Callable[..., list[FoundStatement]]:
    """Which of these relations a question speaks of, all of them or those between some projects and others."""
    index, words = spoken_index(root, edges), Bm25Sparse()

    def search(
        query: ParsedQuestion, permission: frozenset[str], between: frozenset[str] = frozenset(), limit: int = 50
    ) -> list[FoundStatement]:
        return index.search(words.terms(query.text), permission, between=between, limit=limit)

    return search
