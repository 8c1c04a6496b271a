"""`index`: a row a project for people, one document for programs."""

from __future__ import annotations

import re
import signal
import subprocess
import sys

import pytest

from interfaces.cli.index import _report_losses
from memory.generation import DataFolder
from tests.organisation import write

pytestmark = pytest.mark.slow

PROGRAM = "import sys; from interfaces.cli.main import main; main(sys.argv[1:])"


@pytest.fixture
def small(tmp_path):
    return write(tmp_path / "org", {"buoy": {"a.md": "# Buoy\n", ".env": "A=1\n"}, "anchor": {"b.md": "# Anchor\n"}})


def test_the_document(document, small, tmp_path):
    code, report = document("index", small, "--each", "--data-dir", tmp_path / "data")
    assert (code, report["generation"], report["unchanged"], report["files"]) == (0, 1, False, 2)
    assert [(row["name"], row["added"]) for row in report["projects"]] == [("anchor", 1), ("buoy", 1)]
    assert report["skipped"] == [{"project": "buoy", "path": ".env", "reason": "secret"}]
    code, report = document("index", small, "--each", "--data-dir", tmp_path / "data")
    assert (code, report["generation"], report["unchanged"]) == (0, 1, True)


def test_a_page(cli, small, tmp_path):
    code, out, err = cli("index", small, "--each", "--data-dir", tmp_path / "data")
    table = re.sub(r" +", " ", out).splitlines()
    assert (code, err) == (0, "")
    assert table[0] == "project files chunks entities relations added changed removed"
    assert table[1].startswith("anchor 1 1 ")
    assert table[3] == "left out: 1 secret"
    assert re.fullmatch(r"generation 1, [\d.]+ s", table[4])
    assert re.search(
        r"^nothing changed, [\d.]+ s$", cli("index", small, "--each", "--data-dir", tmp_path / "data")[1], re.MULTILINE
    )
    code, out, _ = cli("index", "--remove", "buoy", "--data-dir", tmp_path / "data")
    assert re.fullmatch(r"removed from the index: buoy\ngeneration 2, [\d.]+ s\n", out)


def test_a_folder_that_is_not_there_is_named(cli, small, tmp_path):
    data = tmp_path / "data"
    cli("index", small / "anchor", small / "buoy", "--data-dir", data)
    (small / "buoy").rename(tmp_path / "away")
    page = cli("index", "--data-dir", data)[1]
    assert "not there: buoy, which stays as it was indexed; `--remove buoy` takes it out\n" in page


def test_quietly_only_what_one_is_warned_of(cli, small, tmp_path):
    for options, printed in (((), ""), (("--show-left-out",), "left out: buoy/.env: secret\n")):
        assert cli("index", small, "--each", "-q", *options, "--data-dir", tmp_path / "data") == (0, printed, "")


def test_watching_ends_when_it_is_told_to(small, tmp_path):
    command = [sys.executable, "-c", PROGRAM, "index", small, "--each", "--watch", "--data-dir", tmp_path / "data"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:  # noqa: S603 - our own interpreter and text
        assert process.stdout.readline().startswith("project")  # by then it listens
        assert any(line == "Watching for what changes, until interrupted.\n" for line in process.stderr)
        process.send_signal(signal.SIGTERM)
        assert process.wait(300) == 0


def test_what_is_fetched_is_not_watched(cli, tmp_path):
    sources = tmp_path / "sources.yaml"
    sources.write_text("- {name: x, url: 'file:///nowhere'}\n")
    code, _, err = cli("index", "--sources", sources, "--watch", "--data-dir", tmp_path / "data")
    assert (code, "What is fetched doesn't change here" in err) == (2, True)


def test_watching_what_is_not_there_or_without_its_package_is_said(cli, small, tmp_path):
    code, out, err = cli("index", "--watch", tmp_path / "gone", "--data-dir", tmp_path / "data")
    assert (code, out, err) == (2, "", f"There is no folder {tmp_path}/gone. Check the path.\n")
    lacking = PROGRAM.replace(";", "; sys.modules['watchfiles'] = None;", 1)  # as where it is not installed
    command = [sys.executable, "-c", lacking, "index", small, "--each", "--watch", "--data-dir", tmp_path / "data"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)  # noqa: S603 - our own interpreter and text
    assert done.returncode == 2
    assert done.stderr.endswith("Install it: pip install 'hybrid-retrieval[watch]'.\n")
    assert "Traceback" not in done.stderr


def test_watching_waits_for_another_run(small, tmp_path):
    command = [sys.executable, "-c", PROGRAM, "index", small, "--each", "--watch", "--data-dir", tmp_path / "data"]
    with DataFolder.open_or_create(tmp_path / "data").indexing("index, since noon"):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)  # noqa: S603 - our own interpreter and text
        assert "This one waits for it to end." in process.stderr.readline()
    with process:
        assert process.stdout.readline().startswith("project")
        process.send_signal(signal.SIGTERM)
        assert process.wait(300) == 0


