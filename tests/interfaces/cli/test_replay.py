"""`record` and `replay` on the command line: exit codes, the document, JUnit, what-ifs."""

from __future__ import annotations

import gzip
import json
from xml.etree import ElementTree as ET

import pytest

from interfaces.cli.main import run

QUESTION = "How does MooringDesk connect to Beacon?"
SCENARIO = f"""
schema_version: "1"
id: moorings
query: {QUESTION}
expect: {{query_types: [relationship], status: {{answer: answered, graph: ok}}, scope: [harbour, lighthouse]}}
"""


@pytest.fixture(scope="module")
def recorded(data, tmp_path_factory):
    """A scenario and its cassette."""
    file = tmp_path_factory.mktemp("scenarios") / "moorings.yaml"
    file.write_text(SCENARIO, encoding="utf-8")
    assert run(["record", str(file), "--data-dir", str(data), "--json"]) == 0
    return file


def test_record_says_what_it_kept(document, recorded, data):
    code, told = document("record", recorded, "--data-dir", data)
    assert code == 0
    [row] = told["recorded"]
    assert (row["id"], row["status"], row["unmet"]) == ("moorings", "answered", [])
    assert row["cassette"] == str(recorded.with_name("moorings.cassette.json.gz"))
    assert row["calls"] > 20


def test_record_tells_what_does_not_hold(cli, data, tmp_path):
    file = tmp_path / "one.yaml"
    file.write_text(SCENARIO.replace("answer: answered", "answer: partial"), encoding="utf-8")
    code, out, _ = cli("record", file, "--data-dir", data)
    assert code == 0
    assert "expected: status: answer ended answered, expected partial" in out


def test_replay_passes(cli, recorded):
    code, out, err = cli("replay", recorded)
    assert (code, err) == (0, "")
    assert out.startswith("ok   moorings  answered")


def test_the_replay_as_a_page(cli, recorded, tmp_path):
    file = tmp_path / "run.html"
    assert cli("replay", recorded, "--html", file)[0] == 0
    first = file.read_bytes()
    assert f"<title>{QUESTION}</title>" in first.decode()
    assert cli("replay", recorded, "--html", tmp_path)[0] == 0
    assert (tmp_path / "moorings.html").read_bytes() == first
    cli("replay", recorded, "--delay", "vector=20s", "--html", file)
    assert 'class="bar timeout"' in file.read_text(encoding="utf-8")


def test_a_page_of_what_the_recording_lacks(cli, recorded, data, tmp_path):
    longer = "What if QuayMaster were there, too?"
    file = tmp_path / "moorings.yaml"
    file.write_text(SCENARIO.replace(QUESTION, longer), encoding="utf-8")
    file.with_name("moorings.cassette.json.gz").write_bytes(
        recorded.with_name("moorings.cassette.json.gz").read_bytes()
    )
    cli("replay", file, "--data-dir", data, "--html", tmp_path / "run.html")
    assert longer in (tmp_path / "run.html").read_text(encoding="utf-8")


def test_several_pages_need_a_folder(document, recorded, tmp_path):
    other = tmp_path / "other.yaml"
    other.write_text(SCENARIO.replace("id: moorings", "id: other"), encoding="utf-8")
    code, told = document("replay", recorded, other, "--html", tmp_path / "run.html")
    assert (code, told["error"]["code"]) == (2, "invalid_input")
    assert "no folder for 2 pages" in told["error"]["message"]


def test_a_page_shows_one_run(document, recorded, tmp_path):
    code, told = document("replay", "--compare", recorded, recorded, "--html", tmp_path / "run.html")
    assert (code, told["error"]["code"]) == (2, "invalid_input")


def test_the_document_is_the_same_each_time(document, recorded):
    code, told = document("replay", recorded.parent)
    assert (code, told["passed"]) == (0, True)
    assert told["scenarios"][0]["result"]["query"] == QUESTION
    assert document("replay", recorded) == (code, told)


def test_an_expectation_that_does_not_hold_is_exit_one(cli, recorded, tmp_path):
    junit = tmp_path / "replay.xml"
    code, out, _ = cli("replay", recorded, "--without", "graph", "--junit", junit)
    assert code == 1
    assert "FAIL moorings" in out
    assert "expected: status: graph ended skipped, expected ok" in out
    assert "as recorded -> what if" in out
    assert ET.parse(junit).getroot().attrib["failures"] == "1"  # noqa: S314 - our own text


