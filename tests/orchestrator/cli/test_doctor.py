"""`doctor`: every part, and what to do about one that is not in order."""

from __future__ import annotations


def test_in_order(document, data):
    code, found = document("doctor", "--data-dir", data)
    assert (code, found["ok"]) == (0, True)
    names = ["packages", "model", "data folder", "index", "vector store", "graph store"]
    assert [check["name"] for check in found["checks"]] == names
    assert set(found["checks"][0]) == {"name", "ok", "detail", "hint"}


def test_without_an_index(cli, document):
    code, found = document("doctor")
    assert (code, found["ok"], found["checks"][-1]["ok"]) == (3, False, False)
    code, out, _ = cli("doctor")
    assert code == 3
    assert "FAIL  data folder" in out
    assert "\n      Index some projects first" in out
    assert "ok    model" in out
