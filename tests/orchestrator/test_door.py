from __future__ import annotations

import pytest

from memory.errors import UnknownProjectError
from orchestrator.door import only_in, permitted

ALL = frozenset({"auth", "billing", "crm", "in-house"})


@pytest.mark.parametrize(
    ("query", "projects"),
    [
        ("only in billing", {"billing"}),
        ("What uses customers, only in Billing and auth?", {"auth", "billing"}),
        ("only show code from crm", {"crm"}),
        ("Who uses it, only within in-house.", {"in-house"}),
        ("Is billing the only service that retries?", set()),
        ("only in nowhere", set()),
        ("What uses customers in billing?", set()),
    ],
)
def test_the_projects_a_question_limits_itself_to(query, projects):
    assert only_in(query, ALL) == projects


def test_a_permission_names_only_what_may_be_seen():
    assert permitted(["auth", "crm", "auth"], ALL) == {"auth", "crm"}
    assert permitted([], ALL) == frozenset()
    with pytest.raises(UnknownProjectError, match=r"No project 'x' here\. Known: auth\.$"):
        permitted(["x", "auth", "y"], ALL)
