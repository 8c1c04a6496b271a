"""What an orchestrator on a data folder is opened with: declared once, for the one with `await` and the one without."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, TypedDict

from memory.embedders.port import DenseEmbedder
from memory.graph.port import GraphStore
from memory.vector.port import VectorStore
from orchestrator.specs import ANSWERER, RERANKER, Needs, agent_specs, checked_part

if TYPE_CHECKING:
    from agents.ports import GraphAgent, ScopedAgent
    from memory.clock import Clock
    from memory.files import FileText
    from memory.rerankers import Reranker
    from orchestrator.abstention import FindUnknown
    from orchestrator.analysis import ModelReader
    from orchestrator.specs import Agent, AgentSpec, Analyzer, Answerer, Merger
    from orchestrator.stages import FindSpellings
    from synthesis import SynthesisAgent
    from wiring.catalogue import Catalogue
    from wiring.models import Models

PROVIDED: Final = {
    "embedder": Needs.of(DenseEmbedder, instead="load_ahead"),
    "vector_store": Needs.of(VectorStore),
    "graph_store": Needs.of(GraphStore),
    "reranker": RERANKER,
}
"""The parts that are given to the wiring, in the order in which it takes them, and what each is asked by."""


class Options(TypedDict, total=False):
    """The parts that may be given in place of the index's and the settings' own, and how questions are asked.

    agents: more agents, as the constructor takes them. embedder: what questions are embedded with, of the model that
    the index was made with. vector_store, graph_store: instead of the index's own; they stay the caller's, as the other
    parts do. reranker: instead of the settings'. answerer: who writes the answer. one_question: the process ends after
    it, which closes what was opened. The others are the constructor's.
    """

    agents: Mapping[str, Agent | AgentSpec] | None
    embedder: Models | DenseEmbedder | None
    vector_store: VectorStore | None
    graph_store: GraphStore | None
    reranker: Reranker | None
    answerer: Answerer | SynthesisAgent | None
    one_question: bool
    analyzer: Analyzer | None
    local: Agent | None
    graph: Agent | GraphAgent | None
    vector: Agent | ScopedAgent | None
    merger: Merger | None
    synthesis: Answerer | SynthesisAgent | None
    clock: Clock | None
    catalogue: Catalogue | None
    unknown: FindUnknown | None
    spellings: FindSpellings | None
    files: Callable[[frozenset[str]], FileText] | None
    reader: ModelReader | None
    wait_for_mays: bool


def checked_options(given: Options) -> dict[str, Any]:
    """The options under the constructor's names. Raises InvalidInputError for a part that lacks what it is asked by."""
    options = dict(given)
    for name, needs in (*PROVIDED.items(), ("answerer", ANSWERER)):
        checked_part(name, options.get(name), needs)
    agent_specs(given.get("agents"))
    answerer = options.pop("answerer", None)
    return options if answerer is None else {**options, "synthesis": answerer}
