"""For whom a section of a document holds: `Applies to: all projects`, or one project alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from merging.claims.port import Claim, Passage

__all__ = ["EVERYONE", "REACH", "ReachRule"]

REACH = "applies to"
EVERYONE = "all projects"

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

    name = "reach"
    notations = frozenset({"md"})

    def claims(self, passage: Passage) -> Iterator[Claim]:
        subject = passage.section.rpartition(">")[2].strip().casefold()
        if not subject:
            return
        for line in _LINE.finditer(passage.text):
            one = _ONE.match(line["whom"])
            if _EVERYONE.match(line["whom"]):
                yield Claim("", subject, REACH, EVERYONE, where=passage.where)
            elif one:
                yield Claim("", subject, REACH, one["project"].casefold(), where=passage.where)
