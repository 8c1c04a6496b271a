"""Incremental equals fresh on real packages: stores, exports and answers (docs/design.md#equal-answers).

`test_histories.py` beside this tries many small histories, with kills; here are few, of eleven installed distributions.
"""

from __future__ import annotations

import os
from dataclasses import replace
from random import Random

import pytest

from indexing import IndexRequest
from memory.question import QueryType
from orchestrator.analysis import QueryAnalyzer
from tests.organisation import CONFIG, differences, exported, indexer, opened, plain, points, recorded, stated
from tests.properties.packages import IN_HAND, PACKAGES, QUESTIONS, Story, copy_packages

pytestmark = pytest.mark.no_cover  # what it walks through, other tests prove; the tracer would double its time

STORIES = max(1, int(os.environ.get("HYBRID_RETRIEVAL_TEST_EXAMPLES", "200")) // 200)
HERE = replace(  # no processes for an embedder that takes no time; a busy machine changes no answer
    CONFIG, indexing=replace(CONFIG.indexing, workers=0), agent_timeout_ms=60_000, total_timeout_ms=120_000
)


async def answers(data):
    async with opened(data, config=HERE) as orchestrator:
        return [plain((await orchestrator.retrieve(q, {"project": IN_HAND})).to_dict()) for q in QUESTIONS]


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(STORIES))
async def test_incremental_equals_fresh(tmp_path, seed):
    org, old, fresh = (tmp_path / name for name in ("org", "old", "fresh"))
    copy_packages(org)
    request = IndexRequest([org], each=True)
    report = await indexer(old, HERE).run(request, holder="a test")
    assert len(report.projects) == len(PACKAGES) >= 10
    done = []
    for edits in Story(org, Random(seed)).rounds():  # noqa: S311 - a draw that can be repeated, no secret
        done += edits
        assert not (await indexer(old, HERE).run(request, holder="a test")).unchanged
    await indexer(fresh, HERE).run(request, holder="a test")
    assert differences(recorded(old), recorded(fresh)) == [], done
    assert differences(await points(old), await points(fresh)) == [], done
    assert sum(len(one["statements"]) for one in stated(fresh).values()) > 1000
    assert differences(stated(old), stated(fresh)) == [], done
    for mine, theirs in zip(await exported(old), await exported(fresh), strict=True):
        assert len(mine) > 1000
        assert differences(mine, theirs) == [], done
    given = await answers(fresh)
    assert differences(await answers(old), given) == [], done
    assert sum(answer["status"] == "answered" for answer in given) > 15


def test_questions_of_every_type_are_asked():
    assert len(QUESTIONS) == 25
    assert {kind for q in QUESTIONS for kind in QueryAnalyzer().classify(q).query_types} == set(QueryType)
