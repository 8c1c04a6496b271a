"""One run of the indexer: what changed is replaced in both stores at once, what did not is left alone."""

from __future__ import annotations

import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from extraction.facts import EXTRACTION
from indexing import IndexRequest
from memory.embedders import IN_PROCESS_CHARS, FakeSource
from memory.errors import DataFolderError, IndexLockedError, InvalidInputError, StorageFullError, UnknownProjectError
from memory.generation import DataFolder
from memory.vector import EdgeVectorStore
from tests.memory.embedders.logged import LoggedSource, loads
from tests.organisation import CONFIG, FILES, ask, exported, index, indexer, write
from tests.resealing import reseal
from wiring.embedded_stores import EmbeddedStores

QUESTION = "How does MooringDesk connect to Beacon?"


class CountingSource:
    """The fake model; counts the texts it had to embed."""

    def __init__(self):
        self.fake = FakeSource()
        self.model, self.dimension, self.cache_key = self.fake.model, self.fake.dimension, self.fake.cache_key
        self.texts = 0

    def load(self):
        encode = self.fake.load()

        def counted(texts):
            self.texts += len(texts)
            return encode(texts)

        return counted


class BreakingStores(EmbeddedStores):
    """Vectors are written, and then the graph can't be."""

    def __init__(self, error):
        self.error = error

    def open_graph(self, path, namespace, *, copied):
        raise self.error


@pytest.fixture
def org(tmp_path):
    return write(tmp_path / "org")


@pytest.fixture
def data(tmp_path):
    return tmp_path / "data"


async def chunks(data, project, *paths):
    """What the vector store holds of these files."""
    folder = DataFolder.open(data)
    with folder.reading() as generation:
        store = EdgeVectorStore.open(generation.vectors_path, namespace=folder.namespace)
        found = await store.file_chunks(project, paths, permission=generation.manifest.names)
        await store.close()
    return found


def number(data):
    with DataFolder.open(data).reading() as generation:
        return generation.number


async def test_the_first_run_fills_both_stores(org, data):
    steps = []
    run = indexer(data).run(IndexRequest([org], each=True), holder="x", progress=lambda *step: steps.append(step))
    report = await run
    assert (report.generation, report.unchanged, report.removed) == (1, False, ())
    assert [project.record.name for project in report.projects] == ["harbour", "lighthouse"]
    entities, edges = await exported(data)
    assert {"MooringDesk", "Beacon", "Beacon.signal"} <= {entity.name for entity in entities}
    assert (report.entities, report.relations) == (len(entities), len(edges))
    calls = [edge for edge in edges if edge.type == "CALLS" and edge.target.project == "lighthouse"]
    assert {(edge.source.name, edge.target.name) for edge in calls} == {("MooringDesk", "Beacon")}
    assert [chunk.project for chunk in await chunks(data, "harbour", "harbour/mooring.py")] == ["harbour"]
    assert steps[:2] == [("Reading", 1, 2), ("Reading", 2, 2)]
    embedded = sum(project.record.chunks for project in report.projects)
    assert steps[-1] == ("Embedding", embedded, embedded)


async def test_an_unchanged_folder_is_left_alone(org, data):
    await index(data, org, each=True)
    before = {path: path.stat().st_mtime_ns for path in (data / "generations").rglob("*")}
    source = CountingSource()
    report = await indexer(data, source=source).run(IndexRequest([org], each=True), holder="x")
    assert (report.generation, report.unchanged, source.texts) == (1, True, 0)
    assert [project.difference for project in report.projects] == [None, None]
    assert {path: path.stat().st_mtime_ns for path in (data / "generations").rglob("*")} == before


async def test_what_changed_is_replaced_in_both_stores(org, data):
    await index(data, org, each=True)
    beacon = org / "lighthouse/lighthouse/beacon.py"
    beacon.write_text("class Lantern:\n    def blink(self) -> int:\n        return 3\n")
    (org / "harbour/CLAUDE.md").unlink()
    (org / "harbour/notes.md").write_text("# Tides\n\nHigh at noon.\n")
    report = await index(data, org, each=True)
    rows = {row["name"]: row for row in report.to_dict(0)["projects"]}
    assert [rows["lighthouse"][key] for key in ("added", "changed", "removed")] == [0, 1, 0]
    assert [rows["harbour"][key] for key in ("added", "changed", "removed")] == [1, 0, 1]
    names = {entity.name for entity in (await exported(data))[0]}
    assert "Lantern" in names
    assert "Beacon" not in names
    assert await chunks(data, "harbour", "CLAUDE.md") == []
    assert [chunk.text.split()[1] for chunk in await chunks(data, "lighthouse", "lighthouse/beacon.py")] == ["Lantern:"]


