"""What a question or a picture becomes before it reaches the store, and what is said when it can't."""

from __future__ import annotations

import anyio
import pytest

from configs.settings import EvidenceSettings
from facades.hybrid.ranking import FusionParameters
from facades.hybrid.search import FusedSearch
from memory.clock import VirtualClock
from memory.embedders import FakeDenseEmbedder, FakeImageEmbedder
from memory.errors import ConfigError, ModelError, StoreError
from memory.hosted import RequestRate
from memory.vector import DENSE_CODE, DENSE_DOCS, IMAGE, SPARSE_LEXICAL, Condition, FakeVectorStore, parse_filters
from tests.facades.hybrid.making import parts
from tests.memory.embedders.test_images import picture

EVERYBODY = frozenset({"physics", "garden"})
PICTURES = parse_filters({"chunk_kind": "image"})
CONDITIONS = parse_filters({"project": "physics"})


@pytest.fixture
def anyio_backend():
    return "asyncio"


class Recording(FakeVectorStore):
    """Finds nothing, and keeps what it was asked."""

    def __init__(self):
        super().__init__()
        self.asked = []

    async def query_batch(self, queries, *, permission):
        self.asked += queries
        return await super().query_batch(queries, permission=permission)


async def search(*, candidates=50, parameters=None, clock=None, per_minute=0, settings=None, **changes):
    rate = RequestRate(per_minute, clock or VirtualClock())
    settings = settings or EvidenceSettings()
    given = await parts(**changes)
    return FusedSearch(given, parameters or FusionParameters(), settings, candidates=candidates, rate=rate)


async def of_text(search, query="red rose", conditions=CONDITIONS, *, sparse=True, limit=7):
    return await search.of_text(query, EVERYBODY, conditions, sparse=sparse, wanted=3, limit=limit)


async def test_a_question_is_one_list_a_model():
    store = Recording()
    face = await search(store=store, image_texts=FakeDenseEmbedder())
    assert (await of_text(face)).documents == []
    [fused] = store.asked
    assert [leg.using for leg in fused.prefetches] == [DENSE_DOCS, DENSE_CODE, SPARSE_LEXICAL, IMAGE]
    assert {leg.limit for leg in fused.prefetches} == {50}
    assert (fused.limit, fused.k, fused.weights, fused.conditions) == (7, 60, (0.5, 0.5, 0.3, 0.5), CONDITIONS)
    [dense] = (await FakeDenseEmbedder().embed_queries(["red rose"])).tolist()
    assert [leg.vector for leg in fused.prefetches if leg.using != SPARSE_LEXICAL] == [dense] * 3
    await of_text(face, sparse=False, limit=80)
    assert [leg.using for leg in store.asked[1].prefetches] == [DENSE_DOCS, DENSE_CODE]
    assert {leg.limit for leg in store.asked[1].prefetches} == {80}  # never fewer than are asked for


async def test_a_question_without_words_has_no_list_of_words():
    store = Recording()
    await of_text(await search(store=store), "?!")
    assert [leg.using for leg in store.asked[0].prefetches] == [DENSE_DOCS, DENSE_CODE]


@pytest.mark.parametrize(
    ("kinds", "searched"),
    [
        ({"chunk_kind": "image"}, [IMAGE]),
        ({"chunk_kind": ["image", "doc"]}, [DENSE_DOCS, DENSE_CODE, SPARSE_LEXICAL, IMAGE]),
        ({"chunk_kind": "doc"}, [DENSE_DOCS, DENSE_CODE, SPARSE_LEXICAL]),
    ],
)
async def test_only_what_can_hold_is_searched(kinds, searched):
    store = Recording()
    await of_text(await search(store=store, image_texts=FakeDenseEmbedder()), conditions=parse_filters(kinds))
    assert [leg.using for leg in store.asked[0].prefetches] == searched


async def test_a_picture_is_looked_for_among_pictures_and_among_texts():
    store = Recording()
    face = await search(store=store, images=FakeImageEmbedder(), parameters=FusionParameters(k=9, dense=0.7))
    await face.of_image(picture("red"), EVERYBODY, CONDITIONS, limit=4)
    [fused] = store.asked
    [vector] = (await FakeImageEmbedder().embed_images([picture("red")])).tolist()
    assert [(leg.using, leg.vector, leg.limit) for leg in fused.prefetches] == [(IMAGE, vector, 4)] * 2
    pictures, texts = (leg.conditions for leg in fused.prefetches)
    assert pictures == (Condition("chunk_kind", any_of=("image",)),)
    [condition] = texts
    assert not condition.holds("image")
    assert all(condition.holds(kind) for kind in ("doc", "code", "test", "table"))
    assert (fused.limit, fused.k, fused.weights, fused.conditions) == (4, 9, (0.7, 0.7), CONDITIONS)


async def test_the_threshold_keeps_what_attains_it_and_counts_the_rest():
    everything = await of_text(await search(parameters=FusionParameters(min_score_threshold=0.0)), "tides", ())
    scores = [one.score for one in everything.documents]
    assert scores == sorted(scores, reverse=True)
    least = scores[1]
    kept = sum(score >= least for score in scores)
    face = await search(parameters=FusionParameters(min_score_threshold=least))
    found = await face.of_text("tides", EVERYBODY, (), sparse=True, wanted=kept + 1, limit=7)
    assert [one.score for one in found.documents] == scores[:kept]
    assert found.notes == (f"{len(scores) - kept} more below the score of {least:g} left out",)
    enough = await face.of_text("tides", EVERYBODY, (), sparse=True, wanted=kept, limit=7)
    assert (enough.notes, enough.failed, len(enough.documents)) == ((), False, kept)


