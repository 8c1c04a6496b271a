"""Who answered and who did not, what the answer therefore lacks (docs/design.md#status), and the metrics of the run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING, Any, Literal

from memory.query import PathRole, QueryClassification, RetrievalPath
from orchestrator.json_parts import outcome_dict
from orchestrator.specs import AgentOutcome

if TYPE_CHECKING:
    from memory.question import QueryType
    from merging import Dropped


Status = Literal["answered", "partial", "not_found"]
LACKS = {
    "local": "what the project in hand says",
    "graph": "the relations between the projects",
    "vector": "what a search through all projects' files would find",
}
_ROUTED = frozenset(path.value for path in RetrievalPath)


@dataclass(frozen=True, slots=True)
class Coverage:
    """Every agent's outcome. Complete when none ended `timeout` or `error`.

    embedded: the share (0..1) of the permitted projects' chunks that have their dense vector; the others' text was
    published first, and is found by its words alone.
    """

    agents: tuple[AgentOutcome, ...]
    planned: frozenset[str]
    embedded: float = 1.0

    @classmethod
    def of(
        cls, outcomes: Iterable[AgentOutcome], classification: QueryClassification, *, embedded: float = 1.0
    ) -> Coverage:
        """From a run and the plan it followed."""
        outcomes = tuple(outcomes)
        added = {agent.agent for agent in outcomes} - _ROUTED  # agents beside the three are always asked
        return cls(outcomes, frozenset({path.value for path in classification.paths} | added), embedded)

    @property
    def complete(self) -> bool:
        """No one was late or broke."""
        return not any(agent.failed for agent in self.agents)

    @property
    def all_failed(self) -> bool:
        """Everybody who was planned and started was late or broke: nothing could be asked (exit 3)."""
        started = [a for a in self.agents if a.status != "skipped"]
        planned = [a for a in started if a.agent in self.planned] or started
        return bool(planned) and all(a.failed for a in planned)

    def status(self, *, found: bool) -> Status:
        """`partial` when a must was late or broke and there is something all the same."""
        if not found:
            return "not_found"
        failed = any(a.failed for a in self.agents if a.role is PathRole.MUST)
        return "partial" if failed else "answered"

    @property
    def missing(self) -> tuple[str, ...]:
        """A sentence for each agent that was late, broke or is needed and left out,
        and for the vectors that are not there yet.
        """
        late = [_lack(agent) for agent in self.agents if agent.failed or agent.left_out]
        if self.embedded == 0:
            late.append(
                "what only its meaning tells, as it was searched by words and relations alone"
                " (`hybrid-retrieval doctor` says why)"
            )
        elif self.embedded < 1:
            late.append(
                f"what only its meaning tells of the text that waits for its vectors ({self.embedded:.0%} has them)"
            )
        return tuple(late)

    def to_dict(self) -> dict[str, Any]:
        """The part `coverage` of the result's JSON."""
        return {
            "complete": self.complete,
            "agents": [outcome_dict(agent) for agent in self.agents],
            "embedded": round(self.embedded, 6),
        }


def _lack(agent: AgentOutcome) -> str:
    ends = {"timeout": "was not there in time", "skipped": "is needed and was left out"}
    how = ends.get(agent.status, "failed")
    lacks = LACKS.get(agent.agent, f"what {agent.agent} knows")
    return f"{lacks} ({agent.agent} {how})" + (", but for what it had reported before" if agent.observations else "")


@dataclass(frozen=True, slots=True)
class HybridRetrievalMetrics:
    """001 §9's fields, `commit` (each cited project's indexed commit against its HEAD, and how many of its files have
    changed since), and the merger's `trace`.

    Times are milliseconds, a skipped agent's 0.0; observations are those an agent published; source_agreement is the
    share (0..1) of observations that another source corroborates; projects_searched those a store call could return
    from.
    """

    total_time_ms: float = 0.0
    local_time_ms: float = 0.0
    graph_time_ms: float = 0.0
    vector_time_ms: float = 0.0
    merge_time_ms: float = 0.0
    synthesis_time_ms: float = 0.0
    local_observations: int = 0
    graph_observations: int = 0
    vector_observations: int = 0
    after_dedup: int = 0
    source_agreement: float = 0.0
    conflicts_detected: int = 0
    conflicts_resolved: int = 0
    query_types_matched: tuple[QueryType, ...] = ()
    entities_found: tuple[str, ...] = ()
    projects_searched: tuple[str, ...] = ()
    commit: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    trace: Callable[[], tuple[Dropped, ...]] = field(default=tuple, compare=False, repr=False)

    @property
    def changed(self) -> dict[str, int]:
        """How many files have changed since they were indexed, of each cited project in which any have."""
        return {name: count for name, at in sorted(self.commit.items()) if (count := at.get("changed"))}

    @property
    def dropped(self) -> tuple[Dropped, ...]:
        """What was found and is not shown, with the merger's stage that dropped it."""
        return self.trace()

    def to_dict(self) -> dict[str, Any]:
        """The part `metrics` of the result's JSON."""
        values: dict[str, Any] = {f.name: getattr(self, f.name) for f in fields(self) if f.name != "trace"}
        for name, value in values.items():
            if isinstance(value, float):
                values[name] = round(value, 3 if name.endswith("_ms") else 6)
            elif isinstance(value, tuple):
                values[name] = list(value)
        values["query_types_matched"] = [kind.value for kind in self.query_types_matched]
        values["commit"] = {name: dict(at) for name, at in self.commit.items()}
        values["dropped"] = [asdict(one) for one in self.dropped]
        return values
