"""A scenario's inspection from its recording."""

from __future__ import annotations

import pytest

from memory.errors import InvalidInputError
from orchestrator.inspector import inspect_replay
from orchestrator.replay import Changes, Faults, read_scenario, replay
from tests.orchestrator.inspector.conftest import SHIPPED


def test_it_is_the_run_that_replay_reports(shipped):
    scenario = read_scenario(SHIPPED / "a-customer-tables.yaml")
    assert shipped("a-customer-tables").result == replay(scenario).result
    late = Changes(faults=Faults(delay={"vector": 20.0}))
    assert inspect_replay(scenario, late).result == replay(scenario, late).result


def test_every_citation_has_its_lines(shipped):
    inspection = shipped("a-customer-tables")
    cited = {tuple(c["location"].values()) for c in inspection.result["citations"]}
    assert cited
    assert cited <= set(inspection.excerpts)


def test_no_lines_come_from_beyond_the_permission(shipped):
    inspection = shipped("permission-narrowed")
    scenario = read_scenario(SHIPPED / "permission-narrowed.yaml")
    assert {project for project, *_ in inspection.excerpts} <= set(scenario.context["allowed_projects"])


def test_there_is_no_recording(tmp_path):
    file = tmp_path / "one.yaml"
    file.write_text('schema_version: "1"\nid: one\nquery: What is it?\n', encoding="utf-8")
    with pytest.raises(InvalidInputError, match="no recording"):
        inspect_replay(read_scenario(file))
