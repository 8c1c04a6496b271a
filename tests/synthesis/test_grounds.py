from __future__ import annotations

from dataclasses import replace

from memory.observations import Location
from synthesis.answer import Citation
from synthesis.grounds import ground, labels
from synthesis.verification import ObservedFiles


def cited(observation, marker, first, last):
    at = observation.locations[0]
    return Citation(marker, observation.id, "c", "q", Location(at.project, at.path, first, last))


async def test_lines_and_the_definitions_they_stand_in(org):
    seen = org.seen("orders/orders/adapter.py", metadata={"symbol": "PaymentAdapter"})
    found = await ground(cited(seen, "[vector:orders/orders/adapter.py:9-9]", 9, 9), [seen], org.files)
    assert found.text == "                return gateway.charge(amount)"
    assert found.named.splitlines()[-4:] == [
        "try:",
        "for attempt in range(3):",
        "def process_payment(self, amount: int) -> str:",
        "class PaymentAdapter:",
    ]
    assert found.around == seen.content


async def test_a_signature_over_several_lines_is_found(org):
    org.texts["orders/long.py"] = "def place(\n    self,\n) -> None:\n    return 1\n"
    seen = org.seen("orders/long.py")
    found = await ground(cited(seen, "[vector:orders/long.py:4-4]", 4, 4), [seen], org.files)
    assert found.named.splitlines()[-2:] == [") -> None:", "def place("]


async def test_without_lines_the_content_is_the_ground(org):
    bare = replace(org.seen("billing/CLAUDE.md", agent="local"), locations=())
    found = await ground(Citation("[local:CLAUDE.md]", bare.id, "c", "q", None), [bare], org.files)
    assert found.text == bare.content


async def test_a_relation_has_all_lines_that_prove_it_and_what_is_said_of_it(org):
    first, second = org.path
    again = replace(first, lines=(3,))
    graph = [org.graph(first, second), org.graph(again)]
    marker = "[graph:orders/OrderService→orders/PaymentAdapter]"
    citation = Citation(marker, graph[0].id, "c", "q", Location("orders", "orders/service.py", 5, 5))
    found = await ground(citation, [org.seen("billing/CLAUDE.md"), *graph], org.files)
    assert "return self.adapter.process_payment(amount)" in found.text
    assert "OrderService.place calls PaymentAdapter.process_payment" in found.text
    assert "gateway.charge" not in found.text
    assert "orders/PaymentAdapter" in found.named


async def test_an_entity_has_every_place_its_observations_name(org):
    known = org.known(org.path[1].target)
    citation = Citation("[graph:payments/PaymentGateway]", known.id, "c", "q", None)
    found = await ground(citation, [known], org.files)
    assert "def refund" in found.text
    assert "PaymentGateway is a class of payments." in (await ground(citation, [known], ObservedFiles([]))).text


def test_an_entity_is_called_by_its_own_project_alone(org):
    assert labels(org.known(org.path[1].target)) == {"PaymentGateway", "payments/PaymentGateway"}
    assert labels(org.graph(*org.path)) == {
        "OrderService", "PaymentAdapter", "PaymentGateway",
        "orders/OrderService", "orders/PaymentAdapter", "payments/PaymentGateway",
    }  # fmt: skip
