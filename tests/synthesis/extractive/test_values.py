"""A value by the line that states it."""

from __future__ import annotations

import pytest

from memory.question import read_question
from synthesis.extractive.sources import grounded
from synthesis.extractive.values import value_lines, values_of
from synthesis.extractive.weighted_question import WeightedQuestion

COMPOSE = """services:
  cart-service:
    image: cart
    ports:
      - 8081:8080
  till:
    ports:
      - 9090:9090
"""


@pytest.fixture
def told(org):
    async def values(question, words, *keys):
        ground = await grounded([org.seen(key) for key in keys], org.files)
        asked = WeightedQuestion.of(read_question(question), dict.fromkeys(words.split(), 3.0), [])
        return [line.text() for line in value_lines(values_of(asked, ground.sources))]

    return values


async def test_a_setting_by_its_name_though_it_is_shortened(org, told):
    org.texts["bank/config.yaml"] = 'data:\n  LOCAL_ROUTING_NUM: "883745000"\n  PORT: 8080\n'
    assert await told("What is our local routing number?", "local routing number", "bank/config.yaml") == [
        '`LOCAL_ROUTING_NUM: "883745000"` (bank/config.yaml:2, in `data`) [vector:bank/config.yaml:2-2]'
    ]


async def test_an_item_by_the_keys_it_stands_in(org, told):
    org.texts["shop/compose.yaml"] = COMPOSE
    lines = await told("Which port does the cart service publish?", "port cart service", "shop/compose.yaml")
    assert lines == [
        "`8081:8080` (shop/compose.yaml:5, in `services > cart-service > ports`) [vector:shop/compose.yaml:5-5]"
    ]


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("a.py", "retry_timeout_handler_registry = 5"),  # its name says more than is asked
        ("a.py", "timeout = timeout"),  # states no value
        ("test_a.py", "TIMEOUT = 5"),  # a test's
        ("a.md", "timeout: 5"),  # prose
    ],
)
async def test_what_is_no_value_that_is_asked_for(org, told, path, line):
    org.texts[f"shop/{path}"] = f"{line}\n"
    assert await told("What is the timeout?", "timeout", f"shop/{path}") == []


async def test_a_constant(org, told):
    org.texts["shop/a.go"] = "package a\n\nconst MaxRetries = 5\n"
    assert await told("How many max retries?", "max retries", "shop/a.go") == [
        "`const MaxRetries = 5` (shop/a.go:3) [vector:shop/a.go:3-3]"
    ]
