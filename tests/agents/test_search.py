from __future__ import annotations

from dataclasses import replace

import anyio
import pytest

from agents import HybridSearch
from configs.settings import VectorSettings
from memory.embedders import Bm25Sparse, FakeDenseEmbedder, FakeSparseEmbedder
from memory.entities import Entity, Evidence, EvidenceFile, Relationship, Scope, ScopedProject
from memory.errors import InvalidInputError
from memory.question import read_question
from memory.vector import Condition
from memory.vocabulary import FileTerms, ProjectTerms, Vocabulary, idf
from tests.agents.library import EVERYONE, ROWS, library
from tests.agents.shop import spoken_index
from tests.properties.recording import Recorded


async def searching(*, statements=None, vocabulary=None, **settings) -> HybridSearch:
    return HybridSearch(
        *await library(), replace(VectorSettings(), **settings), statements=statements, vocabulary=vocabulary
    )


@pytest.mark.specification("001 §4.3 search")
async def test_the_best_hit_has_score_one_and_a_confidence_of_its_own():
    found = await (await searching()).search(read_question("customers table uuid key"), EVERYONE)
    assert found[0].chunk.path == "docs/schema.md"
    assert found[0].chunk.project == "billing"
    assert found[0].score == 1.0
    assert 0.3 < found[0].confidence <= 1.0
    assert [c.score for c in found] == sorted((c.score for c in found), reverse=True)


async def test_nonsense_is_not_sure_of_itself():
    found = await (await searching()).search(read_question("zyzzyva quux frobnicate"), EVERYONE)
    assert all(c.confidence < 0.3 for c in found)


async def test_nothing_comes_from_outside_the_permission():
    found = await (await searching()).search(read_question("customers table"), frozenset({"auth"}))
    assert {c.chunk.project for c in found} == {"auth"}
    assert await (await searching()).search(read_question("customers table"), frozenset()) == []


@pytest.mark.specification("001 §2.3 phase 2", "001 §4.3 scope")
async def test_a_strict_scope_leaves_the_others_out():
    scope = Scope(["auth"])
    strict = await (await searching()).search(read_question("customers table uuid"), EVERYONE, scope=scope, strict=True)
    assert {c.chunk.project for c in strict} == {"auth"}
    soft = await (await searching()).search(read_question("customers table uuid"), EVERYONE, scope=scope)
    assert {c.chunk.project for c in soft} > {"auth"}
    assert [c.in_scope for c in soft if c.chunk.project == "auth"] == [True]


async def test_of_a_strict_scope_that_may_not_be_seen_nothing_is_left():
    search, question = await searching(), read_question("customers table uuid")
    assert await search.search(question, EVERYONE, scope=Scope(["nosuch"]), strict=True) == []
    assert await search.search(question, EVERYONE - {"auth"}, scope=Scope(["auth"]), strict=True) == []
    assert await search.search(question, EVERYONE, scope=Scope(), strict=True)


@pytest.mark.specification("001 §4.3 scope")
async def test_a_soft_scope_weighs_its_projects_up():
    search = await searching()
    free = await search.search(read_question("customers table"), EVERYONE)
    scoped = await search.search(read_question("customers table"), EVERYONE, scope=Scope(["auth"]))

    def best(found):
        return max(c.score for c in found if c.chunk.project == "auth")

    assert best(scoped) > best(free)


@pytest.mark.parametrize(("bearers", "first"), [(1, "rain.py"), (6, "docs/schema.md")])
async def test_a_file_that_the_question_names_is_lifted_where_few_are_called_so(bearers, first):
    called = [("weather", "rain.py"), *(("auth", f"{n}/rain.py") for n in range(bearers - 1))]
    store, dense, sparse = await library()
    search = HybridSearch(
        store,
        dense,
        sparse,
        replace(VectorSettings(), statement_weight=2.0),
        files_called=lambda name, _: called if name == "rain.py" else [],
    )
    found = await search.search(read_question("What has rain.py to do with the customers table?"), EVERYONE)
    assert found[0].chunk.path == first
    trace = 'customers table\n```\nTraceback:\n  File "rain.py", line 1, in x\n```'
    assert (await search.search(read_question(trace), EVERYONE))[0].chunk.path == "docs/schema.md"


