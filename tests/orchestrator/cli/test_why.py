"""`why` on a result that `ask --json` printed."""

from __future__ import annotations

import pytest

from orchestrator.replay import read_result

QUESTION = "How does MooringDesk connect to Beacon?"


@pytest.fixture
def result(cli, data, tmp_path):
    """The printed result's file."""
    file = tmp_path / "result.json"
    file.write_text(cli("ask", QUESTION, "--data-dir", data, "--json")[1], encoding="utf-8")
    return file


def test_the_first_observation_was_kept(cli, document, result):
    first = read_result(result)["observations"][0]["id"]
    code, told = document("why", result, first)
    assert (code, told["kept"], told["id"]) == (0, True, first)
    assert [stage["stage"] for stage in told["stages"]][-2:] == ["limits", "answer"]
    assert cli("why", result, first)[1].startswith(f"{first} was kept by: answer\n  found        by ")


def test_one_that_nobody_reported_is_a_mistake(cli, result):
    code, _, err = cli("why", result, "vector-000000000000")
    assert code == 2
    assert "No agent reported" in err
