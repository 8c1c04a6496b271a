"""What a question cost and what it found, as numbers (001 §9)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

from orchestrator.json_parts import location_dict

if TYPE_CHECKING:
    from memory.query import QueryType
    from merging import Dropped

__all__ = ["HybridRetrievalMetrics"]


@dataclass(frozen=True, slots=True)
class HybridRetrievalMetrics:
    """001 §9's fields, `commit` (each cited project's indexed commit against its HEAD), and the merger's `trace`.

    Times are milliseconds, a skipped agent's 0.0; observations are those an agent published; source_agreement is the
    share (0..1) of observations that another source corroborates; projects_searched those a store call could return from.
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
        values["dropped"] = [_dropped_dict(one) for one in self.dropped]
        return values


def _dropped_dict(one: Dropped) -> dict[str, Any]:
    return {
        "id": one.id,
        "agent": one.agent,
        "stage": one.stage,
        "into": one.into,
        "location": location_dict(one.location),
    }
