"""Packs from a real index: the acceptance tests of 000 §11, one request over HTTP, generations, regression questions."""

from __future__ import annotations

import json
import threading
from dataclasses import replace

import anyio
import pytest

from agents import HybridSearch
from agents.evidence import EvidenceMemory, EvidenceParts, EvidenceRequest, EvidenceRetriever
from configs import load_config
from configs.settings import EvidenceSettings, QdrantSettings
from evaluation import read_questions
from indexing import IndexRequest
from interfaces.cli.evidence_evaluation import command, evaluate_evidence
from interfaces.cli.main import run
from memory.embedders import FakeDenseEmbedder, FakeSparseEmbedder
from memory.errors import DataFolderError
from memory.generation import DataFolder
from memory.vector import DENSE_CODE, DENSE_DOCS, QdrantVectorStore
from tests.adk_corpus import COMMIT, CORPUS, REAL, checked_out, indexed
from tests.agents.evidence.making import CountedDense, catalogue, make_chunk, points, request
from tests.memory.vector.edge_http_front import COLLECTION, EdgeHttpFront
from tests.organisation import CONFIG, FiledStores, FiledVectors, index, indexer, write
from wiring.evidence import evidence_retriever, open_evidence

pytestmark = pytest.mark.slow

ACCEPTED = [
    "small",
    pytest.param("real", marks=pytest.mark.skipif(not REAL, reason="HYBRID_RETRIEVAL_TEST_ADK names no folders")),
]


@pytest.fixture(scope="module")
def anyio_backend():
    return "asyncio"


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    root = tmp_path_factory.mktemp("adk")
    return anyio.run(indexed, root / "data", checked_out(root))


@pytest.fixture(scope="module", params=ACCEPTED)
def corpora(request, tmp_path_factory, small):
    """A data folder with both repositories."""
    if request.param == "small":
        return small
    return anyio.run(indexed, tmp_path_factory.mktemp("real") / "data", REAL)


BOTH = pytest.mark.parametrize("profile", ["embedded", "spec"])
"""By the ranking of files, and by the fused request."""


async def pack(data, query, intent=None, *, profile="embedded", **changes):
    async with open_evidence(data, profile) as retriever:
        repos = {one.repo.rpartition("/")[2]: one.repo for one in retriever.catalogue.projects.values()}
        scope = tuple(repos[name] for name in changes.pop("repos", ()))
        asked = EvidenceRequest(query, intent, repo_scope=scope, **changes)
        return (await retriever.retrieve(asked, frozenset(retriever.catalogue.projects))).to_dict()


def texts(document, corpus):
    return [item["text"] for item in document["evidence"] if item["corpus"] == corpus]


@pytest.mark.specification("000 §11 implementation")
@BOTH
async def test_implementation_question(corpora, profile):
    query = "build a sequential multi-agent workflow with tools and state"
    got = await pack(corpora, query, profile=profile, top_k=12)
    assert got["intent"] == "HOW_TO_IMPLEMENT"
    assert any("workflow" in text.lower() or "tools" in text for text in texts(got, "docs"))
    lines = [line for text in texts(got, "code") for line in text.split("\n") if "class " not in line]
    assert any("Agent(" in line or "tools=[" in line for line in lines)  # an agent that is used, not defined


@pytest.mark.specification("000 §11 lookup")
@BOTH
async def test_api_lookup(corpora, small, profile):
    query = "FunctionTool required parameters and schema generation"
    got = await pack(corpora, query, "API_LOOKUP", profile=profile, top_k=12)
    lacks = corpora != small and profile == "embedded"  # a pack of Google's two repositories is code alone
    first = texts(got, "docs")[: None if corpora != small else 1]
    assert any("required" in text and "default" in text for text in first) is not lacks


