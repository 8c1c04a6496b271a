"""`why` on a result that `ask --json` printed."""

from __future__ import annotations

import io
import json
import re
from contextlib import redirect_stdout

import pytest

from interfaces.cli.main import run
from replay import read_result

QUESTION = "How does MooringDesk connect to Beacon?"


@pytest.fixture(scope="module")
def result(data, tmp_path_factory):
    """The printed result's file."""
    file = tmp_path_factory.mktemp("why") / "result.json"
    with redirect_stdout(io.StringIO()) as out:
        assert run(["ask", QUESTION, "--data-dir", str(data), "--json"]) == 0
    file.write_text(out.getvalue(), encoding="utf-8")
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


@pytest.mark.parametrize(
    "spoil",
    [
        lambda result: {**result, "observations": 7},
        lambda result: {**result, "observations": [{}]},
        lambda result: {**result, "observations": [], "metrics": {"dropped": [1]}},
        lambda result: {**result, "observations": [{**result["observations"][0], "locations": [1]}]},
        lambda result: {**result, "citations": [None]},
        lambda result: {"scenarios": [7]},
        lambda result: {"scenarios": 7},
        lambda result: [result],
    ],
)
def test_what_is_no_whole_result_is_a_mistake(document, result, tmp_path, spoil):
    whole = read_result(result)
    file = tmp_path / "spoilt.json"
    file.write_text(json.dumps(spoil(whole)), encoding="utf-8")
    code, told = document("why", file, whole["observations"][0]["id"])
    assert (code, told["error"]["code"]) == (2, "invalid_input")
    assert re.search(r"spoilt.json is no (whole )?result\.$|No agent reported", told["error"]["message"])


@pytest.mark.parametrize("spoilt", [{"observations": 7}, {"observations": [{}]}, {"citations": [None]}])
def test_nor_is_it_compared(document, result, tmp_path, spoilt):
    file = tmp_path / "spoilt.json"
    file.write_text(json.dumps({**read_result(result), **spoilt}), encoding="utf-8")
    code, told = document("replay", "--compare", file, result)
    assert (code, told["error"]["code"]) == (2, "invalid_input")
    assert "spoilt.json or" in told["error"]["message"]
