"""Many relations told in few lines: who uses what of another project, by what uses it, with the most telling line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from synthesis.extractive.statements import Claim, Line
from synthesis.extractive.wording import listed, verb
from synthesis.markers import graph_marker

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synthesis.answer import Citation
    from synthesis.extractive.sources import Edge

__all__ = ["by_user", "shown_code", "use_claim", "use_lines"]

_DECLARES: Final = "DEPENDS_ON"
_IMPORTS: Final = "IMPORTS"
_SERVICE: Final = "service"
_NAMED: Final = 8


def by_user(edges: Sequence[Edge]) -> list[list[Edge]]:
    """The edges by what they start from: what a project declares, then services, then who uses most, mere imports last; a service and a
    function of one name are two.

    A module's import is left out where something of the same file is known to use the other side.
    """
    using = {
        (e.relation.project, e.relation.path, e.relation.target.project)
        for e in edges
        if e.relation.type not in {_IMPORTS, _DECLARES}
    }
    users: dict[tuple[str, str, bool], list[Edge]] = {}
    for edge in edges:
        relation = edge.relation
        told = (relation.project, relation.path, relation.target.project) in using
        if relation.type != _IMPORTS or not told:
            users.setdefault((relation.source.label, relation.source.kind, relation.type == _DECLARES), []).append(edge)
    order = {_DECLARES: 0, _IMPORTS: 2}

    def place(own: list[Edge]) -> tuple[int, bool, int]:
        relation = own[0].relation
        return order.get(relation.type, 1), relation.source.kind != _SERVICE, -len(own)

    return sorted(users.values(), key=place)


def use_lines(edges: Sequence[Edge], most: int) -> list[Line]:
    """A bullet for each user, and how many more there are."""
    users = by_user(edges)
    more = [Line((Claim(f"… and {len(users) - most} more."),))] if len(users) > most else []
    return [*(Line((use_claim(own),), "- ") for own in users[:most]), *more]


def use_claim(own: Sequence[Edge], *, code: bool = True, owned: bool = False) -> Claim:
    """`Client calls Retrying and stop_after_attempt of tenacity (client.py:55): …`; each edge is cited, one is quoted.

    `owned` is when the project has been named already.
    """
    shown = max(own, key=_tells)  # the first of equals
    where = f" ({shown.location.path}:{shown.location.start_line})" if shown.location else ""
    quoted = f": {shown_code(shown)}" if shown.location and code else "" if where else "."
    source = own[0].relation.source
    parts = []
    for kind in dict.fromkeys(edge.relation.type for edge in own):
        ends = dict.fromkeys(edge.relation.target for edge in own if edge.relation.type == kind)
        names = list(dict.fromkeys(end.name for end in ends))
        more = [f"{len(names) - _NAMED} more"] if len(names) > _NAMED else []
        others = list(dict.fromkeys(end.project for end in ends if end.name != end.project != source.project))
        of = f" of {listed(others)}" if others else ""
        parts.append(f"{verb(kind, next(iter(ends)).kind)} {listed([*names[:_NAMED], *more])}{of}")
    said = "declares it" if owned and source.kind == "project" else f"{source.name} {listed(parts)}"
    return Claim(f"{said}{where}{quoted}", tuple(_cited(edge, alone=len(own) == 1) for edge in own))


def shown_code(edge: Edge) -> str:
    """The proving line as it is printed: what is still open at its end is closed with an ellipsis."""
    text = edge.quote.partition("  #")[0].rstrip().replace("`", "'")
    signs = {"(": ")", "[": "]", "{": "}"}
    return f"`{text} …{signs[text[-1]]}`" if text[-1:] in signs else f"`{text.rstrip(',')}`"


def _tells(edge: Edge) -> tuple[bool, bool]:
    """A line with the name of what is used says most, and a whole one more than one that goes on."""
    name = edge.relation.target.name.rsplit(".", 1)[-1]
    return not edge.quote.rstrip().endswith(("(", "[", "{", ",")), name in edge.quote


def _cited(edge: Edge, *, alone: bool) -> Citation:
    """Several relations of one thing stand under its marker, a single one under its own."""
    source, target = edge.relation.source, edge.relation.target
    marker = graph_marker([source.label, target.label] if alone else [source.label])
    return edge.citation(marker, f"{source.name} {verb(edge.relation.type, target.kind)} {target.name}")
