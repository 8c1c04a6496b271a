"""The comparison with edges that are named in prose, by hand."""

from __future__ import annotations

from benchmarks.contact_edges import ContactEdge, compare_contact, fits
from memory.entities import BY_NAMES, Entity, Evidence, Relationship


def edge(source, relation, target, line, status="confirmed"):
    ends = [Entity(name, "service", "shop") for name in (source, target)]
    piece = Evidence(BY_NAMES, "shop", "b.yml", 7)
    return Relationship(ends[0], relation, ends[1], "shop", "a.py", (line,), status, (piece,))


def test_names_fit_by_their_words_but_not_by_what_kind_they_are():
    assert fits("harvester SQS queue", "notifications.queues.harvester")
    assert fits("SloMonitor lambda", "slo-monitor.handle")
    assert fits("orders", "order")  # a plural
    assert not fits("harvester SQS queue", "billing queue")


def test_a_verb_that_says_whereto_is_the_graphs_own():
    known = [
        ContactEdge(str(i), "shop", "till", verb, "orders", "a.py", 7)
        for i, verb in enumerate(("PUBLISHES_TO", "TRIGGERS", "STORES_IN"))
    ]
    result = compare_contact(known, [edge("till", "PUBLISHES", "orders", 7)])
    assert [row["exact"] for row in result["rows"]] == [True, True, False]


def stated(source, relation, target, says):
    ends = [Entity(name, "class", "shop") for name in (source, target)]
    piece = Evidence("calls", "shop", "a.py", 7, says)
    return Relationship(ends[0], relation, ends[1], "shop", "a.py", (7,), "confirmed", (piece,))


def test_the_methods_and_handlers_that_the_evidence_names_are_names_of_the_ends():
    found = [
        stated("Till", "CALLS", "Client", "Till.pay calls Client.post_report"),
        stated("shop", "EXPOSES", "GET /orders/{id}", "GET /orders/{id} handled by OrderController.show"),
        stated("Paid", "INHERITS", "Event", "Paid inherits Event"),
        stated("shop", "INVOKES", "POST /v1/users/{}/mail", "asks for POST /v1/users/{}/mail"),
    ]
    known = [
        ContactEdge("1", "shop", "Till", "CALLS", "post_report", "a.py", 7),
        ContactEdge("2", "shop", "OrderController", "EXPOSES", "/orders/{id}", "a.py", 7),
        ContactEdge("3", "shop", "Paid", "EXTENDS", "Event", "a.py", 7),
        ContactEdge("4", "shop", "shop", "CALLS", "/v1/users/%s/mail", "a.py", 7),
        ContactEdge("5", "shop", "Till", "CALLS", "get_report_list", "a.py", 7),
    ]
    assert [row["exact"] for row in compare_contact(known, found)["rows"]] == [True, True, True, True, False]


def test_imports_answer_only_who_asks_for_imports():
    known = [ContactEdge(verb, "shop", "till", verb, "orders", "a.py", 7) for verb in ("IMPORTS", "REFERENCES")]
    rows = compare_contact(known, [edge("till", "IMPORTS", "orders", 7)])["rows"]
    assert [(row["exact"], row["place"]) for row in rows] == [(True, True), (False, False)]


def test_what_counts_as_the_place_the_relation_and_the_names():
    known = [
        ContactEdge("1", "shop", "till app", "READS", "orders table", "a.py", 10),
        ContactEdge("2", "shop", "till app", "PUBLISHES", "orders table", "a.py", 10),
        ContactEdge("3", "shop", "desk", "READS", "orders table", "b.yml", 7),
        ContactEdge("4", "shop", "till app", "READS", "orders table", "a.py", 14),
    ]
    found = [edge("till", "USES_TABLE", "orders", 7), edge("till", "PUBLISHES", "orders", 14, "candidate")]
    result = compare_contact(known, found)
    # 1 is exact at 7, three lines off 10; 2 is another relation; 3 has the place by its evidence; 4 is seven lines off.
    assert [result[level] for level in ("exact", "named", "related", "place")] == [1 / 4, 2 / 4, 2 / 4, 3 / 4]
    assert found[0].is_by_names
