"""Which texts are names, and what the words around a name say."""

from __future__ import annotations

import pytest

from extraction.occurrences.words import (
    CALL,
    PUBLISH,
    STORE,
    SUBSCRIBE,
    bare,
    base_in,
    creates,
    kind_in,
    last_in,
    name_in,
    role_in,
    stem,
    way_in,
)


def test_what_a_name_ends_in_says_its_kind():
    assert [kind_in(name) for name in ("ORDERS_TOPIC", "ordersQueueUrl", "TOPIC_FAMILY", "orders")] == [
        "topic",
        "queue",
        "",
        "",
    ]
    assert kind_in("google_cloud_run_service") == ""
    assert kind_in("google_cloud_run_service", of_type=True) == "service"


def test_the_first_name_that_says_anything_says_what_is_done():
    assert role_in(["sendMessage", "get"]) == PUBLISH
    assert role_in(["json", "basic_consume"]) == SUBSCRIBE
    assert role_in(["put_events"]) == PUBLISH  # not the PUT of a request
    assert role_in(["put"]) == CALL
    assert role_in(["into"]) == STORE
    assert role_in(["format"]) == ""


def test_from_afar_only_plain_words_count():
    assert way_in("OrderPublisher") == PUBLISH
    assert way_in("EventListener") == SUBSCRIBE
    assert way_in("PublisherAndConsumer") == ""  # both ways
    assert way_in("handle") == ""


def test_what_is_made_and_what_is_left_of_a_name():
    assert creates("assertQueue", named=False) == "queue"
    assert creates("SqsQueue", named=True) == "queue"
    assert creates("Topic", named=False) == ""  # any class may be called so
    assert stem("HarvesterSqsQueueUrl") == "harvester"
    assert bare("ORDERS_API_URL") == bare("orders") == "order"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("order-events", "order-events"),
        ("events-${stage}", "events-*"),
        ("order-events-${stage}", "order-events"),
        ("send.{protocol}", "send.*"),  # one word alone would be
        ("${config.host}/push/topic", "/push/topic"),
        ("http://cart-service:8080/items", "cart-service"),
        ("http://localhost:8080", ""),
        ("left-${stage}-right", ""),
        ("two words", ""),
        ("application/json", ""),
        ("Content-Type", ""),
        ("index.html", ""),
        ("v1.2", ""),
    ],
)
def test_a_name_is_no_prose_file_or_header(text, name):
    assert name_in(text) == name


def test_an_address_begins_with_a_variable_and_ends_with_a_name():
    assert base_in("${config.ordersUrl}/orders/1") == "ordersUrl"
    assert base_in("#{gateway_url}/orders") == "gateway_url"
    assert base_in("/orders/${id}") == ""
    assert last_in("gcppubsub://projects/p/topics/workers") == "workers"
    assert last_in("gs://result-files/") == "result-files"
    assert last_in("plain") == ""
