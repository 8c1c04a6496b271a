"""`export`: one JSON line an edge or an entity, and a draw that is the same every time."""

from __future__ import annotations

import json

import pytest

from tests.organisation import write


def lines(out):
    return [json.loads(line) for line in out.splitlines()]


def test_entities(cli, data):
    code, out, _ = cli("export", "--entities", "--data-dir", data)
    desk = next(row for row in lines(out) if row["name"] == "MooringDesk")
    assert code == 0
    assert desk == {
        "project": "harbour",
        "name": "MooringDesk",
        "kind": "class",
        "path": "harbour/mooring.py",
        "start_line": 4,
        "end_line": 11,
        "stale": False,
    }


def test_edges_of_one_project(cli, data):
    code, out, _ = cli("export", "--edges", "--project", "harbour", "--data-dir", data)
    rows = lines(out)
    assert code == 0
    assert {row["project"] for row in rows} == {"harbour"}
    depends = next(row for row in rows if row["relation"] == "DEPENDS_ON")
    assert (depends["target_project"], depends["path"], depends["lines"]) == ("lighthouse", "pyproject.toml", [4])
    assert depends["status"] == "confirmed"
    assert {piece["project"] for piece in depends["evidence"]} == {"harbour", "lighthouse"}
    assert set(depends["evidence"][0]) == {"rule", "project", "path", "line"}
    assert lines(cli("export", "--edges", "--project", "lighthouse", "--data-dir", data)[1]) != rows


def test_what_has_changed_since_it_was_indexed_says_so(cli, tmp_path):
    org, data = write(tmp_path / "org"), tmp_path / "data"
    assert cli("index", org, "--each", "--data-dir", data)[0] == 0
    desk = org / "harbour/harbour/mooring.py"
    desk.write_text(f"# Moved.\n{desk.read_text()}")
    for what in ("--edges", "--entities"):
        stale = {
            (row["project"], row["path"]) for row in lines(cli("export", what, "--data-dir", data)[1]) if row["stale"]
        }
        assert stale == {("harbour", "harbour/mooring.py")}


def test_what_connects_projects(cli, data):
    everything = lines(cli("export", "--edges", "--data-dir", data)[1])
    across = lines(cli("export", "--edges", "--across", "--data-dir", data)[1])
    assert {row["relation"] for row in everything} > {"DEFINES", "IMPORTS"}
    assert {row["relation"] for row in across}.isdisjoint({"DEFINES", "IMPORTS", "INHERITS"})
    assert ("harbour", "lighthouse") in {(row["project"], row["target_project"]) for row in across}
    assert {row["status"] for row in across} == {"confirmed"}
    assert len(across) < len(everything)


def test_a_draw(cli, data):
    everything = lines(cli("export", "--entities", "--data-dir", data)[1])

    def drawn(*more):
        return lines(cli("export", "--entities", "--sample", "3", *more, "--data-dir", data)[1])

    assert len(drawn()) == 3
    assert all(row in everything for row in drawn())
    assert drawn("--seed", "1") == drawn("--seed", "1")
    assert len({json.dumps(drawn("--seed", str(seed))) for seed in range(5)}) > 1
    assert lines(cli("export", "--entities", "--sample", "999", "--data-dir", data)[1]) == everything


def test_what_is_wrong_is_said(document, data):
    code, result = document("export", "--data-dir", data)
    assert (code, result["error"]["hint"]) == (2, "Say --edges or --entities.")
    code, result = document("export", "--entities", "--across", "--data-dir", data)
    assert (code, result["error"]["hint"]) == (2, "Say --edges with it.")
    code, result = document("export", "--edges", "--project", "dock", "--data-dir", data)
    assert (code, result["error"]["code"]) == (2, "unknown_project")
    code, result = document("export", "--edges", "--sample", "0", "--data-dir", data)
    assert (code, result["error"]["code"]) == (2, "invalid_input")


@pytest.mark.parametrize("what", ["--edges", "--entities"])
def test_only_what_may_be_seen(cli, data, what):
    everything = lines(cli("export", what, "--data-dir", data)[1])
    code, out, _ = cli("export", what, "--allow", "lighthouse", "--data-dir", data)
    assert code == 0
    assert lines(out)
    assert "harbour" not in out
    assert lines(out) == [row for row in everything if "harbour" not in json.dumps(row)]
    both = cli("export", what, "--allow", "lighthouse", "--allow", "harbour", "--data-dir", data)[1]
    assert lines(both) == everything


def test_a_project_that_may_not_be_seen_reads_as_none(document, data):
    code, told = document("export", "--edges", "--project", "harbour", "--allow", "lighthouse", "--data-dir", data)
    assert (code, told["error"]["code"]) == (2, "unknown_project")
    assert told["error"]["hint"] == "Known: lighthouse."
    code, told = document("export", "--edges", "--allow", "dock", "--data-dir", data)
    assert (code, told["error"]["message"]) == (2, "No project 'dock' here.")
