from __future__ import annotations

import pytest

from agents.describing import asks_what_it_is, describing_files
from agents.linking import Link
from memory.entities import EvidenceFile
from memory.graph.port import FileMention
from tests.agents.shop import GATEWAY, ORDERS, edge, entity


def link(thing, confidence=1.0):
    return Link(thing.name, thing, confidence, "has that name")


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("What is checkout?", True),
        ("what's the checkout service", True),
        ("What does the accounting service of the web shop do?", True),
        ("Describe PaymentGateway", True),
        ("What is the version of checkout?", False),
        ("What is the difference between A and B?", False),
        ("How does checkout connect to payments?", False),
        ("What does checkout call?", False),
    ],
)
def test_what_asks_for_a_description(question, asks):
    assert asks_what_it_is(question) is asks


def test_a_service_is_introduced_in_its_folder_and_in_the_first_readme():
    service = entity("shop", "checkout", "service", path="deploy/compose.yaml")
    other = entity("shop", "kafka", "service", path="deploy/compose.yaml")
    call = edge(entity("shop", "checkout", "service", path="src/checkout/main.go"), "CALLS", other)
    linked = call.source
    assert describing_files([link(linked, 0.5)], [call], []) == [
        EvidenceFile("shop", "src/checkout/README.md", 0.8 * 0.5, "introduces checkout", opening=True),
        EvidenceFile("shop", "README.md", 1.0 * 0.5, "introduces checkout"),
    ]
    assert [file.path for file in describing_files([link(service)], [], [])] == ["README.md"]


def test_a_project_is_introduced_by_its_readme_however_that_is_called():
    found = describing_files([link(ORDERS)], [], [])
    assert [file.path for file in found] == ["README.md", "README.rst", "README.adoc", "README.txt", "README"]
    assert all(file.opening for file in found)
    installed = entity("tills", "tills", "project", path="tills-1.0.dist-info/METADATA")
    assert describing_files([link(installed)], [], [])[0].path == "tills-1.0.dist-info/METADATA"


def test_a_project_beside_a_thing_is_only_where_to_look():
    mentions = [
        FileMention("payments", "docs/README.md", GATEWAY.id, 3),
        FileMention("payments", "docs/gateway.md", GATEWAY.id, 3),
    ]
    assert describing_files([link(ORDERS), link(GATEWAY, 0.5)], [], mentions) == [
        EvidenceFile("payments", "docs/README.md", 0.5, "introduces it")
    ]