@pytest.mark.specification("000 §11 filtering")
@BOTH
async def test_filtering_sanity(corpora, profile):
    """In the question's own words, and as parameters."""
    said = await pack(corpora, "only show code from adk-python: how are tools called", profile=profile, top_k=12)
    given = await pack(corpora, "how are tools called", "CODE_ONLY", profile=profile, top_k=12, repos=["adk-python"])
    for got in (said, given):
        assert got["evidence"]
        assert {(item["corpus"], item["repo"]) for item in got["evidence"]} == {("code", "google/adk-python")}
        assert got["stats"]["missing"] == {"code": 0, "docs": 0}


@pytest.mark.specification("000 §11 lexical")
@BOTH
async def test_lexical_win(corpora, small, profile):
    query = "output_key not automatically read state sequential agent"
    got = await pack(corpora, query, profile=profile, top_k=12)
    assert any("output_key" in item["text"] and "state" in item["text"] for item in got["evidence"])
    if corpora == small:  # whose two texts that speak of it, and do not only set it, are among the first three
        behaviour = ["output_key" in item["text"] and "automatically" in item["text"] for item in got["evidence"]]
        assert sum(behaviour[:3]) == sum(behaviour) == 2
    assert "output_key" in {word for item in got["evidence"] for word in item["highlights"]}


@pytest.mark.specification("000 §6.3 fields", "000 §8.3 text")
async def test_every_field_is_filled(small):
    got = await pack(small, "FunctionTool required parameters and schema generation", top_k=30)
    items = got["evidence"]
    assert {item["repo"] for item in items} == {"google/adk-python", "google/adk-docs"}
    assert {item["commit"] for item in items} == {COMMIT}
    assert {item["chunk_kind"] for item in items} >= {"code", "doc", "test", "example"}
    assert all(item["text"].strip() and item["start_line"] <= item["end_line"] for item in items)
    assert len({item["evidence_id"] for item in items}) == len(items)


@pytest.mark.specification("000 §8.2 window")
async def test_windows_are_the_files_own_lines(small):
    got = await pack(small, "what every agent is: a name", "CODE_ONLY", top_k=12)
    root = small.parent
    for item in got["evidence"]:
        lines = (root / item["repo"].rpartition("/")[2] / item["path"]).read_text().split("\n")
        assert item["text"].rstrip() == "\n".join(lines[item["start_line"] - 1 : item["end_line"]]).rstrip()
    base = next(item for item in got["evidence"] if item["path"].endswith("base.py"))
    assert base["start_line"] == 1


@pytest.mark.specification("000 §12 evaluation", "000 §2 accuracy")
async def test_regression_questions(small):
    questions = read_questions(CORPUS / "questions.jsonl")
    async with open_evidence(small) as retriever:
        everything = frozenset(retriever.catalogue.projects)

        async def retrieve(asked, _):
            return await retriever.retrieve(asked, everything)

        got = await evaluate_evidence(questions, retrieve, top_k=12)
    assert got["questions"] == 5  # the one without an answer is left out
    assert got["overall"]["recall@10"] == 1
    assert got["overall"]["mrr@10"] > 0.8
    assert [row["intent"] for row in got["per_question"]] == [
        "HOW_TO_IMPLEMENT",
        "API_LOOKUP",
        "HOW_TO_IMPLEMENT",
        "DEBUG_ERROR",
        "MIGRATION_OR_VERSION",
    ]


@pytest.mark.specification("000 §12 knobs", "000 §12 evaluation")
def test_knobs_are_tuned_from_the_command_line(small, capsys):
    def score(*settings):
        arguments = [str(CORPUS / "questions.jsonl"), "--data-dir", str(small)]
        assert run([*arguments, *(part for one in settings for part in ("--set", one))], command) == 0
        return json.loads(capsys.readouterr().out)["overall"]

    assert score()["recall@10"] == 1
    assert score("evidence.search=fused", "evidence.limits={A.final: 1, D.final: 1}")["recall@10"] < 1
    assert run([str(CORPUS / "questions.jsonl"), "--data-dir", str(small), "--set", "evidence.quota=2"], command) == 2


