from __future__ import annotations

from dataclasses import replace

import pytest

from facades.book import RetrievalPipeline
from facades.book.checklist import BookExpectations, BookQuestion, read_expectations, run_checklist
from facades.book.model import IncompleteMetadataError
from memory.clock import VirtualClock
from memory.errors import DataFolderError, InvalidInputError, ModelError
from memory.vector import FakeVectorStore
from tests.facades.shelves import BOOK, EXAMPLE, PAGES, filled
from tests.http_server import HttpServer, Reply


def written(tmp_path, text):
    file = tmp_path / "checklist.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def test_what_it_says(tmp_path):
    text = "questions:\n  - {ask: a, source: m, first: true}\n  - {ask: b}\nmodules: [m]\nfiles: 3\n"
    expected = BookExpectations((BookQuestion("a", "m", first=True), BookQuestion("b")), ("m",), 3)
    assert read_expectations(written(tmp_path, text)) == expected
    assert read_expectations(written(tmp_path, "questions: [{ask: a}]")) == BookExpectations((BookQuestion("a"),))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("questions: [", "is not YAML"),
        ("", "is no checklist"),
        ("- a\n", "is no checklist"),
        ("modules: [a]\n", "is no checklist.*questions"),
        ("questions: []\n", "is no checklist"),
        ("questions: 3\n", "is no checklist"),
        ("questions: [a]\n", "is no checklist"),
        ("questions: [{source: a}]\n", "is no checklist.*ask"),
        ("questions: [{ask: 3}]\n", "is no checklist"),
        ("questions: [{ask: a, source: 3}]\n", "is no checklist"),
        ("questions: [{ask: a, where: b}]\n", "is no checklist.*where"),
        ("questions: [{ask: a}]\nmodules: [3]\n", "is no checklist"),
        ("questions: [{ask: a}]\nfiles: many\n", "is no checklist"),
        ("questions: [{ask: a}]\nmodules: module-01\n", "is no checklist: a list is a text"),
    ],
)
def test_what_is_no_checklist(tmp_path, text, said):
    with pytest.raises(InvalidInputError, match=said):
        read_expectations(written(tmp_path, text))


def test_what_one_has_is_said(tmp_path):
    file = written(tmp_path, "questions: []\n")
    with pytest.raises(InvalidInputError) as met:
        read_expectations(file)
    assert met.value.message == f"{file} is no checklist: a question, a text or a number is something else."
    assert met.value.hint == (
        "It has `questions`, a list of {ask, source, first}, and may have `modules`, a list, and `files`, a number."
    )
    with pytest.raises(InvalidInputError) as broken:
        read_expectations(written(tmp_path, "questions: ["))
    assert broken.value.hint == "Correct it."


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(InvalidInputError, match="cannot be read"):
        read_expectations(tmp_path / "nowhere.yaml")


COMMON = {
    "How do I set up ROS2?": "module-01",
    "Gazebo simulation": "module-02",
    "Computer vision": "module-03",
    "Behavior trees": "module-04",
}
"""The common queries of 004's quick start."""


@pytest.mark.specification("004 §4 relevant")
def test_the_example_s_names_what_is_there():
    expected = read_expectations(EXAMPLE / "checklist.yaml")
    assert COMMON.items() <= {one.ask: one.source for one in expected.questions if one.first}.items()
    pages = [page.relative_to(PAGES).as_posix() for page in PAGES.rglob("*.md")]
    assert expected.files == len(pages)
    for start in (*expected.modules, *(question.source for question in expected.questions)):
        assert any(page.startswith(start) for page in pages), start


pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])
EXPECTED = BookExpectations((BookQuestion("Behavior trees", "module-04", first=True),), ("module-04",), 3)


@pytest.fixture(scope="module")
def anyio_backend():
    return "asyncio"  # one of the checks knocks at a door


@pytest.fixture(scope="module")
async def parts():
    return await filled("book", BOOK)


def on(store, embedder, kind=RetrievalPipeline):
    return kind("", "", "", embedder=embedder, store=store, clock=VirtualClock())


@pytest.mark.specification(
    "004 §4 relevant",
    "004 §4 ordered",
    "004 §4 metadata",
    "004 §4 top_k",
    "004 §4 threshold",
    "004 §4 empty query",
    "004 §4 long query",
    "004 §4 special characters",
    "004 §4 disconnected",
    "004 §4 consistency",
    "004 §4 coverage",
)
async def test_the_whole_checklist_holds_on_the_example(parts):
    checks = await run_checklist(on(*parts), sources_only(read_expectations(EXAMPLE / "checklist.yaml")))
    assert [check.item for check in checks if not check.passed] == []
    counts = [check.section for check in checks]
    assert {section: counts.count(section) for section in counts} == {
        "Basic Functionality": 3,
        "Parameter Configuration": 3,
        "Edge Cases": 4,
        "Consistency": 2,
        "Coverage": 2,
    }


