"""Observations made from observations: a merge makes a hundred, and `dataclasses.replace` would be a tenth of its time."""

from __future__ import annotations

from typing import Any, Final

from memory.observations import NormalizedObservation

__all__ = ["CLAIMS", "changed", "shaped"]

CLAIMS: Final = "claims"
"""Where an observation keeps what it states once that was read; no field, for it follows from these:"""

_STATING: Final = frozenset({"content", "kind", "locations", "metadata", "source_project"})


def changed(observation: NormalizedObservation, **changes: Any) -> NormalizedObservation:
    """`dataclasses.replace` in one copy; what `__post_init__` fills in is there already and is kept.

    A new content brings its new `content_hash` along, and what states something forgets what it stated. Raises
    AttributeError for a field there is not.
    """
    before = observation.__dict__
    values = before | changes
    if len(values) != len(before):
        raise AttributeError(f"An observation has no field {', '.join(changes.keys() - before.keys())}.")
    if not _STATING.isdisjoint(changes) and CLAIMS in values:
        del values[CLAIMS]
    return shaped(values)


def shaped(values: dict[str, Any]) -> NormalizedObservation:
    """The observation of these values, which has every field among them: what `__init__` does in twenty assignments."""
    made = object.__new__(NormalizedObservation)
    object.__setattr__(made, "__dict__", values)
    return made
