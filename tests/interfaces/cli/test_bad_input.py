"""What people do wrong, and what disks do: always a short message that says what and what to do, never a stack trace,
never a half-written store. The list is the one that the product promises to take.

What needs no command line is asked of the parts that the commands are made of.
"""

from __future__ import annotations

import gzip
import json
import re
import resource
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import pytest

from indexing import IndexRequest
from indexing.isolation import ReadingProcesses
from memory.errors import DataFolderError, InvalidInputError, StorageFullError
from memory.generation import DataFolder, FullDisk
from tests.organisation import FILES, ask, exported, index, indexer, write
from tests.resealing import reseal
from wiring.embedded_stores import EmbeddedStores

pytestmark = pytest.mark.slow

QUESTION = "How does MooringDesk connect to Beacon?"
COMMAND = Path(sys.executable).parent / "hybrid-retrieval"


@pytest.fixture(scope="module")
def anyio_backend():
    return "asyncio"  # stores work in threads, which virtual time does not wait for


@pytest.fixture
async def made(tmp_path):
    """An organisation and its index, of the embedder that needs no model: ours to spoil."""
    await index(tmp_path / "data", write(tmp_path / "org"), each=True)
    return tmp_path / "org", tmp_path / "data"


def short(text):
    """One message, no trace."""
    assert "Traceback" not in text
    assert 0 < len(text) < 700
    return text


class TestQuestion:
    @pytest.mark.parametrize("question", ["", "   \n\t", "\x00\x07\x1b[2J\x1b[31m"], ids=["empty", "blank", "controls"])
    def test_empty(self, document, data, question):
        code, result = document("ask", question, "--data-dir", data)
        assert (code, result["error"]["code"]) == (2, "invalid_query")
        assert (result["error"]["message"], result["error"]["hint"]) == ("The question is empty.", "Ask something.")

    def test_of_a_hundred_thousand_characters(self, document, data):
        code, result = document("ask", "Beacon " * 14_286, "--data-dir", data)
        assert (code, result["error"]["code"]) == (2, "invalid_query")
        assert result["error"]["message"] == "The question has 100002 characters; at most 8000 are taken."

    def test_as_long_as_is_allowed(self, document, data):
        code, result = document("ask", ("What is Beacon? " * 500)[:8000], "--data-dir", data)
        assert (code, result["status"]) == (0, "answered")

    @pytest.mark.parametrize(
        "question",
        [
            "What is\x07 \x1b[31mBeacon\x1b[0m?",
            "What is Beacon? 🚢🔦",
            "ما هو Beacon؟",
            "מה זה Beacon\u202e?",
            "What is Beacon? \udcff\ud83d",
            'What is Beacon"; DROP TABLE {x} %s?',
        ],
        ids=["control characters", "emoji", "arabic", "turned", "half characters", "injection"],
    )
    def test_odd_characters(self, cli, document, data, question):
        code, result = document("ask", question, "--data-dir", data)
        assert code in {0, 4}
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f]", result["query"])
        assert {"Beacon"} <= set(result["classification"]["entities"])
        _, out, err = cli("ask", question, "--explain", "--data-dir", data)
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f\u202e\ud800-\udfff]", out + err)

    @pytest.mark.parametrize("option", ["--project", "--allow"])
    def test_about_an_unknown_project(self, document, data, option):
        code, result = document("ask", QUESTION, option, "dock", "--data-dir", data)
        assert (code, result["error"]["code"]) == (2, "unknown_project")
        assert result["error"]["message"] == "No project 'dock' here."

    def test_about_a_project_that_may_not_be_seen_reads_the_same(self, document, data):
        code, result = document("ask", QUESTION, "--allow", "harbour", "--project", "lighthouse", "--data-dir", data)
        assert (code, result["error"]["code"]) == (2, "unknown_project")
        assert result["error"]["hint"] == "Known: harbour."


