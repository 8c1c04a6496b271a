"""What relations say stands in the terms of the chunks that prove them, whatever changed since."""

from __future__ import annotations

from dataclasses import replace

import pytest

from extraction.reading import extract_facts
from indexing import IndexRequest
from indexing.resolution import resolve
from indexing.statements import changed_files, digests, sentences_of, spoken_of
from memory.embedders import Bm25Sparse
from memory.generation import DataFolder
from tests.agents.library import chunk
from tests.organisation import CONFIG, FiledStores, FiledVectors, differences, indexer, points, points_of, stated, write

DESK = "from till import Till\n\n\nclass Desk:\n    def open(self):\n        return Till()\n"
TILL = "class Till:\n    def pay(self):\n        return 1\n"
SHOP = {"desk.py": DESK, "till.py": TILL}
CALLS = "class Desk of shop calls class Till"


def said_of(name, texts):
    facts = {path: extract_facts(path, text, name) for path, text in texts.items()}
    return sentences_of(name, resolve({name: facts}).relationships)


def test_each_line_that_proves_a_relation_says_it():
    imports = "module desk of shop imports class Till"
    assert said_of("shop", SHOP) == {
        "desk.py": ((1, CALLS), (1, imports), (6, CALLS)),
        "till.py": ((1, CALLS), (1, imports)),  # where what is called is defined
    }


def test_definitions_and_what_is_not_sure_say_nothing():
    assert said_of("shop", {"till.py": TILL}) == {}
    assert said_of("shop", {"desk.py": "def a(x):\n    x.pay()\n", "till.py": TILL}) == {}


def test_relations_into_other_projects_say_nothing():
    assert said_of("shop", {"desk.py": DESK, "pyproject.toml": '[project]\nname = "shop"\n'}) == {}


def test_a_chunk_speaks_of_what_its_own_lines_prove():
    said = {"desk.py": ((1, "one"), (3, "two"), (4, "two"), (4, "three"), (5, "four"))}
    here = replace(chunk("shop", "desk.py", 3, "code", "…", ""), end_line=4)
    assert spoken_of(here, said) == "two\nthree"  # each once, in order
    assert spoken_of(replace(here, path="till.py"), said) == ""
    assert spoken_of(replace(here, start_line=6, end_line=9), said) == ""


def test_a_chunk_speaks_of_no_more_than_twenty():
    said = {"desk.py": tuple((3, f"sentence {n:02}") for n in range(30))}
    assert spoken_of(chunk("shop", "desk.py", 3, "code", "…", ""), said).split("\n")[-1] == "sentence 19"


def test_files_of_which_other_things_are_said_now():
    before = digests({"a.py": ((1, "x"),), "b.py": ((1, "y"),), "gone.py": ((1, "z"),)})
    now = digests({"a.py": ((1, "x"),), "b.py": ((2, "y"),), "new.py": ((1, "w"),)})
    assert changed_files(before, now, ["new.py", "gone.py", "b.py", "a.py", "c.py"]) == ["b.py", "gone.py", "new.py"]
    assert changed_files(before, now, ["a.py"]) == []


HERE = replace(CONFIG, indexing=replace(CONFIG.indexing, workers=0))
EDITS = [
    {"till.py": TILL.replace("Till", "Drawer")},  # desk.py calls nothing that is known now
    {"till.py": TILL},  # and again what it called before
    {"till.py": "\n" + TILL},  # the relation is the same, its other end moved
    {"desk.py": DESK.replace("Till()", "Till()  # the one at the door")},  # its facts are the same
    {"notes.md": "# Notes\n\nNothing of it.\n"},
]


async def indexed(data, org, stores=None):
    await indexer(data, HERE, stores=stores).run(IndexRequest([org], each=True), holder="x")


async def terms_of(data, path="desk.py"):
    """The terms of a file's chunks, as a fake store has them."""
    with DataFolder.open(data).reading() as generation:
        found = await points_of(FiledVectors(generation.vectors_path), generation.manifest.names)
    return {index for one in found if one["chunk"].path == path for index in one["sparse"].indices}


CALLED = Bm25Sparse().terms("calls")["calls"]


async def test_a_relation_that_changed_elsewhere_changes_the_terms_of_the_lines_that_prove_it(tmp_path):
    org, data, stores = write(tmp_path / "org", {"shop": SHOP}), tmp_path / "data", FiledStores()
    await indexed(data, org, stores)
    assert CALLED in await terms_of(data)
    write(org, {"shop": EDITS[0]})
    await indexed(data, org, stores)
    assert CALLED not in await terms_of(data)
    write(org, {"shop": EDITS[1]})
    await indexed(data, org, stores)
    assert CALLED in await terms_of(data)


async def test_what_another_project_defines_is_in_no_chunks_terms(tmp_path):
    org, stores = write(tmp_path / "org", {"shop": {"desk.py": DESK}, "bank": {"till.py": TILL}}), FiledStores()
    await indexed(tmp_path / "data", org, stores)
    assert CALLED not in await terms_of(tmp_path / "data")


@pytest.mark.parametrize("engine", ["fakes", "engines"])
async def test_after_every_edit_the_index_is_the_one_that_would_be_made_afresh(tmp_path, engine):
    org, data = write(tmp_path / "org", {"shop": SHOP, "bank": {"till.py": TILL}}), tmp_path / "data"
    stores = FiledStores() if engine == "fakes" else None

    async def everything(path):
        if engine == "engines":
            return [await points(path), stated(path)]
        with DataFolder.open(path).reading() as generation:
            store = FiledVectors(generation.vectors_path)
            return [await points_of(store, generation.manifest.names), stated(path)]

    await indexed(data, org, stores)
    for number, edit in enumerate(EDITS):
        write(org, {"shop": edit})
        await indexed(data, org, stores)
        fresh = tmp_path / f"fresh-{number}"
        await indexed(fresh, org, stores)
        assert differences(await everything(data), await everything(fresh)) == [], edit


async def test_where_files_say_what_they_said_nothing_is_resolved(tmp_path):
    org, data, stores = (
        write(tmp_path / "org", {"shop": SHOP, "bank": {"till.py": TILL}}),
        tmp_path / "data",
        FiledStores(),
    )
    await indexed(data, org, stores)
    with DataFolder.open(data).reading() as before:
        write(org, {"shop": EDITS[3]})
        await indexed(data, org, stores)
        with DataFolder.open(data).reading() as now:
            assert now.number == before.number + 1
            assert now.manifest.projects[1].relations == before.manifest.projects[1].relations > 0
            for folder in ("facts", "statements"):
                for file in sorted((now.path / folder).iterdir()):
                    assert file.samefile(before.path / folder / file.name)
    assert CALLED in await terms_of(data)


async def test_a_file_that_holds_nothing_any_more_has_no_words(tmp_path):
    org, data, stores = write(tmp_path / "org", {"shop": SHOP}), tmp_path / "data", FiledStores()
    await indexed(data, org, stores)
    write(org, {"shop": {"till.py": ""}})
    await indexed(data, org, stores)
    await indexed(tmp_path / "fresh", org, stores)
    assert stated(data) == stated(tmp_path / "fresh")
