"""The classes of 001 §7.1: their methods take what the specification names, in its order; more is optional."""

from __future__ import annotations

import inspect

import pytest

from agents import GraphRetrievalAgent, LocalRetrievalAgent, VectorRetrievalAgent
from memory.query import PathRole, QueryClassification, RetrievalPath
from memory.question import QueryType
from merging import ResultMerger
from orchestrator import HybridRetrievalOrchestrator
from orchestrator.analysis import QueryAnalyzer
from orchestrator.running.fakes import FakeAgent, found
from synthesis import SynthesisAgent

AWAITED = [
    (HybridRetrievalOrchestrator.retrieve, ["query", "context"]),
    (HybridRetrievalOrchestrator.retrieve_with_scope, ["query", "scope"]),
    (LocalRetrievalAgent.retrieve, ["query", "context"]),
    (GraphRetrievalAgent.retrieve, ["query", "context"]),
    (GraphRetrievalAgent.find_scope, ["entities"]),
    (VectorRetrievalAgent.retrieve, ["query", "context", "scope"]),
    (ResultMerger.merge, ["observations"]),
    (ResultMerger.deduplicate, ["observations"]),
    (ResultMerger.rank, ["observations"]),
    (SynthesisAgent.synthesize, ["query", "observations"]),
]
CALLED = [
    (QueryAnalyzer.classify, ["query"]),
    (QueryAnalyzer.extract_entities, ["query"]),
    (QueryAnalyzer.determine_paths, ["classification"]),
]


@pytest.mark.specification("001 §7.1 HybridRetrievalOrchestrator", "001 §7.1 QueryAnalyzer")
@pytest.mark.specification("001 §7.1 LocalRetrievalAgent", "001 §7.1 GraphRetrievalAgent")
@pytest.mark.specification("001 §7.1 VectorRetrievalAgent", "001 §7.1 ResultMerger", "001 §7.1 SynthesisAgent")
@pytest.mark.parametrize(
    ("method", "names"), [*AWAITED, *CALLED], ids=lambda value: getattr(value, "__qualname__", None)
)
def test_a_method_takes_what_is_specified(method, names):
    _, *parameters = inspect.signature(method).parameters.values()
    assert [parameter.name for parameter in parameters[: len(names)]] == names
    assert all(parameter.default is not inspect.Parameter.empty for parameter in parameters[len(names) :])
    assert inspect.iscoroutinefunction(method) is ((method, names) in AWAITED)


class OneWay:
    """An analyzer for which every question is one for the vector agent alone."""

    def classify(self, query):
        path = RetrievalPath.VECTOR
        return QueryClassification(query, (QueryType.SIMILARITY,), (path,), {path: PathRole.MUST})


@pytest.mark.specification("001 §2.1 analyzer")
async def test_the_analyzer_decides_who_is_asked():
    agents = {name: FakeAgent([found(f"{name} retries")]) for name in ("local", "graph", "vector")}
    async with HybridRetrievalOrchestrator(analyzer=OneWay(), **agents) as orchestrator:
        result = await orchestrator.retrieve("How do other teams retry?")
    assert [name for name, agent in agents.items() if agent.asked] == ["vector"]
    assert [o.agent for o in result.observations] == ["vector"]
