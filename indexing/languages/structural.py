"""Captures that are written as ast-grep's rules, where a tree is asked more than queries can say.

`<name>.yaml` beside this file has the rows: a `rule` of ast-grep, and for each capture that `symbols` reads the metavariable
it is, or `it` for the whole match. `NAME.last` and `NAME.head` are a dotted name's last part and what stands before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, cast

import yaml

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ast_grep_py import Range, SgNode

    from indexing.languages.matching import Match

__all__ = ["Rules"]

PARTS: Final[Mapping[str, Callable[[str], str]]] = {
    "last": lambda text: text.rpartition(".")[2],
    "head": lambda text: text.rpartition(".")[0],
}


@dataclass(frozen=True, slots=True)
class Part:
    """A name of which one part counts; where it is and what is around it, is the whole name's."""

    of: SgNode
    part: str

    def text(self) -> str:
        return PARTS[self.part](self.of.text())

    def range(self) -> Range:
        return self.of.range()

    def parent(self) -> SgNode | None:
        return self.of.parent()


class Rules:
    """The rows of a language's file."""

    def __init__(self, name: str) -> None:
        rows = yaml.safe_load(files(__package__).joinpath(f"{name}.yaml").read_text(encoding="utf-8"))
        self._rows: list[tuple[dict[str, Any], Mapping[str, str]]] = [
            ({"rule": row["rule"]}, {key: row[key] for key in row if key != "rule"}) for row in rows
        ]

    def matches(self, root: SgNode) -> list[Match]:
        """What each row captures in the tree, row by row."""
        found: list[Match] = []
        for rule, captures in self._rows:
            for match in root.find_all(rule):  # type: ignore[call-overload]  # a config
                nodes = {key: _captured(match, written) for key, written in captures.items()}
                kept = {key: node for key, node in nodes.items() if node is not None}
                if len(kept) == len(nodes):
                    found.append(kept)
        return found


def _captured(match: SgNode, written: str) -> SgNode | None:
    if written == "it":
        return match
    name, _, part = written.partition(".")
    found = match.get_match(name)
    return cast("SgNode", Part(found, part)) if found is not None and part else found
