"""Calls and the texts that they are given, as written: arguments, string literals put together, and what a name means.

Works on any language whose calls have parentheses and whose strings have quotes; nothing is evaluated.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

HOLE: Final = "\0"
"""What a program puts into a text at run time."""
LITERAL: Final = re.compile(
    r"""(?:[fFrRbBuU]{1,2}|[$@]{1,2})?(?P<quote>\"\"\"|["'`])(?P<text>(?:\\.|(?!(?P=quote))[^\n\\])*+)(?P=quote)"""
)
PUT_IN: Final = re.compile(
    r"\$\{(?P<a>[^{}]*(?:\{[^{}]*\}[^{}]*)*)\}|#\{(?P<b>[^{}]*)\}|\{(?P<c>[^{}]*)\}|%[+\-\d.]*[sdvq](?![\w%])|\$(?P<d>[A-Za-z_]\w*(?:->\w+)*)"
    r"|(?<=/):(?P<e>\w+)"
)
FORMAT: Final = re.compile(r"(?:\bS?[pP]rintf|\b[fF]ormat!?|\.formatted)\s*\(|[\"']\s*%\s*[\w(]")
SUBSCRIPT: Final = re.compile(r"""\[\s*["']([\w.\-:]+)["']\s*\]""")
LINE_COMMENT: Final = re.compile(
    f"(?P<literal>{LITERAL.pattern})|^[ \\t]*(?:///?|#(?![\\[{{])|--)[^\\n]*", re.MULTILINE
)
COMMENT: Final = re.compile(rf"{LINE_COMMENT.pattern}|/\*(?:.*?\*/|(?P<open>.*))", re.MULTILINE | re.DOTALL)
LESS: Final = re.compile(r"\.(?:replace|strip|[lr]strip|remove|split|trim|starts|ends)\w*\(\s*$", re.IGNORECASE)
"""In front of a text that is taken away from what is there, or looked for in it."""
NAME: Final = re.compile(r"[$@&]?(?:[A-Za-z_]\w*(?:\.|->|::|\?\.|!\.))*([A-Za-z_]\w*)")
CHOICE: Final = re.compile(r"(?:if|unless|case|cond|switch|match|with)\b(?! *\()")
OPEN: Final = {"(": ")", "[": "]", "{": "}"}
SIGN: Final = re.compile(r"[\"'`()\[\]{}]")
LONGEST: Final = 20_000
MOST_OPEN: Final = 100
DEEPEST: Final = 3


@dataclass(frozen=True, slots=True)
class Joined:
    """A text with a HOLE for each thing put in, and what that is, as written."""

    text: str
    holes: tuple[str, ...] = ()


def line_at(text: str, offset: int) -> int:
    return text.count("\n", 0, offset) + 1


@lru_cache(maxsize=2)  # several rules read one file, then the next
def without_comments(text: str) -> str:
    """The same text, as long, with blanks for comments that fill their lines and for `/* … */`."""

    def blank(found: re.Match[str]) -> str:
        if found["literal"]:
            return found[0]
        if found.groupdict().get("open") is not None:
            return LINE_COMMENT.sub(blank, found[0])  # no other `/*` of it is closed either
        return re.sub(r"[^\n]", " ", found[0])

    return COMMENT.sub(blank, text)


def closing(text: str, start: int) -> int:
    """Where the bracket at `start` is closed; -1 when not within LONGEST characters, or it holds too many."""
    stack: list[str] = []
    at = start
    while len(stack) < MOST_OPEN and (sign := SIGN.search(text, at, start + LONGEST)):
        at, character = sign.end(), sign[0]
        if character in "\"'`" and (found := LITERAL.match(text, sign.start())):
            at = found.end()
        elif character in OPEN:
            stack.append(OPEN[character])
        elif stack and character == stack[-1]:
            stack.pop()
            if not stack:
                return sign.start()
    return -1


def arguments(text: str, start: int) -> tuple[list[str], int]:
    """A call's arguments from its bracket at `start`, and where it ends; without a bracket, those to the line's end."""
    if text[start : start + 1] == "(":
        end = closing(text, start)
        return (_split(text[start + 1 : end]), end + 1) if end >= 0 else ([], start)
    end = text.find("\n", start)
    end = len(text) if end < 0 else end
    return _split(text[start:end]), end


def _split(text: str) -> list[str]:
    parts, begin, at = [], 0, 0
    while at < len(text):
        character = text[at]
        if character in "\"'`" and (found := LITERAL.match(text, at)):
            at = found.end()
            continue
        if character in OPEN:
            end = closing(text, at)
            at = end if end >= 0 else at
        elif character == ",":
            parts.append(text[begin:at].strip())
            begin = at + 1
        at += 1
    return [*parts, text[begin:].strip()] if text[begin:].strip() or parts else []


