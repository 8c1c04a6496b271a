"""Parts that the caller brings in place of those that the settings name."""

from __future__ import annotations

import pytest

from indexing import IndexRequest
from memory.embedders import FakeDenseEmbedder
from memory.entities import Scope, ScopedProject
from memory.errors import DataFolderError, InvalidInputError, UnknownProjectError
from memory.rerankers import FakeReranker
from orchestrator.hybrid import HybridRetrievalOrchestrator
from tests.organisation import CONFIG, index, opened, write
from wiring.opening import Provided, open_indexer, open_parts

pytestmark = pytest.mark.slow

QUESTION = "Which ships does the Beacon signal?"


class Own:
    """Somebody's embedder: the two methods and two attributes of the port, and nothing else."""

    model = "somebody/own"
    dimension = 384

    def __init__(self):
        self._fake = FakeDenseEmbedder()
        self.documents, self.queries = 0, 0

    async def embed_documents(self, texts):
        self.documents += len(texts)
        return await self._fake.embed_documents(texts)

    async def embed_queries(self, texts):
        self.queries += len(texts)
        return await self._fake.embed_queries(texts)


@pytest.fixture(scope="module")
def anyio_backend():
    return "asyncio"  # stores and processes that virtual time does not wait for


@pytest.fixture(scope="module")
async def organisation(tmp_path_factory, folders):
    data = tmp_path_factory.mktemp("index") / "data"
    await index(data, *folders)
    return data


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    root = write(tmp_path_factory.mktemp("projects"))
    return [root / "harbour", root / "lighthouse"]


async def test_an_embedder_of_ones_own_indexes_and_answers(tmp_path, folders):
    own = Own()
    own.dimension = FakeDenseEmbedder().dimension
    indexer = open_indexer(tmp_path / "data", CONFIG, profile="embedded", embedder=own)
    await indexer.run(IndexRequest(tuple(folders)), holder="a test")
    assert own.documents > 0
    async with opened(tmp_path / "data", embedder=own) as orchestrator:
        result = await orchestrator.retrieve(QUESTION)
    assert result.status == "answered"
    assert own.queries > 0
    with pytest.raises(DataFolderError, match="somebody/own"):
        async with opened(tmp_path / "data", embedder=FakeDenseEmbedder()):
            pass


async def test_stores_and_a_reranker_stay_the_callers(organisation):
    async with open_parts(organisation, CONFIG, Provided(FakeDenseEmbedder())) as parts:
        reranker = FakeReranker()
        for _ in range(2):
            async with opened(
                organisation, vector_store=parts.vectors, graph_store=parts.graph, reranker=reranker
            ) as orchestrator:
                assert (await orchestrator.retrieve(QUESTION)).status == "answered"
        assert len(reranker.calls) == 2


class Short:
    """An answerer with the specification's method alone."""

    async def synthesize(self, query, observations):
        return f"{len(observations)} were found."


async def test_an_answerer_of_ones_own_writes_the_answer(organisation):
    async with opened(organisation, answerer=Short()) as orchestrator:
        result = await orchestrator.retrieve(QUESTION)
    assert result.answer.answerer == "Short"


async def test_what_is_open_answers_from_each_generation_that_is_published(tmp_path):
    projects = write(tmp_path / "projects")
    beacon = projects / "lighthouse/lighthouse/beacon.py"
    question = "What does plumbuzz do?"
    await index(tmp_path / "data", projects / "lighthouse")
    async with opened(tmp_path / "data") as orchestrator:
        assert (await orchestrator.retrieve(question)).status == "not_found"
        for again in range(2):
            beacon.write_text(f"def plumbuzz(ship):\n    return ship * {again}\n")
            await index(tmp_path / "data", *projects.iterdir())
            assert f"return ship * {again}" in (await orchestrator.retrieve(question)).answer.text
        assert orchestrator.projects == {"harbour", "lighthouse"}
        scope = Scope([ScopedProject("harbour", 1.0, "named")])
        assert (await orchestrator.retrieve_with_scope(QUESTION, scope)).status == "answered"
        events = [event async for event in orchestrator.stream(question, {"project": "harbour"})]
        assert events[-1].result.status == "answered"
        with pytest.raises(UnknownProjectError):
            async for _ in orchestrator.stream(question, {"project": "quay"}):
                pass


async def test_a_question_keeps_the_generation_that_it_began_on(tmp_path):
    class Publishing:
        """An agent during whose search the next generation is published."""

        async def retrieve(self, query, context):
            await index(tmp_path / "data", *projects.iterdir())
            return []

    projects = write(tmp_path / "projects")
    await index(tmp_path / "data", projects / "lighthouse")
    async with opened(tmp_path / "data", agents={"publishing": Publishing()}) as orchestrator:
        result = await orchestrator.retrieve(QUESTION)
        assert {at.project for one in result.observations for at in one.locations} == {"lighthouse"}
        assert orchestrator.projects == {"harbour", "lighthouse"}


async def test_what_ends_the_block_is_raised_as_it_is(tmp_path):
    projects = write(tmp_path / "projects")
    await index(tmp_path / "data", projects / "lighthouse")

    async def ask():
        async with opened(tmp_path / "data") as orchestrator:
            await index(tmp_path / "data", *projects.iterdir())
            await orchestrator.retrieve(QUESTION)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await ask()


class Nameless:
    """Somebody's part that does not say which model it is."""

    async def rerank(self, query, documents):
        return [1.0 for _ in documents]

    async def embed_queries(self, texts):
        return [[0.0] * 384 for _ in texts]


class HalfMade:
    """Somebody's store that answers one kind of call."""

    engine = "half made"

    async def query_batch(self, queries, *, permission):
        return [[] for _ in queries]

    async def find_exact(self, keys, *, permission, limit=50):
        return []


@pytest.mark.parametrize(
    ("parts", "says"),
    [
        ({"embedder": Nameless()}, "embedder is .* Nameless, which has no `model`, `dimension`, `embed_documents`"),
        ({"reranker": Nameless()}, "reranker is .* Nameless, which has no `model`"),
        ({"answerer": Nameless()}, "answerer is .* Nameless, which has no `synthesize`"),
        ({"vector_store": HalfMade()}, "vector_store is .* HalfMade, which has no `file_chunks`, `count`, `upsert`, "),
        ({"graph_store": HalfMade()}, "graph_store is .* HalfMade, which has no `find_prefix`, `find_text`, `edges`, "),
        ({"agents": [Nameless()]}, "agents is a value of type list"),
    ],
)
async def test_a_part_without_what_is_asked_of_it_is_refused_in_the_words_of_the_manual(tmp_path, parts, says):
    with pytest.raises(InvalidInputError, match=says):
        async with HybridRetrievalOrchestrator.open(tmp_path / "none", **parts):
            pass


@pytest.mark.parametrize("part", ["embedder", "vector_store", "graph_store", "reranker"])
async def test_a_wrong_part_is_refused_before_anything_is_opened(tmp_path, part):
    with pytest.raises(InvalidInputError, match=f"{part} is a value of type str"):
        async with HybridRetrievalOrchestrator.open(tmp_path / "none", **{part: "text"}):
            pass


async def test_a_question_needs_no_folder_to_be_asked_in(organisation, tmp_path, monkeypatch):
    removed = tmp_path / "removed"
    removed.mkdir()
    monkeypatch.chdir(removed)
    removed.rmdir()
    async with opened(organisation) as orchestrator:
        assert (await orchestrator.retrieve(QUESTION)).observations
