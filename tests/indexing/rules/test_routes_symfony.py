"""Symfony's routes in YAML, and the variables of its configuration."""

from __future__ import annotations

from indexing.rules import Source
from indexing.rules.routes import SymfonyRouteFiles, SymfonyVariables

ROUTES = """orders_show:
  path: /orders/{id}
  controller: Shop\\Controller\\OrderController::show
  methods: [GET, HEAD]
orders_place:
  path: /orders
  defaults: { _controller: 'Shop\\Controller\\PlaceOrder' }
  methods: post|put
any:
  path: /search
  controller: Shop\\Controller\\Search
elsewhere:
  resource: ../src/Controller
  type: attribute
gone:
  path: /gone
  methods: [GET]
odd: {path: 'a b', controller: 'Shop\\A'}
"""


def test_a_route_has_a_path_and_a_controller(served):
    assert served(SymfonyRouteFiles(), "config/routes/orders.yaml", ROUTES) == [
        (2, "GET /orders/{id}", "show"),
        (2, "HEAD /orders/{id}", "show"),
        (6, "POST /orders", "PlaceOrder"),
        (6, "PUT /orders", "PlaceOrder"),
        (10, "ANY /search", "Search"),
    ]
    assert served(SymfonyRouteFiles(), "app/routing.yml", "- a\n") == []


def test_which_files_have_routes():
    rule = SymfonyRouteFiles()
    assert all(
        map(rule.reads, ("config/routes.yaml", "apps/web/config/routes/till/orders.yml", "config/routing_dev.yml"))
    )
    assert not any(map(rule.reads, ("config/services.yaml", "tests/routes.yaml", "src/routes.py")))


def test_a_service_reads_the_addresses_that_its_configuration_is_given():
    text = """services:
  Shop\\Bus\\Connection:
    arguments:
      - host: '%env(RABBITMQ_HOST)%'
        password: '%env(RABBITMQ_PASSWORD)%'
      - '%env(string:resolve:SEARCH_URL)%'
"""
    rule = SymfonyVariables()
    assert rule.reads("config/services.yaml")
    assert not rule.reads("config/services_test.yaml")
    assert [(c.kind, c.key, c.line) for c in rule.find(Source("config/services.yaml", text)).clues] == [
        ("variable", "RABBITMQ_HOST", 4),
        ("variable", "SEARCH_URL", 6),
    ]
    assert rule.find(Source("config/a.yaml", "a: '%env(APP_SECRET)%'\n")) is None
