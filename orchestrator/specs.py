"""Who takes part in a run, what is asked of them and of the other parts that are given, how the graph's scope meets the
search that takes it, and how each agent ended (001 §2.3, §7.1, §7.2).

The agents' ports stand in `agents/ports.py`, the stores' and the models' beside their adapters in `memory/`.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, TypeAlias

from configs import AGENTS
from memory.entities import Scope
from memory.errors import InvalidInputError
from memory.query import PathRole, is_number
from memory.rerankers import Reranker

if TYPE_CHECKING:
    from agents.ports import PublishingAgent, RetrievalAgent
    from configs import HybridRetrievalConfig, ScopeMode
    from memory.observations import NormalizedObservation, Observation
    from memory.query import QueryClassification

    Agent: TypeAlias = RetrievalAgent | PublishingAgent

SWITCHED_OFF: Final = "switched off"
"""How the reason of an agent begins that a setting leaves out."""
OutcomeStatus = Literal["ok", "empty", "timeout", "error", "skipped"]


class OrchestrationMode(Enum):
    """Whether the agents of a run work at the same time or one after the other."""

    PARALLEL = "parallel"
    SEQUENTIAL = "sequential"


class AgentRole(Enum):
    """What an agent does in a run (001 §7.2)."""

    RESEARCHER = "researcher"


@dataclass(frozen=True, slots=True)
class AgentSpec:
    """One agent of a run.

    agent: anything with 001 §7.1's `retrieve`, None when there is none; path_role: whether the run waits for it;
    timeout_ms: its own deadline, None for the run's; gives_scope and takes_scope: whether its `find_scope` is asked and
    whether it is handed a scope, None to go by its methods; weight: what its findings count beside the others', 0..10.
    """

    id: str
    role: AgentRole = AgentRole.RESEARCHER
    agent: Any = None
    path_role: PathRole = PathRole.MUST
    timeout_ms: int | None = None
    gives_scope: bool | None = None
    takes_scope: bool | None = None
    why_absent: str = "there is no such agent"
    weight: float = 1.0


class Analyzer(Protocol):
    """Decides what kind of question it is, and so who is asked."""

    def classify(self, query: str) -> QueryClassification:
        """The kind of question, with the agents' roles."""
        ...


class Merger(Protocol):
    """Makes one ranked list of what the agents found. One with `merge_entries` takes the shared memory's entries."""

    async def merge(self, observations: Sequence[Observation]) -> Sequence[NormalizedObservation]:
        """The observations, ranked, best first."""
        ...


class Answerer(Protocol):
    """Writes the answer. One with `answer` is handed the whole assignment. Its citations are checked, and what is
    missing is added at the end.
    """

    async def synthesize(self, query: str, observations: Sequence[NormalizedObservation]) -> str:
        """The answer with its citations, in the form of those of a language model: `[vector:PROJECT/PATH:FIRST-LAST]`,
        `[local:PATH:FIRST-LAST]`, `[graph:PROJECT/NAME→PROJECT/NAME]`. One without any says so in a note.
        """
        ...


@dataclass(frozen=True, slots=True)
class Needs:
    """What a part is asked by: methods and values; one that has `instead`, as our own have, needs no others."""

    methods: tuple[str, ...]
    values: tuple[str, ...] = ()
    instead: str = ""

    @classmethod
    def of(cls, port: type, *, instead: str = "") -> Needs:
        """All that a port declares."""
        methods = (name for name, one in vars(port).items() if callable(one) and not name.startswith("_"))
        return cls(tuple(methods), tuple(inspect.get_annotations(port)), instead)

    def lacking(self, part: Any) -> list[str]:
        """The names that the part does without."""
        if callable(getattr(part, self.instead, None)):
            return []
        without = [name for name in self.methods if not callable(getattr(part, name, None))]
        return [*(name for name in self.values if not hasattr(part, name)), *without]


AGENT: Final = Needs(("retrieve",), instead="publish_into")
ANALYZER: Final = Needs.of(Analyzer)
ANSWERER: Final = Needs.of(Answerer, instead="answer")
MERGER: Final = Needs.of(Merger, instead="merge_entries")
RERANKER: Final = Needs.of(Reranker)


