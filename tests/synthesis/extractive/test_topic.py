from __future__ import annotations

from synthesis.extractive.topic import named_projects, topic_of


def test_what_carries_the_topic():
    topic = topic_of("Which packages support trio?", ["anyio", "httpx"])
    assert (topic.strong, topic.is_list, topic.is_value) == ({"trio"}, True, False)
    topic = topic_of("What is the default timeout of httpx and of voyageai?", ["voyageai", "httpx", "anyio"])
    assert (topic.strong, topic.is_value, topic.projects) == ({"timeout"}, True, ("httpx", "voyageai"))
    assert topic.factor("default") == 0.4
    assert topic_of("What is httpx?", ["httpx"]).strong == {"httpx"}


def test_identifiers_say_where_and_quotes_say_what():
    topic = topic_of("Where does the `retries` argument of HTTPTransport end up?")
    assert topic.strong == {"retry"}
    assert topic.places == {"http", "transport", "httptransport"}
    assert topic.factor("retry") == 1.5


def test_words_that_stand_side_by_side():
    assert topic_of("Which CA bundle is trusted?").phrases == ("ca bundle",)
    assert topic_of("Who consumes `order.placed`?").phrases[-1] == "order.placed"


def test_the_parts_of_a_word_with_a_hyphen_are_weak():
    topic = topic_of("which back-off?")
    assert topic.strong == {"backoff"}


def test_projects_in_the_order_they_are_named():
    assert named_projects("from Orders to billing", ["billing", "orders", "crm"]) == ("orders", "billing")


def test_a_value_is_named_by_the_quantity_asked_for():
    assert topic_of("Which port does the gateway use?").measured == {"port"}
    assert topic_of("What is the default model of the gateway?").measured == topic_of("model gateway").strong
