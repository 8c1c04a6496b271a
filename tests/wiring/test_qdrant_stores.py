"""The whole product with its vectors on a server: generations, what a killed run leaves, and what goes over the wire."""

from __future__ import annotations

import shutil
from dataclasses import replace

import pytest
import qdrant_edge as edge

from agents.evidence import EvidenceRequest
from configs.settings import QdrantSettings, VectorSettings
from indexing import Indexer, IndexRequest
from memory.embedders import Bm25Sparse, FakeDenseEmbedder, FakeSource
from memory.errors import ConfigError, DataFolderError, StoreError
from memory.generation import DataFolder
from memory.vector import DENSE_CODE, DENSE_DOCS, SPARSE_LEXICAL, VectorQuery
from tests.memory.vector.edge_http_front import COLLECTION, EdgeHttpFront
from tests.organisation import CONFIG, Unsynced, ask, differences, index, opened, plain, write
from tests.organisation import points as points_in_folder
from wiring.doctor import examine
from wiring.embedded_stores import EmbeddedStores
from wiring.evidence import open_evidence
from wiring.opening import open_indexer
from wiring.qdrant_stores import QdrantStores
from wiring.stores import indexing_parts, open_vector_store

pytestmark = [pytest.mark.allow_hosts(["127.0.0.1"]), pytest.mark.slow]

QUESTION = "How many flashes has the Beacon?"
ALL = frozenset({"harbour", "lighthouse"})
README = "lighthouse/README.md"


@pytest.fixture(scope="module")
def anyio_backend():
    return "asyncio"  # a server keeps real time


@pytest.fixture
def front(tmp_path):
    with EdgeHttpFront(str(tmp_path / "front")) as front:
        yield front


class Place:
    """An organisation, a data folder, and what stands in for a server."""

    def __init__(self, root, front, name="data"):
        self.projects, self.data, self.front = root / "projects", root / name, front

    @property
    def config(self):
        server = QdrantSettings(url=self.front.url, collection=COLLECTION, retries=0)
        return replace(CONFIG, vector=replace(CONFIG.vector, store="qdrant", qdrant=server))

    def indexer(self, *, text_first_above=1000, **options):
        config = self.config
        indexing = replace(config.indexing, workers=0, publish_text_first_above=text_first_above)
        parts = indexing_parts(config.graph, FakeSource(), Bm25Sparse(), vector=config.vector)
        folder = DataFolder.open_or_create(self.data, disk=Unsynced())
        return Indexer(folder, parts, replace(config, indexing=indexing), profile="qdrant", **options)

    async def index(self, **options):
        """One run; returns its report and the requests it made of the server."""
        self.front.seen.clear()
        report = await self.indexer(**options).run(IndexRequest((self.projects,), each=True), holder="a test")
        return report, list(self.front.seen)

    async def points(self, generation=None):
        """What a reader of a generation sees, as `tests.organisation.points` says it of an embedded one."""
        folder = DataFolder.open(self.data)
        with folder.reading() as current:
            path = (generation or current).vectors_path
            store = await open_vector_store(self.config.vector, path, folder.namespace)
            everything = VectorQuery("", None, 1000, (), (DENSE_DOCS, DENSE_CODE, SPARSE_LEXICAL))
            [hits] = await store.query_batch([everything], permission=ALL)
            await store.close()
        return [{"chunk": h.chunk, "dense": {n: list(v) for n, v in h.dense.items()}, "sparse": h.sparse} for h in hits]

    async def ask(self, question=QUESTION):
        async with opened(self.data, config=self.config) as orchestrator:
            return plain((await orchestrator.retrieve(question)).to_dict())

    def edit(self, text="# lighthouse\n\nThe Beacon has five flashes.\n"):
        (self.projects / README).write_text(text, encoding="utf-8")

    def stored(self):
        """How many points there are, whosoever."""
        return self.front.shard.count(edge.CountRequest(exact=True))

    @property
    def journal(self):
        return self.data / "qdrant.journal"


@pytest.fixture
def place(front, tmp_path):
    write(tmp_path / "projects")
    return Place(tmp_path, front)


async def embedded(place, name="embedded"):
    """The same organisation in a folder."""
    data = place.data.with_name(name)
    await index(data, place.projects, each=True)
    return data


