"""What of a question its writer did not write."""

from __future__ import annotations

import pytest

from memory.question import read_question
from memory.question.pasted import Frame, frames_in, thrown_in


@pytest.mark.parametrize(
    ("trace", "frame"),
    [
        ('  File "/app/orders/adapter.py", line 10, in process_payment', Frame("/app/orders/adapter.py", 10)),
        ("\tat org.shop.Orders.place(Orders.java:75)", Frame("Orders.java", 75)),
        ("   at Shop.Orders.Place() in C:\\src\\Orders.cs:line 12", Frame("/src/Orders.cs", 12)),
        ("\t/src/checkout/main.go:243 +0x1d", Frame("/src/checkout/main.go", 243)),
        ("main.open(...)\n\t/src/checkout/main.go:243 +0x1d", Frame("/src/checkout/main.go", 243)),
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
        ("main.(*Server).handleOrder(0x0, {0x1, 0x2})\n\t/app/server.go:42 +0x1b", "Server.handleOrder"),
        ("github.com/shop/till/desk.Set[...].Add(...)\n\t/root/go/till@v1.2.0/desk/set.go:7", "Set.Add"),
        ("main.processAll.func1()\n\t/app/main.go:12", "processAll"),
        ("panic({0x1, 0x2})\n\t/go/src/runtime/panic.go:884 +0x212", ""),
    ],
)
def test_the_function_of_a_frame(trace, function):
    [frame] = frames_in(trace)
    assert frame.function == function


@pytest.mark.parametrize(
    "trace", ['File "a.py", line {}, in pay', "at A.pay(A.java:{})", "lib/a.ex:{}: A.pay/1", "a.go:{}"]
)
def test_a_line_of_thousands_of_digits_is_behind_every_file(trace):
    [frame] = frames_in(trace.format("9" * 5000))
    assert frame.line == 999_999_999


def test_a_question_without_a_trace_has_no_frames():
    assert frames_in("What is checkout:8080 and main.go?") == []


def test_the_message_of_an_error():
    assert thrown_in("It fails:\nRuntimeError: the till did not answer\n  at x") == "the till did not answer"
    assert thrown_in("** (KeyError) key :till not found") == "key :till not found"
    assert thrown_in("Why does it fail?") == ""


ELIXIR = (
    "right after a fresh deploy the first players get kicked with\n"
    "** (KeyError) key :signer not found in: %{}\n"
    "    (arena) lib/arena/gateway_signer.ex: Arena.GatewaySigner.handle_call/3\n"
    "what is it waiting for"
)


@pytest.mark.parametrize(
    ("query", "prose", "kinds"),
    [
        ("Explain\n```python\nclass FooBar: pass\n```\nplease", "Explain\nplease", ["fence"]),
        ("Explain ```unclosed FooBar", "Explain", ["fence"]),
        ("Find this:\n    one line\n    another\nin billing", "Find this:\nin billing", ["indented"]),
        ("Like this: catch (Exception ex) { throw; }", "Like this", ["code"]),
        ("Like this: x = 1\nin BillingService", "Like this\nin BillingService", ["code"]),
        ("This fails:\n\na.pay(b)\n\nx = 1\n\nWho calls pay(x)?", "This fails:\nWho calls pay(x)?", ["code", "code"]),
        ("Two questions:\n\nWho calls pay(x)?", "Two questions:\nWho calls pay(x)?", []),
        ("In the log:\n\nNo till (7f-2)\nfor Desk.\n\nwhat next?", "In the log:\nwhat next?", ["log"]),
        ("To do:\n\n- find the till\n- who pays\n\nOpen", "To do:\n- find the till\n- who pays\nOpen", []),
        ("Compare these: OrderSaga and PaymentSaga", "Compare these: OrderSaga and PaymentSaga", []),
        ("What do these do: `foo()` and `bar()`?", "What do these do: `foo()` and `bar()`?", []),
        ('we get\n{\n  "error": "x"\n}\nwhy?', "we get\nwhy?", ["json"]),
        ("got\n2024-05-01T10:00:00Z ERROR no till\nwhy", "got\nwhy", ["log"]),
        ("got\n[WARN] no till is there\nwhy", "got\nwhy", ["log"]),
        ("why\nTillError: jammed\n  at open (till.js:3)", "why", ["error", "trace"]),
        (ELIXIR, ELIXIR.splitlines()[0] + "\nwhat is it waiting for", ["error", "trace"]),
        ("TillError: jammed, what is that?", "TillError: jammed, what is that?", []),
    ],
)
def test_prose_and_what_was_pasted(query, prose, kinds):
    question = read_question(query)
    assert (question.prose, [part.kind for part in question.pasted]) == (prose, kinds)


