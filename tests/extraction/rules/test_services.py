from __future__ import annotations

import pytest

from extraction.facts import Definition
from extraction.rules.port import Source
from extraction.rules.services import ReadmeTitle, is_store


def titles(text, path="README.md"):
    assert ReadmeTitle().reads(path)
    found = ReadmeTitle().find(Source(path, text))
    return [(one.name, one.start_line) for one in found.definitions] if found else []


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("# Bank of Anthos\n", "Bank of Anthos"),
        ('<!-- x -->\n# <img src="logo.png" alt="a"> Telemetry Demo\n', "Telemetry Demo"),
        ("# Agent Development Kit (ADK)\n", "Agent Development Kit"),
        ("# DEPRECATED: Sock Shop : A Microservice Demo\n", "Sock Shop"),
        ('# eStore Reference Application - "Works"\n', "eStore Reference Application"),
        ("# [Web Shop](https://shop.example) ![build](b.svg)\n", "Web Shop"),
        ("Web Shop\n========\n", "Web Shop"),
    ],
)
def test_what_a_project_is_called(text, title):
    assert titles(text) == [(title, text[: text.index(title)].count("\n") + 1)]


@pytest.mark.parametrize(
    "text",
    [
        "No heading at all.\n",
        "## Architecture of it\n",
        "# billing\n",
        "# Getting Started\n",
        "# A program that does this and that and more\n",
    ],
)
def test_what_is_no_name_is_none(text):
    assert titles(text) == []


def test_in_other_notations():
    assert titles("= FTGO example application\n", "README.adoc") == [("FTGO example application", 1)]


def test_a_folders_title_is_another_name_of_the_component_in_it():
    found = ReadmeTitle().find(Source("till/README.md", "# Cash Desk\n", "shop"))
    assert found is not None
    assert not found.definitions
    assert [(clue.kind, clue.value, clue.entity) for clue in found.clues] == [("alias", "Cash Desk", "")]
    assert not ReadmeTitle().reads("READMENOT.py")


def test_it_is_a_project_in_the_graph():
    found = ReadmeTitle().find(Source("README.md", "\n# Web Shop\n", "shop-v2"))
    assert found is not None
    assert tuple(found.definitions) == (Definition("Web Shop", "project", 2, 2),)


@pytest.mark.parametrize(
    ("name", "image", "store"),
    [
        ("accounts-db", "shop/accounts-db:1", True),
        ("redis-cart", "", True),
        ("cart", "registry.example.org/bitnami/redis:7", True),
        ("catalogdb", "", True),
        ("redis-exporter", "oliver006/redis_exporter", False),
        ("mongo-express", "mongo-express", False),
        ("kafka", "confluentinc/cp-kafka", False),
        ("orders", "shop/orders", False),
    ],
)
def test_what_is_a_database_by_name_and_image(name, image, store):
    assert is_store(name, image) is store
