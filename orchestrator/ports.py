"""What the orchestrator asks of the parts that it is given, and whether a part can do it (001 §7.1).

The agents' ports stand in `agents/ports.py`, the stores' and the models' beside their adapters in `memory/`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeAlias

from configs import AGENTS
from memory.errors import InvalidInputError
from orchestrator.specs import SWITCHED_OFF, AgentSpec

if TYPE_CHECKING:
    from agents.ports import PublishingAgent, RetrievalAgent
    from memory.observations import NormalizedObservation, Observation
    from memory.query import QueryClassification

    Agent: TypeAlias = RetrievalAgent | PublishingAgent

AGENT: Final = ("retrieve", "publish_into")
ANALYZER: Final = ("classify",)
ANSWERER: Final = ("answer", "synthesize")
MERGER: Final = ("merge", "merge_entries")
RERANKER: Final = ("rerank",)


class Analyzer(Protocol):
    """Decides what kind of question it is, and so who is asked."""

    def classify(self, query: str) -> QueryClassification:
        """The kind of question, with the agents' roles."""
        ...


class Merger(Protocol):
    """Makes one ranked list of what the agents found.
    One with `merge_entries` is handed the shared memory's entries.
    """

    async def merge(self, observations: Sequence[Observation]) -> Sequence[NormalizedObservation]:
        """The observations, ranked, best first."""
        ...


class Answerer(Protocol):
    """Writes the answer. One with `answer` is handed the whole assignment;
    of a text alone the citations are checked.
    """

    async def synthesize(self, query: str, observations: Sequence[NormalizedObservation]) -> str:
        """The answer with its citations, `[path:first-last]`."""
        ...


def checked_part(name: str, part: Any, methods: Sequence[str]) -> Any:
    """The part, where it has one of the methods, or is None.

    Args:
        name: The argument that it was given as, for the error.
        part: Anything.
        methods: The names of which it needs one.

    Raises:
        InvalidInputError: It has none of them, or was given as a class.
    """
    if part is None:
        return None
    if isinstance(part, type):
        raise InvalidInputError(f"{name} is the class {part.__name__}.", f"Give an object: {part.__name__}(…).")
    if not any(callable(getattr(part, method, None)) for method in methods):
        needed = " nor ".join(f"`{method}`" for method in methods)
        neither = "neither " if len(methods) > 1 else "no "
        raise InvalidInputError(
            f"{name} is a value of type {type(part).__name__}, which has {neither}{needed}.",
            "docs/python.md says what each part is asked.",
        )
    return part


def agent_spec(
    name: str, agent: Any, *, enabled: bool, gives_scope: bool = False, takes_scope: bool = False
) -> AgentSpec:
    """One of the three in a run, or why it is not there."""
    if not enabled:
        return AgentSpec(name, why_absent=f"{SWITCHED_OFF} by enable_{name}")
    return AgentSpec(name, agent=agent, gives_scope=gives_scope, takes_scope=takes_scope)


def agent_specs(agents: Mapping[str, Agent | AgentSpec]) -> list[AgentSpec]:
    """The run's entries for agents beside the three.

    Args:
        agents: By the name that results give them: the agent, or its spec with role, weight and time.

    Raises:
        InvalidInputError: A name is empty or one of the three's, or an agent is none.
    """
    specs = []
    for name, given in agents.items():
        if not isinstance(name, str) or not name.strip() or name in AGENTS:
            raise InvalidInputError(
                f"An agent can't be called {name!r}.",
                f"Give it a name; {', '.join(AGENTS)} have arguments of their own.",
            )
        spec = given if isinstance(given, AgentSpec) else AgentSpec(name, agent=given)
        if spec.agent is None:
            raise InvalidInputError(f"agents[{name!r}] has no agent.", "Give one as AgentSpec(…, agent=…).")
        checked_part(f"agents[{name!r}]", spec.agent, AGENT)
        if not 0 <= spec.weight <= 10:
            raise InvalidInputError(f"agents[{name!r}].weight is {spec.weight}.", "Give a number from 0 to 10.")
        specs.append(replace(spec, id=name))
    return specs
