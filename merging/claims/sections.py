"""What a section of a document says of itself: when it was last changed, and for whom it holds.

The date is what its metadata say, else a date it states itself, else its newest dated comment. It holds for all
(`Applies to: all projects`), or for one project alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime
from typing import Any

from memory.observations import NormalizedObservation
from memory.text import stated_day
from merging.claims.passages import Claim, Passage, notation_of

_DATED_COMMENT = re.compile(r"^[ \t]*(?:--|#|//)[ \t]*(?P<date>\d{4}-\d{2}-\d{2})\b", re.MULTILINE)

_COMMENTED = frozenset({"sql", "yaml", "toml", "ini", "env"})
DATES = ("last_updated", "commit_date")
"""What metadata call the date of a text, the first before the second."""
_MILLISECONDS = 100_000_000_000
"""A number as large is no count of seconds: those are of the year 5138."""


def time_of(observation: NormalizedObservation) -> float | None:
    """Seconds since 1970 from `last_updated`, `commit_date`, or what the text states; else None."""
    for key in DATES:
        seconds = _seconds(observation.metadata.get(key))
        if seconds is not None:
            return seconds
    return stated_time(observation)


def stated_time(observation: NormalizedObservation) -> float | None:
    """From a line such as `Last updated: 2024-05-01`, or the newest comment such as `-- 2024-05-01: longer titles`."""
    stated = _seconds(stated_day(observation.content))
    if stated is None and notation_of(observation) in _COMMENTED:
        times = [_seconds(found["date"]) for found in _DATED_COMMENT.finditer(observation.content)]
        return max((time for time in times if time is not None), default=None)
    return stated


def _seconds(value: Any) -> float | None:
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        try:
            seconds = value / 1000 if abs(value) >= _MILLISECONDS else float(value)
            datetime.fromtimestamp(seconds, UTC)
        except (ValueError, OverflowError, OSError):
            return None
        return seconds
    if isinstance(value, date) and not isinstance(value, datetime):
        value = datetime(value.year, value.month, value.day, tzinfo=UTC)
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            return None
    if not isinstance(value, datetime):
        return None
    return (value if value.tzinfo else value.replace(tzinfo=UTC)).timestamp()


REACH = "applies to"

EVERYONE = "all projects"

_HEADING = re.compile(r"^#{1,6}[ \t]+(?P<title>.+?)[ \t#]*$", re.MULTILINE)

_LINE = re.compile(
    r"^[ \t>*_-]*+(?:applies to|scope)[*_]*+[ \t]*+:[ \t*_`]*+(?P<whom>[^\n]+)$", re.IGNORECASE | re.MULTILINE
)

_EVERYONE = re.compile(
    r"^(?:all|every|each|everyone|everything|global(?:ly)?|organi[sz]ation|company)"
    r"(?:[ -](?:projects?|teams?|services?|wide))?$",
    re.IGNORECASE,
)

_ONE = re.compile(
    r"^(?:the `?(?P<named>[\w-]+)`? (?:project|service|team|repository)|`?(?P<project>[\w-]+)`?)(?: only)?$"
)


class ReachRule:
    """A section, by its heading, `applies to` all projects or to one. These claims meet across projects."""

    notations = frozenset({"md"})

    def claims(self, passage: Passage) -> Iterator[Claim]:
        for line in _LINE.finditer(passage.text):
            subject = _heading_above(passage, line.start()).casefold()
            if not subject:
                continue
            whom = line["whom"].strip("*_.` \t\r")
            one = _ONE.match(whom)
            if _EVERYONE.match(whom):
                yield Claim("", subject, REACH, EVERYONE, where=passage.where)
            elif one:
                name = one["project"] or one["named"]
                yield Claim("", subject, REACH, name.casefold(), where=passage.where)


def _heading_above(passage: Passage, position: int) -> str:
    """The last heading before a place in the text; where there is none, the section that the passage is from."""
    above = [found["title"] for found in _HEADING.finditer(passage.text, endpos=position)]
    return above[-1] if above else passage.section.rpartition(">")[2].strip()
