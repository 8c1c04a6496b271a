"""What every vector store promises. An adapter's test class inherits it and says in `store` how one is opened."""

from __future__ import annotations

import math
import uuid
from dataclasses import replace

import pytest

from memory.errors import StoreError
from memory.vector import (
    DENSE_CODE,
    DENSE_DOCS,
    IMAGE,
    SPARSE_LEXICAL,
    Chunk,
    Condition,
    FusedQuery,
    Point,
    SparseVector,
    VectorQuery,
    parse_filters,
)

DIMENSION = 4
VECTORS = {DENSE_DOCS: DIMENSION, DENSE_CODE: DIMENSION, IMAGE: DIMENSION}
BILLING = frozenset({"billing"})
BOTH = frozenset({"billing", "auth"})
UUID, EMAIL, KEY, RARE = 11, 12, 13, 14  # terms

# A filter and the first lines of the chunks it lets through.
FILTERS = [
    ({"project": "auth"}, [40]),
    ({"repo": ["acme/billing"]}, [1, 10, 20]),
    ({"path": {"$in": ["src/pay.py", "nowhere"]}}, [10]),
    ({"file": "billing/src/pay.py"}, [10]),
    ({"commit": "old"}, [20]),
    ({"corpus": "code"}, [10]),
    ({"lang": ["python", "sql"]}, [10, 20]),
    ({"chunk_kind": "table"}, [20]),
    ({"symbol": "PaymentGateway.charge"}, [10]),
    ({"start_line": 20}, [20]),
    ({"start_line": [1, 40]}, [1, 40]),
    ({"start_line": {"gte": 10, "lt": 40}}, [10, 20]),
    ({"end_line": {"gt": 14, "lte": 24}}, [20]),
    ({"corpus": "docs", "lang": "markdown"}, [1, 40]),
    ({"start_line": "20"}, []),
    ({"lang": 3}, []),
    ({"path": []}, []),
    ({}, [1, 10, 20, 40]),
]


def make_chunk(project: str = "billing", path: str = "docs/schema.md", start: int = 1, **changes: object) -> Chunk:
    chunk = Chunk(
        id=str(uuid.uuid5(uuid.NAMESPACE_URL, f"{project}/{path}:{start}")),
        project=project,
        repo=f"acme/{project}",
        path=path,
        commit="c0ffee",
        corpus="docs",
        lang="markdown",
        chunk_kind="doc",
        symbol="",
        section="Schema",
        start_line=start,
        end_line=start + 4,
        text=f"line {start} of {path}",
        header=f"{project} docs schema",
        text_hash="h",
    )
    return replace(chunk, **changes)


def make_point(
    chunk: Chunk,
    terms: dict[int, float] | None = None,
    docs: list[float] | None = None,
    code: list[float] | None = None,
) -> Point:
    terms = {KEY: 1.0} if terms is None else terms
    dense = {name: vector for name, vector in ((DENSE_DOCS, docs), (DENSE_CODE, code)) if vector is not None}
    return Point(chunk, SparseVector(tuple(terms), tuple(terms.values())), dense)


def dense(vector: list[float], limit: int = 10, using: str = DENSE_DOCS, **rest: object) -> VectorQuery:
    return VectorQuery(using, vector, limit, **rest)


def sparse(*terms: int, limit: int = 10, **rest: object) -> VectorQuery:
    return VectorQuery(SPARSE_LEXICAL, SparseVector(terms, (1.0,) * len(terms)), limit, **rest)


def fuse(*prefetches: VectorQuery, limit: int = 10, **rest: object) -> FusedQuery:
    return FusedQuery(prefetches, limit, **rest)


def everything(limit: int = 100, **rest: object) -> VectorQuery:
    return VectorQuery(DENSE_DOCS, None, limit, **rest)


def bm25_idf(population: int, holding: int) -> float:
    return math.log((population - holding + 0.5) / (holding + 0.5) + 1)


def shown(hits):
    return [(hit.chunk.project, hit.chunk.path, hit.chunk.start_line) for hit in hits]