async def test_only_what_changed_is_embedded_again(org, data):
    first, second, third = CountingSource(), CountingSource(), CountingSource()
    report = await indexer(data, source=first).run(IndexRequest([org], each=True), holder="x")
    assert first.texts == sum(project.record.chunks for project in report.projects)
    (org / "harbour/notes.md").write_text("# Tides\n\nHigh at noon.\n")
    await indexer(data, source=second).run(IndexRequest([org], each=True), holder="x")
    assert second.texts == 1
    (org / "harbour/notes.md").unlink()
    await index(data, org, each=True)
    (org / "harbour/notes.md").write_text("# Tides\n\nHigh at noon.\n")
    await indexer(data, source=third).run(IndexRequest([org], each=True), holder="x")
    assert third.texts == 0  # the cache outlives the file


async def test_a_new_commit_alone_is_a_change_since_every_chunk_carries_it(org, data):
    git = org / "harbour/.git"
    (git / "refs/heads").mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    for commit in ("a" * 40, "b" * 40):
        (git / "refs/heads/main").write_text(commit + "\n")
        report = await index(data, org / "harbour")
        assert report.projects[0].record.commit == commit
        assert {chunk.commit for chunk in await chunks(data, "harbour", "CLAUDE.md", "harbour/mooring.py")} == {commit}
    assert report.generation == 2
    assert report.to_dict(0)["projects"][0]["changed"] == 3


async def test_a_newly_skipped_file_is_the_only_change(org, data):
    await index(data, org, each=True)
    (org / "harbour/.env").write_text("TOKEN=abc\n")
    report = await index(data, org, each=True)
    assert (report.generation, report.unchanged) == (2, False)
    assert report.to_dict(0)["skipped"] == [{"project": "harbour", "path": ".env", "reason": "secret"}]
    assert (await index(data, org, each=True)).unchanged
    (org / "harbour/.env").unlink()
    report = await index(data, org, each=True)
    assert (report.generation, report.to_dict(0)["skipped"]) == (3, [])


async def test_a_file_that_becomes_a_secret_leaves_the_index(org, data):
    note = org / "harbour/berths.yaml"
    note.write_text("kind: Berth\nname: north\n")
    await index(data, org, each=True)
    assert await chunks(data, "harbour", "berths.yaml")
    note.write_text("apiVersion: v1\nkind: Secret\ndata:\n  token: YWJjZGVm\n")
    report = await index(data, org, each=True)
    assert await chunks(data, "harbour", "berths.yaml") == []
    assert [(row["path"], row["reason"]) for row in report.to_dict(0)["skipped"]] == [("berths.yaml", "secret")]
    assert report.to_dict(0)["projects"][0]["removed"] == 1
    with DataFolder.open(data).indexing("a look") as session:
        assert "berths.yaml" not in session.facts.files("harbour")


async def test_each_removes_the_project_of_a_folder_that_is_gone(org, data):
    other = write(org.parent / "other", {"pilots": {"a.md": "# Pilots\n"}})
    await index(data, org, each=True)
    await index(data, other / "pilots")
    (org / "lighthouse").rename(org.parent / "sunk")
    report = await index(data, org.parent / "other" / ".." / "org", each=True)  # another spelling of the same folder
    assert (report.removed, report.unchanged) == (("lighthouse",), False)
    entities, edges = await exported(data)
    assert {entity.project for entity in entities} == {"harbour", "pilots"}
    assert {edge.target.project for edge in edges} == {"harbour"}
    assert await chunks(data, "lighthouse", "README.md") == []


