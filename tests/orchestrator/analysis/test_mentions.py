"""What counts as a mention, and what a pasted snippet is (design §4)."""

from __future__ import annotations

import pytest

from orchestrator.analysis import find_mentions, without_snippet


def mentions(query):
    return [(mention.text, mention.kind) for mention in find_mentions(query)]


@pytest.mark.specification("001 §3.3 entities")
@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("What is CustomerService?", [("CustomerService", "identifier")]),
        ("What uses customer_accounts?", [("customer_accounts", "identifier")]),
        ("Where is tenacity.retry used?", [("tenacity.retry", "identifier")]),
        ("Where is std::vector used?", [("std::vector", "identifier")]),
        ("See src/shop_api/app.py", [("src/shop_api/app.py", "identifier")]),
        ("What does `charge(amount)` do?", [("charge", "identifier")]),
        ("What depends on payment-gateway?", [("payment-gateway", "hyphenated")]),
        ('Who wrote "the retry policy"?', [("the retry policy", "quoted")]),
        ("Who wrote \u201cretry policy\u201d?", [("retry policy", "quoted")]),
        ("Who wrote 'retry policy' and 'OrderSaga'?", [("retry policy", "quoted"), ("OrderSaga", "identifier")]),
        ("Which projects use Redis or Kafka?", [("Redis", "capitalised"), ("Kafka", "capitalised")]),
        ("How so? Where is it? It's Bob's.", [("Bob", "capitalised")]),
        ("Retries in Python 3.11, e.g. and/or i.e. 12-10", [("Python", "capitalised")]),
        ("OrderSaga and OrderSaga", [("OrderSaga", "identifier")]),
        ("See https://example.org/Some.Path now", []),
        ('`` and ""', []),
    ],
)
def test_mentions(query, expected):
    assert mentions(query) == expected


@pytest.mark.parametrize(
    ("query", "prose"),
    [
        ("Explain\n```python\nclass FooBar: pass\n```\nplease", "Explain\n \nplease"),
        ("Explain ```unclosed FooBar", "Explain  "),
        ("Find this:\n    def foo_bar(): pass\nin billing", "Find this:\n\nin billing"),
        ("Like this: catch (Exception ex) { throw; }", "Like this"),
        ("Like this: x = 1\n\nin BillingService", "Like this\n\nin BillingService"),
        ("Compare these: OrderSaga and PaymentSaga", "Compare these: OrderSaga and PaymentSaga"),
        ("What do these do: `foo()` and `bar()`?", "What do these do: `foo()` and `bar()`?"),
    ],
)
def test_a_snippet_is_a_fence_indented_lines_or_code_after_a_colon(query, prose):
    assert without_snippet(query) == prose


def test_a_stack_trace_names_its_functions_and_nothing_that_must_be_known():
    java = (
        "java.lang.NullPointerException\n"
        "\tat org.shop.orders.OrdersController.newOrder(OrdersController.java:75)\n"
        "\tat sun.reflect.NativeMethodAccessorImpl.invoke0(Native Method)\n"
        "Why?"
    )
    assert mentions(java) == [
        ("java.lang.NullPointerException", "quoted"),
        ("OrdersController.newOrder", "quoted"),
        ("NativeMethodAccessorImpl.invoke0", "quoted"),
    ]
    python = 'File "/app/shop/tills.py", line 7, in open_drawer\n    drawer.open()\nTillError: jammed'
    assert ("open_drawer", "quoted") in mentions(python)
    many = "\n".join(f"at a.B.m{n}(B.java:{n})" for n in range(9))
    assert [text for text, _ in mentions(many) if text.startswith("B.m")] == [f"B.m{n}" for n in range(5)]
