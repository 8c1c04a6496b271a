"""Names in code that no grammar here reads: literals of a line, with the call or the setting in front of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from indexing.occurrences.code import BASE, Named
from indexing.occurrences.names import base_in, name_in

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["READS", "plain_names"]

READS: Final = frozenset({"lua", "groovy", "clojure", "erlang", "vue", "shell", "julia"})
LITERAL: Final = re.compile(r"\"((?:[^\"\\\n]|\\.){3,120})\"|'([^'\\\n]{3,120})'")
CALLEE: Final = re.compile(r"(\w+)(?:\[[^\]]*\])?\s*\((?:[^()\"']*,\s*)?[a-z]*$")
ASSIGNED: Final = re.compile(r"(\w+)\s*(?::\s*\w+\s*)?[:=]>?\s*[a-z]*$")
COMMENT: Final = re.compile(r"\s*(?://|#(?!\{)|\*|--|;)")
MOST: Final = 300


def plain_names(text: str) -> Iterator[Named]:
    """The names that the literals of a text are."""
    count = 0
    for number, line in enumerate(text.split("\n"), 1):
        if COMMENT.match(line) or len(line) > 500:
            continue
        for found in LITERAL.finditer(line):
            if base := base_in(found[1] or found[2]):
                yield Named(base, number, "", (), BASE)
            name = name_in(found[1] or found[2])
            if not name or count >= MOST:
                continue
            count += 1
            before = line[: found.start()]
            callee, assigned = CALLEE.search(before), ASSIGNED.search(before)
            yield Named(
                name,
                number,
                "",
                (callee[1],) if callee else (),
                "",
                assigned[1] if assigned else "",
                number,
            )
