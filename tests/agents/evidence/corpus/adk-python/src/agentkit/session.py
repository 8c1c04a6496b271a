"""The session: its state, and one invocation on it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class Invocation:
    """One question's way through the agents."""

    question: str
    state: dict[str, Any] = field(default_factory=dict)
    ended: bool = False

    async def ask_model(self, model: str, instruction: str, tools: list[Any]) -> str:
        raise NotImplementedError(model)


class StateError(KeyError):
    """An instruction names a key that is not in the state."""
