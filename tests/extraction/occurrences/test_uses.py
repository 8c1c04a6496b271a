"""Names that are followed from the variable that has them."""

from __future__ import annotations

from extraction.reading import extract_facts


def mentioned(path, text, name):
    return [(o.line, o.role) for o in extract_facts(path, text, "shop").occurrences if o.name == name]


def test_a_constant_is_mentioned_where_it_is_handed_to_a_call():
    text = 'ORDERS = "placed-orders"\n\n\ndef send(bus):\n    bus.publish(ORDERS)\n'
    assert (5, "publish") in mentioned("src/a.py", text, "placed-orders")


def test_a_local_variable_counts_in_its_function_alone():
    text = (
        'def ask(order):\n    where = base + "/backend/orders/" + order\n    return requests.get(where)\n\n\n'
        "def other(where):\n    return requests.get(where)\n"
    )
    assert [line for line, _ in mentioned("src/a.py", text, "/backend/orders")] == [2, 3]


def test_what_is_made_of_it_hands_it_on():
    text = 'ORDERS_API_URL = os.environ["ORDERS_API_URL"]\n\n\ndef ask(id):\n    where = ORDERS_API_URL + id\n    return requests.get(where)\n'
    assert (6, "call") in mentioned("src/a.py", text, "ORDERS_API_URL")


def test_a_value_on_a_line_of_its_own_is_its_variables():
    text = 'class Handler(a: A) {\n  private val busName =\n    s"live-events-${stage}"\n\n  val pusher = new Pusher(busName)\n}\n'
    assert (5, "publish") in mentioned("src/A.scala", text, "live-events")


def test_blank_lines_and_a_mark_of_byte_order_above_move_no_place():
    text = '\ufeff\n\nclass A {\n  string orders = "placed-orders";\n  void Send() { bus.Publish(orders); }\n}\n'
    assert (5, "publish") in mentioned("src/A.cs", text, "placed-orders")


def test_a_path_above_a_definition_is_served_there_and_not_asked_for():
    text = '@table.get("/quotes/backend")\ndef show(request):\n    return session.get("/orders/backend")\n'
    assert mentioned("src/a.py", text, "/quotes/backend") == []
    assert mentioned("src/a.py", text, "/orders/backend") == [(3, "call")]


def test_a_path_that_a_method_of_its_text_fills_is_asked_for():
    text = 'def ask(number):\n    return requests.get("/backend/orders/{}".format(number))\n'
    assert mentioned("src/a.py", text, "/backend/orders/*") == [(2, "call")]
