from __future__ import annotations

from dataclasses import replace

import pytest

from agents import HybridSearch
from configs.settings import VectorSettings
from memory.embedders import FakeDenseEmbedder
from memory.entities import EvidenceFile, Scope, ScopedProject
from memory.errors import InvalidInputError
from memory.vector import DENSE_CODE, SPARSE_LEXICAL, Condition, Point, VectorQuery
from tests.agents.library import EVERYONE, ROWS, library


async def searching(**settings) -> HybridSearch:
    return HybridSearch(*await library(), replace(VectorSettings(), **settings))


@pytest.mark.specification("001 §4.3 search")
async def test_the_best_hit_has_score_one_and_a_confidence_of_its_own():
    found = await (await searching()).search("customers table uuid key", EVERYONE)
    assert found[0].chunk.path == "docs/schema.md"
    assert found[0].chunk.project == "billing"
    assert found[0].score == 1.0
    assert 0.3 < found[0].confidence <= 1.0
    assert [c.score for c in found] == sorted((c.score for c in found), reverse=True)


async def test_nonsense_is_not_sure_of_itself():
    found = await (await searching()).search("zyzzyva quux frobnicate", EVERYONE)
    assert all(c.confidence < 0.3 for c in found)


async def test_nothing_comes_from_outside_the_permission():
    found = await (await searching()).search("customers table", frozenset({"auth"}))
    assert {c.chunk.project for c in found} == {"auth"}
    assert await (await searching()).search("customers table", frozenset()) == []


@pytest.mark.specification("001 §2.3 phase 2", "001 §4.3 scope")
async def test_a_strict_scope_leaves_the_others_out():
    scope = Scope(["auth"])
    strict = await (await searching()).search("customers table uuid", EVERYONE, scope=scope, strict=True)
    assert {c.chunk.project for c in strict} == {"auth"}
    soft = await (await searching()).search("customers table uuid", EVERYONE, scope=scope)
    assert {c.chunk.project for c in soft} > {"auth"}
    assert [c.in_scope for c in soft if c.chunk.project == "auth"] == [True]


async def test_a_soft_scope_weighs_its_projects_up():
    search = await searching()
    free = await search.search("customers table", EVERYONE)
    scoped = await search.search("customers table", EVERYONE, scope=Scope(["auth"]))

    def rank(found):
        return [c.chunk.project for c in found].index("auth")

    assert rank(scoped) == 0
    assert rank(free) >= rank(scoped)


async def test_evidence_lifts_a_file_the_words_alone_would_not_find():
    file = EvidenceFile("weather", "rain.py", 1.0, "CALLS rain")
    scope = Scope((), files=(file,))
    found = await (await searching(evidence_weight=2.0)).search("customers table", EVERYONE, scope=scope)
    assert found[0].chunk.path == "rain.py"
    assert found[0].evidence == "CALLS rain"
    without = await (await searching()).search("customers table", EVERYONE)
    assert [c for c in without if c.evidence] == []


async def test_evidence_outside_the_permission_is_not_read():
    scope = Scope([ScopedProject("weather")], files=(EvidenceFile("weather", "rain.py"),))
    found = await (await searching()).search("customers table", frozenset({"auth"}), scope=scope)
    assert {c.chunk.project for c in found} == {"auth"}


async def test_an_unknown_evidence_file_changes_nothing():
    search = await searching()
    scope = Scope((), files=(EvidenceFile("weather", "gone.py"),))
    assert await search.search("rain", EVERYONE, scope=scope) == await search.search("rain", EVERYONE)


async def test_conditions_narrow_every_leg():
    found = await (await searching()).search("customers", EVERYONE, conditions=(Condition("corpus", any_of=("code",)),))
    assert {c.chunk.corpus for c in found} == {"code"}


@pytest.mark.parametrize("fusion", ["convex", "rrf", "dbsf"])
async def test_every_fusion_finds_what_all_legs_agree_on(fusion):
    found = await (await searching(fusion=fusion)).search("millimetres inches", EVERYONE)
    assert found[0].chunk.path == "rain.py"


