"""Observations made from observations: a merge makes a hundred, and `dataclasses.replace` would be a tenth of its time."""

from __future__ import annotations

from typing import Any

from memory.observations import NormalizedObservation

__all__ = ["changed"]


def changed(observation: NormalizedObservation, **changes: Any) -> NormalizedObservation:
    """`dataclasses.replace` in one copy; what `__post_init__` fills in is there already and is kept.

    A new content brings its new `content_hash` along. Raises AttributeError for a field there is not.
    """
    made = object.__new__(NormalizedObservation)
    values = vars(made)
    values.update(vars(observation))
    known = len(values)
    values.update(changes)
    if len(values) != known:
        raise AttributeError(f"An observation has no field {', '.join(changes.keys() - vars(observation).keys())}.")
    return made
