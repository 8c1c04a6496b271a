"""A damaged file of the index is a store error that names it, for readers and for the next indexer."""

from __future__ import annotations

import pytest

from memory.errors import DamagedIndexError, StoreError
from memory.generation import DataFolder, Disk, Manifest, ProjectFacts, ProjectRecord
from tests.resealing import reseal

SPOILT = {
    "CURRENT": "does not name a generation",
    "hybrid-retrieval.json": "can't be read",
    "generations/1/files.json": "does not hold what was written to it",
    "generations/1/manifest.json": "has 1 bytes, not the",
    "generations/1/vectors/segment": "has 1 bytes, not the 4",
    "generations/1/graph/0.kgl": "has 1 bytes, not the 4",
}


@pytest.fixture
def data(tmp_path):
    folder = DataFolder.open_or_create(tmp_path / "data")
    with folder.indexing("index .") as session:
        stage = session.stage()
        stage.vectors_path.mkdir()
        (stage.vectors_path / "segment").write_text("text")
        stage.graph_path.mkdir()
        (stage.graph_path / "0.kgl").write_text("edge")
        session.remember(stage, "billing", ProjectFacts({}, {"asks": []}))
        session.publish(stage, Manifest("n", "p", "mini", 384, projects=(ProjectRecord("billing", "/billing"),)))
    return folder.root


def read(data):
    with DataFolder.open(data).reading() as generation:
        return generation.number


def begin(data):
    with DataFolder.open(data).indexing("index ."):
        pass


@pytest.mark.parametrize(("path", "problem"), SPOILT.items())
@pytest.mark.parametrize("use", [read, begin])
def test_each_file_is_named_with_its_problem_and_the_way_out(data, path, problem, use):
    use(data)
    (data / path).write_text("x")
    with pytest.raises(StoreError, match=rf"{path} {problem}.*Index your projects into another data folder"):
        use(data)
    assert isinstance(DataFolder.open_or_create(data.parent / "other"), DataFolder)


@pytest.mark.parametrize("path", ["CURRENT", "hybrid-retrieval.json", "generations/1/lock", *list(SPOILT)[2:]])
def test_a_file_that_is_gone_is_damage(data, path):
    (data / path).unlink()
    with pytest.raises(DamagedIndexError, match=r"is missing|which is not there"):
        read(data)


def test_what_is_known_of_projects_is_the_indexer_s_alone(data):
    [facts] = data.glob("generations/1/facts/*")
    facts.write_text("x" * facts.stat().st_size)
    assert read(data) == 1
    with pytest.raises(DamagedIndexError, match="facts/"):
        begin(data)


@pytest.mark.parametrize("change", ['"namespace"', '"schema_version"', '"what"'])
def test_a_marker_that_says_something_else_is_damage(data, change):
    file = data / "hybrid-retrieval.json"
    text = file.read_text()
    value = text.index(":", text.index(change)) + 2
    at = value + 1 if text[value] == '"' else value
    file.write_text(text[:at] + ("7" if text[at] != "7" else "8") + text[at + 1 :])
    with pytest.raises(DamagedIndexError, match=r"hybrid-retrieval\.json does not hold what was written"):
        read(data)


def test_everything_is_examined(data):
    assert DataFolder.open(data).examined() == (4, [])
    (data / "generations/1/graph/0.kgl").write_text("edgy")
    files, [damage] = DataFolder.open(data).examined()
    assert (files, damage.path, damage.problem) == (4, "graph/0.kgl", "does not hold what was written to it")
    reseal(data)
    assert DataFolder.open(data).examined() == (4, [])


def test_damage_does_not_pass_into_the_next_generation(data):
    with DataFolder.open(data).indexing("index .") as session:
        stage = session.stage()
        (data / "generations/1/graph/0.kgl").write_text("edgy")  # the same file as the stage's
        session.publish(stage, session.current)
    with pytest.raises(DamagedIndexError, match=r"generations/2/graph/0\.kgl"):
        read(data)


def test_a_reader_that_finds_damage_holds_nothing(data):
    (data / "generations/1/graph/0.kgl").write_text("edgy")
    with pytest.raises(DamagedIndexError):
        read(data)
    Disk().write(data / "generations/1/graph/0.kgl", ["edge"])
    with DataFolder.open(data).indexing("index .") as session:
        session.publish(session.stage(), session.current)
    assert not (data / "generations/1").exists()
