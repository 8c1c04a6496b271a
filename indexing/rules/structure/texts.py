"""Rules for files that no grammar reads: a regular expression with named groups, which a statement names as `$GROUP`."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from indexing.rules.expressions import line_at
from indexing.rules.structure.matches import Part

if TYPE_CHECKING:
    from indexing.rules.port import Source
    from indexing.rules.structure.matches import Selector

__all__ = ["TextMatch"]


@dataclass(frozen=True, slots=True)
class TextMatch:
    """A match of an expression in a file's text."""

    source: Source
    node: re.Match[str]
    text: str = ""

    @property
    def offset(self) -> int:
        """Where it starts."""
        return self.node.start()

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.node.end()

    def line(self, part: Part | None = None) -> int:
        """The line of a part, else of the match."""
        return part.line if part and part.line else line_at(self.source.text, self.offset)

    def parts(self, chosen: Selector | None) -> list[Part]:
        """What a selector names; none when none of its ways is there."""
        return chosen.parts(lambda text: Part(json.dumps(text), 0), self._group) if chosen else []

    def part(self, chosen: Selector | None) -> Part | None:
        """The first of these."""
        return next(iter(self.parts(chosen)), None)

    def _group(self, name: str, _steps: tuple[str, ...]) -> list[Part]:
        if text := self.node.groupdict().get(name):
            return [Part(json.dumps(text), 0, line=line_at(self.source.text, self.node.start(name)))]
        return [Part(json.dumps(self.source.name.partition(".")[0]), 0, line=1)] if name == "FILE" else []
