"""Who reads which key: the code and the service it is of, and each key once a project."""

from __future__ import annotations

LOAD = 'import os\ndef load():\n    return os.environ["DB_URL"]\n'
COMPOSE = "services:\n  billing:\n    build: billing\n  auth:\n    build: auth\n"


def test_the_code_and_its_service_read_a_key(graph):
    found = graph({"shop": {"docker-compose.yml": COMPOSE, "billing/a.py": LOAD, "auth/b.py": LOAD}})
    assert {row[:4] for row in found.rows("READS", status="confirmed")} == {
        ("shop/load", "READS", "shop/DB_URL", "billing/a.py"),
        ("shop/billing", "READS", "shop/DB_URL", "billing/a.py"),
        ("shop/load", "READS", "shop/DB_URL", "auth/b.py"),
        ("shop/auth", "READS", "shop/DB_URL", "auth/b.py"),
    }
    [key] = [e for e in found.batch.entities if e.kind == "config_key"]
    assert (key.name, key.path, key.start_line) == ("DB_URL", "auth/b.py", 3)


def test_a_key_of_one_project_is_not_another_s(graph):
    found = graph({"a": {"a.py": LOAD}, "b": {"b.py": LOAD}})
    assert {(row[0], row[2]) for row in found.rows("READS")} == {("a/load", "a/DB_URL"), ("b/load", "b/DB_URL")}


def test_a_constant_of_the_same_name_is_a_thing_of_its_own(graph):
    found = graph({"a": {"a.py": 'import os\nDB_URL = os.environ["DB_URL"]\n'}})
    assert {(e.kind, e.name) for e in found.batch.entities} >= {("constant", "DB_URL"), ("config_key", "DB_URL")}
