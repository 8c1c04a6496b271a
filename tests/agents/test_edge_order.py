"""One relation a bundle, the file of its source first, and every file's first relation before any file's second."""

from __future__ import annotations

from agents.edge_order import bundled, order_edges
from agents.linking import Link
from memory.entities import Entity, Relationship

CHECKOUT = Entity("checkout", "service", "shop", "deploy/checkout.yaml", 3, 9)
PAYMENT = Entity("payment", "service", "shop", "deploy/payment.yaml", 3, 9)
CART = Entity("cart", "service", "shop", "deploy/cart.yaml", 3, 9)


def edge(target: Entity, path: str, *lines: int) -> Relationship:
    return Relationship(CHECKOUT, "CALLS", target, "shop", path, lines)


def test_a_relation_is_told_once_from_the_file_of_its_source():
    chart, often = edge(PAYMENT, "chart/checkout.yaml", 88), edge(PAYMENT, "src/main.go", 4, 9)
    own = edge(PAYMENT, "deploy/checkout.yaml", 62)
    assert bundled([chart, often, own]) == [(own, often, chart)]


def test_every_files_first_relation_comes_before_its_second():
    first, second = edge(PAYMENT, "deploy/checkout.yaml", 60, 62), edge(CART, "deploy/checkout.yaml", 68)
    other = edge(CART, "src/main.go", 4)
    link = Link("checkout", CHECKOUT, 0.85, "is of that kind and name")
    told = order_edges([second, first], [link], (), hop_decay=0.8)
    assert told == [((first,), 0.85), ((second,), 0.85)]  # more lines say it
    elsewhere = Relationship(CART, "CALLS", CHECKOUT, "shop", other.path, (4,))
    told = order_edges([second, first, elsewhere], [link], (), hop_decay=0.8)
    assert [own for own, _ in told] == [(first,), (elsewhere,), (second,)]


def test_what_tests_do_is_told_last_unless_they_are_asked_for():
    tested, used = edge(PAYMENT, "tests/test_checkout.py", 4, 5), edge(CART, "src/main.go", 4)
    link = Link("checkout", CHECKOUT, 0.85, "is of that kind and name")
    told = order_edges([tested, used], [link], (), hop_decay=0.8)
    assert [own for own, _ in told] == [(used,), (tested,)]
    told = order_edges([tested, used], [link], (), hop_decay=0.8, tests_last=False)
    assert [own for own, _ in told] == [(tested,), (used,)]  # more lines say it


def test_a_topic_is_one_whoever_knows_it():
    mine, theirs = (Entity("order.placed", "topic", project, "bus.py", 4, 4) for project in ("shop", "orders"))
    told = [Relationship(CART, "SUBSCRIBES", topic, "shop", "cart.py", (7,)) for topic in (mine, theirs)]
    assert bundled(told) == [(told[1], told[0])]
