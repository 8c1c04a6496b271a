"""The orchestrator without `await`: in a script, in many threads, and where an event loop runs already."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from pathlib import Path

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


class Interrupts(FakeAgent):
    """As kglite does in the thread that reads, while the program is interrupted."""

    async def retrieve(self, query, context=None):
        raise KeyboardInterrupt


@asynccontextmanager
async def interrupted():
    agents = {"local": FakeAgent([found("Alpha beta")]), "graph": Interrupts([])}
    async with HybridRetrievalOrchestrator(**agents) as orchestrator:
        yield orchestrator


def test_an_agent_that_is_interrupted_in_the_loops_thread_fails_alone():
    with BlockingOrchestrator(interrupted()) as retrieval:
        for _ in range(2):
            assert len(retrieval.retrieve("What is alpha?").observations) == 1


FORKS = """
import os
from orchestrator import BlockingOrchestrator
from tests.orchestrator.test_blocking import faked

with BlockingOrchestrator(faked()) as retrieval:
    if child := os.fork():
        raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    try:
        retrieval.retrieve("What is alpha?")
    except Exception as error:
        os._exit(3 if "in another process" in str(error) else 4)
    os._exit(5)
"""


def test_a_forked_process_is_told_to_open_its_own():
    done = subprocess.run([sys.executable, "-c", FORKS], check=False, cwd=Path(__file__).parents[2], timeout=60)  # noqa: S603
    assert done.returncode == 3
