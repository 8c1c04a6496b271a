"""What applications are called in their own settings."""

from __future__ import annotations

import pytest

from indexing.rules import Source
from indexing.rules.applications import ApplicationNames


@pytest.mark.parametrize(
    ("path", "text", "name", "line", "folder"),
    [
        ("vets/src/main/resources/application.yml", "a: 1\n---\nspring:\n  application:\n    name: vets-service\n",
         "vets-service", 5, "vets"),
        ("src/main/resources/bootstrap.properties", "x=1\nspring.application.name=orders\n", "orders", 2, ""),
        ("till/application.properties", "spring.application.name: ${NAME:till}\n", "till", 1, "till"),
        ("till/src/main/resources/application.properties", "quarkus.application.name=till\n", "till", 1, "till"),
        ("till/src/main/resources/application.yml", "micronaut:\n  application:\n    name: till\n", "till", 3, "till"),
        ("Till/appsettings.json", '{\n  // who it is\n  "Spring": {"Application": {\n      "Name": "Till"\n}}}\n', "Till", 4, "Till"),
    ],
)  # fmt: skip
def test_a_module_is_the_service_that_its_settings_name(path, text, name, line, folder):
    found = ApplicationNames().find(Source(path, text, "shop"))
    assert [(d.name, d.kind, d.start_line) for d in found.definitions] == [(name, "service", line)]
    assert [(c.kind, c.key, c.value) for c in found.clues] == [
        ("service", name.lower(), "named"),
        ("service folder", folder, ""),
    ]


def test_what_is_none():
    rule = ApplicationNames()
    assert not any(map(rule.reads, ("src/test/resources/application.yml", "my-application.yml", "application.json")))
    for text in ("a: [", "spring: {application: {}}\n", "spring:\n  application:\n    name: ${NAME}\n"):
        assert rule.find(Source("application.yml", text)) is None
