"""`SharedWorkingMemory`: where the agents of one question put what they find, while they find it (001 §7.2)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory.observations import NormalizedObservation, Observation


@dataclass(frozen=True, slots=True)
class MemoryEntry:
    """One observation in the shared memory, and how its agent rates it.

    place: its place in its agent's order (from 1), where the agent's ratings mean nothing beside others'; 0 where they
    do; prepared: the merger's form of it.
    """

    id: str
    content: str
    source_agent_id: str
    attention_weight: float
    is_belief_candidate: bool
    observation: Observation | None = None
    place: int = 0
    prepared: NormalizedObservation | None = field(default=None, compare=False)


class SharedWorkingMemory:
    """The observations of one question, of many writers.

    Ids count per agent (`graph-1`), so that they do not depend on who was faster. prepare: what the merger can do with
    an observation alone, done as it comes: most come while the run still waits for its slowest agent.
    """

    def __init__(self, task_id: str, prepare: Callable[[MemoryEntry], NormalizedObservation] | None = None) -> None:
        self.task_id = task_id
        self._prepare = prepare
        self._entries: list[MemoryEntry] = []
        self._counts: dict[str, int] = {}

    async def add_observation(
        self,
        content: str,
        source_agent_id: str,
        attention_weight: float = 0.5,
        is_belief_candidate: bool = False,  # noqa: FBT001, FBT002 - the specification's signature (001 §7.2)
        *,
        observation: Observation | None = None,
    ) -> str:
        """Add one; returns its id.

        attention_weight (0..1) breaks ties after the score; is_belief_candidate=False keeps it out of conflict
        detection. Raises ValueError for an empty content or a weight that is no number from 0 to 1.
        """
        return self.add(
            content, source_agent_id, attention_weight, is_belief_candidate=is_belief_candidate, observation=observation
        )

    def add(
        self,
        content: str,
        source_agent_id: str,
        attention_weight: float = 0.5,
        *,
        is_belief_candidate: bool = False,
        observation: Observation | None = None,
        place: int = 0,
    ) -> str:
        """`add_observation` at once: nothing in it waits."""
        if not isinstance(content, str) or not content or content.isspace():
            raise ValueError("an observation's content is a text that is not empty")
        is_number = isinstance(attention_weight, int | float) and not isinstance(attention_weight, bool)
        if not is_number or not 0.0 <= attention_weight <= 1.0:  # a NaN is not either
            raise ValueError(f"attention_weight is {attention_weight}, not from 0 to 1")
        count = self._counts.get(source_agent_id, 0) + 1
        id_ = f"{source_agent_id}-{count}"
        entry = MemoryEntry(id_, content, source_agent_id, attention_weight, is_belief_candidate, observation, place)
        if self._prepare is not None:
            object.__setattr__(entry, "prepared", self._prepare(entry))  # no one has seen it yet
        self._counts[source_agent_id] = count
        self._entries.append(entry)
        return entry.id

    def withdraw(self, source_agent_id: str) -> list[MemoryEntry]:
        """What an agent has added, which is forgotten here; its ids are not given again."""
        added = [entry for entry in self._entries if entry.source_agent_id == source_agent_id]
        self._entries = [entry for entry in self._entries if entry.source_agent_id != source_agent_id]
        return added

    def snapshot(self) -> tuple[MemoryEntry, ...]:
        """Everything so far, by agent and then by the agent's own order: the same whoever was faster."""
        return tuple(sorted(self._entries, key=lambda entry: entry.source_agent_id))

    def count(self, source_agent_id: str) -> int:
        """How many an agent has added."""
        return self._counts.get(source_agent_id, 0)
