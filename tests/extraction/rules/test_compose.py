"""docker-compose services, under any file name, in whatever folders, and their networks' aliases."""

from __future__ import annotations

import pytest

from extraction.rules import Source
from extraction.rules.compose import Compose, compose_services, with_service

TEXT = """\
x-base: &base
  image: shop/base:1
  environment:
    TAX_URL: http://tax

services:
  orders:
    <<: *base
    build:
      context: ./orders
    ports: ["8080:80"]
    depends_on:
      - db
    environment:
      PAYMENTS_URL: http://payments:8080
      API_KEY: sk_live_1

  payments:
    container_name: till
    build: .
    depends_on:
      db: {condition: service_healthy}
    environment:
      - DATABASE_URL=postgres://u:p@db/x
      - ORDERS_ADDR=orders:80
      - DEBUG
  db:
    image: postgres
volumes: {}
"""
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


def test_services_with_their_lines_and_summaries():
    found = Compose().find(Source("docker-compose.yml", TEXT))
    assert [(d.name, d.kind, d.start_line, d.end_line, d.summary) for d in found.definitions] == [
        ("orders", "service", 7, 16, "image shop/base:1; built from ./orders; ports 8080:80"),
        ("payments", "service", 18, 26, "built from ."),
        ("db", "service", 27, 28, "image postgres"),
    ]


def test_what_they_need_and_under_which_names_they_are_found():
    found = Compose().find(Source("docker-compose.yml", TEXT))
    assert [(c.entity, c.key, c.relation, c.line) for c in found.clues if c.side == "needs"] == [
        ("orders", "shop/base", "DEPLOYS", 2),
        ("orders", "db", "DEPENDS_ON", 13),
        ("orders", "payments", "CALLS", 15),
        ("payments", "db", "DEPENDS_ON", 22),
        ("payments", "db", "STORES_IN", 24),
        ("payments", "orders", "CALLS", 25),
    ]
    assert [(c.key, c.value) for c in found.clues if c.kind == "variable"] == [
        ("PAYMENTS_URL", "payments"),
        ("DATABASE_URL", "db"),
        ("ORDERS_ADDR", "orders"),
    ]
    assert [(c.entity, c.key) for c in found.clues if (c.kind, c.side) == ("service", "provides")] == [
        ("orders", "orders"),
        ("payments", "payments"),
        ("payments", "till"),
        ("db", "db"),
    ]
    assert "sk_live_1" not in repr(found)
    assert "u:p" not in repr(found)


def test_which_files_it_reads():
    assert all(Compose().reads(p) for p in ("docker-compose.yml", "a/compose.yaml", "docker-compose.override.yml"))
    assert not any(map(Compose().reads, ("docker-compose.test.yml", "test/compose.yml", "compose.json")))


def test_what_is_no_compose_file_is_not_recognised():
    for text in ("", "- a\n", "services: []\n", "a: [", "services: {a: 1}\n", "? [x]\n: y\n"):
        found = Compose().find(Source("compose.yml", text))
        assert found is None or [d.name for d in found.definitions] == ["a"]


def test_a_build_context_with_credentials_is_not_said():
    found = Compose().find(Source("compose.yml", "services:\n  a:\n    build: https://me:word@git.example.org/a.git\n"))
    assert [d.summary for d in found.definitions] == [""]


def find(service, path="deploy/compose.yml"):
    return list(Compose().find(Source(path, f"services:\n  a: {service}\n")).clues)


def test_where_a_service_is_built_from():
    def homes(build, path="deploy/compose.yml"):
        return [c.key for c in find(f"{{build: {build}}}", path) if c.kind == "service folder"]

    assert homes("./orders") == ["deploy/orders"]
    assert homes("../src/orders") == ["src/orders"]
    assert homes("{context: .., dockerfile: src/till/Dockerfile}") == ["src/till"]
    assert homes(".", "compose.yml") == [""]
    assert homes("../../elsewhere") == homes("https://example.org/a.git") == homes("'${WHERE}'") == []


def test_links_commands_and_variables_that_are_handed_on():
    found = find("{links: ['store:db'], command: run --url=http://till:80, environment: [CART_ADDR, LOG_LEVEL]}")
    assert [(c.kind, c.key, c.relation) for c in found if c.side == "needs"] == [
        ("service", "store", "DEPENDS_ON"),
        ("variable", "CART_ADDR", "CALLS"),
        ("service", "till", "CALLS"),
    ]