@pytest.mark.specification("000 §12 result cache", "000 §12 embedding cache")
async def test_a_new_index_is_seen_although_the_memory_outlives_it(tmp_path):
    root = write(tmp_path / "org")
    await index(tmp_path / "data", root, each=True)
    memory = EvidenceMemory.of(CONFIG.evidence)
    query = "How many flashes has the Beacon?"
    dense = CountedDense(FakeDenseEmbedder().model)

    async def ask():
        opened = open_evidence(tmp_path / "data", config=CONFIG, dense=dense, memory=memory)
        async with opened as retriever:
            found = await retriever.retrieve(EvidenceRequest(query), frozenset(retriever.catalogue.projects))
            return "\n".join(item.text for item in found.evidence)

    assert "three flashes" in await ask()
    (root / "lighthouse/README.md").write_text("# lighthouse\n\nThe Beacon has five flashes.\n")
    assert "three flashes" in await ask()
    assert memory.packs.hits == 1
    await index(tmp_path / "data", root, each=True)
    text = await ask()
    assert ("five flashes" in text, "three flashes" in text) == (True, False)
    assert dense.asked == [query]


async def test_another_model_is_refused(small):
    with pytest.raises(DataFolderError):
        async with open_evidence(small, config=CONFIG):
            pass


@pytest.fixture
def front(tmp_path):
    with EdgeHttpFront(str(tmp_path / "front")) as front:
        yield front


async def on_server(front):
    sizes = dict.fromkeys((DENSE_DOCS, DENSE_CODE), FakeDenseEmbedder().dimension)
    settings = QdrantSettings(url=front.url, collection=COLLECTION)
    store = await QdrantVectorStore.open(settings, vectors=sizes, namespace="n", create=True, environ={})
    await store.upsert(await points())
    return store


@pytest.mark.allow_hosts(["127.0.0.1"])
@pytest.mark.specification(
    "000 §1.2 one request",
    "000 §1.3 filters",
    "000 §2 one call",
    "000 §5.4 parameters",
    "000 §6.1 syntax",
    "000 §6.2 propagation",
)
async def test_by_default_one_for_the_candidates_and_one_for_what_is_shown(front):
    store, dense, sparse = await on_server(front), FakeDenseEmbedder(), FakeSparseEmbedder()
    search = HybridSearch(store, dense, sparse, load_config().vector)
    retriever = EvidenceRetriever(
        EvidenceParts(store, dense, dense, sparse, search=search), catalogue(), load_config().evidence
    )
    front.seen.clear()
    found = await retriever.retrieve(request("FunctionTool schema", "CODE_ONLY"), frozenset({"kit", "guide"}))
    await store.close()
    assert {item.chunk.corpus for item in found.evidence} == {"code"}
    assert [seen.path for seen in front.seen] == [f"/collections/{COLLECTION}/points/query/batch"] * 2
    searches = front.seen[0].body["searches"]
    assert [one["using"] for one in searches] == ["dense_docs", "dense_code", "sparse_lexical"]
    assert [one["params"] for one in searches[:2]] == [{"exact": True}] * 2
    code = {"key": "corpus", "match": {"any": ["code"]}}
    assert all(code in one["filter"]["must"] for one in searches)


@pytest.mark.allow_hosts(["127.0.0.1"])
@pytest.mark.specification("000 §10 step 8")
@pytest.mark.parametrize("settings", [EvidenceSettings(), EvidenceSettings(search="fused", exact=True)])
async def test_a_pack_says_that_a_server_was_not_asked_to_be_exact(front, settings):
    await (await on_server(front)).close()
    server = QdrantSettings(url=front.url, collection=COLLECTION, exact=False)
    sizes = dict.fromkeys((DENSE_DOCS, DENSE_CODE), FakeDenseEmbedder().dimension)
    store = await QdrantVectorStore.open(server, vectors=sizes, namespace="n", environ={})
    dense, sparse = FakeDenseEmbedder(), FakeSparseEmbedder()
    search = HybridSearch(store, dense, sparse, replace(CONFIG.vector, store="qdrant", qdrant=server))
    retriever = EvidenceRetriever(EvidenceParts(store, dense, dense, sparse, search=search), catalogue(), settings)
    front.seen.clear()
    found = await retriever.retrieve(request("FunctionTool schema"), frozenset({"kit", "guide"}))
    await store.close()
    sent = front.seen[0].body["searches"][0]
    assert [one["params"]["exact"] for one in sent.get("prefetch", [sent])[:1]] == [False]
    assert found.evidence
    assert found.to_dict()["stats"]["qdrant_params"]["exact"] is False


