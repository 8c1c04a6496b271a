from __future__ import annotations

import pytest

from memory.text.frames import Frame, frames_in, thrown_in


@pytest.mark.parametrize(
    ("trace", "frame"),
    [
        ('  File "/app/orders/adapter.py", line 10, in process_payment', Frame("/app/orders/adapter.py", 10)),
        ("\tat org.shop.Orders.place(Orders.java:75)", Frame("Orders.java", 75)),
        ("   at Shop.Orders.Place() in C:\\src\\Orders.cs:line 12", Frame("/src/Orders.cs", 12)),
        ("\t/src/checkout/main.go:243 +0x1d", Frame("/src/checkout/main.go", 243)),
        ("    at pay (/srv/till.js:3:14)", Frame("/srv/till.js", 3)),
        ("    (till 0.1.0) lib/till/desk.ex:7: Till.Desk.open/1", Frame("lib/till/desk.ex", 7)),
        ("    (till) lib/till/desk.ex: Till.Desk.open!/1", Frame("lib/till/desk.ex", 0)),
    ],
)
def test_frames(trace, frame):
    assert frames_in(f"It fails:\n{trace}\n{trace}") == [frame]


@pytest.mark.parametrize(
    ("trace", "function"),
    [
        ('  File "/app/orders/adapter.py", line 10, in process_payment', "process_payment"),
        ("\tat org.shop.Orders.place(Orders.java:75)", "Orders.place"),
        ("    (till) lib/till/desk.ex: Till.Desk.open!/1", "Till.Desk.open!"),
        ("\t/src/checkout/main.go:243 +0x1d", ""),
    ],
)
def test_the_function_of_a_frame(trace, function):
    [frame] = frames_in(trace)
    assert frame.function == function


def test_a_question_without_a_trace_has_no_frames():
    assert frames_in("What is checkout:8080 and main.go?") == []


def test_the_message_of_an_error():
    assert thrown_in("It fails:\nRuntimeError: the till did not answer\n  at x") == "the till did not answer"
    assert thrown_in("** (KeyError) key :till not found") == "key :till not found"
    assert thrown_in("Why does it fail?") == ""
