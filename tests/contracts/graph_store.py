"""What every graph store must do. A suite for an adapter inherits this class and says how a store is made."""

from __future__ import annotations

import abc
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from memory.entities import Entity, Evidence, Relationship
from memory.graph import GraphBatch, GraphPath, as_parts

if TYPE_CHECKING:
    from memory.graph import GraphStore

ALL = frozenset({"orders", "payments", "crm"})


def entity(project: str, name: str, kind: str = "class", path: str = "src/a.py") -> Entity:
    return Entity(name, kind, project, path, 3, 9, f"About {name}.", "abc", id=f"{project}:{name}")


ORDER = entity("orders", "OrderService")
ADAPTER = entity("orders", "PaymentAdapter", path="src/adapter.py")
TABLE = entity("orders", "order_lines", "table", "schema.sql")
GATEWAY = entity("payments", "PaymentGateway")
LEDGER = entity("payments", "Ledger")
CUSTOMER = entity("crm", "Customer", "table", "schema.sql")
ENTITIES = (ORDER, ADAPTER, TABLE, GATEWAY, LEDGER, CUSTOMER)


def relation(source: Entity, kind: str, target: Entity, one: str, *, status: str = "confirmed") -> Relationship:
    evidence = (
        Evidence("calls", source.project, source.path, 5, says="charge(): «bezahlt» ☃"),
        Evidence("routes", target.project, target.path, 3),
    )
    return Relationship(source, kind, target, source.project, source.path, (5, 8), status, evidence, one)


ORDER_ADAPTER = relation(ORDER, "CALLS", ADAPTER, "r1")
ADAPTER_GATEWAY = relation(ADAPTER, "CALLS", GATEWAY, "r2")
ORDER_GATEWAY = relation(ORDER, "USES", GATEWAY, "r3")
GATEWAY_LEDGER = relation(GATEWAY, "CALLS", LEDGER, "r4")
LEDGER_LEDGER = relation(LEDGER, "CALLS", LEDGER, "r5")
ORDER_CUSTOMER = relation(ORDER, "READS", CUSTOMER, "r6", status="candidate")
CUSTOMER_GATEWAY = relation(CUSTOMER, "USES", GATEWAY, "r7")
ORDER_CRM = relation(ORDER, "CALLS", CUSTOMER, "r8")
LEDGER_ORDER = relation(LEDGER, "NOTIFIES", ORDER, "r9")
DIRECT = (ORDER_ADAPTER, ADAPTER_GATEWAY, ORDER_GATEWAY, GATEWAY_LEDGER, LEDGER_LEDGER)
RELATIONS = (*DIRECT, ORDER_CUSTOMER, CUSTOMER_GATEWAY, ORDER_CRM, LEDGER_ORDER)
SHOP = GraphBatch(ENTITIES, RELATIONS)
NOTHING = GraphBatch((), ())


def ids(found: list[Entity] | list[Relationship]) -> list[str]:
    return [one.id for one in found]


def walks(found: list[GraphPath]) -> list[list[str]]:
    return [[edge.id for edge in path.edges] for path in found]