class SilentWords(FakeSparseEmbedder):
    is_model = True

    def __init__(self):
        self.released = threading.Event()

    def embed_query(self, text):
        self.released.wait(60)


@pytest.mark.specification("000 §10 step 2")
@pytest.mark.parametrize("search", ["ranked", "fused"])
async def test_words_whose_model_is_silent_are_left_out(tmp_path, search):
    await indexer(tmp_path / "data", stores=FiledStores()).run(
        IndexRequest([write(tmp_path / "org")], each=True), holder="a test"
    )
    settings = replace(CONFIG.evidence, search=search, embedding_timeout_ms=200)
    words, dense, config = SilentWords(), FakeDenseEmbedder(), replace(CONFIG, evidence=settings)
    with DataFolder.open(tmp_path / "data").reading() as generation:
        store = FiledVectors(generation.vectors_path)
        retriever = evidence_retriever(generation.manifest, "one", store, dense, config, sparse=words)
        try:
            found = await retriever.retrieve(request("Who signals ships?"), frozenset({"lighthouse"}))
        finally:
            words.released.set()
    assert found.evidence
    ranking = f"ranking failed: {words.model} gave no answer within 0.2 s."
    assert [note for note in found.notes if "no answer" in note] == [
        *([ranking] if search == "ranked" else []),
        f"sparse_lexical failed: {words.model} gave no answer within 0.2 s.",
    ]


@pytest.mark.allow_hosts(["127.0.0.1"])
@pytest.mark.specification("000 §12 result cache")
async def test_the_vectors_may_be_on_a_server(front, tmp_path):
    await index(tmp_path / "data", write(tmp_path / "org"), each=True)
    namespace = DataFolder.open(tmp_path / "data").namespace
    sizes = dict.fromkeys((DENSE_DOCS, DENSE_CODE), FakeDenseEmbedder().dimension)
    settings = QdrantSettings(url=front.url, collection=COLLECTION)
    store = await QdrantVectorStore.open(settings, vectors=sizes, namespace=namespace, create=True, environ={})
    await store.upsert(await points([make_chunk("harbour/mooring.py", project="harbour", repo="harbour")]))
    await store.close()
    config = replace(CONFIG, vector=replace(CONFIG.vector, store="qdrant", qdrant=settings))
    async with open_evidence(tmp_path / "data", config=config, dense=FakeDenseEmbedder()) as retriever:
        found = await retriever.retrieve(request("line of mooring"), frozenset({"harbour"}))
        assert [item.chunk.path for item in found.evidence] == ["harbour/mooring.py"]
        store = await QdrantVectorStore.open(settings, vectors=sizes, namespace=namespace, environ={})
        await store.upsert(await points([make_chunk("harbour/quay.py", project="harbour", repo="harbour")]))
        await store.close()
        found = await retriever.retrieve(request("line of mooring"), frozenset({"harbour"}))
    assert {item.chunk.path for item in found.evidence} == {"harbour/mooring.py", "harbour/quay.py"}


