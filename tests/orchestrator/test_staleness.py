"""What becomes of citations whose files have changed, on real files."""

from __future__ import annotations

from hashlib import sha256

import pytest

from memory.observations import Location
from memory.project_folder import ProjectFolder
from orchestrator.staleness import GONE, dated
from synthesis import Answer, Citation

BEFORE = "def charge():\n    retry(3)\n\n\ndef refund():\n    retry(5)\n"


class Catalogue:
    """One project on the disk."""

    def __init__(self, root, text):
        (root / "pay.py").write_text(BEFORE)
        self.folders = {"billing": ProjectFolder(root, {"pay.py": sha256(BEFORE.encode()).hexdigest()})}
        if text is None:
            (root / "pay.py").unlink()
        else:
            (root / "pay.py").write_text(text)

    def has_changed(self, project, path):
        return self.folders[project].has_changed(path)


def cited(quote, first, last, marker=None):
    at = Location("billing", "pay.py", first, last)
    marker = marker or f"[vector:billing/pay.py:{first}-{last}]"
    return Citation(marker, f"vector-{first}", "claim", quote, at, located=True, supported=True, reason=None)


CHARGE = cited("def charge():\n    retry(3)", 1, 2)
REFUND = cited("retry(5)", 6, 6, "[graph:billing/refund]")
TEXT = "billing/pay.py:1-2 [vector:billing/pay.py:1-2], billing/pay.py:6 [graph:billing/refund]"


@pytest.fixture
def answered(tmp_path):
    def make(text):
        root = tmp_path / "billing"
        root.mkdir()
        return dated(Answer(TEXT, (CHARGE, REFUND)), Catalogue(root, text))

    return make


def test_what_has_not_changed_stays(answered):
    now = answered(BEFORE)
    assert (now[0], dict(now[1])) == (Answer(TEXT, (CHARGE, REFUND)), {})


def test_lines_that_moved_are_cited_where_they_are(answered):
    now = answered("import os\n\n" + BEFORE)
    charge, refund = now[0].citations
    assert [(c.location.start_line, c.location.end_line, c.stale, c.verified) for c in (charge, refund)] == [
        (3, 4, True, True),
        (8, 8, True, True),
    ]
    assert now[0].text == "billing/pay.py:3-4 [vector:billing/pay.py:3-4], billing/pay.py:8 [graph:billing/refund]"
    assert charge.marker == "[vector:billing/pay.py:3-4]"
    assert not now[1]


def test_of_several_places_the_nearest_is_meant(answered):
    now = answered("retry(5)\n" + BEFORE)
    assert now[0].citations[1].location.start_line == 7


def test_white_space_moves_nothing(answered):
    now = answered(BEFORE.replace("    ", "  "))
    assert [c.location for c in now[0].citations] == [CHARGE.location, REFUND.location]
    assert all(c.stale and c.verified for c in now[0].citations)


def test_lines_that_are_gone_are_not_verified(answered):
    now = answered(BEFORE.replace("retry(5)", "retry(55)"))
    charge, refund = now[0].citations
    assert (charge.verified, refund.located, refund.supported, refund.reason) == (True, False, False, GONE)
    assert dict(now[1]) == {"vector-6": "billing/pay.py"}


def test_a_file_that_is_gone_bears_nothing_out(answered):
    now = answered(None)
    assert [c.located for c in now[0].citations] == [False, False]


def test_where_the_project_is_not_on_this_machine_nothing_is_looked_up(tmp_path):
    folder = tmp_path / "elsewhere"
    catalogue = Catalogue.__new__(Catalogue)
    catalogue.folders = {"billing": ProjectFolder(folder, {"pay.py": "0"})}
    now = dated(Answer(TEXT, (CHARGE,)), catalogue)
    assert [(c.stale, c.verified) for c in now[0].citations] == [(True, True)]


def test_lines_that_end_blank_stay_where_they_are(tmp_path):
    charge = cited("def charge():\n    retry(3)", 1, 4)
    text = "billing/pay.py:1-6 [vector:billing/pay.py:1-4]"
    for number, (before, shown) in enumerate(
        {"": text, "\n\n": text.replace("1-6", "3-8").replace("1-4", "3-6")}.items()
    ):
        root = tmp_path / str(number)
        root.mkdir()
        now = dated(Answer(text, (charge,)), Catalogue(root, before + BEFORE + "# more\n"))
        assert now[0].text == shown
