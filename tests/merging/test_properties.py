"""What holds for any input: order does not matter, nothing is lost, and once is enough."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from configs.settings import RankingSettings
from memory.observations import GraphObservation, LocalObservation, Location, VectorObservation
from memory.shared import MemoryEntry
from merging import ResultMerger, deduplicate_observations
from merging.normalise import normalise

CONTENTS = st.sampled_from(
    [
        "a b c d e f g h i",
        "a b c d e f g h",
        "x y",
        "CREATE TABLE t (id UUID)",
        "CREATE TABLE t (id INT)",
        "k: 1",
        "## S\nUpdated: 2024-01-01",
    ]
)
PROJECTS = st.sampled_from(["billing", "auth"])
SCORES = st.sampled_from([0.2, 0.5, 0.5, 0.9])
VECTORS = st.one_of(st.none(), st.tuples(st.sampled_from([0.0, 0.4, 1.0]), st.sampled_from([0.3, 1.0])))


@st.composite
def places(draw):
    start = draw(st.integers(1, 8))
    path = draw(st.sampled_from(["a.sql", "docs/b.md", "CLAUDE.md", "c.yaml"]))
    return Location(draw(PROJECTS), path, start, start + draw(st.integers(0, 6)))


@st.composite
def found(draw):
    content, score, vector = draw(CONTENTS), draw(SCORES), draw(VECTORS)
    at = draw(places())
    metadata = draw(st.sampled_from([{}, {"last_updated": 1}, {"last_updated": 2}]))
    agent = draw(st.sampled_from(["local", "graph", "vector"]))
    extra = {"embedding": vector, "embedding_model": "m" if vector else "", "metadata": metadata}
    observation: LocalObservation | VectorObservation | GraphObservation
    if agent == "local":
        observation = LocalObservation(content, at.path, None, score, "fact", at.project, (at,), **extra)
    elif agent == "vector":
        observation = VectorObservation(content, at.path, at.project, score, None, "code", (at,), **extra)
    else:
        observation = GraphObservation(
            content, [], [], [at.project], 1, score, "entity", locations=(at,), metadata=metadata
        )
    return MemoryEntry("?", content, agent, draw(SCORES), draw(st.booleans()), observation)


FOUND = st.lists(found(), max_size=10)


def seen(kept):
    """Every place that an observation and its copies stand for; first its own, then what equal texts lend it."""
    own = [(o.source, o.locations[0]) for o in kept]
    return sorted(own + [(copy.source, copy.location) for o in kept for copy in o.duplicates])


@given(FOUND, st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_the_order_of_arrival_does_not_matter(entries, random):
    shuffled = list(entries)
    random.shuffle(shuffled)
    merger = ResultMerger(RankingSettings(), max_total=6, max_per_agent=4)
    one, other = merger.merge_entries(entries, None), merger.merge_entries(shuffled, None)
    assert (one.observations, one.conflicts, one.counts) == (other.observations, other.conflicts, other.counts)


@given(FOUND)
@settings(max_examples=60, deadline=None)
def test_deduplicating_twice_is_deduplicating_once(entries):
    once = deduplicate_observations([normalise(entry) for entry in entries])
    assert deduplicate_observations(once) == once


@given(FOUND)
@settings(max_examples=60, deadline=None)
def test_every_place_is_kept_or_a_copys(entries):
    normalised = [normalise(entry) for entry in entries]
    kept = deduplicate_observations(normalised)
    assert seen(kept) == sorted((o.source, at) for o in normalised for at in o.locations)
    lent = {o.id: set(o.locations[1:]) for o in kept}
    assert all(lent[o.id] <= {copy.location for copy in o.duplicates} for o in kept)
    assert {o.id for o in kept} <= {o.id for o in normalised}
    assert max((o.confidence for o in kept), default=0) == max((o.confidence for o in normalised), default=0)


@given(FOUND, st.integers(1, 5), st.integers(1, 8), st.integers(1, 2))
@settings(max_examples=60, deadline=None)
def test_ranks_ids_and_limits(entries, per_agent, total, per_file):
    merged = ResultMerger(
        RankingSettings(), max_per_agent=per_agent, max_total=total, max_per_file=per_file
    ).merge_entries(entries, None)
    shown = merged.observations
    assert [o.rank for o in shown] == list(range(1, len(shown) + 1))
    assert len({o.id for o in shown}) == len(shown) <= total
    files = [o.score for o in shown if o.kind != "graph"]
    assert files == sorted(files, reverse=True)
    ids = {o.id for o in shown}
    for conflict in merged.conflicts:
        assert {o.id for o in conflict.observations} <= ids
        assert set(conflict.losers) | ({conflict.winner} - {None}) <= ids
    assert 0.0 <= merged.counts.source_agreement <= 1.0


@given(FOUND)
@settings(max_examples=60, deadline=None)
def test_a_permission_leaves_what_was_never_there(entries):
    merger = ResultMerger(RankingSettings())
    inside = [entry for entry in entries if entry.observation.locations[0].project == "billing"]
    with_others, alone = (merger.merge_entries(given, frozenset({"billing"})) for given in (entries, inside))
    assert (with_others.observations, with_others.conflicts) == (alone.observations, alone.conflicts)
