"""Text first: where much is to be embedded it is published and asked before the vectors are there, and ends the same."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from indexing import IndexRequest
from indexing.chunks import embedded_text
from indexing.embedding import ChunkModels, Embedding
from memory.embedders import (
    IN_PROCESS_CHARS,
    Bm25Sparse,
    EmbeddingCache,
    FakeSource,
    FakeSparseEmbedder,
    HostedDense,
    Workers,
    text_key,
)
from memory.errors import ModelError
from memory.generation import DataFolder
from memory.vector import DENSE_CODE, DENSE_DOCS, SPARSE_LEXICAL, FakeVectorStore, Point, SparseVector, VectorQuery
from tests.agents.library import ROWS, chunk
from tests.memory.embedders.counted import Provider
from tests.organisation import CONFIG, ask, differences, exported, indexer, plain, points, recorded, write
from wiring.doctor import examine

TEXT_FIRST = replace(CONFIG, indexing=replace(CONFIG.indexing, publish_text_first_above=2, workers=0))
QUESTIONS = ("How does MooringDesk connect to Beacon?", "What are the rules of a mooring?")
ALL = frozenset({"billing"})


class NoModel(FakeSource):
    """The fake model, out of reach."""

    def load(self):
        raise ModelError("The model is out of reach.", "Try again.")


@pytest.fixture
def org(tmp_path):
    return write(tmp_path / "org")


@pytest.fixture
def data(tmp_path):
    return tmp_path / "data"


async def run(data, org, config=TEXT_FIRST, *, each=True, **options):
    """What was told of it, and the report."""
    steps = []
    made = indexer(data, config, **options)
    report = await made.run(
        IndexRequest([org], each=each), holder="x", progress=lambda stage, *numbers: steps.append((stage, *numbers))
    )
    return steps, report


async def half_way(data, org):
    """An index whose vectors could not be made."""
    with pytest.raises(ModelError, match="out of reach"):
        await run(data, org, source=NoModel())


async def test_the_end_is_the_same_as_in_one_piece(org, data, tmp_path):
    whole = tmp_path / "whole"
    steps, report = await run(data, org)
    assert (report.generation, report.unchanged, report.embedded) == (2, False, 1.0)
    assert [step for step in steps if step[0] != "Reading"] == [
        ("Published", 0, 6),
        ("Embedding", 0, 6),
        ("Embedding", 6, 6),
    ]
    assert (await run(whole, org, CONFIG))[1].generation == 1
    assert await exported(data) == await exported(whole)
    assert recorded(data) == recorded(whole)
    assert differences(await points(data), await points(whole)) == []
    for question in QUESTIONS:
        assert differences(plain(await ask(data, question)), plain(await ask(whole, question))) == []
    assert (await run(data, org))[1].unchanged


async def test_progress_counts_all_that_waits_for_its_vector(org, data):
    steps, _ = await run(data, org, embed_at_once=2)
    shown = [step[1:] for step in steps if step[0] == "Embedding"]
    assert {total for _, total in shown} == {6}
    assert shown == sorted(shown)
    assert shown[-1] == (6, 6)


async def test_what_is_published_first_is_asked_and_says_what_it_lacks(org, data):
    await half_way(data, org)
    answer = await ask(data, QUESTIONS[0])
    assert answer["status"] == "answered"
    assert answer["coverage"]["embedded"] == 0.0
    assert answer["coverage"]["complete"]
    assert answer["answer"]["missing"] == [
        "what only its meaning tells, as it was searched by words and relations alone (`hybrid-retrieval doctor` says why)"
    ]
    graph = {o["agent"]: o for o in answer["observations"]}
    assert "graph" in graph
    assert "vector" in graph
    found = {check.name: check.detail for check in await examine(data, CONFIG)}
    assert found["vector store"] == "Qdrant Edge, 6 chunks; 0% have their vectors, `index` again for the rest"


async def test_the_next_run_adds_the_vectors_and_reads_nothing_again(org, data, tmp_path):
    await half_way(data, org)
    steps, report = await run(data, org, source=FakeSource())
    assert (report.generation, report.unchanged) == (2, False)
    assert [project.difference for project in report.projects] == [None, None]
    assert steps == [("Embedding", 0, 6), ("Embedding", 6, 6)]
    fresh = tmp_path / "fresh"
    await run(fresh, org, CONFIG)
    assert differences(await points(data), await points(fresh)) == []
    assert (await ask(data, QUESTIONS[0]))["coverage"]["embedded"] == 1.0
    with DataFolder.open(data).indexing("a look") as session:
        facts = [session.facts.files(name) for name in session.current.names]
    with DataFolder.open(fresh).indexing("a look") as session:
        assert facts == [session.facts.files(name) for name in session.current.names]


async def test_an_edit_in_between_is_indexed_and_what_it_does_not_touch_waits_on(org, data, tmp_path):
    await half_way(data, org)
    (org / "harbour/CLAUDE.md").write_text("# harbour\n\nNo pilot needed.\n")
    config = replace(TEXT_FIRST, indexing=replace(TEXT_FIRST.indexing, publish_text_first_above=100))
    steps, report = await run(data, org, config)
    assert ("Published", 1, 6) in steps
    assert (report.generation, report.embedded) == (3, 1.0)
    await run(tmp_path / "fresh", org, CONFIG)
    assert differences(await points(data), await points(tmp_path / "fresh")) == []


async def test_a_permission_counts_its_own_chunks_alone(org, data):
    await run(data, org / "harbour", CONFIG, each=False)
    with pytest.raises(ModelError):
        await run(
            data,
            org / "lighthouse",
            replace(TEXT_FIRST, indexing=replace(TEXT_FIRST.indexing, publish_text_first_above=1)),
            each=False,
            source=NoModel(),
        )

    async def share(*allowed):
        return (await ask(data, "What is Beacon?", {"allowed_projects": list(allowed)}))["coverage"]["embedded"]

    assert await share("harbour") == 1.0
    assert await share("lighthouse") == 0.0
    with DataFolder.open(data).reading() as generation:
        chunks = {project.name: project.chunks for project in generation.manifest.projects}
    assert await share("harbour", "lighthouse") == pytest.approx(chunks["harbour"] / sum(chunks.values()))


@pytest.fixture
def rows():
    made = [chunk("billing", f"{n % 2}.md", n, "docs", f"line number {n}", "") for n in range(3)]
    return [*made, chunk("billing", "a.py", 9, "code", "x = 1", "x")]


def embedding(tmp_path, above, source=None):
    cache = EmbeddingCache(tmp_path / "cache.sqlite")
    return Embedding(source or FakeSource(), Bm25Sparse(), cache, workers=Workers(0), text_first_above=above)


async def dense(store):
    everything = VectorQuery("", None, 10, (), (DENSE_DOCS, DENSE_CODE, SPARSE_LEXICAL))
    [hits] = await store.query_batch([everything], permission=ALL)
    assert all(hit.sparse for hit in hits)
    return {hit.chunk.id: (set(hit.dense), [round(x, 5) for v in hit.dense.values() for x in v]) for hit in hits}


async def test_up_to_the_limit_vectors_come_with_the_text(tmp_path, rows):
    store, one = FakeVectorStore(), embedding(tmp_path, 4)
    await one.add(store, rows, {})
    assert not one.awaiting
    assert [(await dense(store))[row.id][0] for row in rows] == [{DENSE_DOCS}] * 3 + [{DENSE_CODE}]


async def test_above_it_only_those_that_the_cache_has(tmp_path, rows):
    await embedding(tmp_path, 4).add(FakeVectorStore(), rows[:1], {})
    store, one = FakeVectorStore(), embedding(tmp_path, 2)
    await one.add(store, rows, {})
    assert one.awaiting == Counter({("billing", "1.md"): 1, ("billing", "0.md"): 1, ("billing", "a.py"): 1})
    assert [len((await dense(store))[row.id][0]) for row in rows] == [1, 0, 0, 0]
    await one.complete(store, rows, await one.vectors(rows))
    whole = FakeVectorStore()
    await embedding(tmp_path, 4).add(whole, rows, {})
    assert await dense(store) == await dense(whole)


async def test_what_the_cache_has_does_not_count(tmp_path, rows):
    await embedding(tmp_path, 4).add(FakeVectorStore(), rows[:2], {})
    store, one = FakeVectorStore(), embedding(tmp_path, 2)
    await one.add(store, rows, {})
    assert not one.awaiting


async def test_once_some_wait_so_does_what_comes_after_them(tmp_path, rows):
    await embedding(tmp_path, 4).add(FakeVectorStore(), rows[2:3], {})
    store, one = FakeVectorStore(), embedding(tmp_path, 1)
    await one.add(store, rows[:2], {})
    await one.add(store, rows[2:], {})  # one that the cache has, and one alone is no more than the limit
    assert one.awaiting == Counter({("billing", "0.md"): 1, ("billing", "1.md"): 1, ("billing", "a.py"): 1})
    assert [len((await dense(store))[row.id][0]) for row in rows] == [0, 0, 1, 0]


@pytest.mark.parametrize(("chars", "started"), [(IN_PROCESS_CHARS, False), (IN_PROCESS_CHARS + 1, True)])
async def test_workers_start_before_much_is_read(tmp_path, chars, started):
    cache = EmbeddingCache(tmp_path / "cache.sqlite")
    async with Workers(1) as workers:
        one = Embedding(FakeSource(), Bm25Sparse(), cache, workers=workers, text_first_above=9)
        await one.expect(chars)
        assert workers.have(FakeSource()) == started


async def test_a_hosted_model_needs_no_workers(tmp_path):
    cache = EmbeddingCache(tmp_path / "cache.sqlite")
    async with Workers(1) as workers:
        hosted = HostedDense(Provider())
        await Embedding(hosted, Bm25Sparse(), cache, workers=workers, text_first_above=9).expect(10**6)
        assert not workers.have(hosted)


class CountingSparse(FakeSparseEmbedder):
    """Counts what it weighs."""

    def __init__(self):
        self.texts = Counter()

    def embed_document(self, text):
        self.texts[text] += 1
        return super().embed_document(text)


@pytest.mark.parametrize("above", [4, 0])
async def test_every_text_is_weighed_once(tmp_path, rows, above):
    cache, sparse = EmbeddingCache(tmp_path / "cache.sqlite"), CountingSparse()
    store = FakeVectorStore()
    one = Embedding(FakeSource(), sparse, cache, workers=Workers(0), text_first_above=above)
    await one.add(store, rows, {})
    assert sparse.texts == Counter(embedded_text(row) for row in rows)
    [hits] = await store.query_batch([VectorQuery("", None, 10, (), (SPARSE_LEXICAL,))], permission=ALL)
    assert {hit.chunk.id: hit.sparse for hit in hits} == {
        row.id: FakeSparseEmbedder().embed_document(embedded_text(row)) for row in rows
    }


async def sparse_of(store):
    [hits] = await store.query_batch([VectorQuery("", None, 10, (), (SPARSE_LEXICAL,))], permission=ALL)
    return {hit.chunk.id: hit.sparse for hit in hits}


@pytest.mark.parametrize("above", [4, 0])
async def test_terms_hold_what_a_chunk_proves_and_dense_vectors_do_not(tmp_path, rows, above):
    store, plain_store = FakeVectorStore(), FakeVectorStore()
    told = {rows[0].id: "service desk of billing calls service till"}
    one = embedding(tmp_path, above)
    await one.add(store, rows, told)
    await one.complete(store, rows, await one.vectors(rows))
    other = embedding(tmp_path, above)
    await other.add(plain_store, rows, {})
    await other.complete(plain_store, rows, await other.vectors(rows))
    assert await dense(store) == await dense(plain_store)
    expanded, bare = await sparse_of(store), await sparse_of(plain_store)
    assert expanded[rows[0].id] == Bm25Sparse().embed_document(f"{embedded_text(rows[0])}\n{told[rows[0].id]}")
    assert {id_ for id_ in bare if bare[id_] != expanded[id_]} == {rows[0].id}


async def test_a_restated_point_keeps_all_but_its_terms(tmp_path, rows):
    one = embedding(tmp_path, 4)
    before = Point(rows[0], SparseVector((1,), (1.0,)), {DENSE_DOCS: [1.0]}, {"pictures": ["x.png"]})
    now = one.restated(before, "project billing depends on project auth")
    terms = Bm25Sparse().embed_document(f"{embedded_text(rows[0])}\nproject billing depends on project auth")
    assert now == replace(before, sparse=terms)
    assert one.restated(now, "") == replace(before, sparse=Bm25Sparse().embed_document(embedded_text(rows[0])))


async def test_the_terms_of_what_is_stored_are_counted(tmp_path, rows):
    one, calls = embedding(tmp_path, 4), Bm25Sparse().terms("calls")["calls"]
    await one.add(FakeVectorStore(), rows, {rows[0].id: "one calls other", rows[1].id: "other calls one"})
    files = one.counted.take("billing", {}, [])
    assert {path: (file.chunks, file.counts.get(calls, 0)) for path, file in files.items()} == {
        "0.md": (2, 1),
        "1.md": (1, 1),
        "a.py": (1, 0),
    }


DOCS, CODE = FakeSource(8, "words"), FakeSource(6, "symbols")
CHUNKS = [chunk(*row) for row in ROWS]  # four of documents, three of code


@pytest.fixture
def cache(tmp_path):
    return EmbeddingCache(tmp_path / "cache.sqlite")


async def test_each_corpus_has_its_model(cache):
    steps = []
    found = await ChunkModels(DOCS, CODE).embed(
        CHUNKS, cache, workers=0, progress=lambda done, total: steps.append((done, total))
    )
    for one in CHUNKS:
        source = DOCS if one.corpus == "docs" else CODE
        assert found[one.id].tolist() == source.load()([embedded_text(one)])[0].tolist()
    assert steps == [(0, 7), (4, 7), (4, 7), (7, 7)]  # four of documents, then three of code


async def test_one_model_embeds_all(cache):
    found = await ChunkModels(DOCS).embed(CHUNKS, cache, workers=0)
    assert {len(vector) for vector in found.values()} == {8}
    assert found.keys() == {one.id for one in CHUNKS}
    assert await ChunkModels(DOCS, CODE).embed([], cache, workers=0) == {}


async def test_what_is_known_is_known_of_each(cache):
    models = ChunkModels(DOCS, CODE)
    assert models.known(CHUNKS, cache) == {}
    made = await models.embed(CHUNKS[2:5], cache, workers=0)
    known = models.known(CHUNKS, cache)
    assert known.keys() == made.keys()
    assert {id_: vector.tolist() for id_, vector in known.items()} == {id_: v.tolist() for id_, v in made.items()}
    assert ChunkModels(FakeSource(9, "words"), CODE).known(CHUNKS, cache).keys() == {CHUNKS[3].id}


def test_keys_of_models_that_read_texts_alone_are_the_texts_own():
    keys = ChunkModels(DOCS, CODE).keys(CHUNKS)
    assert keys == {one.id: text_key(embedded_text(one)) for one in CHUNKS}


async def test_the_chunks_of_a_file_are_read_together_in_whatever_order_they_come(cache):
    schema = [one for one in CHUNKS if (one.project, one.path) == ("billing", "docs/schema.md")]
    other = replace(schema[0], id="0", project="auth")
    provider = Provider(in_context=True, texts=99, tokens=9999, document_tokens=9999)
    models = ChunkModels(HostedDense(provider), CODE)
    found = await models.embed([schema[1], other, schema[0]], cache, workers=0)
    first, second = map(embedded_text, schema)
    assert provider.requests == [[[embedded_text(other)], [first, second]]]
    assert provider.closed == 1
    again = await models.embed([*schema, other], cache, workers=0)
    assert (len(provider.requests), provider.closed) == (1, 2)
    assert {id_: vector.tolist() for id_, vector in again.items()} == {id_: v.tolist() for id_, v in found.items()}
    own = len(first) / (len(first) + len(second))  # the vector before it was made unit length: (first, both)
    assert found[schema[0].id][0] / found[schema[0].id][1] == pytest.approx(own)
    assert models.keys(schema)[schema[0].id] != text_key(first)