def texts(expression: str) -> Iterator[str]:
    return (found["text"] for found in LITERAL.finditer(expression))


def first_text(expression: str) -> str | None:
    """The literal that an argument is, under a keyword or not; None when it is anything else."""
    found = LITERAL.fullmatch(re.sub(r"^\w+\s*(?:=|:)\s*(?!:)", "", expression.strip()))
    return found["text"] if found else None


def join(expression: str, source: str, offset: int, depth: int = 0, *, verbatim: bool = False) -> Joined | None:
    """The text that an expression makes: literals one after another, with holes; None when no literal is in it.

    A name alone means what `source` assigns to it before `offset`, else anywhere. `verbatim`: what is in braces
    or behind a colon is a literal's own text.
    """
    expression = SUBSCRIPT.sub(r".\1", expression.strip())
    found = [one for one in LITERAL.finditer(expression) if not re.fullmatch(r"[A-Z][A-Z0-9_]*", one["text"])]
    if not found:
        return _named(expression, source, offset, depth)
    if LESS.search(expression[: found[0].start()]):
        return None
    if FORMAT.search(expression):
        first = next((one for one in found if PUT_IN.search(one["text"])), found[0])
        rest = f"{expression[: first.start()]} {expression[first.end() :]}"
        return _filled(first["text"], source, offset, depth, rest)
    joined, end = Joined(""), 0
    for one in found:
        between = expression[end : one.start()]
        raw = between.strip().removeprefix(")").strip()
        if end and not re.match(r"[+.]|<<", raw):
            break  # the next argument of a function around it
        if re.search(r"(?:\+|(?<=[\w)])\s*\.|<<)$", raw):
            joined = _add(joined, _inserted(raw.strip("+.< \n"), source, offset, depth))
        literal = Joined(one["text"]) if verbatim else _filled(one["text"], source, offset, depth)
        joined = _add(joined, literal)
        end = one.end()
    rest = expression[end:].strip()
    if re.match(r"\+|\.\s*[$\w]+\s*(?:$|[.)])", rest):
        joined = _add(joined, Joined(HOLE, (rest,)))
    return joined


def _add(one: Joined, other: Joined) -> Joined:
    return Joined(one.text + other.text, one.holes + other.holes)


def _filled(literal: str, source: str, offset: int, depth: int, rest: str = "") -> Joined:
    joined, end = Joined(""), 0
    for found in PUT_IN.finditer(literal):
        inside = next((found[g] for g in "abcde" if found[g]), "") or rest
        joined = _add(joined, Joined(literal[end : found.start()]))
        joined = _add(joined, _inserted(inside, source, offset, depth) if not found["e"] else Joined(HOLE, (inside,)))
        end = found.end()
    return _add(joined, Joined(literal[end:]))


def _inserted(expression: str, source: str, offset: int, depth: int) -> Joined:
    known = _named(expression, source, offset, depth) if depth < DEEPEST else None
    return known or Joined(HOLE, (expression,))


def _named(expression: str, source: str, offset: int, depth: int) -> Joined | None:
    """What a name is assigned; a constant that is read from the environment becomes what reads it."""
    name = NAME.fullmatch(expression.strip())
    value = assigned(name[1], source, offset) if name and depth < DEEPEST else ""
    if not value or value == expression.strip():
        return None
    if CHOICE.match(value):
        return Joined(HOLE, (expression,))
    itself = re.search(rf"(?<![\w.]){re.escape(name[1])}\b", value) if name else None
    joined = join(value, source, offset, DEEPEST if itself else depth + 1)
    return joined if joined and joined.text.strip(HOLE) else Joined(HOLE, (f"{expression} {value[:100]}",))


def assigned(name: str, source: str, offset: int) -> str:
    """What the last assignment to a name before `offset` says, else the first one; '' for none."""
    pattern = rf"(?<![\w.$])(?:[\w$]+(?:\.|->))*\[?[\"'@$]?{re.escape(name)}\b[\"']?\]?\s*(?::\s*[\w<>.?\[\]]+\s*)?(?::=|=(?![=>]))\s*(?=[^\s=])"  # noqa: E501 - a pattern
    found = list(re.finditer(pattern, source))
    before = [one for one in found if one.end() <= offset]
    if not found:
        return ""
    start = (before[-1] if before else found[0]).end()
    at = start
    while at < min(len(source), start + 500):
        character = source[at]
        if character in "\"'`" and (literal := LITERAL.match(source, at)):
            at = literal.end()
            continue
        if character in OPEN:
            end = closing(source, at)
            at = end if end >= 0 else at
        elif character in ";,)}]" or (character == "\n" and not re.match(r"\s*[.+?]", source[at : at + 80])):
            break
        at += 1
    return source[start:at].strip()
