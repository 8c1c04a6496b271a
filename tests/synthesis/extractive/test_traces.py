from __future__ import annotations

import pytest

from memory.query import QueryType
from synthesis.extractive.answerer import ExtractiveAnswerer
from synthesis.extractive.sources import grounded
from synthesis.extractive.traces import Frame, frames_in, trace_lines


@pytest.mark.parametrize(
    ("trace", "frame"),
    [
        ('  File "/app/orders/adapter.py", line 10, in process_payment', Frame("/app/orders/adapter.py", 10)),
        ("\tat org.shop.Orders.place(Orders.java:75)", Frame("Orders.java", 75)),
        ("   at Shop.Orders.Place() in C:\\src\\Orders.cs:line 12", Frame("/src/Orders.cs", 12)),
        ("\t/src/checkout/main.go:243 +0x1d", Frame("/src/checkout/main.go", 243)),
        ("    at pay (/srv/till.js:3:14)", Frame("/srv/till.js", 3)),
    ],
)
def test_frames(trace, frame):
    assert frames_in(f"It fails:\n{trace}\n{trace}") == [frame]


def test_a_question_without_a_trace_has_no_frames():
    assert frames_in("What is checkout:8080 and main.go?") == []


async def test_the_line_a_trace_points_at_is_shown_with_its_definition(org):
    ground = await grounded([org.seen("orders/orders/adapter.py"), org.seen("payments/payments/gateway.py")], org.files)
    trace = 'File "/usr/lib/orders/adapter.py", line 9, in process_payment\nFile "/app/gateway.py", line 5, in charge'
    assert [line.text() for line in trace_lines(trace, ground)] == [
        "The trace points at this line:",
        (
            "- orders/adapter.py:9 of orders, in PaymentAdapter.process_payment: `return gateway.charge(amount)` "
            "[vector:orders/orders/adapter.py:9-9]"
        ),
    ]


async def test_a_line_that_moved_a_little_is_found_and_one_far_off_is_not(org):
    org.texts["shop/till.py"] = "def ring():\n    return bell(1)\n\n\n\n\n\n\nlast = ring()\n"
    ground = await grounded([org.seen("shop/till.py")], org.files)
    assert "till.py:2 of shop" in trace_lines("at till.py:4", ground)[1].text()
    assert trace_lines("at till.py:40", ground) == []
    assert trace_lines("at other.py:2", ground) == []


async def test_a_trace_is_answered_by_its_lines_and_misses_nothing_else_that_it_names(org):
    query = (
        'orders.TillTimeout\nFile "orders/adapter.py", line 9, in process_payment\nFile "payments/gateway.py", line 5'
    )
    asked = org.asked(query, QueryType.PATTERN, entities=("orders.TillTimeout", "process_payment"))
    seen = [org.seen("orders/orders/adapter.py"), org.seen("payments/payments/gateway.py")]
    answer = await ExtractiveAnswerer().answer(query, seen, classification=asked, files=org.files)
    assert answer.text.startswith("The trace points at these lines:\n- orders/adapter.py:9 of orders")
    assert answer.missing == ()
    assert all(citation.verified for citation in answer.citations)


async def test_without_a_trace_the_statement_that_holds_the_message(org):
    org.texts["shop/till.py"] = (
        'def ring(bell):\n    if not bell:\n        raise ValueError(f"Bell not found: {bell}")\n'
    )
    org.texts["shop/a.md"] = "Bell not found: buy one.\n"
    ground = await grounded([org.seen("shop/a.md"), org.seen("shop/till.py")], org.files)
    assert [line.text() for line in trace_lines("ValueError: Bell not found: abc123", ground)] == [
        "The message stands here:",
        ('- till.py:3 of shop, in ring: `raise ValueError(f"Bell not found: {bell}")` [vector:shop/till.py:3-3]'),
    ]
    assert trace_lines("ValueError: Bell not", ground) == []  # two words may stand anywhere
    assert trace_lines("Why is the bell not found: really", ground) == []