@pytest.mark.allow_hosts(["127.0.0.1"])
@pytest.mark.specification(
    "000 §1.1 named vectors",
    "000 §1.2 one request",
    "000 §2 one call",
    "000 §5.1 fusion",
    "000 §5.2 request",
    "000 §5.3 limits",
    "000 §5.4 in the prefetches",
    "000 §6.2 propagation",
    "000 §7.4 D",
    "000 §8.3 text",
    "000 §10 step 5",
)
async def test_one_http_request_a_call(front):
    store, dense = await on_server(front), FakeDenseEmbedder()
    parts = EvidenceParts(store, dense, dense, FakeSparseEmbedder())
    retriever = EvidenceRetriever(parts, catalogue(), load_config("spec").evidence)
    front.seen.clear()
    found = await retriever.retrieve(request("FunctionTool schema", "API_LOOKUP"), frozenset({"kit", "guide"}))
    [seen] = front.seen
    await store.close()
    assert len(found.evidence) == 5  # two pieces of code that say neither, and are not the symbol, stay away
    assert (seen.method, seen.path) == ("POST", f"/collections/{COLLECTION}/points/query/batch")
    fused, *alone = seen.body["searches"]
    assert [(one["using"], one["limit"]) for one in fused["prefetch"]] == [
        ("dense_docs", 80),
        ("dense_code", 80),
        ("sparse_lexical", 120),
    ]
    assert (fused["query"], fused["limit"]) == ({"rrf": {"k": 60}}, 88)
    assert set(fused) == {
        "prefetch",
        "query",
        "filter",
        "limit",
        "with_payload",
        "with_vector",
    }  # no params beside them
    assert [one["params"] for one in fused["prefetch"][:2]] == [{"hnsw_ef": 256, "exact": False}] * 2
    symbol = {"key": "symbol", "match": {"any": ["FunctionTool"]}}
    assert [symbol in one["filter"]["must"] for one in fused["prefetch"]] == [False, True, False]
    assert all(condition in one["filter"]["must"] for one in fused["prefetch"] for condition in fused["filter"]["must"])
    assert set(fused["prefetch"][2]["query"]) == {"indices", "values"}
    assert (fused["with_payload"], fused["with_vector"]) == (True, False)
    assert [one["using"] for one in alone] == ["dense_docs", "dense_code", "sparse_lexical"]


@pytest.mark.allow_hosts(["127.0.0.1"])
@pytest.mark.specification(
    "000 §1.3 filters",
    "000 §5.2 request",
    "000 §5.3 limits",
    "000 §6.1 syntax",
    "000 §6.2 propagation",
    "000 §6.4 policy",
    "000 §7.1 A",
    "000 §7.2 B",
    "000 §7.3 C",
    "000 §10 step 4",
)
async def test_what_is_sent_of_each_template(front):
    store, dense = await on_server(front), FakeDenseEmbedder()
    parts = EvidenceParts(store, dense, dense, FakeSparseEmbedder())
    retriever = EvidenceRetriever(parts, catalogue(), load_config("spec").evidence)
    routes = {
        "CONCEPTUAL": [("dense_docs", 80), ("dense_code", 80), ("sparse_lexical", 120)],
        "CODE_ONLY": [("dense_code", 100), ("sparse_lexical", 150)],
        "DOCS_ONLY": [("dense_docs", 100), ("sparse_lexical", 150)],
    }
    for intent, final, corpora in (("CONCEPTUAL", 40, []), ("CODE_ONLY", 50, ["code"]), ("DOCS_ONLY", 50, ["docs"])):
        front.seen.clear()
        found = await retriever.retrieve(request("FunctionTool schema", intent), frozenset({"kit", "guide"}))
        [seen] = front.seen
        fused, *alone = seen.body["searches"]
        assert [(one["using"], one["limit"]) for one in fused["prefetch"]] == routes[intent]
        assert fused["limit"] == 2 * final + 8
        filters = [one["filter"] for one in (fused, *fused["prefetch"], *alone)]
        assert all(set(one) == {"must"} for one in filters)
        assert {one["key"] for one in fused["filter"]["must"]} == {"namespace", "project", *(corpora and ["corpus"])}
        wanted = [{"key": "corpus", "match": {"any": [corpus]}} for corpus in corpora]  # the engine's to propagate
        said = [[one for one in own["must"] if one["key"] == "corpus"] for own in filters]
        assert said == [wanted, *[[]] * len(routes[intent]), *[wanted] * len(alone)]
        assert {item.chunk.corpus for item in found.evidence} == ({*corpora} or {"code", "docs"})
        assert all(one["with_payload"] is False for one in alone)
    await store.close()
