from __future__ import annotations

import pytest

from memory.errors import InvalidInputError
from memory.vector import DENSE_CODE, DENSE_DOCS, SPARSE_LEXICAL, Hit
from memory.vector.rrf import Ranked, fused, merged, reciprocal_rank
from tests.contracts.vector_store import dense, everything, fuse, make_chunk, sparse

CODE = dense([1, 0, 0, 0], using=DENSE_CODE)
DOCS = dense([1, 0, 0, 0])


def hits(*lines: int) -> list[Hit]:
    return [Hit(make_chunk(start=line), 1.0 - line / 1000) for line in lines]


def test_a_rank_is_worth_the_reciprocal_of_k_and_its_weighted_place():
    assert reciprocal_rank(0) == 1 / 60
    assert reciprocal_rank(1, k=2) == 1 / 3
    assert reciprocal_rank(3, k=10, weight=2.0) == 1 / (10 + 4 / 2 - 1)
    assert reciprocal_rank(0, k=1, weight=0.5) == 1 / (1 + 1 / 0.5 - 1)


def test_three_lists_by_hand():
    query = fuse(DOCS, CODE, sparse(1), k=10, weights=(1.0, 1.0, 0.5))
    merged = fused(query, [hits(1, 2), hits(3, 1), hits(2, 1, 4)])
    expected = {
        1: 1 / 10 + 1 / 11 + 1 / (10 + 2 / 0.5 - 1),
        2: 1 / 11 + 1 / (10 + 1 / 0.5 - 1),
        3: 1 / 10,
        4: 1 / (10 + 3 / 0.5 - 1),
    }
    assert [(hit.chunk.start_line, hit.score) for hit in merged] == [
        (line, round(expected[line], 6)) for line in (1, 2, 3, 4)
    ]
    assert [hit.routes for hit in merged] == [
        (DENSE_DOCS, DENSE_CODE, SPARSE_LEXICAL),
        (DENSE_DOCS, SPARSE_LEXICAL),
        (DENSE_CODE,),
        (SPARSE_LEXICAL,),
    ]


def test_who_leads_every_list_attains_the_best():
    query = fuse(DOCS, sparse(1), weights=(0.5, 0.3))
    (only,) = fused(query, [hits(1), hits(1)])
    assert only.score == round(1 / (60 + 1) + 1 / (60 + 1 / 0.3 - 1), 6)


def test_ids_alone_are_merged_alike_ties_by_id():
    query = fuse(DOCS, sparse(1), limit=3)
    assert merged(query, [[4, 9], [7, 2]]) == [
        Ranked(4, round(1 / 60, 6), (DENSE_DOCS,)),
        Ranked(7, round(1 / 60, 6), (SPARSE_LEXICAL,)),
        Ranked(2, round(1 / 61, 6), (SPARSE_LEXICAL,)),  # 9 is beyond the limit
    ]


def test_two_prefetches_of_one_vector_are_one_route():
    (only,) = fused(fuse(DOCS, DOCS), [hits(1), hits(1)])
    assert (only.routes, only.score) == ((DENSE_DOCS,), round(2 / 60, 6))


@pytest.mark.parametrize(
    ("prefetches", "rest"),
    [
        ((), {}),
        ((DOCS, everything()), {}),
        ((DOCS,), {"weights": (1.0, 2.0)}),
        ((DOCS,), {"weights": (0.0,)}),
        ((DOCS,), {"k": 0}),
    ],
)
def test_what_cannot_be_fused_is_refused(prefetches, rest):
    with pytest.raises(InvalidInputError):
        fuse(*prefetches, **rest)
