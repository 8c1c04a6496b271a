"""`doctor`: every part, and what to do about one that is not in order."""

from __future__ import annotations

from memory.copying import copy_tree


def test_in_order(document, data):
    code, found = document("doctor", "--data-dir", data)
    assert (code, found["ok"]) == (0, True)
    names = ["packages", "model", "data folder", "index", "vector store", "graph store"]
    assert [check["name"] for check in found["checks"]] == names
    assert set(found["checks"][0]) == {"name", "ok", "detail", "hint"}


def test_deep_reads_every_file(document, cli, data, tmp_path):
    code, found = document("doctor", "--deep", "--data-dir", data)
    assert (code, found["ok"]) == (0, True)
    [files] = [check for check in found["checks"] if check["name"] == "files"]
    assert files["detail"].endswith(" files are as they were written")
    copy_tree(data, tmp_path / "data")
    for name in ("partitions.json", "manifest.json", "page_0.dat"):
        file = next((tmp_path / "data").rglob(name))
        content = bytearray(file.read_bytes())
        content[0] ^= 1
        file.write_bytes(content)
    code, found = document("doctor", "--deep", "--data-dir", tmp_path / "data")
    checks = {check["name"]: check for check in found["checks"]}
    assert (code, checks["files"]["ok"], checks["data folder"]["ok"]) == (3, False, False)
    assert checks["files"]["detail"].startswith("3 of ")
    assert "graph/partitions.json does not hold what was written to it; " in checks["files"]["detail"]
    assert "another data folder" in checks["files"]["hint"]


def test_deep_neither_counts_nor_names_files_for_whom_not_all_may_be_seen(document, data, tmp_path):
    arguments = ("doctor", "--deep", "--allow", "lighthouse", "--data-dir")
    code, found = document(*arguments, data)
    assert (code, detail_of(found, "files")) == (0, "all files are as they were written")
    copy_tree(data, tmp_path / "data")
    file = next((tmp_path / "data").rglob("page_0.dat"))
    file.write_bytes(b"x" + file.read_bytes()[1:])
    code, found = document(*arguments, tmp_path / "data")
    assert (code, detail_of(found, "files")) == (3, "Files of the index are damaged.")


def detail_of(found, name):
    [check] = [check for check in found["checks"] if check["name"] == name]
    return check["detail"]


def test_without_an_index(cli, document):
    code, found = document("doctor")
    assert (code, found["ok"], found["checks"][-1]["ok"]) == (3, False, False)
    code, out, _ = cli("doctor")
    assert code == 3
    assert "FAIL  data folder" in out
    assert "\n      Index some projects first" in out
    assert "ok    model" in out


def test_only_what_may_be_seen_is_counted(document, data):
    def details(*allowed):
        code, found = document("doctor", *allowed, "--data-dir", data)
        assert code == 0
        return {check["name"]: check["detail"] for check in found["checks"]}

    everything, one = details(), details("--allow", "lighthouse")
    assert everything["index"].startswith("2 projects, ")
    assert one["index"] == "1 projects, 4 entities"
    assert one["graph store"] == "kglite, 4 entities"
    assert one["vector store"] != everything["vector store"]
    every_name = details("--allow", "lighthouse", "--allow", "harbour")
    assert (
        everything.pop("index") == f"{every_name.pop('index')}, 5 relations"
    )  # a list of names does not say it is whole
    assert every_name == everything
    code, told = document("doctor", "--allow", "lighthouse", "--allow", "dock", "--data-dir", data)
    assert (code, told["error"]["message"], told["error"]["hint"]) == (
        2,
        "No project 'dock' here.",
        "Known: lighthouse.",
    )
