"""What the functions that make a call do about its failure, beside the path that leads through them."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from synthesis.extractive.cleaning import shortened
from synthesis.extractive.code import code_passages
from synthesis.extractive.features import features, told
from synthesis.extractive.statements import Claim, Line
from synthesis.markers import graph_marker

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synthesis.extractive.sources import Edge, Source

__all__ = ["handling_lines"]


def handling_lines(way: Sequence[Edge]) -> list[Line]:
    """What the functions that make the calls say of themselves, and what they do about failure, such as trying again."""
    lines = []
    for edge in way:
        found = _around_call(edge)
        if found is None:
            continue
        source, first, last, name = found
        inside = source.lines[first : last + 1]
        does = features(inside)
        if any(feature.kind in {"retried", "tries", "loops", "waits"} for feature in does):
            text = f"{name} {told(does)}."
            claims = [Claim(text, (source.citation(text, "\n".join(inside), first, last),))]
            said = next((p for p in code_passages(inside) if p.kind == "documentation"), None)
            if said is not None:
                words = shortened(said.text)
                claims.append(
                    Claim(f"“{words}”", (source.citation(words, said.quote, first + said.first, first + said.last),))
                )
            marker = graph_marker([edge.relation.source.label])
            lines.append(Line(tuple(Claim(c.text, (replace(c.citations[0], marker=marker),)) for c in claims)))
    return lines


def _around_call(edge: Edge) -> tuple[Source, int, int, str] | None:
    """The function around the proving line, as indexes into the source definition's lines, and its name."""
    if edge.body is None or edge.body.location is None or edge.location is None:
        return None
    lines, at = edge.body.lines, edge.location.start_line - edge.body.location.start_line
    for first in range(at, -1, -1):
        named = re.match(r"(\s*)(?:async\s+)?(?:def|fn|func|function)\s+(\w+)", lines[first])
        if named:
            last = first
            for number in range(first + 1, len(lines)):
                inside = not lines[number].strip() or lines[number].startswith((named[1] + " ", named[1] + "\t"))
                if not inside:
                    break
                last = number if lines[number].strip() else last
            owner = edge.relation.source.name
            name = named[2] if owner.rsplit(".", 1)[-1] == named[2] else f"{owner}.{named[2]}"
            return edge.body, first, last, name
    return None