class TestPath:
    @pytest.mark.parametrize("name", ["gone", "x" * 300, "loop", "a.md", "bad\udcff"])
    def test_that_cannot_be_a_project(self, cli, document, tmp_path, name):
        (tmp_path / "loop").symlink_to(tmp_path / "loop")
        (tmp_path / "a.md").write_text("# A\n")
        (tmp_path / "bad\udcff").mkdir()
        code, out, err = cli("index", tmp_path / name)
        assert (code, out) == (2, "")
        assert short(err).count("\n") == 1
        code, result = document("index", tmp_path / name)
        assert (code, result["error"]["code"]) == (2, "invalid_input")
        assert str(tmp_path) in result["error"]["message"]
        assert result["error"]["hint"]

    async def test_that_may_not_be_read(self, made, nobody):
        org, data = made
        (org / "harbour/closed").mkdir()
        (org / "harbour/closed/a.md").write_text("# A\n")
        (org / "harbour/shut.md").write_text("# B\n")
        for path in ("harbour/closed", "harbour/shut.md"):
            (org / path).chmod(0)
        for path in [data, *data.rglob("*")]:  # nobody may index
            path.chmod(0o777 if path.is_dir() else 0o666)
        with nobody:
            with pytest.raises(
                InvalidInputError, match=r"closed can't be read: Permission denied\. Check its permissions"
            ):
                await index(data, org / "harbour/closed")
            report = await index(data, org, each=True)
        assert {(row.path, row.reason) for row in report.projects[0].record.skipped} == {
            ("closed", "unreadable"),
            ("shut.md", "unreadable"),
        }
        assert (await ask(data, QUESTION))["status"] == "answered"

    async def test_that_may_not_be_read_any_more(self, made, nobody):
        org, data = made
        (org / "harbour/closed/deep").mkdir(parents=True)
        (org / "harbour/closed/a.md").write_text("# A\n")
        (org / "harbour/closed/deep/b.md").write_text("# B\n")
        await index(data, org, each=True)
        for path in [data, *data.rglob("*")]:
            path.chmod(0o777 if path.is_dir() else 0o666)

        async def lost(mode):
            (org / "harbour/closed").chmod(mode)
            with nobody:
                report = await index(data, org, each=True)
            return report.to_dict(0)["lost"], len(report.projects[0].record.files)

        assert await lost(0) == ([{"project": "harbour", "path": "closed", "files": 2}], 3)
        assert await lost(0) == ([], 3)
        assert await lost(0o755) == ([], 5)
        gone = [{"project": "harbour", "path": path, "files": 1} for path in ("closed/a.md", "closed/deep")]
        assert await lost(0o444) == (gone, 3), "it may be listed, and nothing in it opened"

    def test_two_projects_of_one_name(self, document, org, data, tmp_path):
        write(tmp_path / "other", {"harbour": {"a.md": "# Another harbour\n"}})
        code, result = document("index", tmp_path / "other/harbour", "--data-dir", data)
        assert (code, result["error"]["code"]) == (2, "duplicate_project")
        assert str(org / "harbour") in result["error"]["message"]
        assert str(tmp_path / "other/harbour") in result["error"]["message"]
        assert document("ask", QUESTION, "--data-dir", data)[1]["status"] == "answered"


