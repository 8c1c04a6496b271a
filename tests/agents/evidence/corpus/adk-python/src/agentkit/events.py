"""What agents yield."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Event:
    """One message of one author."""

    author: str
    text: str