@pytest.mark.specification("001 §2.1 stores", "003 REQ-0047 store")
async def test_answers_are_those_of_the_embedded_store(place):
    report, _ = await place.index()
    assert (report.generation, report.unchanged) == (1, False)
    assert not place.journal.exists()
    folder = await embedded(place)
    assert differences(await place.points(), await points_in_folder(folder)) == []
    for question in (QUESTION, "How does MooringDesk connect to Beacon?", "Where is the colour of the moon kept?"):
        assert differences(await place.ask(question), plain(await ask(folder, question))) == []


async def test_evidence_comes_from_there_too(place):
    await place.index()
    folder = await embedded(place)
    packs = []
    for data, config in ((place.data, place.config), (folder, CONFIG)):
        async with open_evidence(data, config=config, dense=FakeDenseEmbedder()) as retriever:
            packs.append((await retriever.retrieve(EvidenceRequest(QUESTION), ALL)).to_dict())
    assert packs[0]["evidence"]
    assert packs[0] == packs[1]


async def test_the_doctor_counts_there(place):
    await place.index()
    found = {check.name: check for check in await examine(place.data, place.config)}
    assert found["vector store"].detail == f"Qdrant at {place.front.url}, 6 chunks"
    assert found["qdrant payload indexes"].detail == "all 12"
    place.front.shard.update(edge.UpdateOperation.delete_points_by_filter(edge.Filter()))
    found = {check.name: check for check in await examine(place.data, place.config)}
    assert found["vector store"].detail == "The store holds 0 chunks, the manifest 6."


def paths(seen, call):
    """The files whose points were in these requests' bodies."""
    found = [point["payload"]["path"] for one in seen if one.path.startswith(call) for point in one.body["points"]]
    return sorted(set(found))


async def test_one_file_s_change_sends_that_file_s_points(place):
    _, first = await place.index()
    upsert = f"/collections/{COLLECTION}/points?"
    assert len(paths(first, upsert)) == 6 - 1  # two chunks of one file
    place.edit()
    report, seen = await place.index()
    assert report.generation == 2
    assert paths(seen, upsert) == ["README.md"]
    writes = [
        one.path.rpartition("/")[2].partition("?")[0] for one in seen if one.method != "GET" and "batch" not in one.path
    ]
    assert writes == ["payload", "points", "payload", "delete", "payload", "delete"]  # ended, sent; published; settled
    assert place.stored() == 6
    report, seen = await place.index()
    assert (report.unchanged, seen) == (True, [])


@pytest.mark.parametrize(("text_first_above", "stride"), [(1000, 1), (0, 4)])
@pytest.mark.slow
async def test_a_server_that_goes_down_before_a_request_leaves_the_old_or_the_new(place, text_first_above, stride):
    """What is published is whole, what is not is seen by nobody, and the next run leaves nothing of it."""
    await place.index()
    ends, steps = [], 0
    while ends[-1:] != ["settled"]:
        before = await place.points()
        flashes = f"The Beacon has {steps} flashes."
        place.edit(f"# lighthouse\n\n{flashes}\n")
        place.front.left = steps
        try:
            await place.index(text_first_above=text_first_above)
            ends.append("left" if place.journal.exists() else "settled")
        except StoreError:
            ends.append("failed")
        place.front.left = None
        after = await place.points()
        if not any(flashes in point["chunk"].text for point in after):
            assert ends[-1] == "failed"
            assert differences(after, before) == []
        await place.index(text_first_above=text_first_above)
        after = await place.points()
        assert len(after) == len(before) == place.stored() == 6
        assert [point["chunk"].path for point in after if flashes in point["chunk"].text] == ["README.md"]
        assert all(len(point["dense"]) == 1 for point in after)
        assert not place.journal.exists()
        steps += stride
    assert ends == ["failed"] * ends.count("failed") + ["left"] * ends.count("left") + ["settled"]
    assert ends.count("failed") > 5
    assert ends.count("left") > 0


async def test_an_unchanged_run_settles_what_a_run_left(place):
    await place.index()
    place.edit()
    _, whole = await place.index()
    place.edit("# lighthouse\n\nThe Beacon has seven flashes.\n")
    place.front.left = len(whole) - 1  # all but the last deletion
    await place.index()
    assert (place.stored(), place.journal.exists()) == (7, True)
    place.front.left = 0
    with pytest.raises(StoreError):
        await place.index()
    place.front.left = None
    report, _ = await place.index()
    assert report.unchanged
    assert (place.stored(), place.journal.exists()) == (6, False)


