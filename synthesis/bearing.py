"""Whether the cited lines bear a sentence that somebody else wrote (design §3).

Our own statements are made from their lines; a language model's are not, so more is asked of them: all that is taken word
for word stands in the lines, the names they use without quoting are known where the lines stand, and the sentence speaks
of what the lines speak of. Markers side by side bear their sentence together.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from synthesis.literals import literals, says
from synthesis.terms import terms

__all__ = ["QUOTED", "Ground", "faults"]

COMMON: Final = 0.25
"""The share of a sentence's terms that its lines have to have, all markers of the sentence together."""

QUOTED = re.compile(r"``.+?``|`[^`\n]+`|“[^”]+”")
"""What a sentence says to have taken word for word."""

_NOBODY: Final = {"self", "cls", "this"}  # what stands behind one of these is a line of code, not a member's name
_NAME = re.compile(r"(?<![\w/])[^\W\d]\w*")
_HUMP = re.compile(r"[^\WA-Z\d_][A-Z]|[A-Z]{2}[a-z]{2}|\d[A-Z][a-z]|(?<=\w)_(?=\w)")


@dataclass(frozen=True, slots=True)
class Ground:
    """What one marker leads to: the text of its lines, the names it goes by (path, project, symbol), and what else its
    source says around the lines.
    """

    text: str
    named: str = ""
    around: str = ""


def faults(claim: str, grounds: list[Ground]) -> list[str | None]:
    """For each marker of a sentence why it does not bear it, None where it does."""
    text = " ".join(ground.text for ground in grounds)
    named = " ".join(ground.named for ground in grounds)
    around = " ".join(part for ground in grounds for part in (ground.text, ground.named, ground.around))
    for literal in literals(claim):
        if not _stands(literal, text, named, around):
            return [f"the cited lines do not say {literal}"] * len(grounds)
    for name in _names(claim):
        if not says(around, name):
            return [f"the cited lines do not know {name}"] * len(grounds)
    wanted = terms(claim)
    return [_apart(wanted, ground, len(grounds)) for ground in grounds]


def _apart(wanted: frozenset[str], ground: Ground, markers: int) -> str | None:
    shared = len(wanted & terms(f"{ground.text} {ground.named}"))
    return "the cited lines speak of something else" if shared < COMMON * len(wanted) / markers else None


def _stands(literal: str, text: str, named: str, around: str) -> bool:
    """A call may be named with its brackets, the lines by their own name, and a member with its owner, who is written
    further up.
    """
    bare = literal.strip().removesuffix("()")
    if says(text, literal) or says(text, bare):
        return True
    owner, _, member = bare.rpartition(".")
    if not bare.replace(".", "").isidentifier() or owner in _NOBODY:
        return False
    return says(named, bare) or (bool(owner) and says(f"{text} {named}", member) and says(around, owner))


def _names(claim: str) -> list[str]:
    """Names as code writes them, outside of quotations."""
    return [name for name in _NAME.findall(QUOTED.sub(" ", claim)) if _HUMP.search(name)]
