"""The graph of a generation in the making: what is resolved anew, and what is left as it is."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from extraction.reading import extract_facts
from indexing.graph import GraphWriter, facts_of, recorded
from indexing.resolution import KnownProject
from memory.entities import Entity
from memory.errors import DamagedIndexError
from memory.generation import FactsFolder, ProjectRecord, Stage
from memory.graph import FakeGraphStore, GraphBatch, as_parts
from tests.organisation import Unsynced

TEXTS = {
    "desk": {"desk/__init__.py": "from till import pay\npay()\n"},
    "till": {"till/__init__.py": "from bank import draw\ndef pay():\n    draw()\n"},
    "bank": {"bank/__init__.py": "def draw(): ...\n"},
    "moon": {"moon/__init__.py": "def rise(): ...\n"},
}


@dataclass
class Recorded(FakeGraphStore):
    """Remembers how it was written to, and that it was closed."""

    written: list = field(default_factory=list)

    def __post_init__(self):
        super().__init__()

    async def replace(self, parts):
        held = [part async for part in parts]
        self.written.append(("all", *(sorted(part.projects) for part in held)))
        await super().replace(as_parts(held))

    async def update(self, batch, *, projects, sources):
        self.written.append((sorted(projects), sorted(sources)))
        await super().update(batch, projects=projects, sources=sources)

    async def close(self):
        self.written.append("closed")


@dataclass
class Indexed:
    """The organisation, its graph, and what is known of it; `run` writes one generation."""

    root: object
    graph: Recorded = field(default_factory=Recorded)
    names: frozenset = frozenset()
    number: int = 0
    facts_a_part: int = 1_000_000
    stated: dict = field(default_factory=dict)

    def open_graph(self, path, namespace, *, copied):
        return self.graph

    @property
    def kept(self):
        return FactsFolder(self.root / str(self.number) / "facts")

    async def run(self, texts, gone=()):
        stage = Stage(self.root / str(self.number + 1), copied=bool(self.names))
        stage.path.mkdir()
        for name, files in texts.items():
            facts = {path: extract_facts(path, text, name) for path, text in files.items()}
            stage.facts.write(Unsynced(), name, recorded(KnownProject(name, facts), {}))
        before = {name: ProjectRecord(name, f"/{name}") for name in self.names}
        writer = GraphWriter(self, self.kept, "n", state=self.state, facts_a_part=self.facts_a_part)
        written = await writer.update(stage, before, frozenset(gone), frozenset(texts))
        self.names = (self.names - set(gone)) | texts.keys()
        stage.facts.keep(Unsynced(), self.names, self.kept)
        self.number += 1
        return written

    def state(self, project, relations):
        assert project not in self.stated  # each once
        self.stated[project] = sorted(relations, key=lambda edge: edge.id)

    async def calls(self):
        edges = await self.graph.all_edges(permission=frozenset(TEXTS))
        return {(e.source.project, e.target.project, e.lines) for e in edges if e.type == "CALLS"}


@pytest.fixture
async def indexed(tmp_path):
    made = Indexed(tmp_path)
    await made.run(TEXTS)
    assert made.graph.written == [("all", sorted(TEXTS)), "closed"]
    assert await made.calls() == {("desk", "till", (2,)), ("till", "bank", (3,))}
    made.graph.written.clear()
    edges = await made.graph.all_edges(permission=frozenset(TEXTS))
    assert made.stated == {name: [edge for edge in edges if edge.source.project == name] for name in TEXTS}
    made.stated.clear()
    return made


async def test_what_a_change_may_touch_is_resolved_anew_and_nothing_else(indexed):
    written = await indexed.run({"bank": {"bank/__init__.py": "\n\ndef draw(): ...\n"}})
    assert indexed.graph.written == [(["bank"], ["bank", "till"]), "closed"]  # desk calls till alone
    assert await indexed.calls() == {("desk", "till", (2,)), ("till", "bank", (3,))}
    assert dict(written.entities) == {"bank": 3}  # the project, its module, draw
    assert written.relations.keys() == {"bank", "till"}
    assert "draw" in {d.name for d in facts_of(indexed.kept, "bank")["bank/__init__.py"].definitions}
    assert indexed.kept.reach("bank") == {"offers": [". bank", "project bank"], "asks": []}


async def test_what_is_resolved_anew_is_stated_anew_and_nothing_else(indexed):
    await indexed.run({"bank": {"bank/__init__.py": "def withdraw(): ...\n"}})
    assert indexed.stated.keys() == {"bank", "till"}
    assert [edge.type for edge in indexed.stated["till"] if edge.target.name == "draw"] == []
    indexed.stated.clear()
    await indexed.run({"moon": {"moon/__init__.py": ""}})
    assert indexed.stated.keys() == {"moon"}


async def test_a_project_that_begins_anew_without_relations_is_stated_so(indexed):
    await indexed.run({"bank": {"notes.txt": "nothing\n"}}, gone=["bank"])
    assert [edge for edge in indexed.stated["bank"] if edge.type != "DEFINES"] == []


async def test_a_project_that_is_gone_and_one_that_comes(indexed):
    await indexed.run({}, gone=["bank"])
    assert indexed.graph.written == [(["bank"], ["bank", "till"]), "closed"]
    assert await indexed.calls() == {("desk", "till", (2,))}
    indexed.graph.written.clear()
    indexed.stated.clear()
    await indexed.run({"bank": TEXTS["bank"]})
    assert indexed.graph.written == [(["bank"], ["bank", "till"]), "closed"]
    assert await indexed.calls() == {("desk", "till", (2,)), ("till", "bank", (3,))}


async def test_one_that_is_removed_and_indexed_anew_at_once_is_another(indexed):
    await indexed.run({"bank": {"vault/__init__.py": "def draw(): ...\n"}}, gone=["bank"])
    assert await indexed.calls() == {("desk", "till", (2,))}
    assert {e.name for e in await indexed.graph.all_entities(permission=frozenset({"bank"}))} == {
        "bank",
        "vault",
        "draw",
    }


async def test_where_the_store_holds_nothing_all_is_written(indexed):
    await FakeGraphStore.replace(indexed.graph, as_parts(()))
    written = await indexed.run({"moon": TEXTS["moon"]})
    assert indexed.graph.written == [("all", sorted(TEXTS)), "closed"]
    assert await indexed.calls() == {("desk", "till", (2,)), ("till", "bank", (3,))}
    assert written.entities.keys() == written.relations.keys() == TEXTS.keys()


async def test_where_everything_may_have_changed_all_is_written(indexed):
    await indexed.run({"bank": TEXTS["bank"], "till": TEXTS["till"], "moon": TEXTS["moon"]})
    assert indexed.graph.written == [("all", sorted(TEXTS)), "closed"]


async def test_of_what_is_not_touched_only_the_reach_is_read(indexed):
    file = FactsFolder._file(indexed.kept, "desk")
    file.write_text(file.read_text().splitlines(keepends=True)[0] + "no row\n")
    await indexed.run({"moon": {"moon/__init__.py": ""}})
    indexed.stated.clear()
    with pytest.raises(DamagedIndexError, match="what is known of 'desk'"):
        await indexed.run({"till": TEXTS["till"]})
    assert indexed.graph.written[-1] == "closed"


async def test_entities_of_others_are_left_in_place(indexed):
    mark = Entity("seen", "note", "desk", "note.md", 1, 1)
    await FakeGraphStore.update(indexed.graph, GraphBatch([mark], ()), projects=(), sources=())
    await indexed.run({"till": TEXTS["till"]})  # desk is a source, and its entities stay
    assert mark in await indexed.graph.all_entities(permission=frozenset({"desk"}))


async def test_all_may_be_written_in_parts_and_is_the_same(indexed, tmp_path):
    (tmp_path / "parts").mkdir()
    parts = Indexed(tmp_path / "parts", facts_a_part=1)
    written = await parts.run(TEXTS)
    assert parts.graph.written == [("all", ["bank"], ["desk"], ["moon"], ["till"]), "closed"]
    everything = frozenset(TEXTS)
    assert await parts.graph.all_edges(permission=everything) == await indexed.graph.all_edges(permission=everything)
    assert await parts.graph.all_entities(permission=everything) == await indexed.graph.all_entities(
        permission=everything
    )
    assert written.entities == {"bank": 3, "desk": 2, "moon": 3, "till": 3}
    whole = Indexed(tmp_path / "whole")
    whole.root.mkdir()
    await whole.run(TEXTS)
    assert parts.stated == whole.stated
    assert [edge.type for edge in parts.stated["till"] if edge.target.name == "draw"] != []