async def test_who_asks_what_a_project_is_finds_its_readme_first():
    rows = [
        ("crm", "crm/models.py", 1, "code", "crm crm crm", "Crm"),
        ("crm", "README.rst", 1, "docs", "Who talks to whom, and when.", ""),
        ("crm", "docs/README.md", 1, "docs", "How these pages are built.", ""),
        ("auth", "README.md", 1, "docs", "Who may log in.", ""),
    ]
    store, dense, sparse = await library(rows)
    files = [(project, path) for project, path, *_ in rows]

    def files_called(name, projects):
        return [file for file in files if file[0] in projects and file[1].casefold().endswith(name)]

    search = HybridSearch(store, dense, sparse, VectorSettings(), files_called=files_called)

    async def first(query):
        question = replace(read_question(query), projects=("crm",))
        return (await search.search(question, frozenset({"crm", "auth"})))[0].chunk.path

    assert await first("What is crm?") == "README.rst"
    assert await first("What are the models of crm?") == "crm/models.py"


async def test_a_file_of_the_scope_is_lifted_though_its_words_are_others():
    file = EvidenceFile("weather", "rain.py", 1.0, "CALLS rain")
    scope = Scope((), files=(file,))
    found = await (await searching(statement_weight=2.0)).search(
        read_question("customers table"), EVERYONE, scope=scope
    )
    assert found[0].chunk.path == "rain.py"
    assert found[0].evidence == "CALLS rain"
    without = await (await searching()).search(read_question("customers table"), EVERYONE)
    assert [c for c in without if c.evidence] == []


async def test_evidence_outside_the_permission_is_not_read():
    scope = Scope([ScopedProject("weather")], files=(EvidenceFile("weather", "rain.py"),))
    found = await (await searching()).search(read_question("customers table"), frozenset({"auth"}), scope=scope)
    assert {c.chunk.project for c in found} == {"auth"}


async def test_an_unknown_evidence_file_changes_nothing():
    search = await searching()
    scope = Scope((), files=(EvidenceFile("weather", "gone.py"),))
    assert await search.search(read_question("rain"), EVERYONE, scope=scope) == await search.search(
        read_question("rain"), EVERYONE
    )


@pytest.mark.specification("000 §1.3 filters", "000 §6.2 propagation")
async def test_conditions_narrow_every_leg():
    found = await (await searching()).search(
        read_question("customers"), EVERYONE, conditions=(Condition("corpus", any_of=("code",)),)
    )
    assert {c.chunk.corpus for c in found} == {"code"}


@pytest.mark.specification("000 §2 hybrid recall")
async def test_what_meaning_and_words_agree_on_is_first():
    found = await (await searching()).search(read_question("millimetres inches"), EVERYONE)
    assert found[0].chunk.path == "rain.py"


@pytest.mark.specification("001 §4.3 search", "000 §2 hybrid recall")
async def test_a_word_that_one_file_alone_holds_decides():
    found = await (await searching(dense_weight=0.0)).search(read_question("millimetres"), EVERYONE)
    assert [(c.chunk.path, c.score) for c in found if c.score > 0] == [("rain.py", 1.0)]


@pytest.mark.specification("000 §2 hybrid recall", "001 §4.3 search")
async def test_meaning_alone_decides_where_words_count_nothing():
    assert 0.0 < VectorSettings().dense_weight < 1.0  # by default both count
    found = await (await searching(dense_weight=1.0)).search(read_question("millimetres inches"), EVERYONE)
    assert (found[0].chunk.path, found[0].score) == ("rain.py", 1.0)


async def test_an_empty_store_finds_nothing():
    search = HybridSearch(*await library([]), VectorSettings())
    assert await search.search(read_question("customers"), EVERYONE) == []


async def test_tests_weigh_less():
    rows = [
        ("a", "rain.py", 1, "code", "rain in inches", "rain"),
        ("b", "tests/test_rain.py", 1, "code", "rain in inches", "rain"),
    ]
    search = HybridSearch(*await library(rows), VectorSettings())
    found = {c.chunk.project: c.score for c in await search.search(read_question("rain in inches"), frozenset("ab"))}
    assert found == {"a": 1.0, "b": 0.8}
    found = await search.search(read_question("which test has rain in inches"), frozenset("ab"))
    assert {c.chunk.project: c.weight for c in found} == {"a": 1.0, "b": 1.0}, "who asks for the tests gets them"


