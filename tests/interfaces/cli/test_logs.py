"""The door's log: warnings on standard error, as text or JSON lines; with --quiet errors alone."""

from __future__ import annotations

import json

import pytest
import structlog

from interfaces.cli.options import configure_logs
from orchestrator import logbook


def log():
    """What a door's first warning does, and then a line of each kind."""
    logbook._doors.pop()()
    for kind in ("info", "warning", "error"):
        getattr(structlog.get_logger("hybrid_retrieval"), kind)(f"a {kind}", agent="graph")


def test_as_text(capsys):
    configure_logs(as_json=False, quiet=False)
    log()
    out, err = capsys.readouterr()
    assert out == ""
    assert "a warning" in err
    assert "agent=graph" in err
    assert "\x1b" not in err
    assert "a info" not in err


@pytest.mark.parametrize(("quiet", "kinds"), [(False, ["warning", "error"]), (True, ["error"])])
def test_as_json(capsys, quiet, kinds):
    configure_logs(as_json=True, quiet=quiet)
    log()
    lines = [json.loads(line) for line in capsys.readouterr().err.splitlines()]
    assert [line["level"] for line in lines] == kinds
    assert set(lines[0]) == {"event", "agent", "level", "timestamp"}


def test_a_late_agent_is_logged(cli, data):
    limits = ("--set", "agent_timeout_ms=1", "--set", "total_timeout_ms=1")
    _, out, err = cli("ask", "What is Beacon?", "--log-json", "--json", *limits, "--data-dir", data)
    lines = [json.loads(line) for line in err.splitlines()]
    assert {line["event"] for line in lines} <= {"agent failed"}
    assert json.loads(out)["coverage"]["agents"]
    assert "Beacon" not in err


@pytest.mark.specification("001 §9 log")
def test_a_line_for_each_question_answered_where_that_is_asked_for(cli, data):
    asked = ("ask", "What is Beacon?", "--log-json", "--data-dir", data)
    _, _, err = cli(*asked, "-v")
    [line] = [json.loads(one) for one in err.splitlines()]
    structlog.reset_defaults()
    assert (line["event"], line["status"]) == ("question answered", "answered")
    assert line["total_ms"] >= 0
    assert "Beacon" not in err
    assert cli(*asked)[2] == ""
    assert "without -v only warnings" in " ".join(cli("ask", "--help")[1].split())
