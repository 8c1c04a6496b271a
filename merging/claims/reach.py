"""For whom a section of a document holds: `Applies to: all projects`, or one project alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from merging.claims.port import Claim, Passage

__all__ = ["EVERYONE", "REACH", "ReachRule"]

REACH = "applies to"
EVERYONE = "all projects"

_HEADING = re.compile(r"^#{1,6}[ \t]+(?P<title>.+?)[ \t#]*$", re.MULTILINE)
_LINE = re.compile(
    r"^[\s>*_-]*(?:applies to|scope)[*_]*[ \t]*:[ \t*_]*(?P<whom>[^\n]+?)[*_.\s]*$", re.IGNORECASE | re.MULTILINE
)
_EVERYONE = re.compile(
    r"^(?:all|every|everyone|everything|organi[sz]ation|company)(?:[ -](?:projects?|teams?|services?|wide))?$",
    re.IGNORECASE,
)
_ONE = re.compile(r"^`?(?P<project>[\w-]+)`?(?: only)?$")


class ReachRule:
    """A section, by its heading, `applies to` all projects or to one. These claims meet across projects."""

    notations = frozenset({"md"})

    def claims(self, passage: Passage) -> Iterator[Claim]:
        for line in _LINE.finditer(passage.text):
            subject = _heading_above(passage, line.start()).casefold()
            if not subject:
                continue
            one = _ONE.match(line["whom"])
            if _EVERYONE.match(line["whom"]):
                yield Claim("", subject, REACH, EVERYONE, where=passage.where)
            elif one:
                yield Claim("", subject, REACH, one["project"].casefold(), where=passage.where)


def _heading_above(passage: Passage, position: int) -> str:
    """The last heading before a place in the text; where there is none, the section that the passage is from."""
    above = [found["title"] for found in _HEADING.finditer(passage.text, endpos=position)]
    return above[-1] if above else passage.section.rpartition(">")[2].strip()