async def test_remove_takes_a_project_out(org, data):
    await index(data, org, each=True)
    report = await index(data, remove=["lighthouse"])
    assert (report.removed, report.projects) == (("lighthouse",), ())
    assert {entity.project for entity in (await exported(data))[0]} == {"harbour"}
    with pytest.raises(UnknownProjectError, match=r"'lighthouse'.*Known: harbour"):
        await index(data, remove=["lighthouse"])


async def test_remove_and_a_folder_of_that_name_is_indexed_anew(org, data):
    await index(data, org, each=True)
    moved = org.parent / "moved" / "lighthouse"
    moved.parent.mkdir()
    (org / "lighthouse").rename(moved)
    report = await index(data, moved, remove=["lighthouse"])
    assert report.removed == ()
    assert [project.record.root for project in report.projects] == [str(moved)]
    assert await chunks(data, "lighthouse", "README.md")
    assert {entity.project for entity in (await exported(data))[0]} == {"harbour", "lighthouse"}


async def test_a_folder_without_a_project_in_it_is_no_index(tmp_path, data):
    (tmp_path / "empty").mkdir()
    with pytest.raises(InvalidInputError, match="every direct sub-folder is a project"):
        await index(data, tmp_path / "empty", each=True)
    assert not (data / "CURRENT").exists()


async def test_an_empty_project_is_one(tmp_path, data):
    (tmp_path / "empty").mkdir()
    report = await index(data, tmp_path / "empty")
    assert [(project.record.name, project.record.files) for project in report.projects] == [("empty", ())]


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"indexing": replace(CONFIG.indexing, chunk_chars=900)}, r"1500 characters.*900 characters"),
        ({"vector": replace(CONFIG.vector, max_tokens=128)}, r"256 tokens.*128 tokens"),
        ({"vector": replace(CONFIG.vector, dimension=32)}, r"64 dimensions.*32 dimensions"),
    ],
)
async def test_an_index_of_other_settings_is_refused_and_stays(org, data, changes, says):
    await index(data, org, each=True)
    (org / "harbour/notes.md").write_text("# Tides\n")
    with pytest.raises(DataFolderError, match=says):
        await indexer(data, replace(CONFIG, **changes)).run(IndexRequest([org], each=True), holder="x")
    assert number(data) == 1


async def test_an_index_of_another_release_is_refused_and_says_what_to_keep(org, data):
    await index(data, org, each=True)
    [manifest] = data.rglob("manifest.json")
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(text.replace(f"extraction {EXTRACTION}", "extraction 0"), encoding="utf-8")
    reseal(data)
    with pytest.raises(DataFolderError, match="made by another release") as met:
        await index(data, org, each=True)
    assert "`cache` saves the embedding" in met.value.hint


async def test_a_changed_rule_of_ones_own_reads_everything_anew(org, data, tmp_path):
    file = tmp_path / "own.yaml"
    rule = "rules: [{name: own, files: '*.py', pattern: 'class (?P<n>\\w+)', kind: k, key: '{n}', side: provides, relation: USES, entity: {kind: KIND, name: '{n}.own'}}]\n"
    config = replace(CONFIG, indexing=replace(CONFIG.indexing, rules=[str(file)]))
    await index(data, org, each=True)
    for kind in ("endpoint", "topic"):
        file.write_text(rule.replace("KIND", kind))
        report = await indexer(data, config).run(IndexRequest([org], each=True), holder="x")
        assert not report.unchanged
        assert report.projects[0].record.recognised["own"] == 1
        entities, _ = await exported(data)
        assert {e.kind for e in entities if e.name.endswith(".own")} == {kind}
    assert (await indexer(data, config).run(IndexRequest([org], each=True), holder="x")).unchanged
    file.write_text(rule.replace("KIND", "column"))
    with pytest.raises(DataFolderError, match=r"indexing\.rules changed .* leaves out lighthouse"):
        await indexer(data, config).run(IndexRequest([org / "harbour"]), holder="x")
    assert number(data) == 3


async def test_a_second_indexer_is_told_who_is_at_it(org, data):
    await index(data, org, each=True)
    folder = DataFolder.open(data)
    with folder.indexing("hybrid-retrieval index elsewhere"), pytest.raises(IndexLockedError, match="index elsewhere"):
        await index(data, org, each=True)