async def test_the_project_in_hand_weighs_a_little_more():
    rows = [(project, "rain.py", 1, "code", "rain in inches", "rain") for project in "ab"]
    search = HybridSearch(*await library(rows), VectorSettings())
    found = await search.search(read_question("rain in inches"), frozenset("ab"), in_hand="b")
    assert [(c.chunk.project, c.score) for c in found] == [("b", 1.0), ("a", pytest.approx(1 / 1.05, abs=1e-6))]
    other = await search.search(read_question("rain in inches"), frozenset("ab"), in_hand="nowhere")
    assert {c.score for c in other} == {1.0}


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


RAIN, CLOCK = Entity("rain", "service", "weather", "rain.py"), Entity("clock", "service", "auth", "clock.py")
MAPS = Entity("maps", "service", "weather", "maps.yaml")


def says(source, target, path, line, project="weather", **evidence):
    pieces = tuple(Evidence("test", **piece) for piece in evidence.values())
    return Relationship(source, "INVOKES", target, project, path, (line,), evidence=pieces)


async def speaking_search(tmp_path, *edges, **settings):
    return await searching(statements=spoken_index(tmp_path, edges), **settings)


async def test_a_statement_lifts_the_file_that_proves_it_and_is_its_reason(tmp_path):
    search = await speaking_search(tmp_path, says(RAIN, MAPS, "docker-compose.yaml", 1))
    found = await search.search(read_question("which service invokes maps"), EVERYONE)
    assert found[0].chunk.path == "docker-compose.yaml"
    assert found[0].evidence == "service rain of weather invokes service maps"


async def test_a_file_that_statements_alone_name_comes_with_the_chunk_that_proves_them(tmp_path):
    for line, start in ((1, 1), (2, 1), (4, 4), (5, 4)):  # each of the two chunks has two lines
        search = await speaking_search(
            tmp_path / str(line), says(RAIN, MAPS, "docs/schema.md", line, "billing"), candidates=1
        )
        found = await search.search(read_question("which service invokes maps?"), EVERYONE)
        [proving] = [c for c in found if c.evidence]
        assert (proving.chunk.project, proving.chunk.path, proving.chunk.start_line) == (
            "billing",
            "docs/schema.md",
            start,
        )


async def test_a_statement_whose_file_has_no_chunk_names_nothing_and_lowers_nothing(tmp_path):
    search = await speaking_search(tmp_path, says(RAIN, MAPS, "gone.py", 1))
    found = await search.search(read_question("which service invokes maps"), EVERYONE)
    assert found == await (await searching()).search(read_question("which service invokes maps"), EVERYONE)


async def test_a_statement_across_projects_votes_for_who_may_see_both(tmp_path):
    search = await speaking_search(tmp_path, says(RAIN, CLOCK, "rain.py", 1))
    question = "which service invokes clock"
    assert {c.chunk.path for c in await search.search(read_question(question), EVERYONE) if c.evidence} == {"rain.py"}
    assert [c for c in await search.search(read_question(question), frozenset({"weather"})) if c.evidence] == []
    assert search.statements(read_question(question), frozenset({"weather"})) == []


async def test_a_strict_scope_limits_what_votes(tmp_path):
    piece = {"project": "billing", "path": "docs/schema.md", "line": 1}
    search = await speaking_search(tmp_path, says(RAIN, MAPS, "rain.py", 1, piece=piece))
    question = "which service invokes maps"
    free = await search.search(read_question(question), EVERYONE)
    assert {c.chunk.project for c in free if c.evidence} == {"weather", "billing"}
    strict = await search.search(read_question(question), EVERYONE, scope=Scope(["weather"]), strict=True)
    assert {c.chunk.project for c in strict} == {"weather"}
    soft = await search.search(read_question(question), EVERYONE, scope=Scope(["weather"]))
    assert {c.chunk.project for c in soft} == {c.chunk.project for c in free}


