"""Nothing disappears without a reason."""

from __future__ import annotations

from dataclasses import replace

from configs.settings import RankingSettings
from memory.observations import Location, VectorObservation
from memory.shared import MemoryEntry
from merging import Dropped, ResultMerger


def entry(number, content, path, line=1, project="p"):
    at = Location(project, path, line, line + 1)
    observation = VectorObservation(content, path, project, 1.0 - number / 100, None, "code", (at,))
    return MemoryEntry(str(number), content, "vector", 0.5, True, observation)  # noqa: FBT003 - a positional field


def merged(entries, permission=None, **limits):
    return ResultMerger(RankingSettings(), **limits).merge_entries(entries, permission)


def test_what_is_shown_is_not_dropped():
    assert merged([entry(0, "apples are red", "a.py")]).dropped == ()


def test_what_became_of_the_others_is_worked_out_when_asked_for():
    result = merged([entry(0, "apples are red", "a.py"), entry(1, "apples are red", "b.py")])
    assert replace(result, trace=tuple).dropped == ()
    assert replace(result, trace=tuple) == result
    assert result.dropped == result.dropped != ()


def test_a_copy_was_folded_into_what_was_kept():
    result = merged([entry(0, "apples are red", "a.py"), entry(1, "apples are red", "b.py")])
    [kept] = result.observations
    [gone] = result.dropped
    assert gone == Dropped(gone.id, "vector", "deduplicate", kept.id, Location("p", "b.py", 1, 2))
    assert kept.duplicates[0].location == gone.location


def test_a_hit_in_the_same_file_was_folded_into_its_best():
    result = merged([entry(0, "apples are red", "a.py"), entry(1, "pears hang on other trees", "a.py", line=9)])
    [best] = result.observations
    assert [(one.stage, one.into) for one in result.dropped] == [("limits", best.id)]


def test_what_ranks_below_the_last_place_was_cut():
    result = merged([entry(0, "apples are red", "a.py"), entry(1, "pears hang on other trees", "b.py")], max_total=1)
    assert [(one.stage, one.into) for one in result.dropped] == [("limits", None)]


def test_what_may_not_be_seen_is_not_told_of():
    entries = [entry(0, "apples are red", "a.py"), entry(1, "pears hang on other trees", "b.py", project="secret")]
    result = merged(entries, frozenset({"p"}))
    assert result.counts.outside_permission == 1
    assert result.dropped == ()


def test_every_observation_is_shown_or_dropped_once():
    entries = [
        entry(number, f"thing {number} of many kinds x{number * 7}", f"f{number % 4}.py", number)
        for number in range(12)
    ]
    result = merged(entries, max_total=3)
    ids = [o.id for o in result.observations] + [one.id for one in result.dropped]
    assert len(ids) == len(set(ids)) == 12