def checked_part(name: str, part: Any, needs: Needs) -> Any:
    """The part, where it has what it is asked by, or is None.

    Args:
        name: The argument that it was given as, for the error.
        part: Anything.
        needs: What it is asked by.

    Raises:
        InvalidInputError: It lacks something of it, or was given as a class.
    """
    if part is None:
        return None
    if isinstance(part, type):
        raise InvalidInputError(f"{name} is the class {part.__name__}.", f"Give an object: {part.__name__}(…).")
    lacking = ", ".join(f"`{one}`" for one in needs.lacking(part))
    if lacking:
        raise InvalidInputError(
            f"{name} is a value of type {type(part).__name__}, which has no {lacking}.",
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


def agent_specs(agents: Mapping[str, Agent | AgentSpec] | None) -> list[AgentSpec]:
    """The run's entries for agents beside the three.

    Args:
        agents: By the name that results give them: the agent, or its spec with role, weight and time.

    Raises:
        InvalidInputError: They have no names, a name is empty or one of the three's, or an agent is none.
    """
    if not isinstance(agents, Mapping | None):
        raise InvalidInputError(
            f"agents is a value of type {type(agents).__name__}.", 'Give each a name: agents={"tickets": …}.'
        )
    specs = []
    for name, given in (agents or {}).items():
        if not isinstance(name, str) or not name.strip() or name in AGENTS:
            raise InvalidInputError(
                f"An agent can't be called {name!r}.",
                f"Give it a name; {', '.join(AGENTS)} have arguments of their own.",
            )
        spec = given if isinstance(given, AgentSpec) else AgentSpec(name, agent=given)
        if spec.agent is None:
            raise InvalidInputError(f"agents[{name!r}] has no agent.", "Give one as AgentSpec(…, agent=…).")
        checked_part(f"agents[{name!r}]", spec.agent, AGENT)
        _check_spec(f"agents[{name!r}]", spec)
        specs.append(replace(spec, id=name))
    return specs


def _check_spec(name: str, spec: AgentSpec) -> None:
    """Raises InvalidInputError for an agent that can't be asked, or a value of its spec that is none."""
    publishes = hasattr(spec.agent, "publish_into")
    call, takes = ("publish_into", "query, context, publish") if publishes else ("retrieve", "query, context")
    with suppress(ValueError):  # one of another language tells nothing of its parameters
        try:
            inspect.signature(getattr(spec.agent, call)).bind(*takes.split(", "))
        except TypeError as error:
            given = "a question, a context and what it publishes with" if publishes else "a question and a context"
            raise InvalidInputError(
                f"{name}.{call} can't be called with {given}: {error}.", f"Define it as {call}({takes})."
            ) from None
    if not is_number(spec.weight) or not 0 <= spec.weight <= 10:
        raise InvalidInputError(f"{name}.weight is {spec.weight!r}.", "Give a number from 0 to 10.")
    if spec.timeout_ms is not None and not (is_number(spec.timeout_ms) and spec.timeout_ms > 0):
        raise InvalidInputError(f"{name}.timeout_ms is {spec.timeout_ms!r}.", "Give milliseconds above zero, or None.")
    for field_name, kind in (("role", AgentRole), ("path_role", PathRole)):
        role: object = getattr(spec, field_name)
        if not isinstance(role, kind):
            roles = ", ".join(f"{kind.__name__}.{one.name}" for one in kind)
            raise InvalidInputError(f"{name}.{field_name} is {role!r}.", f"Give one of {roles}.")


@dataclass(frozen=True, slots=True)
class AgentOutcome:
    """How one agent ended: what it published counts whatever the status. Reasons contain no times."""

    agent: str
    role: PathRole
    status: OutcomeStatus
    observations: int = 0
    elapsed_ms: float = 0.0
    reason: str | None = None

    @property
    def left_out(self) -> bool:
        """The question needs it, and a setting leaves it out."""
        return self.role is PathRole.MUST and self.status == "skipped" and (self.reason or "").startswith(SWITCHED_OFF)

    @property
    def failed(self) -> bool:
        """It was late or broke."""
        return self.status in {"timeout", "error"}


@dataclass(frozen=True, slots=True)
class RunResult:
    """Every agent's outcome, in the order of the specs, and the scope if one was found. blocked: the seconds for which
    agents kept the event loop from all others.
    """

    outcomes: Mapping[str, AgentOutcome]
    scope: Scope | None = None
    blocked: float = 0.0


@dataclass(frozen=True, slots=True)
class ScopePlan:
    """Which of the two requests is sent: the probe at once without a scope, the scoped one when the scope is there."""

    probe: bool
    scoped: bool

    def usable(self, scope: Scope | None, min_confidence: float = 0.0) -> Scope | None:
        """The part of a scope that this plan hands on: projects the graph is sure enough of, and the evidence files;
        None when nothing is left.
        """
        if scope is None:
            return None
        projects = [p for p in scope.ranked if p.confidence >= min_confidence]
        if not projects and not scope.files:
            return None
        return replace(scope, projects=projects)


PLANS: dict[ScopeMode, ScopePlan] = {
    "parallel_research": ScopePlan(probe=True, scoped=True),
    "sequential": ScopePlan(probe=False, scoped=True),
    "full_parallel": ScopePlan(probe=True, scoped=False),
    "none": ScopePlan(probe=True, scoped=False),
}


def resolve_mode(config: HybridRetrievalConfig, *, graph_in_process: bool) -> ScopeMode:
    """The mode that holds: `graph_scopes_vector=False` is none, `parallel_execution=False` sequential, and none where
    full_parallel is named, which no scope steers; `auto` waits for a graph in this process, which answers within
    milliseconds, and searches twice beside one on a server. A strict scope is waited for: what a search without it
    finds may lie outside.
    """
    mode = config.scope.mode
    if not config.graph_scopes_vector:
        return "none"
    if not config.parallel_execution:
        return "none" if mode == "full_parallel" else "sequential"
    if mode == "auto":
        mode = "sequential" if graph_in_process else "parallel_research"
    return "sequential" if mode == "parallel_research" and config.scope.strength == "strict" else mode


def scopes_search(config: HybridRetrievalConfig, classification: QueryClassification) -> bool:
    """Whether the graph's scope reaches the search for a question:
    a mode that is named holds for all, else its kind decides.
    """
    return classification.graph_scopes_vector or config.scope.mode not in {"auto", "none"}