def test_what_ifs_say_what_changed(cli, recorded):
    _, out, _ = cli("replay", recorded, "--delay", "vector=20s", "--fail", "local=no disk")
    assert "vector status ok -> timeout" in out
    assert "no disk" in out
    code, out, _ = cli("replay", recorded, "--scope", "full_parallel", "--set", "similarity_threshold=0.9")
    assert code == 0
    assert "mode none -> full_parallel" in out


def test_a_call_that_is_lacking_is_exit_two_or_goes_to_the_index(cli, document, recorded, data, tmp_path):
    file = tmp_path / "moorings.yaml"
    file.write_text(SCENARIO.replace(QUESTION, "Which files speak of a pilot?"), encoding="utf-8")
    (tmp_path / "moorings.cassette.json.gz").write_bytes(recorded.with_name("moorings.cassette.json.gz").read_bytes())
    code, told = document("replay", file)
    assert (code, told["error"]["code"]) == (2, "missing_call")
    code, out, _ = cli("replay", file, "--data-dir", data)
    assert code == 1
    assert "live, since the recording lacks it: " in out


def test_compare(cli, document, recorded, tmp_path):
    _, told = document("replay", recorded, "--without", "graph")
    other = tmp_path / "other.json"
    other.write_text(json.dumps(told), encoding="utf-8")
    code, out, _ = cli("replay", "--compare", recorded, other)
    assert code == 0
    assert "graph status ok -> skipped" in out
    cassette = recorded.with_name("moorings.cassette.json.gz")
    assert cli("replay", "--compare", cassette, recorded)[1] == "No difference.\n"
    code, told = document("replay", "--compare", cassette, other)
    assert (code, told["equal"]) == (0, False)


def test_accept(cli, recorded):
    assert cli("replay", recorded, "--accept")[0] == 0
    assert cli("replay", recorded, "--accept", "--without", "graph")[0] == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "Which scenarios?"),
        (["FILE", "--delay", "vector=soon"], "'soon' is no time"),
        (["FILE", "--delay", "nobody=2s"], "no agent 'nobody'"),
        (["FILE", "--fail", "nobody"], "no agent 'nobody'"),
        (["FILE", "--set", "nonsense=1"], "no such setting"),
        (["FILE", "--junit", "FILE/x.xml"], "cannot be written"),
        (["--compare", "FILE", "nowhere.json"], "nowhere.json cannot be read"),
        (["nowhere.yaml"], "nowhere.yaml cannot be read"),
    ],
)
def test_mistakes(cli, recorded, arguments, said):
    code, _, err = cli("replay", *(one.replace("FILE", str(recorded)) for one in arguments))
    assert code == 2
    assert said in err


def test_a_json_file_that_is_no_result(cli, recorded, tmp_path):
    file = tmp_path / "x.json"
    file.write_text("[]", encoding="utf-8")
    code, _, err = cli("replay", "--compare", recorded, file)
    assert code == 2
    assert "is no result" in err


@pytest.mark.parametrize(
    "broken",
    [{"result": {}}, {"answer": {"text": 5}}, {"conflicts": 5}, {"metrics": {"total_time_ms": [1]}}, {"ms": 10**400}],
    ids=str,
)
def test_a_cassette_that_holds_no_whole_result_is_exit_two(cli, recorded, tmp_path, broken):
    copy = tmp_path / recorded.name
    copy.write_text(recorded.read_text())
    packed = gzip.decompress(recorded.with_name("moorings.cassette.json.gz").read_bytes())
    document = json.loads(packed)
    if "result" in broken:
        document["result"] = {}
    elif "ms" in broken:
        document["calls"][0][4] = broken["ms"]
    else:
        [(key, value)] = broken.items()
        document["result"][key] = document["result"][key] | value if isinstance(value, dict) else value
    copy.with_name("moorings.cassette.json.gz").write_bytes(gzip.compress(json.dumps(document).encode()))
    code, out, err = cli("replay", copy)
    assert (code, out) == (2, "")
    assert err.endswith("Record the scenario again.\n")
