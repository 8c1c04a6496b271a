"""`serve` before it serves: names are checked, and what is missing is said. The rest is tests/interfaces/mcp."""

from __future__ import annotations

import gc
import logging

import pytest
import structlog

from interfaces.cli import serve
from interfaces.mcp.connections import listen

POLICY = "principals: [{name: ada, token_sha256: '" + "a" * 64 + "', projects: [harbour, tower]}]"


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


@pytest.mark.parametrize(
    "options", [("--host", "::1"), ("--port", "0"), ("--policy", "x.yaml"), ("--workers", "2"), ("--follow",)]
)
def test_what_is_of_http_alone(document, data, options):
    code, report = document("serve", "--data-dir", data, *options)
    assert (code, report["error"]["hint"]) == (2, "Give --http too.")


def test_a_server_follows_what_the_settings_have_announced(document, data):
    code, report = document("serve", "--data-dir", data, "--http", "--follow", "--set", "vector.store=qdrant")
    assert code == 2
    assert "vector.qdrant.followers_s" in report["error"]["hint"]


def test_other_machines_are_served_with_a_policy_alone(document, data, tmp_path):
    code, report = document("serve", "--data-dir", data, "--http", "--host", "0.0.0.0", "--port", "0")  # noqa: S104 - refused
    assert (code, report["error"]["code"]) == (2, "invalid_input")
    assert report["error"]["message"].startswith("Other machines reach 0.0.0.0")
    code, report = document("serve", "--data-dir", data, "--http", "--policy", tmp_path / "none.yaml")
    assert (code, "none.yaml cannot be read" in report["error"]["message"]) == (2, True)


@pytest.mark.allow_hosts(["127.0.0.1"])
def test_a_port_that_is_taken_and_a_project_that_is_not_there(cli, data, tmp_path):
    (tmp_path / "policy.yaml").write_text(POLICY, encoding="utf-8")
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        code, _, said = cli("serve", "--data-dir", data, "--http", "--port", port, "--policy", tmp_path / "policy.yaml")
    assert code == 2
    assert said.splitlines()[0].endswith("policy.yaml: ada may see tower, which is not indexed.")
    assert f"Nothing can listen at 127.0.0.1, port {port}" in said.splitlines()[1]


@pytest.mark.parametrize(
    "option",
    ["--http", "--policy", "--workers", "--follow", "--project", "--allow", "--data-dir", "--set", "--profile"],
)
def test_its_options(cli, option):
    code, out, _ = cli("serve", "--help")
    assert code == 0
    assert option in out


def test_the_collector_of_garbage_looks_less_often_than_it_would(document, data):
    usual = gc.get_threshold()
    try:
        document("serve", "--data-dir", data, "--allow", "tower")
        assert gc.get_threshold() == (20_000, *usual[1:])
    finally:
        gc.set_threshold(*usual)