def sources_only(expected):
    """Which chunk of the right module comes first is for a model to say, not for a bag of words."""
    return replace(expected, questions=tuple(replace(one, first=False) for one in expected.questions))


async def failed(pipeline, expected=EXPECTED):
    return [check.item for check in await run_checklist(pipeline, expected) if not check.passed]


@pytest.mark.specification("004 §4 relevant", "004 §4 consistency", "004 §4 coverage")
async def test_what_this_textbook_does_not_have(parts):
    questions = (BookQuestion("Behavior trees", "module-09"), BookQuestion("Gazebo", "module-02"))
    assert await failed(on(*parts), BookExpectations(questions, ("module-04", "module-09"), 99)) == [
        'Query "Behavior trees" returns relevant module-09 chunks',
        "Results match expected source files",
        "At least one successful query from each of 2 book modules",
        "Chunks retrieved from all 99 source files (aggregate across queries)",
    ]


@pytest.mark.specification("004 §6 checklist")
async def test_what_was_seen_is_said(parts):
    checks = await run_checklist(
        on(*parts), BookExpectations((BookQuestion("Behavior trees", "module-04"),), ("module-04",), 3)
    )
    nobody = "Qdrant at http://127.0.0.1:1 could not answer: "
    assert all(check.passed for check in checks)
    assert [(check.item, check.seen.partition(nobody)[1] or check.seen) for check in checks] == [
        ('Query "Behavior trees" returns relevant module-04 chunks', "1 asked"),
        ("Results ordered by decreasing similarity score", "9 pairs of neighbours"),
        ("All metadata fields present in results", "10 results"),
        ("top_k=3 returns exactly 3 results", "3"),
        ("top_k=10 returns up to 10 results", "10"),
        ("similarity_threshold=0.7 filters out low-score results", "0 of 10 left"),
        ("Empty query raises ValueError with clear message", "The question is empty. Ask something."),
        ("Very long query (1001 chars) processes successfully", "5 results"),
        ("Query with special characters returns valid results", "5 results"),
        ("Qdrant disconnected returns clear error", nobody),
        ("Same query repeated 3 times returns identical results in same order", "10 results"),
        ("Results match expected source files", "1 asked"),
        ("At least one successful query from each of 1 book modules", "all"),
        ("Chunks retrieved from all 3 source files (aggregate across queries)", "from 7"),
    ]


@pytest.mark.specification("004 §4 coverage")
async def test_a_module_answers_where_its_page_comes_first(parts):
    expected = replace(EXPECTED, questions=(BookQuestion("Gazebo simulation", "module-04"),))
    assert await failed(on(*parts), expected) == ["At least one successful query from each of 1 book modules"]


async def test_what_is_lacking_is_said(parts):
    questions = (
        BookQuestion("Behavior trees", "module-09"),
        BookQuestion("Gazebo", "nowhere"),
        BookQuestion("behavior trees", "module-04"),
    )
    checks = await run_checklist(on(*parts), BookExpectations(questions, ("module-04", "module-09", "module-10"), 8))
    assert [check.seen for check in checks if not check.passed] == [
        "not so: Behavior trees",
        "not so: Behavior trees; Gazebo",
        "none from: module-09, module-10",
    ]
    assert checks[-1].seen == "from 8"
    nothing = await run_checklist(on(FakeVectorStore(), parts[1]), EXPECTED)
    assert [check.seen for check in nothing][1:6] == ["0 pairs of neighbours", "0 results", "0", "0", "0 of 0 left"]


async def test_an_empty_collection(parts):
    assert len(await failed(on(FakeVectorStore(), parts[1]))) == 11


async def test_a_chunk_that_lacks_a_field_is_an_item_that_does_not_hold(parts):
    class Lacking(RetrievalPipeline):
        async def aquery(self, query_text, top_k=5, similarity_threshold=0.0):
            raise IncompleteMetadataError("A chunk of a.md has no token_count.")

    [item] = await run_checklist(on(*parts, Lacking), EXPECTED)
    assert (item.item, item.passed, item.seen) == (METADATA, False, "A chunk of a.md has no token_count.")


async def test_a_collection_that_is_not_there_is_no_item(parts):
    class Elsewhere(RetrievalPipeline):
        async def aquery(self, query_text, top_k=5, similarity_threshold=0.0):
            raise DataFolderError("There is no collection 'nowhere'.")

    with pytest.raises(DataFolderError, match="nowhere"):
        await run_checklist(on(*parts, Elsewhere), EXPECTED)


