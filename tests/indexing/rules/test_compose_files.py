"""Compose files under any name, and their networks' aliases."""

from __future__ import annotations

import pytest

from indexing.rules import Source
from indexing.rules.compose import Compose, compose_services, with_service

STACK = """\
version: "3.8"
x-common: {}
services:
  till:
    build: ../till
  shop-db:
    image: postgres:16
  desk:
    extends: {file: base.yml, service: desk}
"""
NETWORKS = """\
services:
  gateway:
    image: shop/gateway
    environment:
      - Auth__Authority=https://id.shop.local:5001
      - PAY_URL=https://pay.example.org
    networks:
      inside: {aliases: [edge]}
  identity:
    image: shop/identity
    networks:
      inside:
        aliases:
          - id.shop.local
"""


@pytest.mark.parametrize("path", ["docker-stack.yml", "deploy/app.yaml", "infra/dev.yml"])
def test_a_file_with_nothing_but_what_compose_has(path):
    found = Compose().find(Source(path, STACK))
    assert [d.name for d in found.definitions] == ["till", "shop-db", "desk"]


@pytest.mark.parametrize(
    "text",
    [
        "services:\n  App\\Till:\n    arguments: [1]\n",  # a container of objects
        "services:\n  - name: till\n    image: till\n",  # a list
        "name: x\nservices:\n  till: {image: a}\nbuild: {}\n",  # another key beside
        "services:\n  till: {image: a}\n  desk: {class: Desk}\n",
        "jobs:\n  test:\n    services: {db: {image: postgres}}\n",
        "a: [",
    ],
)
def test_what_only_looks_like_one(text):
    assert Compose().find(Source("deploy/app.yml", text)) is None


def test_a_file_that_is_called_so_need_not_say_what_runs():
    source = Source("docker-compose.override.yml", "services:\n  till:\n    environment: {A: b}\n")
    assert len(list(compose_services(source))) == 1


def test_an_alias_in_a_network_is_the_service():
    found = Compose().find(Source("compose.yml", NETWORKS))
    hosts = {(c.key, c.entity) for c in found.clues if c.kind == "service" and c.side == "provides"}
    assert hosts == {
        ("gateway", "gateway"),
        ("edge", "gateway"),
        ("identity", "identity"),
        ("id.shop.local", "identity"),
    }
    calls = [(c.entity, c.key, c.line) for c in found.clues if c.kind == "service" and c.side == "needs"]
    assert calls == [("gateway", "identity", 5)]


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("https://ID.shop.local:5001/x", "https://identity:5001/x"),
        ("http://id.shop.local.example.org", "http://id.shop.local.example.org"),
        ("id.shop.local", "id.shop.local"),
    ],
)
def test_an_address_with_an_alias(value, told):
    assert with_service(value, {"id.shop.local": "identity"}) == told
