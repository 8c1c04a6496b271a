"""Profile voyage from an index to an answer and a pack, against a server that speaks its JSON."""

from __future__ import annotations

import json
from dataclasses import replace

import anyio
import pytest

from agents.evidence import EvidenceRequest
from configs import load_config
from indexing import IndexRequest
from interfaces.cli.main import run
from memory.embedders import FakeDenseEmbedder
from memory.errors import ConfigError, DataFolderError, ModelError
from orchestrator.hybrid import HybridRetrievalOrchestrator
from tests.model_api import BROKEN, ModelApi, refused_url, short, status
from tests.organisation import CONFIG, write
from wiring.evidence import open_evidence
from wiring.opening import open_indexer

pytestmark = [pytest.mark.allow_hosts(["127.0.0.1"]), pytest.mark.slow]
QUESTION = "Which ships does the Beacon signal?"


@pytest.fixture(scope="module")
def anyio_backend():
    return "asyncio"  # real sockets, which virtual time does not wait for


@pytest.fixture(scope="module", autouse=True)
def key():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("VOYAGE_API_KEY", "secret")
        yield


@pytest.fixture(scope="module")
def server():
    with ModelApi(key="secret") as api:
        yield api


@pytest.fixture
def api(server):
    server.seen.clear()
    yield server
    server.planned.clear()


def settings(url, **hosted):
    """The profile at this address, with the sparse model that needs no weights."""
    config = load_config("voyage")
    vector = replace(config.vector, sparse_model="Qdrant/bm25")
    return replace(config, vector=vector, hosted=replace(config.hosted, base_url=url, backoff_ms=1, **hosted))


async def indexed(data, folder, config, progress=None):
    indexer = open_indexer(data, config, profile="voyage")
    return await indexer.run(IndexRequest([folder], each=True), holder="a test", progress=progress)


@pytest.fixture(scope="module")
def index(tmp_path_factory, server):
    """The organisation's folder and the data folder it is indexed into."""
    root = tmp_path_factory.mktemp("voyage")
    folder = write(root / "org")
    anyio.run(indexed, root / "data", folder, settings(server.voyage_url))
    return folder, root / "data"


async def ask(data, config, question=QUESTION):
    opened = HybridRetrievalOrchestrator.open(data, "voyage", config, wait_for_mays=True)
    async with opened as orchestrator:
        return (await orchestrator.retrieve(question)).to_dict()


async def pack(data, config, query=QUESTION):
    async with open_evidence(data, "voyage", config) as retriever:
        return await retriever.retrieve(EvidenceRequest(query), frozenset(retriever.catalogue.projects))


@pytest.mark.specification("000 §4.1 docs", "000 §4.2 code")
async def test_each_corpus_is_embedded_by_its_model_a_file_at_a_time(api, tmp_path):
    steps = []
    folder, config = write(tmp_path / "org"), settings(api.voyage_url)
    report = await indexed(tmp_path / "data", folder, config, lambda *step: steps.append(step))
    sent = {call.body["model"]: call.body for call in api.seen}
    assert sent.keys() == {"voyage-context-3", "voyage-code-3"}
    assert {(body["input_type"], body["output_dimension"]) for body in sent.values()} == {("document", 2048)}
    assert any("Every mooring needs a pilot" in text for one in sent["voyage-context-3"]["inputs"] for text in one)
    assert any("class MooringDesk" in text for text in sent["voyage-code-3"]["input"])
    chunks = sum(row["chunks"] for row in report.to_dict(0)["projects"])
    assert len(api.texts()) == chunks
    assert steps[-1] == ("Embedding", chunks, chunks)

    api.seen.clear()
    assert (await indexed(tmp_path / "data", folder, config)).unchanged
    assert api.seen == []
    write(folder, {"lighthouse": {"README.md": "# lighthouse\n\nFour flashes now.\n"}})
    await indexed(tmp_path / "data", folder, config)
    assert [call.body["model"] for call in api.seen] == ["voyage-context-3"]
    assert all("flashes" in text for text in api.texts())


@pytest.mark.specification("000 §4.1 docs", "000 §4.2 code")
async def test_a_question_is_asked_of_each_model_once(api, index):
    answer = await ask(index[1], settings(api.voyage_url))
    assert answer["status"] == "answered"
    assert answer["coverage"]["complete"]
    found = [row["locations"][0]["path"] for row in answer["observations"] if row["agent"] == "vector"]
    assert {"README.md", "lighthouse/beacon.py"} <= set(found)
    assert sorted((call.body["model"], call.body.get("input_type")) for call in api.seen) == [
        ("rerank-2.5", None),
        ("voyage-code-3", "query"),
        ("voyage-context-3", "query"),
    ]
    assert {call.body["output_dimension"] for call in api.seen if "input_type" in call.body} == {2048}


