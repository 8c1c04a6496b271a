"""A stranger's program on the installed package, as strict as mypy can be; `scripts/check-wheel` checks and runs it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_type

import anyio

from hybrid_retrieval.agents import RetrievalAgent
from hybrid_retrieval.configs import HybridRetrievalConfig, load_config
from hybrid_retrieval.memory import LocalObservation, Observation, TaskContext
from hybrid_retrieval.memory.errors import HybridRetrievalError, UnknownProjectError
from hybrid_retrieval.orchestrator import BlockingOrchestrator, HybridResult, HybridRetrievalOrchestrator
from hybrid_retrieval.synthesis import Answer, Citation


class Wiki:
    """An agent of one's own."""

    async def retrieve(self, query: str, context: TaskContext) -> Sequence[Observation]:
        """Says the same to all."""
        rule = "Every migration needs two reviewers."
        return [LocalObservation(rule, "wiki.md", "Migrations", relevance_score=0.9, observation_type="instruction")]


async def ask(agent: RetrievalAgent, question: str) -> HybridResult:
    """One question to one agent."""
    config = load_config("embedded")
    assert_type(config, HybridRetrievalConfig)
    async with HybridRetrievalOrchestrator(local=agent, config=config) as orchestrator:
        return await orchestrator.retrieve(question, {"project": "billing"})


def wrong() -> None:
    """Parts that are none, which mypy finds: an ignored error that is not there would be one."""
    BlockingOrchestrator.open("index", embedder=Wiki())  # type: ignore[arg-type]
    HybridRetrievalOrchestrator.open("index", agents={"wiki": Wiki}, embeder=None)  # type: ignore[call-arg, dict-item]
    BlockingOrchestrator.open("index", agents={"wiki": Wiki()}, one_question=True)


def main() -> None:
    """Ask, and print the answer."""
    try:
        result = anyio.run(ask, Wiki(), "Who reviews a migration?")
    except UnknownProjectError as error:
        assert_type(error.message, str)
        raise
    except HybridRetrievalError as error:
        raise SystemExit(error.hint) from error
    assert_type(result.answer, Answer)
    assert_type(result.answer.citations, tuple[Citation, ...])
    print(result.answer.text)  # noqa: T201 - a program's output


if __name__ == "__main__":
    main()
