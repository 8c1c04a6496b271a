"""What a question wants listed, and what it only seems to."""

from __future__ import annotations

import pytest

from agents.inventory import Inventory, read_inventory

SERVICES = Inventory("service", ("service",))
VARIABLES = Inventory("environment variable", ("config_key",), ("READS",))


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("Which services are in robot-shop?", SERVICES),
        ("What services does robot-shop consist of?", SERVICES),
        ("How many services are there in robot-shop and cinema?", SERVICES),
        ("Which microservices are part of robot-shop?", SERVICES),
        ("Please list all the services of the shop.", SERVICES),
        ("Which tables does billing have?", Inventory("table", ("table",))),
        ("Which tables are owned by billing?", Inventory("table", ("table",), ("OWNS_TABLE",))),
        ("What are the endpoints of the cart service in the shop?", Inventory("endpoint", ("endpoint",))),
        ("What endpoints does the cart service expose?", Inventory("endpoint", ("endpoint",), ("EXPOSES",))),
        ("List the topics of billing", Inventory("topic", ("topic",))),
        ("What events does billing publish?", Inventory("topic", ("topic",), ("PUBLISHES",))),
        ("Which queues does billing listen to?", Inventory("topic", ("topic",), ("CONSUMES", "SUBSCRIBES"))),
        ("Which environment variables exist in sleepr?", VARIABLES),
        ("Which env vars does payment in robot-shop read?", VARIABLES),
        ("Which settings are used in billing?", Inventory("config key", ("config_key",), ("READS",))),
        ("Which classes are in tenacity?", Inventory("class", ("class",))),
        ("Show me all services in our projects", Inventory("service", ("service",), everywhere=True)),
        ("Which services exist?", Inventory("service", ("service",), everywhere=True)),
        (
            "Which services does payment call?",
            Inventory("service", ("service",), ("CALLS", "INVOKES"), contained=False),
        ),
        ("Which services does payment use?", Inventory("service", ("service",), contained=False)),
    ],
)
def test_what_is_to_be_listed(question: str, asked: Inventory):
    assert read_inventory(question) == asked


@pytest.mark.parametrize(
    "question",
    [
        "Which services use MongoDB?",
        "List the services of robot-shop that use MongoDB",
        "Show me all endpoints with retries",
        "Which services are down when payment fails?",
        "What tables store customers?",
        "What are events?",
        "Which services depend on the ledger?",
        "Which services does the spring freeze apply to?",
        "Which classes are there?",  # of everything that is indexed nobody wants that
        "",
    ],
)
def test_what_is_no_list(question: str):
    assert read_inventory(question) is None


def test_several_in_words():
    assert [Inventory(noun, ()).plural for noun in ("class", "topic")] == ["classes", "topics"]
