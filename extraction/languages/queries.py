"""Queries in tree-sitter's notation, read into patterns: `(call function: (identifier) @name) @reference.call`.

Of the notation there are fields, `!field`, `[a b]`, `(_)`, `"word"`, `@capture`, the anchor `.`, the repetitions `*`
and `+`, and the predicates `#eq?`, `#not-eq?`, `#any-of?`, `#match?` and `#not-match?`. Two siblings may be at the top,
in parentheses.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

TOKEN: Final = re.compile(r'\s*("(?:\\.|[^"\\])*"|[@#!]?[\w.?-]*[\w?]:?|[().*+\[\]])')


@dataclass(frozen=True, slots=True)
class Node:
    """A node that is looked for: its kind ('' for any named one), and what it has; a `word` is a node without a name.
    plain: whether each item has its field, so that their order says nothing.
    """

    kind: str
    word: bool = False
    captures: tuple[str, ...] = ()
    items: tuple[Item, ...] = ()
    absent: tuple[str, ...] = ()
    closed: bool = False
    plain: bool = True


@dataclass(frozen=True, slots=True)
class Item:
    """One of these below a node, or beside another; `anchored`: with no named node in front of it."""

    choices: tuple[Node, ...]
    field: str = ""
    anchored: bool = False
    repeated: str = ""


@dataclass(frozen=True, slots=True)
class Query:
    """A node looked for everywhere, perhaps the one right behind it, and what must hold of what is captured."""

    items: tuple[Item, ...]
    predicates: tuple[tuple[str, str, re.Pattern[str]], ...] = ()

    def holds(self, captured: dict[str, str]) -> bool:
        """Whether the texts of what is captured are as they must be; of what is not captured nothing is."""
        return all(
            bool(pattern.search(captured[name])) != operator.startswith("not")
            for operator, name, pattern in self.predicates
            if name in captured
        )

    @property
    def tested(self) -> tuple[str, ...]:
        return tuple(name for _, name, _ in self.predicates)


def queries_in(text: str) -> Iterator[Query]:
    """The queries of a text, one after the other. Raises ValueError."""
    tokens = _Tokens(text)
    while tokens.left():
        if tokens.grouped():
            tokens.take("(")
            first, *beside = _items(tokens, ")")
            items = (_captured(first, _captures(tokens)), *beside)
        else:
            items = (_item(tokens),)
        yield Query(items, tuple(tokens.predicates))
        tokens.predicates.clear()


class _Tokens:
    def __init__(self, text: str) -> None:
        text = re.sub(r"(?m)^\s*;.*$|\s;\s.*$", "", text).rstrip()
        self._tokens, at = [], 0
        while at < len(text):
            found = TOKEN.match(text, at)
            if found is None:
                raise ValueError(f"No query: {text[at : at + 40]!r}")
            self._tokens.append(found[1])
            at = found.end()
        self._at = 0
        self.predicates: list[tuple[str, str, re.Pattern[str]]] = []

    def left(self) -> bool:
        return self._at < len(self._tokens)

    def next(self, ahead: int = 0) -> str:
        return self._tokens[self._at + ahead] if self._at + ahead < len(self._tokens) else ""

    def take(self, wanted: str = "") -> str:
        token = self.next()
        if not token or (wanted and token != wanted):
            raise ValueError(f"{wanted or 'More'} is missing before {token!r}.")
        self._at += 1
        return token

    def grouped(self) -> bool:
        return self.next() == "(" and self.next(1) in {"(", "[", '"'}


def _items(tokens: _Tokens, end: str) -> list[Item]:
    items: list[Item] = []
    while tokens.next() != end:
        if tokens.next(1).startswith("#"):
            tokens.predicates.append(_predicate(tokens))
        else:
            items.append(_item(tokens))
    tokens.take(end)
    return items


def _item(tokens: _Tokens) -> Item:
    """One with nothing to choose from is a field that must not be there, or the anchor of what comes last."""
    anchored = tokens.next() == "." and bool(tokens.take())
    if tokens.next() == ")":
        return Item((), anchored=anchored)
    if tokens.next().startswith("!"):
        return Item((), tokens.take()[1:])
    field = tokens.take().rstrip(":") if tokens.next().endswith(":") else ""
    if tokens.next() == "[":
        tokens.take()
        choices = tuple(choice for item in _items(tokens, "]") for choice in item.choices)
    else:
        choices = (_node(tokens),)
    repeated = tokens.take() if tokens.next() in {"*", "+"} else ""
    return _captured(Item(choices, field, anchored, repeated), _captures(tokens))


def _node(tokens: _Tokens) -> Node:
    if tokens.next().startswith('"'):
        return Node(json.loads(tokens.take()), word=True)
    tokens.take("(")
    if tokens.grouped():  # a group of one, as some write it
        return _items(tokens, ")")[0].choices[0]
    kind = tokens.take().removeprefix("_")
    items = _items(tokens, ")")
    absent = tuple(item.field for item in items if item.field and not item.choices)
    closed = bool(items) and items[-1].anchored and not items[-1].choices
    items = [item for item in items if item.choices]
    plain = not closed and all(item.field and not item.anchored for item in items)
    return Node(kind, items=tuple(items), absent=absent, closed=closed, plain=plain)


def _captures(tokens: _Tokens) -> tuple[str, ...]:
    names: list[str] = []
    while tokens.next().startswith("@"):
        names.append(tokens.take()[1:])
    return tuple(names)


def _captured(item: Item, names: tuple[str, ...]) -> Item:
    if not names:
        return item
    return replace(item, choices=tuple(replace(one, captures=(*one.captures, *names)) for one in item.choices))


def _predicate(tokens: _Tokens) -> tuple[str, str, re.Pattern[str]]:
    tokens.take("(")
    operator, name = tokens.take()[1:].rstrip("?"), tokens.take()[1:]
    values = []
    while tokens.next() != ")":
        values.append(str(json.loads(tokens.take())))
    tokens.take(")")
    if operator.endswith("match"):
        return operator, name, re.compile(values[0])
    return operator, name, re.compile(rf"\A(?:{'|'.join(map(re.escape, values))})\Z")