class VectorStoreContract:
    """Inherit it, and give a fixture `store`: an empty store for the vectors of VECTORS."""

    async def one(self, store, query, permission=BOTH):
        return (await store.query_batch([query], permission=permission))[0]

    @pytest.mark.specification("001 §4.3 search", "003 §8 store")
    async def test_dense_hits_come_best_first_with_their_cosine_and_their_whole_chunk(self, store):
        right, near, far = (make_chunk(start=start) for start in (1, 10, 20))
        await store.upsert(
            [
                make_point(far, docs=[0.0, 1.0, 0.0, 0.0]),
                make_point(near, docs=[3.0, 4.0, 0.0, 0.0]),
                make_point(right, docs=[2.0, 0.0, 0.0, 0.0]),
            ]
        )
        hits = await self.one(store, dense([1.0, 0.0, 0.0, 0.0]))
        assert [hit.chunk for hit in hits] == [right, near, far]
        assert [hit.score for hit in hits] == [1.0, 0.6, 0.0]

    @pytest.mark.specification("003 REQ-0043 sparse")
    async def test_sparse_scores_are_term_weights_times_idf(self, store):
        await store.upsert(
            [
                make_point(make_chunk(start=1), {UUID: 1.5, KEY: 1.0}),
                make_point(make_chunk(start=10), {KEY: 1.0}),
                make_point(make_chunk(start=20), {EMAIL: 1.0}),
            ]
        )
        hits = await self.one(store, sparse(UUID, KEY))
        uuid_idf, key_idf = math.log(2.5 / 1.5 + 1), math.log(1.5 / 2.5 + 1)  # 3 points, 1 and 2 of them hold it
        assert shown(hits) == [("billing", "docs/schema.md", 1), ("billing", "docs/schema.md", 10)]
        assert [hit.score for hit in hits] == pytest.approx([1.5 * uuid_idf + key_idf, key_idf], abs=2e-6)

    @pytest.mark.specification("003 §7 multimodal")
    async def test_pictures_have_a_vector_of_their_own_and_no_terms(self, store):
        picture = make_chunk(path="docs/map.png", start=0, end_line=0, chunk_kind="image", lang="image")
        text = make_chunk(start=1)
        await store.upsert([Point(picture, SparseVector((), ()), {IMAGE: [1.0, 0.0, 0.0, 0.0]})])
        await store.upsert([make_point(text, {KEY: 1.0}, docs=[1.0, 0.0, 0.0, 0.0])])
        await store.set_dense({text.id: {IMAGE: [3.0, 4.0, 0.0, 0.0]}})
        asked = [1.0, 0.0, 0.0, 0.0]
        kinds = [parse_filters({"chunk_kind": kind}) for kind in ("image", "doc")]
        queries = [dense(asked, using=IMAGE, conditions=kind) for kind in kinds]
        answers = await store.query_batch([*queries, dense(asked), sparse(KEY), fuse(*queries)], permission=BOTH)
        assert [[hit.chunk for hit in hits] for hits in answers[:4]] == [[picture], [text], [text], [text]]
        assert [hits[0].score for hits in answers[:3]] == [1.0, 0.6, 1.0]
        assert {hit.chunk.id for hit in answers[4]} == {picture.id, text.id}

    async def test_scores_have_six_places(self, store):
        await store.upsert([make_point(make_chunk(), {UUID: 0.123456789}, docs=[0.3, 0.2, 0.1, 0.7])])
        answers = await store.query_batch([sparse(UUID), dense([0.1, 0.2, 0.3, 0.4])], permission=BOTH)
        assert all(hit.score == round(hit.score, 6) for (hit,) in answers)

    async def test_a_forbidden_project_changes_neither_hits_nor_scores(self, store):
        own = [
            make_point(make_chunk(start=start), {UUID: 1.0, start: 1.0}, docs=[1.0, start, 0, 0]) for start in (1, 30)
        ]
        await store.upsert(own)
        queries = [sparse(UUID, 1), dense([1.0, 0.0, 0.0, 0.0]), everything()]
        before = await store.query_batch(queries, permission=BILLING)
        await store.upsert(
            [make_point(make_chunk("auth", start=n), {UUID: 9.0}, docs=[1, 0, 0, 0]) for n in range(1, 30)]
        )
        assert await store.query_batch(queries, permission=BILLING) == before
        assert await store.count(permission=BILLING) == 2
        assert await store.count(permission=BOTH) == 31

    async def test_a_query_s_own_filter_does_not_change_the_idf(self, store):
        await store.upsert(
            [
                make_point(make_chunk(start=1), {UUID: 1.0}),
                make_point(make_chunk("auth", start=1), {UUID: 1.0}),
                make_point(make_chunk("auth", start=9), {KEY: 1.0}),
            ]
        )
        (hit,) = await self.one(store, sparse(UUID, conditions=(Condition("project", ("billing",)),)))
        assert hit.score == pytest.approx(bm25_idf(3, 2), abs=2e-6)

    @pytest.mark.specification("003 §8 store")
    async def test_what_is_deleted_no_longer_counts_in_the_idf(self, store):
        await store.upsert([make_point(make_chunk(path=f"{n}.md"), {UUID: 1.0}) for n in range(4)])
        await store.upsert([make_point(make_chunk(path="other.md"), {KEY: 1.0})])
        await store.delete_files("billing", ["1.md", "2.md", "3.md"])
        (hit,) = await self.one(store, sparse(UUID))
        assert hit.score == pytest.approx(bm25_idf(2, 1), abs=2e-6)

    async def test_an_empty_permission_answers_with_nothing(self, store):
        await store.upsert([make_point(make_chunk(), docs=[1, 0, 0, 0])])
        nobody: frozenset[str] = frozenset()
        assert await store.query_batch([dense([1, 0, 0, 0]), everything()], permission=nobody) == [[], []]
        assert await store.file_chunks("billing", ["docs/schema.md"], permission=nobody) == []
        assert await store.count(permission=nobody) == 0

    async def test_no_queries_no_answers(self, store):
        assert await store.query_batch([], permission=BOTH) == []

    @pytest.mark.specification("000 §6.1 syntax", "003 §3 filters")
    async def test_filters(self, store):
        await store.upsert(
            [
                make_point(make_chunk(start=1)),
                make_point(
                    make_chunk(
                        path="src/pay.py", start=10, corpus="code", lang="python", symbol="PaymentGateway.charge"
                    )
                ),
                make_point(make_chunk(path="schema.sql", start=20, lang="sql", chunk_kind="table", commit="old")),
                make_point(make_chunk("auth", start=40)),
            ]
        )
        for filters, starts in FILTERS:
            conditions = parse_filters(filters)
            found = await store.query_batch(
                [sparse(KEY, conditions=conditions), everything(conditions=conditions)], permission=BOTH
            )
            lines = [sorted(hit.chunk.start_line for hit in hits) for hits in found]
            assert lines == [starts, starts], filters

    @pytest.mark.specification("003 §3 filters")
    async def test_chunks_by_id(self, store):
        points = [make_point(make_chunk(start=line)) for line in (1, 10, 20)]
        await store.upsert(points)
        wanted = tuple(sorted(point.chunk.id for point in points[:2]))
        by_id = VectorQuery("", None, 50, (Condition("id", any_of=wanted),), (DENSE_DOCS, SPARSE_LEXICAL))
        [found] = await store.query_batch([by_id], permission=BOTH)
        assert [hit.chunk.id for hit in found] == list(wanted)
        assert all(hit.sparse is not None for hit in found)
        assert await store.query_batch([by_id], permission=frozenset({"nobody"})) == [[]]
        for ids, starts in ((["no id", wanted[0]], 1), ("no id", 0), ([], 0)):
            conditions = parse_filters({"id": ids})
            found = await store.query_batch(
                [sparse(KEY, conditions=conditions), everything(conditions=conditions)], permission=BOTH
            )
            assert [[hit.chunk.id for hit in hits] for hits in found] == [list(wanted)[:starts]] * 2

    async def test_a_filter_never_widens_the_permission(self, store):
        await store.upsert([make_point(make_chunk("auth"))])
        assert await self.one(store, everything(conditions=(Condition("project", ("auth",)),)), BILLING) == []

    async def test_ties_are_in_the_order_of_their_ids_whatever_the_order_they_came_in(self, store):
        chunks = [make_chunk(start=start) for start in range(1, 41)]
        await store.upsert([make_point(chunk, docs=[1, 0, 0, 0]) for chunk in chunks])
        ids = sorted(chunk.id for chunk in chunks)
        for limit in (1, 10, 39, 40, 50):
            answers = await store.query_batch(
                [sparse(KEY, limit=limit), dense([1, 0, 0, 0], limit), everything(limit)], permission=BOTH
            )
            assert [[hit.chunk.id for hit in hits] for hits in answers] == [ids[:limit]] * 3

    async def test_a_tie_at_the_limit_below_better_hits_is_cut_by_id(self, store):
        best = make_chunk(start=1000)
        tied = [make_chunk(start=start) for start in range(1, 60)]
        await store.upsert([make_point(chunk, docs=[1, 1, 0, 0]) for chunk in tied])
        await store.upsert([make_point(best, docs=[1, 0, 0, 0])])
        hits = await self.one(store, dense([1, 0, 0, 0], 3))
        assert [hit.chunk.id for hit in hits] == [best.id, *sorted(chunk.id for chunk in tied)[:2]]

    async def test_points_without_a_dense_vector_are_found_by_words_and_get_it_later(self, store):
        late, other = make_chunk(start=1), make_chunk(start=10)
        await store.upsert([make_point(late, {UUID: 1.0}), make_point(other, docs=[0, 1, 0, 0])])
        query = dense([1, 0, 0, 0], with_vectors=(DENSE_DOCS, SPARSE_LEXICAL))
        assert [hit.chunk for hit in await self.one(store, query)] == [other]
        await store.set_dense({late.id: {DENSE_DOCS: [2.0, 0.0, 0.0, 0.0]}})
        first, second = await self.one(store, query)
        assert (first.chunk, first.score, second.chunk) == (late, 1.0, other)
        assert first.dense[DENSE_DOCS] == pytest.approx([1, 0, 0, 0])
        assert first.sparse == SparseVector((UUID,), (1.0,))

    async def test_dense_vectors_for_a_point_nobody_added_are_refused(self, store):
        with pytest.raises(StoreError):
            await store.set_dense({str(uuid.uuid4()): {DENSE_DOCS: [1.0, 0.0, 0.0, 0.0]}})

    async def test_each_named_vector_is_searched_apart(self, store):
        docs, code = make_chunk(start=1), make_chunk(path="a.py", corpus="code")
        await store.upsert([make_point(docs, docs=[1, 0, 0, 0]), make_point(code, code=[1, 0, 0, 0])])
        answers = await store.query_batch([dense([1, 0, 0, 0]), dense([1, 0, 0, 0], using=DENSE_CODE)], permission=BOTH)
        assert [[hit.chunk for hit in hits] for hits in answers] == [[docs], [code]]

    async def test_vectors_come_back_only_where_they_are_asked_for(self, store):
        await store.upsert([make_point(make_chunk(), {UUID: 0.5}, docs=[1, 0, 0, 0], code=[0, 1, 0, 0])])
        bare, some = await store.query_batch([sparse(UUID), everything(with_vectors=(DENSE_CODE,))], permission=BOTH)
        assert (dict(bare[0].dense), bare[0].sparse) == ({}, None)
        assert (list(some[0].dense), some[0].sparse, some[0].score) == ([DENSE_CODE], None, 0.0)

    @pytest.mark.specification("003 §8 store")
    async def test_upsert_replaces_the_whole_point(self, store):
        chunk = make_chunk()
        await store.upsert([make_point(chunk, {UUID: 1.0}, docs=[1, 0, 0, 0])])
        await store.upsert([make_point(replace(chunk, commit="beef"), {EMAIL: 1.0})])
        answers = await store.query_batch([sparse(UUID), sparse(EMAIL), dense([1, 0, 0, 0])], permission=BOTH)
        assert [len(hits) for hits in answers] == [0, 1, 0]
        assert answers[1][0].chunk.commit == "beef"
        assert await store.count(permission=BOTH) == 1

    async def test_what_is_stored_beside_a_chunk_comes_back_with_it(self, store):
        beside = {"chunk_index": 3, "made": "then", "share": 0.5}
        plain, marked = make_chunk(start=1), make_chunk(start=10)
        point = replace(make_point(marked, {KEY: 1.0}, docs=[1, 0, 0, 0]), extra=beside)
        await store.upsert([make_point(plain, docs=[0, 1, 0, 0]), point])
        lists = await store.query_batch(
            [dense([1, 0, 0, 0]), sparse(KEY), everything(), fuse(dense([1, 0, 0, 0]))], permission=BILLING
        )
        for hits in lists:
            assert {hit.chunk: hit.extra for hit in hits} == {marked: beside, plain: {}}
        again = await store.query_batch([dense([1, 0, 0, 0])], permission=BILLING)
        assert again == lists[:1]

    async def test_a_query_without_words_or_with_unknown_ones_finds_nothing(self, store):
        await store.upsert([make_point(make_chunk(), {UUID: 1.0}), make_point(make_chunk(start=9), {})])
        assert await store.query_batch([sparse(), sparse(RARE)], permission=BOTH) == [[], []]
        assert await store.count(permission=BOTH) == 2

    async def three_ranked(self, store):
        """Chunks at 1, 10, 20: so ranked for DENSE_DOCS [1, 0, 0, 0], and 20, 1 for the word UUID."""
        await store.upsert(
            [
                make_point(make_chunk(start=1), {UUID: 1.0}, docs=[1, 0, 0, 0]),
                make_point(make_chunk(start=10), {KEY: 1.0}, docs=[2, 1, 0, 0]),
                make_point(make_chunk(start=20), {UUID: 2.0}, docs=[1, 1, 0, 0]),
            ]
        )

    @pytest.mark.specification("003 REQ-0048 RRF", "003 §8 fusion", "000 §5.1 fusion")
    async def test_fused_scores_are_sums_of_reciprocal_ranks(self, store):
        await self.three_ranked(store)
        hits = await self.one(store, fuse(dense([1, 0, 0, 0]), sparse(UUID)))
        assert [hit.chunk.start_line for hit in hits] == [1, 20, 10]
        #                                                 ranks 0 and 1    ranks 2 and 0    rank 1
        assert [hit.score for hit in hits] == [round(score, 6) for score in (1 / 60 + 1 / 61, 1 / 62 + 1 / 60, 1 / 61)]
        assert [hit.routes for hit in hits] == [
            (DENSE_DOCS, SPARSE_LEXICAL),
            (DENSE_DOCS, SPARSE_LEXICAL),
            (DENSE_DOCS,),
        ]

    @pytest.mark.specification("003 §8 fusion", "003 REQ-0048 RRF", "000 §5.1 fusion")
    async def test_k_is_the_weight_of_the_lower_ranks(self, store):
        await self.three_ranked(store)
        hits = await self.one(store, fuse(dense([1, 0, 0, 0]), sparse(UUID), k=2))
        assert [hit.chunk.start_line for hit in hits] == [1, 20, 10]
        assert [hit.score for hit in hits] == [round(score, 6) for score in (1 / 2 + 1 / 3, 1 / 4 + 1 / 2, 1 / 3)]

    @pytest.mark.specification("003 §8 fusion", "003 REQ-0048 RRF")
    async def test_a_weight_divides_the_ranks_of_its_prefetch(self, store):
        await self.three_ranked(store)
        hits = await self.one(store, fuse(dense([1, 0, 0, 0]), sparse(UUID), k=2, weights=(0.25, 2.0)))
        assert [hit.chunk.start_line for hit in hits] == [20, 1, 10]
        last, first = 1 / (2 + 3 / 0.25 - 1) + 1 / (2 + 1 / 2 - 1), 1 / (2 + 1 / 0.25 - 1) + 1 / (2 + 2 / 2 - 1)
        assert [hit.score for hit in hits] == [round(score, 6) for score in (last, first, 1 / (2 + 2 / 0.25 - 1))]

    async def test_a_fused_list_has_its_limit_and_each_prefetch_its_own(self, store):
        await self.three_ranked(store)
        answers = await store.query_batch(
            [fuse(dense([1, 0, 0, 0], 1), sparse(UUID, limit=1)), fuse(dense([1, 0, 0, 0]), sparse(UUID), limit=1)],
            permission=BOTH,
        )
        assert [sorted(hit.chunk.start_line for hit in hits) for hits in answers] == [[1, 20], [1]]

    @pytest.mark.specification("000 §1.3 filters", "000 §6.2 propagation")
    async def test_global_conditions_hold_in_every_prefetch_and_its_own_in_one(self, store):
        await self.three_ranked(store)
        later = parse_filters({"start_line": {"gte": 10}})
        hits = await self.one(store, fuse(dense([1, 0, 0, 0], 1), sparse(UUID, limit=1), conditions=later))
        assert {hit.chunk.start_line: hit.routes for hit in hits} == {10: (DENSE_DOCS,), 20: (SPARSE_LEXICAL,)}
        hits = await self.one(store, fuse(dense([1, 0, 0, 0], conditions=later), sparse(UUID)))
        assert [(hit.chunk.start_line, len(hit.routes)) for hit in hits] == [(20, 2), (10, 1), (1, 1)]

    async def test_the_permission_holds_in_every_prefetch(self, store):
        await self.three_ranked(store)
        query = fuse(dense([1, 0, 0, 0], 2), sparse(UUID, limit=2))
        before = await self.one(store, query, BILLING)
        await store.upsert(
            [make_point(make_chunk("auth", start=n), {UUID: 9.0}, docs=[1, 0, 0, 0]) for n in range(1, 30)]
        )
        assert await self.one(store, query, BILLING) == before
        assert {hit.chunk.project for hit in await self.one(store, query)} == {"auth"}
        assert await store.query_batch([query], permission=frozenset()) == [[]]

    async def test_fused_ties_are_in_the_order_of_ids_whatever_the_order_they_came_in(self, store):
        points = [make_point(make_chunk(start=n), {KEY: 1.0 + (n == 7)}, docs=[1, n % 3, 0, 0]) for n in range(1, 31)]
        query = fuse(dense([1, 0, 0, 0], 6), sparse(KEY, limit=25), limit=9)
        answers = []
        for order in (points, points[::-1], points[1::2] + points[::2]):
            await store.delete_project("billing")
            await store.upsert(order)
            answers += [await self.one(store, query) for _ in range(2)]
        ids = sorted(point.chunk.id for point in points)
        by_dense = sorted(point.chunk.id for point in points if point.chunk.start_line % 3 == 0)[:6]
        best = make_chunk(start=7).id
        by_word = [best, *(id_ for id_ in ids if id_ != best)][:25]
        scores = {
            id_: sum(1 / (60 + ranks.index(id_)) for ranks in (by_dense, by_word) if id_ in ranks)
            for id_ in {*by_dense, *by_word}
        }
        expected = sorted(scores, key=lambda id_: (-round(scores[id_], 6), id_))[:9]
        assert [[hit.chunk.id for hit in hits] for hits in answers] == [expected] * 6
        assert answers == [answers[0]] * 6

    async def test_fused_and_plain_queries_share_a_batch(self, store):
        await self.three_ranked(store)
        query = fuse(dense([1, 0, 0, 0], with_vectors=(DENSE_DOCS,)), sparse(UUID))
        fused, plain, listed = await store.query_batch([query, sparse(UUID), everything(1)], permission=BOTH)
        assert [len(hits) for hits in (fused, plain, listed)] == [3, 2, 1]
        assert all(list(hit.dense) == [DENSE_DOCS] for hit in fused)
        assert all(hit.routes == () and hit.dense == {} for hit in (*plain, *listed))

    async def test_search_parameters_are_taken_with_each_search(self, store):
        await self.three_ranked(store)
        walked = dense([1, 0, 0, 0], hnsw_ef=256, exact=False)
        alone, in_prefetch = await store.query_batch([walked, fuse(walked, sparse(UUID))], permission=BOTH)
        assert [hit.chunk.start_line for hit in alone] == [1, 10, 20]
        assert [hit.chunk.start_line for hit in in_prefetch] == [1, 20, 10]

    async def test_the_chunks_of_files_come_by_path_and_line(self, store):
        chunks = [
            make_chunk(path=path, start=start) for path, start in (("b.md", 90), ("b.md", 1), ("a.md", 5), ("c.md", 1))
        ]
        await store.upsert([make_point(chunk) for chunk in [*chunks, make_chunk("auth", path="a.md")]])
        found = await store.file_chunks("billing", ["b.md", "a.md", "none.md"], permission=BOTH)
        assert shown_chunks(found) == [("billing", "a.md", 5), ("billing", "b.md", 1), ("billing", "b.md", 90)]
        assert await store.file_chunks("billing", [], permission=BOTH) == []
        assert await store.file_chunks("auth", ["a.md"], permission=BILLING) == []

    @pytest.mark.specification("003 §8 store")
    async def test_deleting_files_and_projects_leaves_the_rest(self, store):
        chunks = [make_chunk(path="a.md"), make_chunk(path="b.md"), make_chunk("auth", path="a.md")]
        await store.upsert([make_point(chunk) for chunk in chunks])
        await store.delete_files("billing", ["a.md", "unknown.md"])
        assert set(shown(await self.one(store, everything()))) == {("billing", "b.md", 1), ("auth", "a.md", 1)}
        await store.delete_files("billing", [])
        await store.delete_project("auth")
        assert shown(await self.one(store, everything())) == [("billing", "b.md", 1)]
        await store.delete_project("nobody")

    async def test_more_points_than_one_page(self, store):
        chunks = [make_chunk(path="long.md", start=start) for start in range(1, 1203)]
        await store.upsert([make_point(chunk) for chunk in chunks])
        assert await store.file_chunks("billing", ["long.md"], permission=BOTH) == chunks
        assert len(await self.one(store, everything(1100))) == 1100

    async def test_a_closed_store_says_so(self, store):
        await store.upsert([make_point(make_chunk())])
        await store.close()
        await store.close()
        with pytest.raises(StoreError):
            await store.count(permission=BOTH)
        with pytest.raises(StoreError):
            await store.upsert([make_point(make_chunk())])


def shown_chunks(chunks):
    return [(chunk.project, chunk.path, chunk.start_line) for chunk in chunks]