def test_a_file_that_ends_its_reader_is_named_each_time(cli, small, tmp_path):
    (tmp_path / "trap.py").write_text(
        "import os\nclass Trap:\n    name = 'trap'\n    def reads(self, path):\n        return path.endswith('.trap')\n"
        "    def find(self, source):\n        os.abort()\nRULES = [Trap()]\n"
    )
    (small / "buoy/x.trap").write_text("bell\n")
    options = ("--each", "--data-dir", tmp_path / "data", "--set", f"indexing.rules=[{tmp_path}/trap.py]")
    for state in ("generation 1", "nothing changed"):
        code, out, _ = cli("index", small, *options)
        lines = out.splitlines()
        assert (code, lines[3:5]) == (
            0,
            ["left out: 1 secret, 1 unreadable", "left out: buoy/x.trap: its reader crashed (SIGABRT)"],
        )
        assert lines[5].startswith(state)


def test_each_file_that_is_left_out_is_named_on_request(cli, small, tmp_path):
    left_out = [
        line
        for line in cli("index", small, "--each", "--show-left-out", "--data-dir", tmp_path / "data")[1].splitlines()
        if line.startswith("left out")
    ]
    assert left_out == ["left out: 1 secret", "left out: buoy/.env: secret"]


def test_text_that_is_published_first_ends_the_same(document, small, tmp_path):
    options = ("--each", "--data-dir", tmp_path / "data", "--set", "indexing.publish_text_first_above=0")
    code, report = document("index", small, *options)
    assert (code, report["generation"], report["embedded"], report["files"]) == (0, 2, 1.0, 2)


def test_an_empty_path_is_not_the_folder_one_stands_in(cli, document, small, tmp_path):
    for paths in (("",), (small, "")):
        code, result = document("index", *paths, "--each", "--data-dir", tmp_path / "data")
        assert (code, result["error"]["code"]) == (2, "invalid_input")
        assert result["error"]["hint"] == "Name the folder; the one you are in is `.`."
    assert cli("index", "", "--data-dir", tmp_path / "data")[2].startswith("A PATH is empty.")
    assert not (tmp_path / "data").exists()


def test_what_left_the_index_since_it_cannot_be_read_is_said_and_no_success(capsys):
    assert _report_losses({"lost": [], "unreached": []}) == 0
    lost = [{"project": "buoy", "path": "src", "files": 2}, {"project": "buoy", "path": "a.md", "files": 1}]
    assert _report_losses({"lost": lost, "unreached": [{"project": "mole", "because": "It is gone."}]}) == 3
    assert capsys.readouterr().err == (
        "src of buoy can't be read, so 2 files of it left the index. Check its permissions and index again.\n"
        "a.md of buoy can't be read, so 1 file of it left the index. Check its permissions and index again.\n"
        "mole: It is gone. What is indexed of it stays as it was; the others are up to date.\n"
    )


def test_what_is_wrong_is_said(cli, document, tmp_path):
    assert document("index")[1]["error"]["hint"] == "Give a PATH, --distribution NAME or --remove NAME."
    code, out, err = cli("index", tmp_path / "gone")
    assert (code, out, err) == (2, "", f"There is no folder {tmp_path}/gone. Check the path.\n")
    assert document("index", "--distribution", "no-such-thing")[1]["error"]["code"] == "invalid_input"


def test_without_a_path_all_that_is_indexed_is_brought_up_to_date(cli, document, small, tmp_path):
    data = ("--data-dir", tmp_path / "data")
    code, result = document("index", *data)
    assert (code, result["error"]["message"]) == (2, "There is nothing to index.")
    lone = write(tmp_path / "lone", {"quay": {"c.md": "# Quay\n"}}) / "quay"
    away = write(tmp_path / "away", {"pier": {"d.md": "# Pier\n"}}) / "pier"
    cli("index", small, "--each", *data)
    cli("index", lone, *data)
    cli("index", away, *data)
    assert document("index", *data)[1]["unchanged"]
    (small / "buoy/a.md").write_text("# Buoy, painted\n")
    (lone / "more.md").write_text("# More\n")
    (small / "anchor/b.md").unlink()
    (small / "anchor").rmdir()
    away.rename(tmp_path / "elsewhere")
    code, report = document("index", *data)
    rows = {row["name"]: (row["added"], row["changed"]) for row in report["projects"]}
    assert (code, rows["buoy"], rows["quay"], report["removed"]) == (0, (0, 1), (1, 0), ["anchor"])
    assert "anchor" not in rows


def test_a_list_of_sources(cli, document, small, tmp_path):
    (tmp_path / "sources.yaml").write_text("- path: org/buoy\n")
    code, report = document("index", "--sources", tmp_path / "sources.yaml", "--data-dir", tmp_path / "data")
    assert (code, [row["name"] for row in report["projects"]]) == (0, ["buoy"])
    assert cli("index", "--sources", tmp_path / "none.yaml", "--data-dir", tmp_path / "data")[0] == 2


def test_what_is_no_cluster(cli, small, tmp_path):
    code, _, err = cli("index", small, "--on", "moon", "--data-dir", tmp_path / "data")
    assert (code, err) == (2, "--on moon names no cluster. It is `ray`, or `ray=ADDRESS`.\n")
    assert not (tmp_path / "data").exists()
