"""What words around a name say."""

from __future__ import annotations

from indexing.occurrences.words import CALL, PUBLISH, STORE, SUBSCRIBE, bare, creates, kind_in, role_in, stem, way_in


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
