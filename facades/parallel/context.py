"""001 §6: the context for a language model, and the prompt, as the document has them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import TypeVar

from facades.parallel.observations import NormalizedObservation, frozen
from memory.text import estimate_tokens
from synthesis.context import build_synthesis_context as build_ours
from synthesis.context import format_observation as format_ours
from synthesis.prompt import SYNTHESIS_PROMPT

__all__ = ["SYNTHESIS_PROMPT", "build_synthesis_context", "estimate_tokens", "format_observation", "group_by"]

_Item = TypeVar("_Item")
_Key = TypeVar("_Key", bound=Hashable)


def build_synthesis_context(
    query: str, ranked_observations: Sequence[NormalizedObservation], max_context_tokens: int = 8000
) -> str:
    """The best observations that fit, under the document's three headers."""
    return build_ours(query, frozen(ranked_observations), max_context_tokens)


def format_observation(observation: NormalizedObservation) -> str:
    """An observation with its marker, fenced as data."""
    return format_ours(frozen([observation])[0])


def group_by(items: Iterable[_Item], key: Callable[[_Item], _Key]) -> dict[_Key, list[_Item]]:
    """The items of each key, in their order."""
    groups: dict[_Key, list[_Item]] = {}
    for item in items:
        groups.setdefault(key(item), []).append(item)
    return groups
