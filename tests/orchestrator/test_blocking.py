"""The orchestrator without `await`: in a script, in many threads, and where an event loop runs already."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager

import pytest

from memory.entities import Scope, ScopedProject
from memory.errors import DataFolderError, InvalidInputError, InvalidQueryError
from orchestrator import BlockingOrchestrator, HybridRetrievalOrchestrator
from orchestrator.running.fakes import FakeAgent, found


@asynccontextmanager
async def faked():
    agents = {"local": FakeAgent([found("Alpha beta")]), "vector": FakeAgent([found("Gamma alpha")])}
    async with HybridRetrievalOrchestrator(**agents) as orchestrator:
        yield orchestrator


def test_a_script_asks_without_a_loop():
    with BlockingOrchestrator(faked()) as retrieval:
        assert len(retrieval.retrieve("What is alpha?").observations) == 2
        assert retrieval.projects == frozenset()


async def test_it_works_where_a_loop_runs_already():
    with BlockingOrchestrator(faked()) as retrieval:
        scope = Scope([ScopedProject("billing", 1.0, "named")])
        assert retrieval.retrieve_with_scope("What is alpha?", scope).observations


def test_many_threads_open_it_once():
    retrieval = BlockingOrchestrator(faked())
    with ThreadPoolExecutor(8) as threads:
        results = list(threads.map(retrieval.retrieve, ["What is alpha?"] * 16))
    retrieval.close()
    assert {len(result.observations) for result in results} == {2}


def test_errors_are_the_callers_and_a_closed_one_says_so(tmp_path):
    with BlockingOrchestrator(faked()) as retrieval, pytest.raises(InvalidQueryError):
        retrieval.retrieve("")
    with pytest.raises(InvalidInputError, match="is closed"):
        retrieval.retrieve("What is alpha?")
    with pytest.raises(DataFolderError):
        BlockingOrchestrator.open(tmp_path / "none").retrieve("What is alpha?")
