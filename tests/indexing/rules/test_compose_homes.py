"""The folders that are a compose service's source."""

from __future__ import annotations

import pytest

from indexing.rules import Source
from indexing.rules.compose import Compose


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
    found = Compose().find(Source("compose.yml", f"services:\n  till:\n    image: a\n    command: {command}\n"))
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
