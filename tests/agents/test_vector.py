from __future__ import annotations

from functools import partial

from agents import HybridSearch, VectorRetrievalAgent
from configs.settings import VectorSettings
from memory.entities import EvidenceFile, Scope
from memory.files import ChunkedFiles
from memory.observations import Location
from memory.query import TaskContext
from tests.agents.library import EVERYONE, library

HERE = TaskContext(allowed_projects=EVERYONE)


async def agent(**options) -> VectorRetrievalAgent:
    store, dense, sparse = await library()
    search = HybridSearch(store, dense, sparse, VectorSettings())
    return VectorRetrievalAgent(search, partial(ChunkedFiles, store), **{"max_observations": 10, **options})


async def test_a_hit_is_told_with_its_place_and_what_it_is():
    found = await (await agent()).retrieve("millimetres of inches", HERE)
    first = found[0]
    assert (first.source_project, first.source_file, first.observation_type) == ("weather", "rain.py", "code")
    assert first.locations == (Location("weather", "rain.py", 1, 2),)
    assert first.entities_mentioned == ("millimetres",)
    assert first.metadata["corpus"] == "code"
    assert first.embedding_model == "fake-bag-of-words"
    assert len(first.embedding) == 64


async def test_one_file_is_one_observation_and_the_others_lines_are_told():
    found = await (await agent()).retrieve("customers table random uuid key", HERE)
    files = [(o.source_project, o.source_file) for o in found]
    assert len(files) == len(set(files))
    schema = next(o for o in found if o.source_project == "billing" and o.source_file == "docs/schema.md")
    assert schema.metadata["also"] == [{"start_line": 4, "end_line": 5}]


async def test_more_a_file_when_asked():
    found = await (await agent(max_per_file=2)).retrieve("customers table uuid", HERE)
    assert [o.source_file for o in found if o.source_project == "billing"].count("docs/schema.md") == 2


async def test_the_text_around_comes_from_the_file():
    found = await (await agent()).retrieve("customers table random uuid key", HERE)
    first = next(o for o in found if o.source_project == "billing" and o.source_file == "docs/schema.md")
    assert first.chunk_context == "…\n\nThe invoices table references customers by uuid.\n"
    alone = next(o for o in found if o.source_project == "auth")
    assert alone.chunk_context is None


async def test_the_limit_holds():
    assert len(await (await agent(max_observations=2)).retrieve("customers table", HERE)) == 2


async def test_the_strength_of_the_scope():
    scope = Scope(["auth"])
    strict = await (await agent(strength="strict")).retrieve("customers table", HERE, scope)
    assert {o.source_project for o in strict} == {"auth"}
    soft = await (await agent()).retrieve("customers table", HERE, scope)
    assert {o.metadata["in_scope"] for o in soft} == {True, False}


async def test_evidence_is_told():
    scope = Scope((), files=(EvidenceFile("weather", "rain.py", 1.0, "CALLS rain"),))
    found = await (await agent()).retrieve("customers table", HERE, scope)
    assert [o.metadata["evidence"] for o in found if "evidence" in o.metadata] == ["CALLS rain"]


async def test_nothing_permitted_nothing_found():
    assert await (await agent()).retrieve("customers", TaskContext(allowed_projects=frozenset())) == []
