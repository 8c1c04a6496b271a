from __future__ import annotations

from memory.query import QueryType
from synthesis.extractive.answerer import ExtractiveAnswerer
from synthesis.extractive.joint import joint_lines, mention_lines
from synthesis.extractive.sources import grounded


async def test_texts_that_speak_of_both(org):
    org.texts["bus/docs/events.md"] = "# Events\n\nA refund of payments reaches billing by mail. Nobody else cares.\n"
    ground = await grounded([org.seen("bus/docs/events.md"), org.seen("billing/CLAUDE.md")], org.files)
    lines = joint_lines("How does billing connect to payments?", "billing", "payments", ground)
    assert [line.text() for line in lines] == [
        "No relation between billing and payments is known to the graph. Texts that speak of both:",
        "- bus: A refund of payments reaches billing by mail. [vector:bus/docs/events.md:3-3]",
    ]
    assert joint_lines("How does crm connect to payments?", "crm", "payments", ground) == []


async def test_two_of_which_nothing_is_known_are_not_found(org):
    seen = [org.seen("billing/CLAUDE.md"), org.seen("crm/docs/schema.md")]
    asked = org.asked("How does billing connect to crm?", QueryType.RELATIONSHIP)
    answer = await ExtractiveAnswerer().answer(asked.query, seen, classification=asked, files=org.files)
    assert answer.text == (
        "Nothing was found that answers this. Searched: the graph of all projects and all projects' texts and code."
    )


async def test_a_method_without_relations_is_found_in_the_code(org):
    method = org.known(org.entity("PaymentAdapter.process_payment", "orders/orders/adapter.py", 4, "method"))
    ground = await grounded([method, org.seen("orders/orders/service.py"), org.seen("billing/CLAUDE.md")], org.files)
    lines = mention_lines(["process_payment", "PaymentAdapter.process_payment", "nothing"], ground)
    assert [line.text() for line in lines] == [
        "process_payment is used here:",
        (
            "- OrderService.place of orders (orders/service.py:5): `return self.adapter.process_payment(amount)` "
            "[vector:orders/orders/service.py:5-5]"
        ),
    ]
