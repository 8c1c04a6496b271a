"""Dockerfiles."""

from __future__ import annotations

import pytest

from indexing.rules import Source
from indexing.rules.applications import Dockerfile

TEXT = "FROM golang:1 AS builder\nRUN make\nFROM postgres:16 AS base\nFROM base\nEXPOSE 5432\n"


@pytest.mark.parametrize(
    ("path", "name", "folder"),
    [
        ("src/accounts-db/Dockerfile", "accounts-db", "src/accounts-db"),
        ("services/orders/docker/Dockerfile.dev", "orders", "services/orders"),
        ("Dockerfile", "shop", ""),
        ("docker/api.dockerfile", "shop", ""),
        ("docker/Dockerfile.dev", "shop", ""),
        ("docker/Dockerfile.alpine", "shop", ""),
    ],
)
def test_the_folder_is_the_service(path, name, folder):
    found = Dockerfile().find(Source(path, TEXT, "shop"))
    (definition,) = found.definitions
    service, home = found.clues
    assert (definition.name, definition.end_line, definition.summary) == (name, 5, "image from postgres:16; ports 5432")
    assert (service.relation, service.value, service.line) == ("STORES_IN", "folder", 4)
    assert (home.kind, home.key) == ("service folder", folder)


@pytest.mark.parametrize("path", ["docker/Dockerfile.till", "src/rust/docker/Dockerfile-till", "build/till.dockerfile"])
def test_of_several_in_a_folder_that_says_nothing_each_has_a_name_of_its_own(path):
    found = Dockerfile().find(Source(path, TEXT, "shop"))
    assert [d.name for d in found.definitions] == ["till"]
    assert [(c.kind, c.key) for c in found.clues] == [("service", "till")]  # the folder is nobody's


def test_what_is_none():
    rule = Dockerfile()
    assert rule.reads("a/Dockerfile")
    assert not any(map(rule.reads, ("tests/Dockerfile", ".devcontainer/Dockerfile", "a/Dockerfile/b.py", "docker.py")))
    assert rule.find(Source("Dockerfile", "# nothing\n")) is None