class TestFiles:
    """What lies in a project: the run goes on and says what it left out."""

    async def test_that_cannot_be_read_as_text(self, made):
        org, data = made
        odd = org / "harbour/odd"
        odd.mkdir()
        (odd / "round").symlink_to(odd)
        (odd / "latin.py").write_bytes(b"name = 'caf\xe9'\n")
        (odd / "zero.md").write_bytes(b"\0\0")
        with (odd / "huge.md").open("wb") as huge:
            huge.truncate(200_000_000)
        report = await index(data, org, each=True)
        skipped = {row["path"]: row["reason"] for row in report.to_dict(0)["skipped"]}
        assert skipped == {
            "odd/round": "symlink",
            "odd/latin.py": "undecodable",
            "odd/zero.md": "binary",
            "odd/huge.md": "too_large",
        }
        assert (odd / "huge.md").stat().st_blocks == 0

    async def test_that_a_parser_stumbles_over_is_read_all_the_same(self, made):
        org, data = made
        digits = "9" * 4301
        odd = {
            "docker-compose.yml": "- " * 40_000,
            "package.json": '{"name": "a\\ud800", "dependencies": {"b\\udfff": "1"}}',
            "composer.json": '{"name": "a\\ud800"}',
            "Cargo.toml": f'[package]\nname = "a"\nx = {digits}\n',
            "gradle/libs.versions.toml": f"[versions]\nx = {digits}\n",
            "openapi.yaml": 'openapi: 3.0.0\ninfo: {title: t}\npaths:\n  /carts:\n    get: {summary: "a\u2028b\u2028c"}\n',
            "secret.yaml": 'kind: Secret\nmetadata: {name: s}\ndata: {X_URL: "dü"}\n',
        }
        write(org, {"harbour": odd})
        report = (
            await indexer(data, readers=ReadingProcesses).run(IndexRequest([org], each=True), holder="x")
        ).to_dict(0)
        assert report["skipped"] == [{"project": "harbour", "path": "secret.yaml", "reason": "secret"}]
        assert (report["projects"][0]["name"], report["projects"][0]["added"]) == ("harbour", 6)
        assert (await ask(data, QUESTION))["status"] == "answered"

    async def test_of_200_mb_is_not_read(self, made):
        org, _ = made
        huge = org / "harbour/huge.md"
        with huge.open("wb") as file:
            file.truncate(200_000_000)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        await index(org.parent / "fresh", org / "harbour")
        assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 150_000  # KB

    async def test_that_does_not_parse(self, made):
        org, data = made
        write(
            org,
            {
                "harbour": {
                    "broken.py": "class Half(:\n    def kept(self):\n        return 'crane'\n",
                    "pyproject.toml": "[project\n",
                    "broken.sql": "CREATE TABL berths (id UUID,,;\n",
                    "compose.yaml": "services: [\n",
                    "package.json": "{",
                    "broken.md": "```\n# never closed\n",
                    "deep.py": "(" * 5000 + "\n",
                    "deep.json": "[" * 100_000,
                }
            },
        )
        report = await index(data, org, each=True)
        files = {file.path: file.chunks for file in report.projects[0].record.files}
        assert all(files[path] for path in ("broken.py", "pyproject.toml", "broken.sql", "compose.yaml", "deep.py"))
        assert report.to_dict(0)["skipped"] == []
        found = await ask(data, "What does kept return with the crane?")
        assert "harbour:broken.py" in {
            f"{at['project']}:{at['path']}" for o in found["observations"] for at in o["locations"]
        }

    async def test_deleted_while_it_is_indexed(self, made):
        org, data = made
        (org / "harbour/fleeting.md").write_text("# Fleeting\n")

        class Deleting(EmbeddedStores):
            """The stores are opened between looking and reading."""

            def open_vectors(self, path, vectors, namespace, *, copied):
                (org / "harbour/fleeting.md").unlink()
                (org / "harbour/CLAUDE.md").unlink()
                return super().open_vectors(path, vectors, namespace, copied=copied)

        report = await indexer(data, stores=Deleting()).run(IndexRequest([org], each=True), holder="a test")
        assert {row["path"]: row["reason"] for row in report.to_dict(0)["skipped"]} == {
            "fleeting.md": "unreadable",
            "CLAUDE.md": "unreadable",
        }
        assert (await ask(data, QUESTION))["status"] == "answered"
        assert (await index(data, org, each=True)).to_dict(0)["skipped"] == []


BOMB = "a: &a [1, 1]\n" + "".join(
    f"{two}: &{two} [*{one}, *{one}]\n" for one, two in pairwise("abcdefghijklmnopqrstuvwxyz")
)
DOCUMENTS = {
    "deep yaml": "- " * 40_000,
    "deep flow": "[" * 100_000,
    "deep inside": "config: " + "{a: " * 900 + "1" + "}" * 900,
    "aliases of aliases": BOMB,
    "inside itself": "config: &a {b: *a}",
    "a number": f"agent_timeout_ms: {'9' * 5_000}",
    "a large number": f"agent_timeout_ms: {'9' * 400}",
    "no date": "config: 2024-13-45",
    "a tag": "config: !!timestamp soon",
    "large": "#" * 2_000_000,
    "zeros": "\0" * 10,
    "nothing": "",
    "a list": "[1]",
}


