"""Of which kind a question asks for all, by which relations and of whom."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memory.question import read_question
from memory.question.listed import OF_PROJECTS, Listed, asks_for_projects, find_listed

TOPICS = ("PUBLISHES", "SUBSCRIBES", "CONSUMES")
AMONG = Listed("project", (), among=True)


def listed(question, *projects, in_hand=None):
    return find_listed(replace(read_question(question), projects=projects), in_hand)


@pytest.mark.parametrize(
    ("question", "projects", "found"),
    [
        ("List all endpoints", (), Listed("endpoint", ("EXPOSES",))),
        ("which REST routes are there?", (), Listed("endpoint", ("EXPOSES",))),
        ("What topics exist", (), Listed("topic", TOPICS)),
        ("Which tables does billing have?", ("billing",), Listed("table", ("OWNS_TABLE", "STORES_IN", "USES_TABLE"), ("billing",))),
        ("Which topics does billing-api publish?", ("billing-api",), Listed("topic", ("PUBLISHES",), ("billing-api",))),
        ("what endpoints does the crm app call", ("crm",), Listed("endpoint", ("CALLS", "INVOKES"), ("crm",))),
        ("Show me all environment variables of crm", ("crm",), Listed("config_key", ("READS",), ("crm",))),
        ("Which packages do we depend on?", (), Listed("package", ("DEPENDS_ON",))),
        ("What dependencies does crm have?", ("crm",), Listed("package", ("DEPENDS_ON",), ("crm",))),
        ("How are our projects connected?", (), AMONG),
        ("how do the services talk to each other", (), AMONG),
        ("dependencies between the projects", (), AMONG),
        ("Which projects depend on each other?", (), Listed("project", ("DEPENDS_ON",), among=True)),
        ("which services call other services", (), Listed("project", ("CALLS", "INVOKES"), among=True)),
        ("Which services call billing?", ("billing",), Listed("project", ("CALLS", "INVOKES"), ("billing",), among=True)),
        ("who is calling billing-api", ("billing-api",), Listed("project", ("CALLS", "INVOKES"), ("billing-api",), among=True)),
        ("What depends on billing?", ("billing",), Listed("project", ("DEPENDS_ON",), ("billing",), among=True)),
        ("How are components crm and billing connected?", ("crm", "billing"), Listed("project", (), ("crm", "billing"), among=True)),
        ("Does crm call billing?", ("crm", "billing"), Listed("project", ("CALLS", "INVOKES"), ("crm", "billing"), among=True)),
        ("Which projects talk to billing?", ("billing",), Listed("project", tuple(sorted(OF_PROJECTS)), ("billing",), among=True)),
        ("What is billing imported by?", ("billing",), Listed("project", ("IMPORTS",), ("billing",), among=True)),
    ],
)  # fmt: skip
def test_all_of_a_kind(question, projects, found):
    assert listed(question, *projects) == found


@pytest.mark.parametrize(
    ("question", "projects"),
    [
        ("Which endpoint does billing have?", ("billing",)),  # one of them
        ("Which topics carry a refund?", ()),
        ("Why are the queues slow?", ()),
        ("When do the queues exist?", ()),
        ("Which tables are not used?", ()),
        ("Which endpoints doesn't billing expose?", ("billing",)),
        ("how do events work", ()),
        ("Which tables and topics does billing have?", ("billing",)),
        ("Which services does billing call?", ("billing",)),  # its relations answer
        ("Which services are called by billing?", ("billing",)),
        ("What is used in billing?", ("billing",)),
        ("Who defines billing?", ("billing",)),  # no use of it
        ("What calls or imports billing?", ("billing",)),
        ("What calls billing twice?", ("billing",)),
        ("What do billing and crm log?", ("billing", "crm")),
        ("billing and crm", ("billing", "crm")),
        ("Call billing", ("billing",)),
        ("Who publishes orders?", ("orders",)),  # no project is published
        ("Which services are there?", ()),
        ("What other projects use Kafka?", ()),  # it tells topics, and no projects
        ("Which services consume order.placed?", ()),
        ("Which events does the class that calls Till publish?", ()),
        ("List all endpoints\n```py\nring()\n```", ()),
    ],
)
def test_anything_more_is_no_list(question, projects):
    assert listed(question, *projects) is None


@pytest.mark.parametrize(
    ("found", "searched"),
    [
        (Listed("project", ("CALLS",), ("crm",), among=True), {"billing", "auth"}),  # who calls it is told by others
        (Listed("project", (), ("crm", "auth"), among=True), {"crm", "auth"}),
        (Listed("project", (), ("crm", "gone"), among=True), {"crm"}),
        (Listed("project", (), ("gone",), among=True), {"crm", "billing", "auth"}),
        (AMONG, {"crm", "billing", "auth"}),
        (Listed("topic", TOPICS, ("crm",)), {"crm", "billing", "auth"}),
    ],
)
def test_what_projects_do_to_another_stands_in_their_own_files(found, searched):
    assert found.searched(frozenset({"crm", "billing", "auth"})) == searched


def test_the_only_project_is_searched_for_what_is_done_to_it():
    assert Listed("project", ("CALLS",), ("crm",), among=True).searched(frozenset({"crm"})) == {"crm"}


def test_a_project_may_be_called_like_a_kind():
    assert listed("Which tables does events have?", "events") == Listed(
        "table", ("OWNS_TABLE", "STORES_IN", "USES_TABLE"), ("events",)
    )


def test_this_project_is_the_one_in_hand():
    assert listed("Which settings does this project read?", in_hand="crm").projects == ("crm",)
    assert listed("Which settings are there?", in_hand="crm").projects == ()


@pytest.mark.parametrize(
    "question", ["What services are there?", "Which services do we have?", "list all projects", "show me our repos", "Which projects are indexed?"]
)  # fmt: skip
def test_which_projects_there_are(question):
    assert asks_for_projects(read_question(question))


@pytest.mark.parametrize(
    "question",
    [
        "Which services call other services?",
        "What services does the shop have?",
        "Which services need a database?",
        "Which projects are not used?",
        "What is this project?",
        "What endpoints are there?",
        "Which services are there\n```py\nx = 1\n```",
    ],
)
def test_anything_more_asks_for_other_things(question):
    assert not asks_for_projects(read_question(question))