def test_what_a_database_runs_at_its_first_start_is_its_own():
    text = """services:
  db:
    image: mysql
    volumes:
      - ./sql/schema.sql:/docker-entrypoint-initdb.d/schema.sql
      - ./orders/init:/docker-entrypoint-initdb.d:ro
      - ./schema.sql:/docker-entrypoint-initdb.d/a.sql
      - ../up.sql:/docker-entrypoint-initdb.d/up.sql
      - data:/var/lib/mysql
      - ${DIR}/x:/docker-entrypoint-initdb.d/
"""
    found = Compose().find(Source("compose.yml", text, "shop"))
    folders = [(c.key, c.entity, c.line) for c in found.clues if c.kind == "service folder"]
    assert folders == [("sql", "db", 5), ("orders/init", "db", 6)]


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
    assert Compose().find(Source("ops/app.yml", text)) is None


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


def homes(text, path="compose.yml"):
    found = Compose().find(Source(path, text, "shop"))
    return [(c.key, c.entity, c.line) for c in found.clues if c.kind == "service folder"]


@pytest.mark.parametrize(
    ("context", "path", "folders"),
    [
        ("$PWD/orders", "compose.yml", ["orders"]),
        ("${PWD}/orders", "deploy/compose.yml", ["orders", "deploy/orders"]),
        ("$PWD", "compose.yml", [""]),
        ("$ORDERS/src", "compose.yml", []),
        ("$PWD/../orders", "compose.yml", []),
        ("/srv/orders", "compose.yml", []),
    ],
)
def test_a_context_below_the_folder_that_compose_is_run_in(context, path, folders):
    found = homes(f"services:\n  till:\n    build: {context}\n", path)
    assert found == [(folder, "till", 3) for folder in folders]


def test_of_one_context_for_several_each_has_what_it_is_started_in():
    text = """services:
  web:
    build: .
    command: symfony serve --dir=shop/web/public --port=80
  till:
    build: .
    working_dir: ./shop/till
    command: ["node", "shop/till/src/index.js"]
  worker:
    build: .
    command: python -m worker
  both:
    build: .
    command: sh -c "shop/a/run.sh && shop/b/run.sh"
  bin:
    build: .
    command: ./bin/serve.sh
"""
    assert [row for row in homes(text) if row[0]] == [("shop/web", "web", 4), ("shop/till", "till", 8)]


def test_a_context_of_its_own_is_not_looked_into():
    assert homes("services:\n  web:\n    build: web\n    command: node lib/start/index.js\n") == [("web", "web", 3)]


def test_code_mounted_into_a_languages_image():
    text = """services:
  orders:
    image: python:3.12-slim
    volumes:
      - ./orders:/usr/src/app
      - ./keys:/keys
      - cache:/app
  till:
    image: nginx:1.27
    volumes: ["./till:/var/www/html"]
  stock:
    build: ./stock
    volumes: ["./stock:/app"]
  job:
    image: node:22
    volumes: ["./stock:/app"]
  top:
    image: php:8.3
    volumes: [".:/var/www/html"]
"""
    assert homes(text) == [("orders", "orders", 5), ("stock", "stock", 12)]


def needs(command):
    found = Compose().find(Source("compose.yml", f"services:\n  till:\n    build: a\n    command: {command}\n"))
    return [(c.key, c.relation) for c in found.clues if c.side == "needs"]


def test_what_a_command_waits_for_is_not_called():
    assert needs("|\n      /code/wait-for-it.sh -t 0 orders:8000\n      start --url=http://stock:80") == [
        ("orders", "DEPENDS_ON"),
        ("stock", "CALLS"),
    ]
    assert needs('["./wait-for-it.sh", "db:5432", "--", "run", "stock:80"]') == [
        ("db", "DEPENDS_ON"),
        ("stock", "CALLS"),
    ]
    assert needs("until nc -z db:5432; do sleep 1; done; run stock:80") == [("db", "DEPENDS_ON"), ("stock", "CALLS")]
    assert needs("dockerize -wait tcp://db:5432 run") == [("db", "DEPENDS_ON")]


def test_the_ports_of_the_machine_that_it_runs_on():
    text = """services:
  till:
    image: a
    ports:
      - "8080:80"
      - 127.0.0.1:8081:81
      - ${TILL_PORT:-8082}:82
      - "8083"
      - {published: 8084, target: 84}
      - "[::1]:8085:85"
"""
    found = Compose().find(Source("compose.yml", text))
    ports = [(c.key, c.entity, c.line) for c in found.clues if c.kind == "service port"]
    assert ports == [
        (f"{port}", "till", line) for port, line in [(8080, 5), (8081, 6), (8082, 7), (8084, 9), (8085, 10)]
    ]