class GraphStoreContract(abc.ABC):
    """Inherit it, implement `empty`, and every adapter gives the same rows."""

    @abc.abstractmethod
    def empty(self) -> GraphStore:
        """A new store that holds nothing."""

    @pytest.fixture
    async def shop(self):
        store = self.empty()
        await store.replace(as_parts([SHOP]))
        yield store
        await store.close()

    async def test_an_empty_store_answers_every_read_with_nothing(self):
        store = self.empty()
        assert await store.find_exact(["orderservice"], permission=ALL) == []
        assert await store.find_text(["order"], permission=ALL) == []
        assert await store.edges([ORDER.id], permission=ALL) == []
        assert await store.paths([ORDER.id], [LEDGER.id], permission=ALL) == []
        assert await store.all_entities(permission=ALL) == []
        assert await store.all_edges(permission=ALL) == []

    async def test_a_batch_without_entities_empties_the_store(self, shop):
        await shop.replace(as_parts([GraphBatch((), ())]))
        assert await shop.find_text(["order"], permission=ALL) == []
        assert await shop.all_entities(permission=ALL) == []

    @pytest.mark.specification("001 §4.2 lookup")
    async def test_exact_names_in_any_case(self, shop):
        assert await shop.find_exact(["paymentgateway", "LEDGER", "nobody"], permission=ALL) == [LEDGER, GATEWAY]

    async def test_exact_is_limited_and_ordered_by_id(self, shop):
        keys = [e.key for e in ENTITIES]
        assert ids(await shop.find_exact(keys, permission=ALL, limit=2)) == ["crm:Customer", "orders:OrderService"]

    async def test_prefix_finds_the_shortest_first(self, shop):
        assert await shop.find_prefix("ORDER", permission=ALL) == [TABLE, ORDER]  # 11 and 12 letters
        assert await shop.find_prefix("order", permission=ALL, limit=1) == [TABLE]
        assert await shop.find_prefix("%", permission=ALL) == []

    async def test_text_finds_parts_of_names_and_most_words_first(self, shop):
        assert await shop.find_text(["payment"], permission=ALL) == [ADAPTER, GATEWAY]  # parts of equal length, by id
        assert await shop.find_text(["gateway", "payment"], permission=ALL) == [GATEWAY, ADAPTER]
        assert await shop.find_text(["OrderLines"], permission=ALL, limit=1) == [TABLE]

    @pytest.mark.parametrize(
        "word", ["order AND (", "order^2~*", '"order', "order:", "\\order", "-order", "order OR /x/ [", "order'); //"]
    )
    async def test_text_takes_any_characters(self, shop, word):
        assert ids(await shop.find_text([word], permission=ALL)) == ["orders:order_lines", "orders:OrderService"]

    async def test_text_of_no_letters_finds_nothing(self, shop):
        assert await shop.find_text(["+", "", "*:*", "_"], permission=ALL) == []

    async def test_entities_come_back_whole(self, shop):
        keys = [GATEWAY.key, ORDER.key, "nobody", ORDER.key]
        assert await shop.find_exact(keys, permission=ALL) == [ORDER, GATEWAY]

    async def test_edges_come_back_whole_with_their_evidence(self, shop):
        assert await shop.edges([ADAPTER.id], permission=ALL) == [ORDER_ADAPTER, ADAPTER_GATEWAY]

    @pytest.mark.parametrize(
        ("direction", "expected"), [("out", ["r4"]), ("in", ["r2", "r3", "r7"]), ("both", ["r2", "r3", "r4", "r7"])]
    )
    async def test_edges_leave_reach_or_touch(self, shop, direction, expected):
        assert ids(await shop.edges([GATEWAY.id], permission=ALL, direction=direction)) == expected

    async def test_edges_of_a_type(self, shop):
        assert ids(await shop.edges([GATEWAY.id], permission=ALL, types=["USES", "READS"])) == ["r3", "r7"]

    async def test_edges_are_limited_by_id(self, shop):
        assert ids(await shop.edges([ORDER.id, GATEWAY.id], permission=ALL, limit=3)) == ["r1", "r2", "r3"]

    @pytest.mark.specification("001 §4.2 across projects")
    async def test_edges_between_projects(self, shop):
        assert ids(await shop.edges_between(["orders"], ["payments"], permission=ALL)) == ["r2", "r3"]
        assert ids(await shop.edges_between(["payments"], ["orders"], permission=ALL)) == ["r9"]
        assert ids(await shop.edges_between(["orders"], ["crm"], permission=ALL)) == ["r8"]  # r6 is a candidate
        assert ids(await shop.edges_between(ALL, ["payments"], permission=ALL)) == ["r2", "r3", "r7"]  # none within
        assert ids(await shop.edges_between(["orders"], ["payments"], permission=ALL, limit=1)) == ["r2"]
        assert ids(await shop.edges_between(["orders"], ["payments"], permission=ALL, types=["USES"])) == ["r3"]
        assert await shop.edges_between(["orders"], ["payments"], permission=frozenset({"orders"})) == []

    async def test_a_self_loop_is_one_edge(self, shop):
        assert ids(await shop.edges([LEDGER.id], permission=ALL)) == ["r4", "r5", "r9"]

    async def test_candidates_are_left_out_of_all_but_the_export(self, shop):
        assert ids(await shop.edges([CUSTOMER.id], permission=ALL)) == ["r7", "r8"]
        assert walks(await shop.paths([ORDER.id], [CUSTOMER.id], permission=ALL)) == [["r8"]]
        assert "r6" in ids(await shop.all_edges(permission=ALL))

    async def test_paths_shortest_first_then_by_ids(self, shop):
        found = await shop.paths([ORDER.id], [LEDGER.id], permission=ALL, max_hops=4)
        assert walks(found) == [["r3", "r4"], ["r1", "r2", "r4"], ["r8", "r7", "r4"]]
        assert found[0] == GraphPath((ORDER_GATEWAY, GATEWAY_LEDGER))
        assert [path.hops for path in found] == [2, 3, 3]

    @pytest.mark.specification("001 §4.2 traversal")
    async def test_paths_are_bounded_and_limited(self, shop):
        assert walks(await shop.paths([ORDER.id], [LEDGER.id], permission=ALL)) == [["r3", "r4"]]
        assert walks(await shop.paths([ORDER.id], [LEDGER.id], permission=ALL, max_hops=1)) == []
        assert walks(await shop.paths([ORDER.id], [LEDGER.id], permission=ALL, max_hops=3, limit=2)) == [
            ["r3", "r4"],
            ["r1", "r2", "r4"],
        ]
        assert await shop.paths([ORDER.id], [LEDGER.id], permission=ALL, limit=0) == []

    async def test_paths_are_directed(self, shop):
        assert walks(await shop.paths([GATEWAY.id], [ORDER.id], permission=ALL)) == [["r4", "r9"]]
        assert await shop.paths([GATEWAY.id], [CUSTOMER.id], permission=ALL) == []

    async def test_paths_visit_nothing_twice(self, shop):
        assert await shop.paths([LEDGER.id], [LEDGER.id], permission=ALL, max_hops=4) == []
        found = await shop.paths([LEDGER.id, ORDER.id], [ORDER.id, LEDGER.id], permission=ALL, max_hops=2)
        assert walks(found) == [["r9"], ["r3", "r4"]]

    async def test_paths_of_more_than_four_hops_are_not_walked(self):
        line = [entity("orders", f"Step{n}") for n in range(6)]
        edges = [relation(line[n], "CALLS", line[n + 1], f"e{n}") for n in range(5)]
        store = self.empty()
        await store.replace(as_parts([GraphBatch(line, edges)]))
        assert walks(await store.paths([line[0].id], [line[4].id], permission=ALL, max_hops=9)) == [
            ["e0", "e1", "e2", "e3"]
        ]
        assert await store.paths([line[0].id], [line[5].id], permission=ALL, max_hops=9) == []

    async def test_parallel_edges_are_paths_of_their_own(self):
        store = self.empty()
        both = [relation(ORDER, "CALLS", GATEWAY, "x"), relation(ORDER, "CALLS", GATEWAY, "w")]
        await store.replace(as_parts([GraphBatch([ORDER, GATEWAY], both)]))
        assert walks(await store.paths([ORDER.id], [GATEWAY.id], permission=ALL)) == [["w"], ["x"]]

    async def test_everything_for_export(self, shop):
        assert await shop.all_entities(permission=ALL) == sorted(ENTITIES, key=lambda e: e.id)
        assert await shop.all_edges(permission=ALL) == list(RELATIONS)

    async def test_nothing_outside_the_permission_is_read(self, shop):
        only = frozenset({"orders", "payments"})
        everything = [e.id for e in ENTITIES]
        assert await shop.find_exact(["customer"], permission=only) == []
        assert await shop.find_prefix("cust", permission=only) == []
        assert await shop.find_text(["customer"], permission=only) == []
        assert CUSTOMER not in await shop.all_entities(permission=only)
        edges = await shop.edges(everything, permission=only)
        assert ids(edges) == ["r1", "r2", "r3", "r4", "r5", "r9"]
        assert ids(await shop.all_edges(permission=only)) == ["r1", "r2", "r3", "r4", "r5", "r9"]
        paths = await shop.paths([ORDER.id], [LEDGER.id], permission=only, max_hops=4)
        assert walks(paths) == [["r3", "r4"], ["r1", "r2", "r4"]]

    async def test_an_edge_of_a_forbidden_project_between_two_allowed_is_not_read(self):
        store = self.empty()
        foreign = Relationship(ORDER, "CALLS", GATEWAY, project="crm", path="x.yml", id="f")
        await store.replace(as_parts([GraphBatch([ORDER, GATEWAY], [foreign])]))
        only = frozenset({"orders", "payments"})
        assert await store.edges([ORDER.id], permission=only) == []
        assert await store.paths([ORDER.id], [GATEWAY.id], permission=only) == []

    async def test_evidence_outside_the_permission_is_not_shown(self):
        store = self.empty()
        seen, hidden = Evidence("a", "orders", "a.py", 1), Evidence("b", "crm", "b.py", 2)
        await store.replace(
            as_parts([GraphBatch([ORDER, ADAPTER], [Relationship(ORDER, "CALLS", ADAPTER, evidence=(seen, hidden))])])
        )
        (edge,) = await store.edges([ORDER.id], permission=frozenset({"orders"}))
        assert edge.evidence == (seen,)

    async def test_an_empty_permission_answers_empty(self, shop):
        none: frozenset[str] = frozenset()
        assert await shop.find_exact(["customer"], permission=none) == []
        assert await shop.find_prefix("", permission=none) == []
        assert await shop.find_text(["customer"], permission=none) == []
        assert await shop.edges([ORDER.id], permission=none) == []
        assert await shop.paths([ORDER.id], [LEDGER.id], permission=none) == []
        assert await shop.all_entities(permission=none) == []
        assert await shop.all_edges(permission=none) == []

    async def test_a_relation_without_a_project_is_its_sources(self):
        store = self.empty()
        await store.replace(as_parts([GraphBatch([ORDER, ADAPTER], [Relationship(ORDER, "CALLS", ADAPTER)])]))
        (edge,) = await store.all_edges(permission=ALL)
        assert (edge.project, edge.lines, edge.evidence) == ("orders", (), ())

    async def test_a_relations_ends_are_the_stored_entities(self):
        store = self.empty()
        named = Entity("OrderService", id=ORDER.id)
        await store.replace(as_parts([GraphBatch([ORDER, ADAPTER], [Relationship(named, "CALLS", ADAPTER, id="n")])]))
        (edge,) = await store.all_edges(permission=ALL)
        assert edge.source == ORDER

    @pytest.mark.parametrize(
        ("batch", "problem"),
        [
            (GraphBatch([ORDER], [ORDER_ADAPTER]), "orders:PaymentAdapter"),
            (GraphBatch([ORDER, entity("orders", "OrderService", path="b.py")], ()), "Two"),
            (GraphBatch([ORDER, ADAPTER], [ORDER_ADAPTER, relation(ADAPTER, "CALLS", ORDER, "r1")]), "Two"),
        ],
    )
    async def test_a_batch_that_does_not_hold_together_is_refused_and_changes_nothing(self, shop, batch, problem):
        with pytest.raises(ValueError, match=problem):
            await shop.replace(as_parts([batch]))
        assert await shop.all_edges(permission=ALL) == list(RELATIONS)

    async def test_replacing_leaves_nothing_of_what_was(self, shop):
        await shop.replace(as_parts([GraphBatch([LEDGER], [LEDGER_LEDGER])]))
        assert await shop.all_entities(permission=ALL) == [LEDGER]
        assert await shop.all_edges(permission=ALL) == [LEDGER_LEDGER]
        assert await shop.find_text(["order"], permission=ALL) == []

    async def test_what_starts_in_some_projects_is_put_in_the_place_of_what_did(self, shop):
        order, desk = replace(ORDER, start_line=30), entity("orders", "OrderDesk")
        edges = [relation(desk, "CALLS", ORDER, "n1"), relation(ORDER, "USES", GATEWAY, "n2"), CUSTOMER_GATEWAY]
        batch = GraphBatch([order, desk], edges, [CUSTOMER, GATEWAY])
        await shop.update(batch, projects={"orders"}, sources={"orders", "crm"})
        assert await shop.all_entities(permission=ALL) == [CUSTOMER, desk, order, LEDGER, GATEWAY]
        found = await shop.all_edges(permission=ALL)
        assert ids(found) == ["n1", "n2", "r4", "r5", "r7"]  # r9 ended at an order that was replaced
        assert found[0].target == order
        assert await shop.find_exact(["orderdesk", "paymentadapter"], permission=ALL) == [desk]
        assert await shop.find_text(["desk"], permission=ALL) == [desk]
        assert await shop.find_text(["adapter"], permission=ALL) == []
        paths = await shop.paths([desk.id], [LEDGER.id], permission=ALL, max_hops=3)
        assert walks(paths) == [["n1", "n2", "r4"]]

    async def test_an_update_may_only_take_away(self, shop):
        await shop.update(NOTHING, projects={"orders", "payments"}, sources={"orders", "payments"})
        assert await shop.all_entities(permission=ALL) == [CUSTOMER]
        assert await shop.all_edges(permission=ALL) == []
        assert not await shop.is_empty()
        await shop.update(NOTHING, projects={"crm"}, sources={"crm"})
        assert await shop.is_empty()

    @pytest.mark.parametrize(
        ("batch", "problem"),
        [
            (GraphBatch([ORDER], [ORDER_ADAPTER]), "orders:PaymentAdapter"),  # replaced, and not in the batch
            (GraphBatch([ORDER, ADAPTER], [ORDER_ADAPTER, relation(ADAPTER, "CALLS", ORDER, "r1")]), "Two"),
        ],
    )
    async def test_an_update_that_does_not_hold_together_is_refused_and_changes_nothing(self, shop, batch, problem):
        with pytest.raises(ValueError, match=problem):
            await shop.update(batch, projects={"orders"}, sources={"orders"})
        assert await shop.all_entities(permission=ALL) == sorted(ENTITIES, key=lambda e: e.id)
        assert await shop.all_edges(permission=ALL) == list(RELATIONS)

    async def test_a_new_store_is_empty_and_a_filled_one_is_not(self, shop):
        assert await self.empty().is_empty()
        assert not await shop.is_empty()

    async def test_a_project_goes_with_everything_that_touches_it(self, shop):
        await shop.update(NOTHING, projects={"payments"}, sources={"payments"})
        assert await shop.all_entities(permission=ALL) == [CUSTOMER, ORDER, ADAPTER, TABLE]
        assert ids(await shop.all_edges(permission=ALL)) == ["r1", "r6", "r8"]
        assert await shop.find_text(["gateway"], permission=ALL) == []

    async def test_names_are_found_when_most_of_the_graph_has_gone(self):
        many = [entity("crm", f"Customer{n}") for n in range(200)]
        store = self.empty()
        await store.replace(as_parts([GraphBatch([*many, ORDER], ())]))
        await store.update(NOTHING, projects={"crm"}, sources={"crm"})
        assert await store.find_text(["order"], permission=ALL) == [ORDER]

    async def test_parts_are_one_graph(self, shop):
        parts = [SHOP.portion({project}) for project in sorted(ALL)]
        store = self.empty()
        await store.replace(as_parts(parts))
        for permission in (ALL, frozenset({"orders"}), frozenset({"orders", "payments"})):
            assert await store.all_entities(permission=permission) == await shop.all_entities(permission=permission)
            assert await store.all_edges(permission=permission) == await shop.all_edges(permission=permission)
            assert await store.find_text(["payment"], permission=permission) == await shop.find_text(
                ["payment"], permission=permission
            )

    async def test_a_part_that_does_not_hold_together_is_refused(self):
        with pytest.raises(ValueError, match="orders:PaymentAdapter"):
            await self.empty().replace(as_parts([SHOP.portion({"payments"}), GraphBatch([ORDER], [ORDER_ADAPTER])]))

    async def test_an_end_that_moves_is_moved_for_all_who_touch_it(self, shop):
        moved = replace(GATEWAY, start_line=70)
        edges = [replace(r, target=moved) for r in (ADAPTER_GATEWAY, ORDER_GATEWAY, CUSTOMER_GATEWAY)]
        edges += [ORDER_ADAPTER, GATEWAY_LEDGER, LEDGER_LEDGER, ORDER_CUSTOMER, ORDER_CRM, LEDGER_ORDER]
        batch = GraphBatch([moved, LEDGER], edges, [ORDER, ADAPTER, TABLE, CUSTOMER])
        await shop.update(batch, projects={"payments"}, sources=ALL)
        assert await shop.find_exact([GATEWAY.key], permission=ALL) == [moved]
        assert {e.target for e in await shop.edges([GATEWAY.id], permission=ALL, direction="in")} == {moved}
        assert ids(await shop.all_edges(permission=ALL)) == ids(RELATIONS)

    async def test_a_project_that_comes_is_there_for_all(self, shop):
        new = entity("mail", "Sender")
        edges = [relation(new, "CALLS", ORDER, "m1"), CUSTOMER_GATEWAY]
        batch = GraphBatch([new], edges, [ORDER, CUSTOMER, GATEWAY])
        await shop.update(batch, projects={"mail"}, sources={"mail", "crm"})
        everybody = ALL | {"mail"}
        assert await shop.find_exact(["sender"], permission=everybody) == [new]
        assert ids(await shop.edges([ORDER.id], permission=everybody, direction="in")) == ["m1", "r9"]
        assert await shop.edges([new.id], permission=ALL) == []
        await shop.update(NOTHING, projects={"mail"}, sources={"mail"})
        assert await shop.all_entities(permission=everybody) == sorted(ENTITIES, key=lambda e: e.id)