async def trouble(org, data):
    """A change, and the answer that the index gives without it."""
    await index(data, org, each=True)
    answer = (await ask(data, QUESTION))["answer"]["text"]
    (org / "lighthouse/lighthouse/beacon.py").write_text("class Lantern:\n    pass\n")
    return answer


@pytest.mark.parametrize("error", [StorageFullError("x"), KeyboardInterrupt()], ids=["full", "interrupted"])
async def test_what_ends_between_the_two_stores_leaves_the_old_generation(org, data, error):
    answer = await trouble(org, data)
    with pytest.raises(type(error)):
        await indexer(data, stores=BreakingStores(error)).run(IndexRequest([org], each=True), holder="x")
    assert [entry.name for entry in (data / "generations").iterdir()] == ["1"]
    assert (await ask(data, QUESTION))["answer"]["text"] == answer
    report = await index(data, org, each=True)
    assert report.generation == 2
    assert (await ask(data, QUESTION))["answer"]["text"] != answer


KILLED = """
import os, signal, sys
from pathlib import Path
import anyio
from indexing import IndexRequest
from wiring.embedded_stores import EmbeddedStores
from tests.organisation import indexer

class Killed(EmbeddedStores):
    def open_graph(self, path, namespace, *, copied):
        os.kill(os.getpid(), signal.SIGKILL)

async def run():
    await indexer(Path(sys.argv[1]), stores=Killed()).run(IndexRequest([Path(sys.argv[2])], each=True), holder="x")

anyio.run(run)
"""


async def test_a_killed_run_leaves_a_stage_that_the_next_one_removes(org, data):
    answer = await trouble(org, data)
    root = Path(__file__).parents[2]
    done = subprocess.run(  # noqa: S603, ASYNC221 - our own interpreter and text; nothing else runs meanwhile
        [sys.executable, "-c", KILLED, str(data), str(org)], cwd=root, capture_output=True, check=False, timeout=60
    )
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()
    assert sorted(entry.name[:7] for entry in (data / "generations").iterdir()) == [".stage-", "1"]
    assert (await ask(data, QUESTION))["answer"]["text"] == answer
    source = CountingSource()
    report = await indexer(data, source=source).run(IndexRequest([org], each=True), holder="x")
    assert (report.generation, source.texts) == (2, 0)  # what the killed run had embedded is kept
    assert [entry.name for entry in (data / "generations").iterdir()] == ["2"]


async def test_many_chunks_are_embedded_in_pieces(org, data):
    steps = []
    run = indexer(data, embed_at_once=2).run
    report = await run(IndexRequest([org], each=True), holder="x", progress=lambda *step: steps.append(step))
    every = sum(project.record.chunks for project in report.projects)
    assert steps[-1] == ("Embedding", every, every)  # of them all, not of the last piece
    assert len(await chunks(data, "harbour", *FILES["harbour"])) == report.projects[0].record.chunks
    assert len(await chunks(data, "lighthouse", *FILES["lighthouse"])) == report.projects[1].record.chunks


async def test_workers_load_the_model_while_a_large_new_project_is_read(tmp_path, data):
    page = write(tmp_path, {"long": {"page.md": "# Long\n\nA word." + "\n" * IN_PROCESS_CHARS}}) / "long/page.md"
    source = LoggedSource.at(tmp_path, CONFIG.vector.dimension)

    async def run():
        return await indexer(data, source=source).run(IndexRequest([page.parent]), holder="x")

    assert (await run()).projects[0].record.chunks == 1
    assert set(loads(tmp_path)) == {"worker"}  # as large as it is, before it is known how little there is to embed
    page.write_text(page.read_text().replace("word", "phrase"))
    before = len(loads(tmp_path))
    await run()
    assert loads(tmp_path)[before:] == ["here"]  # most of a project that is known is in the cache


async def test_a_distribution_is_a_project(data):
    report = await index(data, distributions=["pluggy"])
    record = report.projects[0].record
    assert (record.name, record.distribution) == ("pluggy", True)
    assert "pluggy/_manager.py" in {file.path for file in record.files}
    assert (await index(data, distributions=["pluggy"])).unchanged
    assert Path(record.root).is_absolute()