async def test_which_terms_are_known():
    search = await searching()
    assert await search.known_terms(["millimetres", "zyzzyva", "?"], EVERYONE) == {"millimetres"}
    assert await search.known_terms(["millimetres"], frozenset({"auth"})) == set()
    assert await search.known_terms(["millimetres"], frozenset()) == set()


async def test_an_empty_store_finds_nothing():
    search = HybridSearch(*await library([]), VectorSettings())
    assert await search.search("customers", EVERYONE) == []


async def test_tests_weigh_less_unless_they_are_asked_for():
    rows = [
        ("a", "rain.py", 1, "code", "rain in inches", "rain"),
        ("b", "rain_probe.py", 1, "code", "rain in inches", "rain"),
    ]
    store, dense, sparse = await library(rows)
    points = await store.query_batch(
        [VectorQuery("", None, 9, (), (DENSE_CODE, SPARSE_LEXICAL))], permission=frozenset("ab")
    )
    tested = next(hit for hit in points[0] if hit.chunk.project == "b")
    await store.upsert([Point(replace(tested.chunk, chunk_kind="test"), tested.sparse, tested.dense)])
    search = HybridSearch(store, dense, sparse, VectorSettings())
    found = {c.chunk.project: c.score for c in await search.search("rain in inches", frozenset("ab"))}
    assert found == {"a": 1.0, "b": 0.85}
    asked = {c.chunk.project: c.score for c in await search.search("rain in inches tests", frozenset("ab"))}
    assert asked["b"] == asked["a"]


async def by_vector(text="customers table uuid", permission=EVERYONE, limit=3, **settings):
    store, dense, sparse = await library()
    search = HybridSearch(store, dense, sparse, replace(VectorSettings(), **settings))
    vector = (await dense.embed_queries([text]))[0]
    return search, vector, await search.nearest(vector.tolist(), permission, limit)


async def test_by_a_vector_alone_hits_are_cosines_of_documents_and_code_best_first():
    _, vector, hits = await by_vector(limit=7)
    _, dense, _ = await library()
    cosines = (await dense.embed_documents([hit.chunk.text for hit in hits])) @ vector
    assert [hit.score for hit in hits] == pytest.approx(cosines.tolist(), abs=1e-6)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert {hit.chunk.corpus for hit in hits} == {"docs", "code"}
    assert len(hits) == len(ROWS)


async def test_by_a_vector_alone_the_limit_and_the_permission_hold():
    _, _, hits = await by_vector(limit=2)
    assert len(hits) == 2
    _, _, hits = await by_vector(permission=frozenset({"auth"}))
    assert {hit.chunk.project for hit in hits} == {"auth"}
    assert (await by_vector(permission=frozenset()))[2] == []


async def test_by_a_vector_alone_nothing_is_under_the_least_score():
    scores = [hit.score for hit in (await by_vector(limit=7))[2]]
    assert [hit.score for hit in (await by_vector(limit=7, min_score=scores[1]))[2]] == scores[:2]
    assert (await by_vector(min_score=1.0))[2] == []


async def test_a_vector_of_another_length_is_refused():
    search, _, _ = await by_vector()
    with pytest.raises(InvalidInputError, match="2 numbers; fake-bag-of-words gives 64"):
        await search.nearest([1.0, 0.0], EVERYONE, 3)


async def test_a_vector_of_the_documents_model_is_not_looked_for_among_another_one_s():
    store, dense, sparse = await library()
    search = HybridSearch(store, dense, sparse, VectorSettings(), code=FakeDenseEmbedder(64))
    vector = (await dense.embed_queries(["customers"]))[0].tolist()
    assert {hit.chunk.corpus for hit in await search.nearest(vector, EVERYONE, 7)} == {"docs"}


async def test_of_a_file_that_introduces_its_opening_is_lifted():
    def scope(*, opening):
        return Scope((), files=(EvidenceFile("billing", "docs/schema.md", 1.0, "introduces it", opening=opening),))

    async def lifted(*, opening):
        search = await searching(evidence_weight=2.0)
        found = await search.search("invoices references", EVERYONE, scope=scope(opening=opening))
        return found[0].chunk.start_line

    assert await lifted(opening=False) == 4  # what is nearest to the question
    assert await lifted(opening=True) == 1