class TestNamedFiles:
    """Whatever a file holds that a command is told to read: a short message that names it, at every door."""

    @pytest.fixture
    def doors(self, recorded, tmp_path):
        file, scenario = tmp_path / "given", recorded.with_name("given.yaml")
        rules, cassette = tmp_path / "rules.yaml", recorded.with_name("moorings.cassette.json.gz")
        return {
            "config": (file, ["ask", QUESTION, "--config", file]),
            "scenario": (scenario, ["replay", scenario]),
            "record": (scenario, ["record", scenario]),
            "questions": (file, ["evaluate", file]),
            "why": (file, ["why", file, "x"]),
            "compare": (file, ["replay", "--compare", file, file]),
            "rules": (rules, ["index", tmp_path, "--set", f"indexing.rules={rules}", "--data-dir", tmp_path / "data"]),
            "cassette": (cassette, ["replay", recorded]),
        }

    @pytest.fixture
    def recorded(self, cli, data, tmp_path):
        folder = tmp_path / "scenarios"
        folder.mkdir()
        file = folder / "moorings.yaml"
        file.write_text(f'schema_version: "1"\nid: moorings\nquery: {QUESTION}\n')
        return file

    @pytest.mark.parametrize(
        "door", ["config", "scenario", "record", "questions", "why", "compare", "rules", "cassette"]
    )
    @pytest.mark.parametrize("text", DOCUMENTS.values(), ids=DOCUMENTS)
    def test_that_hold_anything(self, cli, doors, door, text):
        file, command = doors[door]
        file.write_bytes(gzip.compress(text.encode()) if door == "cassette" else text.encode())
        code, out, err = cli(*command)
        if (door, text) != ("config", ""):  # where nothing is set, nothing is asked for either
            assert (code, out) == (2, "")
            assert str(file) in short(err)

    @pytest.mark.parametrize("depth", [900, 100_000])
    @pytest.mark.parametrize("door", ["questions", "why", "compare", "cassette"])
    def test_that_hold_deep_json(self, cli, doors, door, depth):
        file, command = doors[door]
        text = '{"a": ' * depth + "1" + "}" * depth
        file.write_bytes(gzip.compress(text.encode()) if door == "cassette" else text.encode())
        code, out, err = cli(*command)
        assert (code, out) == (2, "")
        assert "nested deeper than 100" in short(err)
        assert str(file) in err

    @pytest.mark.parametrize("value", ["[" * 5_000, "9" * 5_000, "9" * 400, "1e400", "2024-13-45", "!!int ''"])
    @pytest.mark.parametrize("key", ["agent_timeout_ms", "graph.hop_decay", "conflict_strategy", "enable_graph"])
    def test_nor_does_a_setting(self, cli, monkeypatch, key, value):
        code, out, err = cli("ask", QUESTION, "--set", f"{key}={value}")
        assert (code, out) == (2, "")
        assert "Traceback" not in err
        monkeypatch.setenv(f"HYBRID_RETRIEVAL_{key.upper().replace('.', '__')}", value)
        assert cli("ask", QUESTION)[0] == 2


