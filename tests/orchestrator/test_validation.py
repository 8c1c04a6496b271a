from __future__ import annotations

import pytest

from memory.errors import UnknownProjectError
from wiring.catalogue import permitted

ALL = frozenset({"auth", "billing", "crm"})


def test_a_permission_names_only_what_may_be_seen():
    assert permitted(["auth", "crm", "auth"], ALL) == {"auth", "crm"}
    assert permitted([], ALL) == frozenset()
    with pytest.raises(UnknownProjectError, match=r"No project 'x' here\. Known: auth\.$"):
        permitted(["x", "auth", "y"], ALL)
