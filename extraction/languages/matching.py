"""Where the queries of a language, or ast-grep's rules, match the tree of a file.

Rules are for a tree that is asked more than queries can say. `<name>.yaml` beside this file has the rows: a `rule` of
ast-grep, and for each capture that `symbols` reads the metavariable it is, or `it` for the whole match. `NAME.last` and
`NAME.head` are a dotted name's last part and what is before it.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

import yaml

from extraction.languages.nodes import named_below

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from ast_grep_py import Range, SgNode

    from extraction.languages.queries import Item, Node, Query

PARTS: Final[Mapping[str, Callable[[str], str]]] = {
    "last": lambda text: text.rpartition(".")[2],
    "head": lambda text: text.rpartition(".")[0],
}
Match: TypeAlias = "dict[str, SgNode]"
"""Nodes by what they are captured as."""
_FOUND: Final[list[Match]] = [{}]


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
    def __init__(self, name: str) -> None:
        rows = yaml.safe_load(files(__package__).joinpath(f"{name}.yaml").read_text(encoding="utf-8"))
        self._rows: list[tuple[dict[str, Any], Mapping[str, str]]] = [
            ({"rule": row["rule"]}, {key: row[key] for key in row if key != "rule"}) for row in rows
        ]

    def matches(self, root: SgNode) -> list[Match]:
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


class Matcher:
    """Queries, each tried where a node is of the kind that it begins with."""

    def __init__(self, queries: Iterable[Query]) -> None:
        self._by_kind: defaultdict[str, list[tuple[Node, Query]]] = defaultdict(list)
        for query in queries:
            for choice in query.items[0].choices:
                self._by_kind[choice.kind].append((choice, query))
        self._wanted = {"rule": {"any": [{"kind": kind} for kind in self._by_kind]}}

    def matches(self, root: SgNode) -> list[Match]:
        found: list[Match] = []
        for node in root.find_all(self._wanted):  # type: ignore[call-overload]  # a mapping
            if not node.is_named():
                continue
            for first, query in self._by_kind[node.kind()]:
                matches = _below(node, first)
                if matches and len(query.items) > 1:
                    below = named_below(node)
                    beside = _sequence(query.items[1:], [below], 0, {}, closed=False) if below else []
                    matches = [{**one, **other} for one in matches for other in beside]
                if query.predicates:
                    tested = query.tested
                    matches = [
                        one
                        for one in matches
                        if query.holds({name: one[name].text() for name in tested if name in one})
                    ]
                found += matches
        return found


def _below(node: SgNode, wanted: Node) -> list[Match]:
    """The ways in which a node of the kind that is wanted is as it is wanted."""
    for field in wanted.absent:
        if node.field_children(field):
            return []
    found = [dict.fromkeys(wanted.captures, node)] if wanted.captures else _FOUND
    if not wanted.items:
        return found if not wanted.closed or not node.named_children() else []
    if wanted.plain:
        for item in wanted.items:
            one = [match for child in node.field_children(item.field) for match in _choices(child, item)]
            if not one:
                return []
            found = [{**before, **match} for before in found for match in one]
        return found
    fields = {item.field: node.field_children(item.field) for item in wanted.items if item.field}
    rest = _sequence(wanted.items, node.children(), 0, fields, closed=wanted.closed)
    return [{**before, **match} for before in found for match in rest]


def _choices(node: SgNode, item: Item) -> list[Match]:
    kind, named = node.kind(), node.is_named()
    found: list[Match] = []
    for choice in item.choices:
        if (choice.kind == kind and choice.word != named) or (named and not choice.kind):
            found += _below(node, choice)
    return found


def _sequence(
    items: Sequence[Item], nodes: list[SgNode], start: int, fields: dict[str, list[SgNode]], *, closed: bool
) -> list[Match]:
    """The ways in which the items are found among the nodes from a place on, in their order."""
    if not items:
        return [] if closed and any(node.is_named() for node in nodes[start:]) else _FOUND
    item, rest = items[0], items[1:]
    found = _sequence(rest, nodes, start, fields, closed=closed) if item.repeated == "*" else []
    reached: list[tuple[int, Match]] = [(start, {})]
    while reached:  # once, or as often as the item is repeated: a file may begin with a thousand comments
        reached = [
            (at + 1, {**before, **match})
            for begin, before in reached
            for at, match in _next(item, nodes, begin, fields)
        ]
        for at, before in reached:
            found += [{**before, **behind} for behind in _sequence(rest, nodes, at, fields, closed=closed)]
        if not item.repeated:
            break
    return found


def _next(item: Item, nodes: list[SgNode], start: int, fields: dict[str, list[SgNode]]) -> Iterator[tuple[int, Match]]:
    """Where an item is found among the nodes from a place on, and how."""
    for at in range(start, len(nodes)):
        node = nodes[at]
        if not item.field or node in fields[item.field]:
            for match in _choices(node, item):
                yield at, match
        if item.anchored and node.is_named():
            break