class TestDataFolder:
    @pytest.mark.parametrize("command", [["index", "."], ["ask", "q"], ["export", "--edges"]], ids=lambda c: c[0])
    def test_that_is_not_ours(self, document, tmp_path, command):
        (tmp_path / "thesis.txt").write_text("mine")
        code, result = document(*command, "--data-dir", tmp_path)
        assert (code, result["error"]["code"]) == (2, "data_folder")
        assert "is not a data folder of hybrid-retrieval" in result["error"]["message"]
        assert "--data-dir" in result["error"]["hint"]
        assert [entry.name for entry in tmp_path.iterdir()] == ["thesis.txt"]

    @pytest.mark.parametrize("place", ["thesis.txt", "thesis.txt/data", "x" * 300, "loop", "/proc/index", "/sys/index"])
    def test_where_none_can_be(self, document, tmp_path, place):
        if place.startswith("/") and not Path(place).parent.is_dir():
            pytest.skip("only Linux has a folder that not even root can write to")
        (tmp_path / "thesis.txt").write_text("mine")
        (tmp_path / "loop").symlink_to("loop")
        write(tmp_path / "org")
        code, result = document("index", tmp_path / "org", "--each", "--data-dir", tmp_path / place)
        assert (code, result["error"]["code"]) == (2, "data_folder")
        assert "--data-dir" in result["error"]["hint"]

    async def test_of_another_profiles_dimension(self, made):
        org, data = made
        for command in (["index", org, "--each"], ["ask", QUESTION]):
            done = subprocess.run(  # noqa: S603, ASYNC221 - our own command; nothing else runs meanwhile
                [COMMAND, *command, "--json", "--data-dir", data], capture_output=True, text=True, check=False
            )
            error = json.loads(done.stdout)["error"]
            assert (done.returncode, error["code"]) == (2, "data_folder")
            assert re.search(r"fake-bag-of-words \(64 .*bge-small-systems \(384 ", error["message"])
            short(done.stderr)
        assert (await ask(data, QUESTION))["status"] == "answered"

    @pytest.mark.parametrize("place", ["hybrid-retrieval.json", "generations/1/manifest.json"])
    async def test_of_a_newer_schema(self, made, place):
        org, data = made
        file = data / place
        made = {**json.loads(file.read_text()), "schema_version": 99}
        made.pop("checksum", None)
        file.write_text(json.dumps(made))
        reseal(data)
        before = {path: path.read_bytes() for path in data.glob("*") if path.is_file() and path.name != "index.lock"}
        for attempt in (index(data, org, each=True), ask(data, QUESTION)):
            with pytest.raises(
                DataFolderError, match=r"has schema 99; this version reads up to 1. Update hybrid-retri"
            ):
                await attempt
        assert {path: path.read_bytes() for path in before} == before

    async def test_without_write_permission(self, made, nobody):
        org, data = made
        answer = (await ask(data, QUESTION))["answer"]["text"]
        for path in [data, *data.rglob("*")]:  # to be read by everybody, and written by nobody
            path.chmod(0o555 if path.is_dir() else 0o444)
        with nobody:
            with pytest.raises(DataFolderError, match="Change its permissions"):
                await index(data, org, each=True)
            assert (await ask(data, QUESTION))["answer"]["text"] == answer
        for path in [data, *data.rglob("*")]:
            path.chmod(0o755 if path.is_dir() else 0o644)
        assert (await ask(data, QUESTION))["answer"]["text"] == answer


HOLDER = """
import sys
from memory.generation import DataFolder
with DataFolder.open(sys.argv[1]).indexing("hybrid-retrieval index elsewhere"):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_second_index_is_told_who_is_at_it(document, cli, org, data):
    holder = [sys.executable, "-c", HOLDER, str(data)]
    root = Path(__file__).parents[3]
    with subprocess.Popen(holder, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as first:  # noqa: S603 - our own interpreter and text
        assert first.stdout.readline() == "held\n"
        code, result = document("index", org, "--each", "--data-dir", data)
        assert (code, result["error"]["code"]) == (2, "index_locked")
        assert f"process {first.pid} of " in result["error"]["message"]
        assert "`hybrid-retrieval index elsewhere`" in result["error"]["message"]
        assert document("ask", QUESTION, "--data-dir", data)[1]["status"] == "answered"  # readers never wait
        first.stdin.close()
        first.wait(timeout=60)
    assert cli("index", org, "--each", "--data-dir", data)[0] == 0


@pytest.mark.parametrize("room", range(6))
async def test_a_full_disk_leaves_the_index_as_it_was(made, room):
    org, data = made
    before, answer = await exported(data), (await ask(data, QUESTION))["answer"]["text"]
    (org / "lighthouse/lighthouse/beacon.py").write_text("class Lantern:\n    pass\n")
    with pytest.raises(
        StorageFullError, match=r"No room is left on the disk.*Free some and run it again; nothing was lost"
    ):
        await indexer(data, disk=FullDisk(room)).run(IndexRequest([org], each=True), holder="a test")
    assert await exported(data) == before
    assert (await ask(data, QUESTION))["answer"]["text"] == answer
    assert [entry.name for entry in (data / "generations").iterdir()] == ["1"]


@pytest.mark.parametrize("limit", [2_000, 200_000])
def test_a_disk_that_is_full_for_the_engines_too(tmp_path, limit):
    """A limit on the size of files is a full disk for whoever writes one; it holds for the engines' own writes."""
    write(tmp_path / "org", FILES)

    def limited():
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    done = subprocess.run(  # noqa: S603 - our own command
        [COMMAND, "index", tmp_path / "org", "--each", "--json", "--data-dir", tmp_path / "data"],
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=limited,
    )
    assert (done.returncode, json.loads(done.stdout)["error"]["code"]) == (3, "disk_full")
    short(done.stderr)
    assert list((tmp_path / "data").glob("generations/*")) == []
    with pytest.raises(DataFolderError, match="There is no index"):
        DataFolder.open(tmp_path / "data").reading()
