"""What changed, by what it is about; and what a report makes of it."""

from __future__ import annotations

import copy
from xml.etree import ElementTree as ET

import pytest

from replay import Differences, Replayed, junit, report, sha256


def observation(id_, rank, path):
    at = {"project": "p", "path": path, "start_line": 1, "end_line": 2}
    return {"id": id_, "rank": rank, "agent": "vector", "source": "vector:qdrant", "locations": [at] if path else []}


BEFORE = {
    "status": "answered",
    "query": "What?",
    "answer": {"text": "One.\nTwo.", "missing": []},
    "coverage": {
        "agents": [{"agent": "graph", "role": "must", "status": "ok", "observations": 2, "reason": None}],
    },
    "scope": {"mode": "sequential", "strength": "soft", "projects": [{"project": "p"}], "widened_by": []},
    "observations": [observation("a", 1, "a.py"), observation("b", 2, "b.py")],
    "citations": [{"marker": "[a]", "verified": True, "reason": None}],
    "conflicts": [],
    "metrics": {"total_time_ms": 12.0, "after_dedup": 2},
}


def changed(**keys):
    return {**copy.deepcopy(BEFORE), **keys}


def test_nothing():
    same = Differences(BEFORE, changed())
    assert not same
    assert same.to_dict() == {}
    assert same.lines() == []


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ({"status": "partial"}, {"status": ["answered -> partial"]}),
        (
            {"observations": [observation("b", 1, "b.py"), observation("c", 2, "")]},
            {"ranking": ["~  1. vector p/b.py:1-2, was 2.", "+  2. vector:qdrant (c)", "-  1. vector p/a.py:1-2 (a)"]},
        ),
        (
            {"citations": [{"marker": "[a]", "located": False, "verified": False, "reason": "no such line"}]},
            {"citations": ["+ [a] not verified: no such line", "- [a]"]},
        ),
        (
            {
                "coverage": {
                    "agents": [
                        {"agent": "graph", "role": "must", "status": "timeout", "observations": 0, "reason": "late"}
                    ]
                }
            },
            {
                "coverage": [
                    "graph status ok -> timeout",
                    "graph observations 2 -> 0",
                    "graph reason None -> late",
                ]
            },
        ),
        (
            {"scope": {"mode": "none", "strength": "soft", "projects": [], "widened_by": ["q"]}},
            {"scope": ["mode sequential -> none", "- p", "widened by  -> q"]},
        ),
        (
            {
                "conflicts": [
                    {
                        "conflict_type": "scope",
                        "subject": "x",
                        "property": "y",
                        "resolution_strategy": "include_both",
                        "winner": None,
                    }
                ]
            },
            {"conflicts": ["+ scope x, y: include_both, neither won"]},
        ),
        ({"answer": {"text": "One.\nThree.", "missing": []}}, {"answer": ["-Two.", "+Three."]}),
        ({"metrics": {"total_time_ms": 13.5, "after_dedup": 2}}, {"time": ["total_time 12.0 -> 13.5 ms"]}),
        ({"query": "Who?"}, {"other": ["query: 'What?' -> 'Who?'"]}),
        ({"metrics": {"total_time_ms": 12.0, "after_dedup": 3}}, {"other": ["metrics.after_dedup: 2 -> 3"]}),
    ],
)
def test_each_kind_is_told_apart(keys, told):
    assert Differences(BEFORE, changed(**keys)).to_dict() == told


def test_what_is_long_is_told_in_short():
    [line] = Differences(BEFORE, changed(query="x" * 500)).to_dict()["other"]
    assert len(line) < 150


def replayed(*, passes=True, **more):
    after = BEFORE if passes else changed(status="partial")
    return Replayed("one", after, (), Differences(BEFORE, after), **more)


def test_a_report_passes_when_all_do():
    told = report([replayed(), replayed(passes=False, what_if=True)])
    assert told["passed"] is True
    assert told["scenarios"][0]["sha256"] == sha256(BEFORE)
    assert told["scenarios"][1]["changes"] == {"status": ["answered -> partial"]}
    assert report([replayed(passes=False)])["passed"] is False


def test_lines_for_people():
    assert replayed().lines() == ["ok   one  answered  12.0 ms"]
    failed = Replayed("one", BEFORE, ("scope: none",), Differences(BEFORE, changed(status="partial")), live=("get()",))
    assert failed.lines() == [
        "FAIL one  answered  12.0 ms",
        "     expected: scope: none",
        "     as recorded -> now",
        "       status",
        "         answered -> partial",
        "     live, since the recording lacks it: get()",
    ]


def test_junit():
    failed = Replayed("bad", BEFORE, ("contains: 'a\x01<b>' is nowhere",), Differences(BEFORE, BEFORE))
    suite = ET.fromstring(junit([replayed(), failed, replayed(passes=False)]))  # noqa: S314 - our own text
    assert suite.attrib == {"name": "replay", "tests": "3", "failures": "2", "time": "0.036"}
    good, bad, differing = suite
    assert (good.attrib["name"], list(good)) == ("one", [])
    assert bad[0].attrib["message"] == "contains: 'a<b>' is nowhere"
    assert differing[0].attrib["message"] == "differs from the recording"