async def test_where_conditions_narrow_statements_name_no_further_file(tmp_path):
    search = await speaking_search(tmp_path, says(RAIN, MAPS, "docker-compose.yaml", 1))
    docs = (Condition("corpus", any_of=("docs",)),)
    found = await search.search(read_question("which service of customers invokes maps"), EVERYONE, conditions=docs)
    assert {c.chunk.corpus for c in found} == {"docs"}
    assert [c for c in found if c.evidence] == []


async def test_without_statements_there_is_nothing_said():
    assert (await searching()).statements(read_question("which service invokes maps"), EVERYONE) == []


async def test_what_a_text_holds_of_a_question_are_its_terms_and_no_others():
    reading = (await searching()).reading(read_question("which service invokes maps"), EVERYONE)
    maps, both = reading("open the maps"), reading("maps invokes nothing")
    assert len(maps) == 1
    assert maps.items() < both.items()
    assert reading("rain") == {}


async def test_confidence_is_the_share_of_the_questions_mass_that_a_files_chunks_hold_together():
    words = FakeSparseEmbedder()
    known = {term: 1 for row in ROWS for term in words.terms(row[4]).values()}
    terms = ProjectTerms.of([FileTerms(7, known)])
    vocabulary = Vocabulary(lambda _: terms)
    search = await searching(vocabulary=vocabulary, dense_weight=0.0)
    permission = frozenset({"billing"})
    found = await search.search(
        read_question("invoices random zyzzyva"), permission
    )  # each of two chunks of one file holds one
    assert found[0].chunk.path == "docs/schema.md"
    held, unknown = idf(7, 1), idf(7, 0)
    assert found[0].confidence == pytest.approx(2 * held / (2 * held + unknown), abs=1e-5)


async def test_the_same_question_of_two_at_once_is_searched_once():
    store, dense, sparse = await library()
    watched = Recorded(store)
    search = HybridSearch(watched, dense, sparse, VectorSettings())
    results = []

    async def ask(**options):
        results.append(await search.search(read_question("customers table"), EVERYONE, **options))

    async with anyio.create_task_group() as group:
        for _ in range(2):
            group.start_soon(ask)
    assert results[0] == results[1]
    assert [name for name, _ in watched.calls] == [
        "query_batch",
        "query_batch",
    ]  # what is near, and what is shown of it


def knowing(*texts):
    """A vocabulary of these texts' terms, as BM25 sees them."""
    terms = ProjectTerms.of([FileTerms(1, dict.fromkeys(Bm25Sparse().embed_document(" ".join(texts)).indices, 1))])
    return Vocabulary(lambda _: terms)


async def unknown_of(question, vocabulary, permission=EVERYONE, **options):
    store, dense, _ = await library()
    search = HybridSearch(store, dense, Bm25Sparse(), VectorSettings(), vocabulary=vocabulary, **options)
    return search.unknown_words(read_question(question), permission).names


async def test_a_name_that_occurs_nowhere_is_told():
    vocabulary = knowing("the rain of RainGauge is kept in rain_log")
    assert await unknown_of("Does RainGauge write to SnowGauge or `rain_log`?", vocabulary) == ("SnowGauge",)
    assert await unknown_of("Does RainGauge write to SnowGauge?", None) == ()


async def test_a_file_that_is_there_is_no_unknown_name():
    asked = []

    def files_called(name, projects):
        asked.append((name, projects))
        return [("auth", "CLAUDE.md")] if name == "CLAUDE.md" else []

    question = "What do CLAUDE.md and NOTES.md say of rain?"
    assert await unknown_of(question, knowing("rain"), frozenset({"auth"}), files_called=files_called) == ("NOTES.md",)
    assert set(asked) == {("CLAUDE.md", frozenset({"auth"})), ("NOTES.md", frozenset({"auth"}))}


async def test_the_file_that_says_a_message_which_the_question_quotes_comes_first():
    rows = [*ROWS, ("weather", "pump.py", 1, "code", "raise Error('Dry well!')", "pump")]
    search = HybridSearch(*await library(rows, Bm25Sparse()), VectorSettings())
    asked = "Which key has the customers table of billing, and who needs it when it says"
    found = await search.search(read_question(f'{asked} "Dry well!"'), EVERYONE)
    assert found[0].chunk.path == "pump.py"
    assert (await search.search(read_question(f"{asked} dry well"), EVERYONE))[0].chunk.path != "pump.py"
