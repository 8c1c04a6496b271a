"""Settings and constants by their own names."""

from __future__ import annotations

from extraction.facts import READ
from extraction.occurrences.code import BASE
from extraction.reading import extract_facts


def read(path, text, *, key=None):
    """The names of settings and constants, with their lines and ways; those of addresses have the key BASE."""
    found = extract_facts(path, text, "shop").occurrences
    return [(o.name, o.line, o.role) for o in found if (o.key == key if key else o.kind == READ)]


def test_an_address_that_an_object_of_settings_has_leads_to_what_it_is_called_after():
    text = (
        "class Client:\n    def __init__(self, config):\n        self._base = str(config.vault_api_url).rstrip('/')\n"
        "        self._name = config.name\n        self._own = config.base_url\n"
    )
    assert read("src/a.py", text, key=BASE) == [("vault_api_url", 3, "call")]


def test_where_its_last_name_says_only_that_it_is_an_address_what_it_is_in_tells():
    text = "package match\n\nfunc dial(config *Config) {\n\tconn := open(config.Match.Client.Chat.Endpoint)\n}\n"
    assert read("match/a.go", text, key=BASE) == [("Chat.Endpoint", 4, "call")]


def test_a_getter_is_read_as_the_setting_that_it_gets():
    text = "class A {\n  void ask(AppConfig config) {\n    http.get(config.getOrdersUrl());\n  }\n}\n"
    assert read("A.java", text, key=BASE) == [("OrdersUrl", 3, "call")]


def test_a_flag_or_a_key_that_has_an_address_is_a_setting_and_a_column_is_none():
    text = 'function f(env) {\n  env.get("orders-url");\n  varchar("media_url");\n}\n'
    assert read("a.js", text, key=BASE) == [("orders-url", 2, "call")]


def test_a_topics_setting_has_the_way_of_the_call_that_it_is_handed_to():
    text = (
        "class Pub:\n    async def tell(self, row):\n        await self._bus.publish(row, topic=self._config.file_deleted_topic)\n\n"
        "    def keep(self, config):\n        self._topic = config.file_deleted_topic\n        self.other = config.topic\n"
    )
    assert read("src/a.py", text) == [("file_deleted_topic", 3, "publish"), ("file_deleted_topic", 6, "")]


def test_a_constant_is_told_by_its_own_name_or_by_that_of_what_it_is_in():
    text = (
        "class A {\n  @Subscribe({ exchange: Exchange.EVENTS, routingKey: RoutingKey.ORDER_CREATED })\n"
        "  on(m) {\n    this.bus.publish(ORDERS_TOPIC, m);\n    this.bus.publish(TOPIC, Status.OPEN);\n    log.info(ORDERS_TOPIC);\n  }\n}\n"
    )
    assert read("a.ts", text) == [
        ("Exchange.EVENTS", 2, "subscribe"),
        ("RoutingKey.ORDER_CREATED", 2, "subscribe"),
        ("ORDERS_TOPIC", 4, "publish"),
    ]


def test_what_handles_what_is_published_says_neither_way():
    text = 'package a\n\nfunc run() {\n\trouter.AddNoPublisherHandler("x", chat.MessageTopic, handle)\n}\n'
    assert read("a.go", text) == [("chat.MessageTopic", 4, "")]


def test_a_constants_definition_reads_nothing():
    assert read("a.py", 'ORDERS_TOPIC = "orders"\nORDERS_TABLE = "orders"\n') == []
