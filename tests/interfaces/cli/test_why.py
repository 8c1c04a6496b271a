"""`why` on a result that `ask --json` printed: an observation's way through the stages, told from that alone."""

from __future__ import annotations

import io
import json
import re
from contextlib import redirect_stdout

import pytest

from interfaces.cli.main import run
from interfaces.cli.why import why
from memory.errors import InvalidInputError
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


def at(path):
    return {"project": "p", "path": path, "start_line": 1, "end_line": 2}


def shown(id_, rank, **more):
    return {
        "id": id_,
        "rank": rank,
        "score": 0.5,
        "agent": "vector",
        "source": "vector:qdrant",
        "confidence": 0.75,
        "locations": [at(f"{id_}.py")],
        "duplicates": [],
        "corroborated_by": [],
        "metadata": {},
        **more,
    }


def gone(id_, stage, into=None, location=None):
    return {"id": id_, "agent": "local", "stage": stage, "into": into, "location": location}


RESULT = {
    "observations": [
        shown(
            "a",
            1,
            duplicates=[{"source": "local:c.py", "location": at("c.py"), "similarity": 1.0}],
            corroborated_by=["local"],
        ),
        shown("b", 2, metadata={"also": [{"id": "e"}]}, locations=[]),
    ],
    "citations": [
        {"observation_id": "a", "verified": True},
        {"observation_id": "a", "verified": False},
    ],
    "conflicts": [
        {"winner": "a", "losers": ["b"], "reason": "it is newer"},
        {"winner": None, "losers": ["b", "d"], "reason": "both may hold"},
    ],
    "metrics": {
        "dropped": [
            gone("c", "deduplicate", "a", at("c.py")),
            gone("d", "limits"),
            gone("e", "limits", "b"),
            gone("f", "deduplicate"),
        ]
    },
}


def test_one_that_is_cited():
    told = why(RESULT, "a")
    assert (told.kept, told.stage) == (True, "answer")
    assert told.stages == (
        ("found", "by vector at p/a.py:1-2, confidence 0.75"),
        ("deduplicate", "kept for local:c.py p/c.py:1-2, 1.00 alike; local agree"),
        ("conflicts", "won over b: it is newer"),
        ("rank", "place 1 of 2, score 0.500"),
        ("limits", "shown"),
        ("answer", "cited 2 times, 1 verified"),
    )


def test_one_that_is_shown_and_not_cited():
    assert why(RESULT, "b").stages == (
        ("found", "by vector at vector:qdrant, confidence 0.75"),
        ("deduplicate", "nothing else says the same"),
        ("conflicts", "lost to a: it is newer"),
        ("conflicts", "shown beside the other: both may hold"),
        ("rank", "place 2 of 2, score 0.500"),
        ("limits", "shown, with 1 more hits in its file"),
        ("answer", "not cited: others say it, or say it first"),
    )


@pytest.mark.parametrize(
    ("id_", "stages"),
    [
        (
            "c",
            [("found", "by local at p/c.py:1-2"), ("deduplicate", "says what a, place 1 says, which was kept for it")],
        ),
        (
            "d",
            [
                ("found", "by local"),
                ("deduplicate", "nothing else says the same"),
                ("conflicts", "shown beside the other: both may hold"),
                ("limits", "ranked below the last that is shown"),
            ],
        ),
        (
            "e",
            [
                ("found", "by local"),
                ("deduplicate", "nothing else says the same"),
                ("limits", "folded into b, place 2, the best of its file"),
            ],
        ),
        ("f", [("found", "by local"), ("deduplicate", "says what another says, which was kept for it")]),
    ],
)
def test_one_that_was_dropped(id_, stages):
    told = why(RESULT, id_)
    assert (told.kept, list(told.stages)) == (False, stages)
    assert told.to_dict()["stage"] == stages[-1][0]
    assert told.lines()[0] == f"{id_} was dropped by: {stages[-1][0]}"


def test_one_that_nobody_reported():
    with pytest.raises(InvalidInputError, match="No agent reported x") as told:
        why(RESULT, "x")
    assert told.value.hint == "Reported were: a, b, c, d, e, f."
