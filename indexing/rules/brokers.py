"""The clients of message brokers: how their calls name a topic, a row each (`kafka.py`, `rabbitmq.py`, `other_brokers.py`)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

__all__ = ["INSIDE", "Client", "call"]

INSIDE: Final = r"(?:[^{}]|\{[^{}]*\}){0,400}?"
"""What may stand between a brace and the field that is looked for."""


def call(*patterns: str) -> tuple[re.Pattern[str], ...]:
    """Patterns that end right before the argument which names the topic."""
    return tuple(re.compile(pattern, re.MULTILINE) for pattern in patterns)


@dataclass(frozen=True, slots=True)
class Client:
    """`used`: what a file has that uses this library, most often its import; the patterns of the calls.

    binds: joins a queue to an exchange, which subscribes to it where the same file consumes.
    """

    name: str
    used: re.Pattern[str]
    publishes: tuple[re.Pattern[str], ...] = ()
    subscribes: tuple[re.Pattern[str], ...] = ()
    binds: tuple[re.Pattern[str], ...] = ()