def test_the_names_of_a_failure_are_not_asked_about():
    question = read_question("AttributeError: 'NoneType' has no id\nwhere does OrderSaga get it")
    assert [word.text for word in question.words if word.is_name and word.pasted] == ["AttributeError", "NoneType"]
    assert question.mentions == ("OrderSaga",)
    inline = read_question("we get KeyError: 'till' in OrderSaga")  # to the line's end nobody knows where it ends
    assert inline.mentions == ()


def test_a_trace_names_its_functions():
    java = (
        "java.lang.NullPointerException\n"
        "\tat org.shop.orders.OrdersController.newOrder(OrdersController.java:75)\n"
        "\tat sun.reflect.NativeMethodAccessorImpl.invoke0(Native Method)\n"
        "Why?"
    )
    assert read_question(java).mentions == ("OrdersController.newOrder",)
    [frame] = read_question(ELIXIR).frames
    assert (frame.file, frame.line, frame.function) == (
        "lib/arena/gateway_signer.ex",
        0,
        "Arena.GatewaySigner.handle_call",
    )
    assert read_question(ELIXIR).thrown == "key :signer not found in: %{}"


def test_the_parts_by_which_it_may_be_found():
    assert read_question("What is a till?").parts == ("What is a till?",)
    question = read_question("why\n```\ntill = 1\n```")
    assert question.parts == (question.text, "why", "```\ntill = 1\n```")
    quoted = "a typo in 'Analysis was sucessfull' is fine?"
    assert read_question(quoted).parts == (quoted, "Analysis was sucessfull")


@pytest.mark.specification("001 §3.3 entities")
@pytest.mark.parametrize(
    "code",
    [
        "class FooBar(BaseModel):\n    def baz_qux(self):\n        return HTTPClient(self.name)",
        "SELECT customer_id, legal_name\nFROM customers\nWHERE created_at > NOW();",
        "SELECT customer_id FROM customers",
        "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: OrderClient",
        "FROM python:3.11\nRUN pip install OrderClient\nCOPY . /app",
        "func (s *OrderService) PlaceOrder(ctx context.Context) error {\n\treturn s.repo.Save(ctx)\n}",
        "ORDER_URL=http://orders\nORDER_KEY=x",
    ],
)
def test_a_paragraph_of_code_beside_a_question_is_pasted_and_names_nothing(code):
    for text in (f"{code}\n\nwho else does this", f"Who else does this?\n\n{code}"):
        question = read_question(text)
        assert [part.kind for part in question.pasted] == ["code"]
        assert question.names == ()


@pytest.mark.parametrize(
    "text",
    [
        "billing\norders\ncrm\n\nwhich of these publish events?",
        "- OrderService\n- PaymentAdapter\n\nwho calls them?",
        "Refunds fail since Monday. OrderService says no.\n\nWho calls it, and how is PaymentAdapter configured?",
        "Expected: an order\nGot: nothing at all\n\nwhere is the timeout set?",
        "API gateways\nDNS names\n\nwhere are these set?",
    ],
)
def test_what_a_person_writes_is_not_pasted(text):
    assert read_question(text).pasted == ()