async def test_a_reader_keeps_the_generation_it_opened(place):
    await place.index()
    before = await place.points()
    with DataFolder.open(place.data).reading() as old:
        place.edit()
        await place.index()
        assert (place.stored(), place.journal.exists()) == (7, True)
        assert differences(await place.points(old), before) == []
        assert any("five flashes" in point["chunk"].text for point in await place.points())
    await place.index()  # unchanged; nobody reads the old one now
    assert (place.stored(), place.journal.exists()) == (6, False)


async def test_two_indexes_share_a_collection(place, tmp_path, front):
    other = Place(tmp_path, front, "other")
    await place.index()
    before = await place.points()
    await other.index()
    assert place.stored() == 12
    place.edit()
    await other.index()
    assert differences(await place.points(), before) == []
    await place.index()
    assert differences(await place.points(), await other.points()) == []
    assert place.stored() == 12


async def test_vectors_that_follow_the_text(place):
    """Points of the published text stay as they are; what follows are points of the next generation."""
    report, seen = await place.index(text_first_above=0)
    assert report.generation == 2
    folder = await embedded(place)
    assert differences(await place.points(), await points_in_folder(folder)) == []
    assert place.stored() == 6
    assert not [one for one in seen if one.path.endswith("vectors")]


async def test_what_left_the_index_leaves_the_server(place):
    await place.index()
    assert place.stored() == 6
    (place.projects / ".env").write_text("")
    readme = place.projects / README
    readme.rename(readme.with_name("id_rsa"))  # a secret now
    _, seen = await place.index()
    assert paths(seen, f"/collections/{COLLECTION}/points?") == []
    assert place.stored() == 5
    assert not any("three flashes" in point["chunk"].text for point in await place.points())


MAP = "apiVersion: v1\nkind: {}\nmetadata: {{name: lamps}}\nstringData: {{colour: green}}\n"


@pytest.mark.parametrize("what", ["a project", "a secret"])
async def test_what_comes_in_a_run_that_takes_something_out_stays(place, what):
    """The store is opened a second time then, to cut the cache down."""
    lamps = place.projects / "lighthouse/lamps.yaml"
    lamps.write_text(MAP.format("ConfigMap"))
    await place.index()
    assert any("green" in point["chunk"].text for point in await place.points())
    if what == "a project":
        shutil.rmtree(lamps.parent)
    else:
        lamps.write_text(MAP.format("Secret"))
    (place.projects / "harbour/tides.md").write_text("# Tides\n\nSpring tides flood the quay.\n")
    await place.index()
    seen = [point["chunk"] for point in await place.points()]
    assert any("Spring tides" in chunk.text for chunk in seen)
    assert not any("green" in chunk.text for chunk in seen)
    with DataFolder.open(place.data).reading() as generation:
        assert place.stored() == len(seen) == sum(project.chunks for project in generation.manifest.projects)


async def test_an_index_stays_where_it_was_made(place):
    await place.index()
    with pytest.raises(DataFolderError, match="are on a Qdrant server; the settings have them in the data folder"):
        open_indexer(place.data, CONFIG, profile="embedded")
    with pytest.raises(DataFolderError, match="another data folder"):
        await ask(place.data, QUESTION)
    folder = await embedded(place)
    with pytest.raises(DataFolderError, match="are in the data folder; the settings have them on a Qdrant server"):
        async with opened(folder, config=place.config):
            pass
    elsewhere = replace(place.config.vector, qdrant=replace(place.config.vector.qdrant, collection="elsewhere"))
    with pytest.raises(DataFolderError, match=r"in the collection 'chunks'; the settings name 'elsewhere'"):
        await open_vector_store(elsewhere, place.data / "generations/1/vectors", "n")


def test_an_index_has_our_own_names():
    theirs = QdrantSettings(payload={"text": "body"})
    with pytest.raises(ConfigError, match=r"vector\.qdrant.*which only evidence packs read"):
        QdrantStores(VectorSettings(store="qdrant", qdrant=theirs), EmbeddedStores())
