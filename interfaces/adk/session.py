"""What a session's state holds for us: the project in hand, which the application puts there, and the last question."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from interfaces.conversation import LastQuestion, standing_alone

__all__ = ["ASKED", "asked_in", "asked_state", "project_in_hand"]

ASKED: Final = "hybrid_retrieval:asked"
"""The key of the last question, for the next one to lean on."""


def project_in_hand(state: Mapping[str, Any]) -> str | None:
    """The state's `project`; None where there is none."""
    project = state.get("project")
    return project if isinstance(project, str) and project else None


def asked_in(state: Mapping[str, Any], text: str) -> str:
    """What the user asks, made to stand alone by the session's last question."""
    return standing_alone(text, LastQuestion.from_state(state.get(ASKED)))


def asked_state(question: str) -> dict[str, Any]:
    """What the state keeps of a question; nothing of one that asks nothing."""
    last = LastQuestion.of(question)
    return {ASKED: last.to_state()} if last is not None else {}
