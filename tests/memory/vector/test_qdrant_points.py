from __future__ import annotations

import uuid
from hashlib import blake2b

from memory.vector.qdrant_points import FOREVER, PointsOfGeneration

MINE = PointsOfGeneration("mine", 4)
IDS = sorted(str(uuid.uuid5(uuid.NAMESPACE_URL, str(number))) for number in range(200))


def test_a_point_s_id_is_the_chunk_s_first_half_and_a_hash_of_whose_it_is():
    chunk = IDS[7]
    half = blake2b(f"mine/4/{chunk}".encode(), digest_size=8).hexdigest()
    assert MINE.point_id(chunk) == str(uuid.UUID(chunk.replace("-", "")[:16] + half))


def test_points_are_in_the_order_of_their_chunks():
    points = [MINE.point_id(chunk) for chunk in IDS]
    assert points == sorted(points)


def test_each_index_and_each_generation_has_points_of_its_own():
    generations = [MINE, PointsOfGeneration("mine", 5), PointsOfGeneration("other", 4)]
    assert len({generation.point_id(IDS[0]) for generation in generations}) == 3
    assert MINE.point_id(IDS[0]) == PointsOfGeneration("mine", 4).point_id(IDS[0])


def test_a_new_point_has_no_end():
    assert MINE.payload(IDS[0]) == {"chunk": IDS[0], "since": 4, "until": FOREVER}


def passing(filter_, points):
    """Which of these (since, until) of the index pass a filter."""
    namespace, condition = filter_.must
    assert (namespace.key, namespace.match.value) == ("namespace", "mine")
    return [point for point in points if holds(condition, point)]


def holds(condition, point):
    value, within = dict(zip(("since", "until"), point, strict=True))[condition.key], condition.range
    return (
        (within.lte is None or value <= within.lte)
        and (within.gt is None or value > within.gt)
        and (within.lt is None or value < within.lt)
    )


def test_which_points_a_generation_has_and_which_are_settled():
    old, ending, lasting, coming = (1, 4), (2, 5), (4, FOREVER), (5, FOREVER)
    points = [old, ending, lasting, coming]
    assert [point for point in points if all(holds(one, point) for one in MINE.conditions())] == [ending, lasting]
    assert passing(MINE.begun_after(), points) == [coming]
    assert passing(MINE.to_end_after(), points) == [ending]
    assert passing(MINE.ended_by(), points) == [old]