async def test_a_question_that_a_model_refuses_is_an_item_that_does_not_hold(parts):
    class Refusing(RetrievalPipeline):
        async def aquery(self, query_text, top_k=5, similarity_threshold=0.0):
            if len(query_text) > 1000:
                raise ModelError("The text is too long.")
            return await super().aquery(query_text, top_k, similarity_threshold)

    assert await failed(on(*parts, Refusing)) == ["Very long query (1001 chars) processes successfully"]


async def test_a_proxy_that_forbids_to_knock_is_an_item_that_does_not_hold(parts, monkeypatch):
    class Forbidding(HttpServer):
        def reply(self, request):
            return Reply(403, b"")

    monkeypatch.setenv("no_proxy", "")
    with Forbidding() as proxy:
        monkeypatch.setenv("http_proxy", proxy.url)
        assert await failed(on(*parts)) == ["Qdrant disconnected returns clear error"]


async def test_a_threshold_that_leaves_nothing_out_proves_nothing(parts):
    class Even(Altered):
        def alter(self, response):
            return replace(response, results=[replace(one, similarity_score=0.9) for one in response.results])

    assert await failed(on(*parts, Even)) == [THRESHOLD]


class Altered(RetrievalPipeline):
    """Answers wrongly as `alter` does."""

    calls = 0

    def alter(self, response):
        return response

    async def aquery(self, query_text, top_k=5, similarity_threshold=0.0):
        self.calls += 1
        return self.alter(await super().aquery(query_text, top_k, similarity_threshold))


class Upside(Altered):
    def alter(self, response):
        return replace(response, results=response.results[::-1])


class SameRank(Altered):
    def alter(self, response):
        return replace(response, results=[replace(result, rank=1) for result in response.results])


class RisingScores(Altered):
    def alter(self, response):
        return replace(response, results=[replace(one, similarity_score=one.rank / 99) for one in response.results])


class NoTokens(Altered):
    def alter(self, response):
        return replace(response, results=[replace(result, token_count=0) for result in response.results])


class BeyondTheEnd(Altered):
    def alter(self, response):
        return replace(response, results=[replace(result, chunk_sequence=99) for result in response.results])


class Changing(Altered):
    def alter(self, response):
        return replace(response, results=[replace(result, chunk_id=f"{self.calls}") for result in response.results])


class Lenient(Altered):
    async def aquery(self, query_text, top_k=5, similarity_threshold=0.0):
        return await super().aquery(query_text or "x", top_k, 0.0)


class Sure(Altered):
    """Says of nothing that it is not sure, so that the usual threshold leaves nothing out."""

    def alter(self, response):
        return replace(response, results=[replace(one, similarity_score=1 - one.rank / 99) for one in response.results])


class Stubborn(Altered):
    def at(self, qdrant_url):
        return self


class Generous(Altered):
    async def aquery(self, query_text, top_k=5, similarity_threshold=0.0):
        return await super().aquery(query_text, top_k + 1, similarity_threshold)


ORDERED = "Results ordered by decreasing similarity score"
METADATA = "All metadata fields present in results"
THRESHOLD = "similarity_threshold=0.7 filters out low-score results"


@pytest.mark.parametrize(
    ("kind", "items"),
    [
        (Altered, []),
        (SameRank, [ORDERED]),
        (RisingScores, [ORDERED]),
        (NoTokens, [METADATA]),
        (BeyondTheEnd, [METADATA]),
        (Changing, ["Same query repeated 3 times returns identical results in same order"]),
        (Lenient, [THRESHOLD, "Empty query raises ValueError with clear message"]),
        (Sure, [THRESHOLD]),
        (Stubborn, ["Qdrant disconnected returns clear error"]),
        (Generous, ["top_k=3 returns exactly 3 results", "top_k=10 returns up to 10 results"]),
    ],
)
@pytest.mark.specification(
    "004 §4 ordered",
    "004 §4 metadata",
    "004 §4 top_k",
    "004 §4 threshold",
    "004 §4 empty query",
    "004 §4 disconnected",
    "004 §4 consistency",
)
async def test_a_pipeline_that_is_wrong_fails_where_it_is(parts, kind, items):
    store, embedder = parts
    assert await failed(on(store, embedder, kind)) == items


@pytest.mark.specification("004 §4 ordered")
async def test_results_in_the_wrong_order_fail_where_they_are(parts):
    store, embedder = parts
    assert ORDERED in await failed(on(store, embedder, Upside))


async def test_a_check_as_json(parts):
    [first, *_] = await run_checklist(on(*parts), EXPECTED)
    assert first.to_dict() == {
        "section": "Basic Functionality",
        "item": 'Query "Behavior trees" returns relevant module-04 chunks',
        "passed": True,
        "seen": "1 asked",
    }