async def test_when_voyage_is_out_of_reach_the_graph_still_answers(api, index):
    answer = await ask(index[1], settings(f"{refused_url()}/v1", retries=0), "What does MooringDesk depend on?")
    ends = {agent["agent"]: agent for agent in answer["coverage"]["agents"]}
    assert ends["vector"]["status"] == "error"
    assert "Voyage at" in ends["vector"]["reason"]
    assert ends["graph"]["status"] == "ok"
    assert answer["status"] in {"answered", "partial"}


@pytest.mark.specification("000 §12 rerank", "000 §4.1 docs", "000 §4.2 code")
async def test_a_pack_is_reranked(api, index):
    made = await pack(index[1], settings(api.voyage_url))
    assert any(note.startswith("reranked by rerank-2.5: ") for note in made.notes)
    assert sorted(api.paths()) == ["contextualizedembeddings", "embeddings", "rerank"]
    asked = {call.body["model"]: (call.body["input_type"], call.body["output_dimension"]) for call in api.seen[:2]}
    assert asked == dict.fromkeys(("voyage-context-3", "voyage-code-3"), ("query", 2048))
    [sent] = [call.body for call in api.seen if call.path.endswith("/rerank")]
    assert sent["query"] == QUESTION
    assert sent["documents"][0].startswith(("harbour/", "lighthouse/"))


@pytest.mark.specification("000 §12 rerank")
@pytest.mark.parametrize(
    ("faults", "why"),
    [([status(400)], "planned 400"), ([short()], "scores for"), ([BROKEN] * 2, "Server disconnected")],
)
async def test_a_reranker_that_fails_leaves_the_fused_order_and_says_so(api, index, faults, why):
    config = settings(api.voyage_url, retries=1)
    plain = await pack(index[1], replace(config, vector=replace(config.vector, reranker_model=None)))
    async with open_evidence(index[1], "voyage", config) as retriever:
        request, permission = EvidenceRequest(QUESTION), frozenset(retriever.catalogue.projects)
        await retriever.retrieve(replace(request, top_k=12), permission)  # its query vectors are remembered
        api.plan(*faults)
        made = await retriever.retrieve(request, permission)
        [note] = [note for note in made.notes if "rerank" in note]
        assert note.startswith("reranking by rerank-2.5 failed, order kept: ")
        assert why in note
        assert [item.chunk.id for item in made.evidence] == [item.chunk.id for item in plain.evidence]
        again = await retriever.retrieve(request, permission)  # a pack that lacks what it was owed is not remembered
        assert any(note.startswith("reranked by rerank-2.5: ") for note in again.notes)


async def test_a_pack_without_any_query_vector_is_an_error(api, index):
    with pytest.raises(ModelError, match="No dense representation") as met:
        await pack(index[1], settings(f"{refused_url()}/v1", retries=0))
    assert "dense_docs failed: Voyage at" in met.value.message


@pytest.mark.specification("000 §4.1 docs", "000 §4.2 code")
async def test_an_index_of_one_profile_refuses_another(api, index):
    with pytest.raises(DataFolderError) as met:
        async with HybridRetrievalOrchestrator.open(index[1], config=CONFIG, embedder=FakeDenseEmbedder()):
            raise AssertionError
    assert "made with voyage-context-3 and voyage-code-3 (2048 dimensions)" in met.value.message
    config = settings(api.voyage_url)
    other = replace(config, vector=replace(config.vector, dense_code_model="voyage-3.5"))
    with pytest.raises(DataFolderError, match=r"the settings say voyage-context-3 and voyage-3\.5"):
        await indexed(index[1], index[0], other)
    with pytest.raises(DataFolderError, match="the settings say"):
        await pack(index[1], other)


async def test_a_run_that_breaks_goes_on_where_it_was(api, tmp_path):
    folder = write(tmp_path / "org")
    api.plan(status(400))
    with pytest.raises(ModelError, match="planned 400"):
        await indexed(tmp_path / "data", folder, settings(api.voyage_url))
    api.seen.clear()
    report = await indexed(tmp_path / "data", folder, settings(api.voyage_url))
    assert report.to_dict(0)["embedded"] == 1


def test_without_a_key_every_door_says_which_before_anything_is_asked(api, index, monkeypatch, capsys, tmp_path):
    monkeypatch.delenv("VOYAGE_API_KEY")
    common = ["--data-dir", str(index[1]), "--profile", "voyage", "--json"]
    for words in (["index", str(index[0])], ["ask", QUESTION], ["evidence", QUESTION]):
        assert run([*words, *common]) == 2
        error = json.loads(capsys.readouterr().out)["error"]
        assert (error["code"], error["message"]) == (
            "config",
            "environment: hosted.api_key_env: VOYAGE_API_KEY is not set.",
        )
    with pytest.raises(ConfigError, match="VOYAGE_API_KEY"):
        open_indexer(tmp_path / "data", settings(api.voyage_url), profile="voyage")
    assert not (tmp_path / "data").exists()
    assert api.seen == []
