"""Tables of Markdown with a column of passwords: the heading is the name of what is below it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from memory.secrets.literals import keys_in
from memory.secrets.values import is_password, is_token

_RULE: Final = re.compile(r"^[ \t>]{0,20}[-:|][-:| \t]*+$", re.MULTILINE)
_RULES: Final = ("|-", "|:-", "| -", "| :-", "--|", "-- |")  # a search for these is quick
_AROUND: Final = " \t`*_"
_MOST_ROWS: Final = 200
_LONGEST: Final = 60  # of a heading


def table_spans(text: str) -> Iterator[tuple[int, int]]:
    """The cells below `password`, `API key` and the like, where they are of a password's make."""
    done = 0
    for rule in _RULE.finditer(text) if any(map(text.__contains__, _RULES)) else ():
        if rule.start() < done or "|" not in rule[0] or "--" not in rule[0]:
            continue
        above = text.rfind("\n", 0, max(0, rule.start() - 1)) + 1
        columns = [(number, judge) for number, cell in enumerate(_cells(text, above)) if (judge := _judge(text, cell))]
        at, rows = rule.end() + 1, 0
        while columns and rows < _MOST_ROWS and (cells := _cells(text, at)):
            for number, judge in columns:
                first, last = cells[number] if number < len(cells) else (at, at)
                if judge(text[first:last], loose=False):
                    yield first, last
            done = text.find("\n", at)
            if done < 0:
                return
            at, rows = done + 1, rows + 1


def _cells(text: str, at: int) -> list[tuple[int, int]]:
    """Where the cells of this line stand, without what is around their words; none where it is no row."""
    end = text.find("\n", at)
    line = text[at : end if end >= 0 else len(text)]
    cells: list[tuple[int, int]] = []
    for cell in line.split("|") if "|" in line else ():
        within = len(cell) - len(cell.lstrip(_AROUND))
        cells.append((at + within, at + max(within, len(cell.rstrip(_AROUND)))))
        at += len(cell) + 1
    return cells


def _judge(text: str, heading: tuple[int, int]) -> Callable[..., bool] | None:
    name = text[slice(*heading)][:_LONGEST]
    for key in keys_in(f"{name}:") if name else ():
        if key.end == len(name):
            return is_password if key.password else is_token
    return None
