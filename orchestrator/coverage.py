"""Who answered and who did not, and what the answer therefore lacks (docs/design.md#status)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from memory.query import PathRole, QueryClassification, RetrievalPath
from orchestrator.json_parts import outcome_dict
from orchestrator.specs import AgentOutcome

__all__ = ["Coverage", "Status"]

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
        """Nobody was late or broke."""
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
        """A sentence for each agent that was late or broke, and for the vectors that are not there yet."""
        late = [_lack(agent) for agent in self.agents if agent.failed]
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
    how = "was not there in time" if agent.status == "timeout" else "failed"
    lacks = LACKS.get(agent.agent, f"what {agent.agent} knows")
    return f"{lacks} ({agent.agent} {how})" + (", but for what it had reported before" if agent.observations else "")
