"""How long a run waits, and for whom (docs/design.md#must-and-may); how much it takes from one agent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import anyio

if TYPE_CHECKING:
    from collections.abc import Iterable

    from configs import HybridRetrievalConfig

_TAKEN: Final = 2
"""Times as many as are shown of an agent are taken from it: copies become one, and so do hits in one file."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds: an agent's own, the whole run's, and what a may gets after the last must has ended. observations: how
    many are taken from one agent.
    """

    agent: float = 5.0
    total: float = 10.0
    grace: float = 0.05
    observations: int = 50

    @classmethod
    def of(cls, config: HybridRetrievalConfig) -> Limits:
        """Those of the settings."""
        return cls(
            config.agent_timeout_ms / 1000,
            config.total_timeout_ms / 1000,
            config.may_grace_ms / 1000,
            _TAKEN * config.max_observations_per_agent,
        )

    @property
    def scope(self) -> float:
        """At most so long a search waits for the scope, outside its own clock."""
        return self.agent / 2


class GracePeriod:
    """Cuts the mays off `grace` seconds after the last must has ended, but not while nothing has been found.

    Without a must, or with `grace=None`, everybody is waited for until their own deadlines.
    """

    def __init__(self, musts: Iterable[str], grace: float | None) -> None:
        self._waiting = set(musts)
        self._grace = grace if self._waiting else None
        self._running: dict[str, anyio.CancelScope] = {}
        self._found = False
        self._cut: set[str] = set()

    def join(self, agent: str, cut: anyio.CancelScope) -> None:
        """An agent has started; `cut` ends it."""
        self._running[agent] = cut
        self._consider()

    def found(self) -> None:
        """Something has been published."""
        if not self._found:
            self._found = True
            self._consider()

    def ended(self, agent: str) -> None:
        """An agent has ended in any way."""
        self._running.pop(agent, None)
        if agent in self._waiting:
            self._waiting.remove(agent)
            self._consider()

    def was_cut(self, agent: str) -> bool:
        """Whether this may was not waited for."""
        return agent in self._cut

    def _consider(self) -> None:
        if self._grace is None or self._waiting or not self._found:
            return
        until = anyio.current_time() + self._grace
        for agent, cut in self._running.items():  # mays all, since no must is waited for
            if until < cut.deadline:
                cut.deadline = until
                self._cut.add(agent)