@pytest.mark.specification("003 §5 threshold")
async def test_where_vectors_are_awaited_nothing_is_left_out_for_its_score():
    face = await search(parameters=FusionParameters(min_score_threshold=1.0), embedded=0.25)
    found = await of_text(face, "tides", ())
    assert found.documents
    assert found.failed  # and so is not remembered
    assert found.notes == (
        "25% of the chunks have their vectors, the others are found by words alone: no score is too low",
    )


async def test_one_model_for_both_corpora_is_one_call_of_the_rate_and_two_are_two():
    clock = VirtualClock()
    await of_text(await search(clock=clock, per_minute=1))
    assert clock.seconds == 0.0
    await of_text(await search(clock=clock, per_minute=1, code=FakeDenseEmbedder(32), store=Recording()))
    assert clock.seconds == 60.0
    await of_text(await search(clock=clock, per_minute=1, image_texts=FakeDenseEmbedder()))
    assert clock.seconds == 120.0  # the pictures' space too


async def test_a_question_s_vectors_are_remembered():
    clock = VirtualClock()
    face = await search(clock=clock, per_minute=2, image_texts=FakeDenseEmbedder())
    for _ in range(3):
        await of_text(face)
    assert clock.seconds == 0.0
    await of_text(face, "another question")
    assert clock.seconds == 60.0


class HangingStore(FakeVectorStore):
    async def query_batch(self, queries, *, permission):
        await anyio.sleep_forever()


class Hanging(FakeDenseEmbedder):
    async def embed_queries(self, texts):
        await anyio.sleep_forever()


class HangingImages(FakeImageEmbedder):
    async def embed_images(self, images):
        await anyio.sleep_forever()


LATE = EvidenceSettings(embedding_timeout_ms=5)


async def test_what_is_late_is_said_as_it_is():
    with pytest.raises(StoreError) as met:
        await of_text(await search(store=HangingStore(), settings=EvidenceSettings(search_timeout_ms=4)))
    assert (met.value.message, met.value.hint) == ("The vector store gave no answer within 4 ms.", "Try again.")
    with pytest.raises(ModelError) as met_too:
        await (await search(images=HangingImages(), settings=LATE)).of_image(b"", EVERYBODY, (), limit=1)
    assert met_too.value.message == "The image model did not embed the picture within 5 ms."
    assert met_too.value.hint == "Try again."
    with pytest.raises(ModelError) as met_last:
        await of_text(await search(image_texts=Hanging(), settings=LATE), conditions=PICTURES)
    assert met_last.value.message == "image failed: The image model did not embed the question within 5 ms."
    assert met_last.value.hint == "Run: hybrid-retrieval doctor"


async def test_a_dense_model_that_hangs_is_left_out():
    settings = EvidenceSettings(embedding_timeout_ms=200)
    found = await of_text(await search(store=Recording(), docs=Hanging(32), settings=settings), conditions=())
    assert "dense_docs failed: fake-bag-of-words gave no answer within 0.2 s." in "; ".join(found.notes)
    assert found.failed


class LateClock(VirtualClock):
    """Sleeps as long as it is asked to, in the loop's own time, a thousandth of it."""

    async def sleep(self, seconds):
        await super().sleep(seconds)
        await anyio.sleep(seconds / 1000)


async def test_a_question_that_the_rate_holds_back_has_its_model_s_whole_time():
    settings = EvidenceSettings(embedding_timeout_ms=20)
    face = await search(clock=LateClock(), per_minute=1, store=Recording(), settings=settings)
    await of_text(face, conditions=())
    found = await of_text(face, "another question", conditions=())  # held back for 60 ms of the loop's time
    assert (found.failed, found.notes) == (False, ())


async def test_filters_that_nothing_passes_are_said():
    nowhere = parse_filters({"path": "nowhere.md"})
    found = await of_text(await search(), conditions=nowhere)
    assert (found.documents, found.notes, found.failed) == ([], ("nothing was found that passes the filters",), False)
    assert (await of_text(await search(store=Recording()), conditions=())).notes == ()


@pytest.mark.specification("003 §7 multimodal")
@pytest.mark.parametrize(
    ("kind", "sparse", "note"),
    [
        ("image", False, "pictures are searched by the strategy 'hybrid' alone"),
        ("nonsense", True, "no chunk is of the kind that the filters ask for"),
        ("nonsense", False, "no chunk is of the kind that the filters ask for"),
    ],
)
async def test_why_nothing_is_searched_is_said_as_it_is(kind, sparse, note):
    face = await search(image_texts=FakeDenseEmbedder(), images=FakeImageEmbedder())
    found = await of_text(face, conditions=(Condition("chunk_kind", any_of=(kind,)),), sparse=sparse)
    assert (found.documents, found.notes) == ([], (note,))


async def test_pictures_without_a_model():
    found = await of_text(await search(), conditions=PICTURES)
    assert found.notes == ("there is no image model (vector.image_model): no picture was indexed",)
    assert (found.documents, found.failed) == ([], False)
    with pytest.raises(ConfigError) as met:
        await (await search()).of_image(b"", EVERYBODY, (), limit=1)
    assert met.value.message == "settings: vector.image_model: there is none."
    assert met.value.hint == "Set it, and index once more."
