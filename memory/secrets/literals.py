"""Values as files write them, and where: between quotes, up to a space, on the rest of a line, on lines below."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

__all__ = ["Literal", "block_scalar", "literal_at", "rest_of_line", "word_at"]

_OPENED: Final = re.compile(
    r"(?:(?:new[ ])?(?:SecretStr|SecureString|Some|String::from|str|bytes|Buffer\.from|base64decode)\()?"
    r"[brufBRUFL@$]{0,3}"
    r"(?P<quote>\\{0,2}(?:\"\"\"|'''|[\"'`]))"
)
_LONGEST: Final = 16_384  # between quotes
_LONG: Final = 512  # of a word: more tells nothing more of it
_WORD: Final = re.compile(rf"[^\s\"'`,;&<>(){{}}\[\]|\\]{{1,{_LONG}}}")
_WORD_ON: Final = re.compile(r"[^\s\"'`,;&<>(){}\[\]|\\]+")
_REST: Final = re.compile(rf"[^\r\n]{{1,{_LONGEST}}}")
_REST_ON: Final = re.compile(r"[^\r\n]+")
_COMMENT: Final = re.compile(r"[ \t]+#.*$")
_BLOCK: Final = re.compile(r"[|>][-+\d]{0,2}[ \t]*(?:#[^\n]*)?\r?\n")
_MOST_LINES: Final = 200
_STOPS: Final = "`.,;:!?)*"


class Literal(NamedTuple):
    """A value and the places that hold it. loose: what is enough to take it for a secret."""

    value: str
    spans: tuple[tuple[int, int], ...]
    loose: bool


def literal_at(text: str, at: int, *, loose: bool) -> Literal | None:
    """The text between quotes that open here, on one line but for triple quotes; they may be escaped: JSON in JSON."""
    found = _OPENED.match(text, at)
    if found is None:
        return None
    quote, start = found["quote"], found.end()
    end = text.find(quote, start, start + _LONGEST)
    while end > start and len(quote) == 1 and _escaped(text, start, end):
        end = text.find(quote, end + 1, start + _LONGEST)
    if end <= start or (len(quote) < 3 and text.find("\n", start, end) >= 0):
        return None
    return Literal(text[start:end], ((start, end),), loose)


def _escaped(text: str, start: int, end: int) -> bool:
    slashes = end
    while slashes > start and text[slashes - 1] == "\\":
        slashes -= 1
    return (end - slashes) % 2 == 1


def word_at(text: str, at: int, *, loose: bool) -> Literal | None:
    """The text up to a space, a quote or a mark that separates; quoted if it opens with a quote."""
    if quoted := literal_at(text, at, loose=loose):
        return quoted
    found = _WORD.match(text, at)
    if found is None:
        return None
    value = found[0] if loose else found[0].rstrip(_STOPS)
    end = at + len(value)
    if len(value) == _LONG and (more := _WORD_ON.match(text, end)):
        end = more.end()
    return Literal(value, ((at, end),), loose) if value else None


def rest_of_line(text: str, at: int, *, opened: str, loose: bool) -> Literal | None:
    """All that follows on the line but a comment. opened: the quote that stands before the name and ends the value."""
    found = _REST.match(text, at)
    if found is None or found[0][0] in "|>{[#":
        return None
    rest, quote, _ = found[0].partition(opened) if opened else (found[0], "", "")
    if not quote:
        rest = _COMMENT.sub("", rest)
    rest = rest.rstrip(" \t,;" if rest.endswith((",", ";")) else " \t")
    end = at + len(rest)
    if len(rest) == _LONGEST and (more := _REST_ON.match(text, end)):
        end = more.end()
    return Literal(rest, ((at, end),), loose) if rest else None


def block_scalar(text: str, at: int, indent: int, *, loose: bool) -> Literal | None:
    """The lines below that are further in, where YAML says that they are the value."""
    head = _BLOCK.match(text, at)
    spans: list[tuple[int, int]] = []
    start = head.end() if head else len(text)
    while start < len(text) and len(spans) < _MOST_LINES:
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        line = text[start:end]
        said = line.strip()
        if said:
            within = len(line) - len(line.lstrip(" \t"))
            if within <= indent:
                break
            spans.append((start + within, start + within + len(said)))
        start = end + 1
    return Literal(" ".join(text[first:last] for first, last in spans), tuple(spans), loose) if spans else None
