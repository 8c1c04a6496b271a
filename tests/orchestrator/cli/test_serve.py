"""`serve` before it serves: names are checked, and what is missing is said. The rest is tests/orchestrator/mcp."""

from __future__ import annotations

import logging

import pytest
import structlog

from orchestrator.cli import serve


def test_names_that_are_not_indexed_are_refused(document, data):
    code, report = document("serve", "--data-dir", data, "--allow", "harbour", "--allow", "tower")
    assert (code, report["error"]["code"]) == (2, "unknown_project")
    assert report["error"]["hint"] == "Known: harbour."
    code, report = document("serve", "--data-dir", data, "--allow", "harbour", "--project", "lighthouse")
    assert (code, report["error"]["message"]) == (2, "No project 'lighthouse' here.")


def test_what_libraries_log_goes_where_we_log():
    told = []

    def keep(logger, method, event):
        told.append((method, event["event"], event["logger"]))
        raise structlog.DropEvent

    structlog.configure(processors=[keep])
    serve._ToStructlog().emit(logging.LogRecord("mcp", logging.ERROR, "", 0, "a %s request", ("strange",), None))
    assert told == [("warning", "a strange request", "mcp")]


@pytest.mark.parametrize("option", ["--project", "--allow", "--data-dir", "--set", "--profile"])
def test_its_options(cli, option):
    code, out, _ = cli("serve", "--help")
    assert code == 0
    assert option in out
