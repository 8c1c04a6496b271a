"""Code by its definitions, small ones together and big classes opened; SQL by table (docs/design.md#chunks)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from extraction.facts import Definition
from indexing.chunks.draft import Span, may_join, size_of, split_by_size, trimmed

_LEADER = re.compile(
    r"^\s*(?:@|#|//|/\*|\*|--|;|%|\[\w|<!--|'''|template\s*<|(?:unsafe )?impl\b.*\{$|companion object\b)"
)
_CLOSER = re.compile(r"^\s*[)\]}]")
_UNOPENED = {"function", "method", "constant"}
_ABOVE_TABLE = re.compile(r"^\s*(?:--|#|/\*|\*)|\*/\s*$")


@dataclass(slots=True)
class _Node:
    """A definition from its line `first`, with what it encloses; `start` takes in its decorators and comments."""

    start: int
    first: int
    end: int
    definition: Definition
    inside: list[_Node] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Piece:
    """A range of lines and the definition it is part of.

    `whole`: may be joined with its neighbours, as it is no part of a definition that had to be opened or cut;
    `between`: what is outside the inner definitions (a class's head, a namespace's last brace), which joins even those.
    """

    start: int
    end: int
    owner: str
    whole: bool = True
    between: bool = False


def code_spans(lines: Sequence[str], definitions: Sequence[Definition], max_chars: int) -> list[Span]:
    """Spans of up to `max_chars` that begin and end with definitions where they can. `symbol` is the one definition
    that a span holds; of several the one they are all part of, else the longest.
    """
    pieces = _cut(lines, 1, len(lines), _nested(lines, definitions), "", max_chars)
    ordered = sorted(definitions, key=lambda d: (d.start_line, -d.end_line))
    return [_span(piece, [d for d in ordered if piece.start <= d.start_line <= piece.end]) for piece in pieces]


def _nested(lines: Sequence[str], definitions: Sequence[Definition]) -> list[_Node]:
    """The definitions as a forest by their lines; one that crosses another's end or shares its lines is left to it."""
    roots: list[_Node] = []
    path: list[_Node] = []
    for definition in sorted(definitions, key=lambda d: (d.start_line, -d.end_line)):
        found = trimmed(lines, max(definition.start_line, 1), min(definition.end_line, len(lines)))
        if found is None:
            continue
        first, last = found
        while path and path[-1].end < first:
            path.pop()
        outer = path[-1] if path else None
        if outer and (last > outer.end or first == outer.first):
            continue
        beside = outer.inside if outer else roots
        floor = beside[-1].end + 1 if beside else (outer.first + 1 if outer else 1)
        node = _Node(_with_leaders(lines, first, floor), first, last, definition)
        beside.append(node)
        path.append(node)
    return roots


def _with_leaders(lines: Sequence[str], start: int, floor: int) -> int:
    """The first line of the decorators and comments directly above line `start`, not above `floor`."""
    top = start
    indent = _indent(lines[start - 1])
    for number in range(start - 1, floor - 1, -1):
        line = lines[number - 1]
        if not line.strip():
            break
        if _LEADER.match(line):
            top = number
        elif _indent(line) <= indent and not _CLOSER.match(line):  # else: the inside of a decorator over several lines
            break
    return top


def _cut(
    lines: Sequence[str], start: int, end: int, nodes: Sequence[_Node], owner: str, max_chars: int
) -> list[_Piece]:
    pieces: list[_Piece] = []
    at = start
    for node in nodes:
        pieces += _between(lines, at, node.start - 1, owner, max_chars)
        pieces += _definition(lines, node, max_chars)
        at = node.end + 1
    return _joined(lines, [*pieces, *_between(lines, at, end, owner, max_chars)], max_chars, owner)


def _between(lines: Sequence[str], start: int, end: int, owner: str, max_chars: int) -> list[_Piece]:
    return [_Piece(*found, owner, between=True) for found in split_by_size(lines, start, end, max_chars)]


def _definition(lines: Sequence[str], node: _Node, max_chars: int) -> list[_Piece]:
    name = node.definition.name
    if size_of(lines, node.start, node.end) <= max_chars:
        return [_Piece(node.start, node.end, name)]
    if node.inside and node.definition.kind not in _UNOPENED:
        opened = _cut(lines, node.start, node.end, node.inside, name, max_chars)
        return [_Piece(piece.start, piece.end, piece.owner, whole=False) for piece in opened]
    return [_Piece(*found, name, whole=False) for found in split_by_size(lines, node.start, node.end, max_chars)]


def _joined(lines: Sequence[str], pieces: Sequence[_Piece], max_chars: int, owner: str) -> list[_Piece]:
    joined: list[_Piece] = []
    for piece in pieces:
        last = joined[-1] if joined else None
        willing = last and ((last.whole and piece.whole) or last.between or piece.between)
        if last and willing and may_join(lines, (last.start, last.end), (piece.start, piece.end), max_chars):
            held = piece.owner if last.between else last.owner if piece.between else owner
            joined[-1] = _Piece(last.start, piece.end, held, last.whole and piece.whole, last.between and piece.between)
        else:
            joined.append(piece)
    return joined


def _span(piece: _Piece, starting: Sequence[Definition]) -> Span:
    names = dict.fromkeys(d.name for d in starting)
    if piece.owner and piece.owner not in names:
        names = {piece.owner: None, **names}
    outermost: list[Definition] = []
    for definition in starting:
        if not outermost or definition.start_line > outermost[-1].end_line:
            outermost.append(definition)
    if len(outermost) == 1:
        symbol = outermost[0].name
    elif piece.owner or not outermost:
        symbol = piece.owner
    else:
        symbol = max(outermost, key=lambda d: d.end_line - d.start_line).name
    return Span(piece.start, piece.end, symbol, symbols=tuple(names))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def sql_spans(lines: Sequence[str], definitions: Sequence[Definition], max_chars: int) -> list[Span]:
    """A span a table, by the definitions of kind `table`; what is between is cut by size."""
    spans: list[Span] = []
    at = 1
    for table in _tables(lines, definitions):
        start = table.start
        while start > at and _ABOVE_TABLE.search(lines[start - 2]):
            start -= 1
        spans += (Span(*between) for between in split_by_size(lines, at, start - 1, max_chars))
        spans.append(Span(start, table.end, table.symbol, symbols=table.symbols, table=True))
        at = table.end + 1
    return [*spans, *(Span(*rest) for rest in split_by_size(lines, at, len(lines), max_chars))]


def _tables(lines: Sequence[str], definitions: Sequence[Definition]) -> list[Span]:
    """One span a table, in order; tables that share a line share a span."""
    spans: list[Span] = []
    for table in sorted((d for d in definitions if d.kind == "table"), key=lambda d: (d.start_line, d.end_line)):
        found = trimmed(lines, max(table.start_line, 1), min(table.end_line, len(lines)))
        if found is None:
            continue
        start, end = found
        if spans and start <= spans[-1].end:
            last = spans.pop()
            spans.append(Span(last.start, max(last.end, end), last.symbol, symbols=(*last.symbols, table.name)))
        else:
            spans.append(Span(start, end, table.name, symbols=(table.name,)))
    return spans
