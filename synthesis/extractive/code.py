"""Code into passages: what its comments say, its signatures, and its statements with their lines."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from synthesis.extractive.cleaning import printable
from synthesis.extractive.passages import Passage, PassageKind
from synthesis.extractive.sentences import prose_passages

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["PROSE_SUFFIXES", "code_passages"]

PROSE_SUFFIXES: Final = (".md", ".markdown", ".rst", ".txt", ".mdx", ".adoc")

_SIGNATURE = re.compile(
    r"^\s*(?:export\s+|public\s+|private\s+|protected\s+|static\s+|abstract\s+|async\s+|default\s+|pub\s+)*"
    r"(?:def|class|function|func|fn|interface|struct|enum|trait|type|CREATE\s+TABLE)\s+[\w.\"`(]",
    re.IGNORECASE,
)
_NAME = re.compile(r"(?:def|class|function|func|fn|interface|struct|enum|trait|type)\s+(?:\([^)]*\)\s*)?(\w+)")
_IMPORT = re.compile(r"^\s*(?:import\b|from\s+\S+\s+import\b|#include\b|use\s+\w|require\b|package\b|@overload)")
_NOISE = re.compile(r"^[\s\])}({\[;,:]*$|^\s*(?:pass|return|else|try|finally|end|do|then|break|continue)\b\W*$")
_COMMENT = re.compile(r"^\s*(?:#+!?|//+!?|--+|;+|\*(?!/)|/\*+)(?=\s|$)|\s*\*+/\s*$")
_COMMENTED = re.compile(r"^\s*(?:#|//|--|/\*|\*\s|\*$)")
_TRIPLE = re.compile(r'"""|\'\'\'')
_QUIET = re.compile(r"^\s*#\s*(?:type:|noqa|pragma|pylint|fmt:|mypy:|ruff:)")
_LONGEST = 6


def code_passages(lines: Sequence[str], context: str = "") -> list[Passage]:
    """The passages of code, in the order of their lines; `context` is the definition the lines belong to."""
    blanked, prose, contexts = _documented(lines, context)
    found = [
        Passage(p.text, p.quote, p.first, p.last, "documentation", contexts[p.first])
        for p in prose_passages(blanked, lines)
        if p.kind != "code"
    ]
    number = 0
    while number < len(lines):
        last = number
        if not prose[number] and not _NOISE.match(lines[number]):
            last = _statement_end(lines, number, prose)
            statement = _statement(lines, number, last, contexts[number])
            if statement.kind == "signature" or not statement.text.endswith(("(", "[", "{")):
                found.append(statement)
        number = last + 1
    return sorted(found, key=lambda p: (p.first, p.last))


def _statement(lines: Sequence[str], first: int, last: int, context: str) -> Passage:
    whole = [line.strip() for line in lines[first : last + 1]]
    kind: PassageKind = "code"
    if _SIGNATURE.match(whole[0]):
        kind = "signature"
    elif _IMPORT.match(whole[0]):
        kind = "import"
    joined = re.sub(
        r",\s*([)\]}])", r"\1", re.sub(r"([(\[{])\s+", r"\1", re.sub(r"\s+([)\]}])", r"\1", " ".join(whole)))
    )
    joined = f"{joined} …)" if kind == "signature" and joined.endswith("(") else joined
    return Passage(printable(joined), "\n".join(lines[first : last + 1]).strip(), first, last, kind, context)


def _statement_end(lines: Sequence[str], first: int, prose: Sequence[bool]) -> int:
    """The line where the brackets that `first` opens are closed, a few lines on at most; else `first` itself."""
    depth = 0
    for number in range(first, min(first + _LONGEST, len(lines))):
        if prose[number]:
            break
        bare = re.sub(r"'[^']*'|\"[^\"]*\"", "", lines[number])
        depth += sum(bare.count(sign) for sign in "([{") - sum(bare.count(sign) for sign in ")]}")
        if depth <= 0:
            return number
    return first


def _documented(lines: Sequence[str], context: str) -> tuple[list[str], list[bool], list[str]]:
    """The lines with code and comment signs blanked out (columns stay), which of them are prose, and whose each is."""
    blanked, prose, contexts = [], list[bool](), list[str]()
    closing, around = _opened_before(lines), list[tuple[int, str]]()
    for line in lines:
        indent = len(line) - len(line.lstrip())
        if not closing and line.strip() and line.lstrip()[0] not in ")]}":
            around = [(depth, name) for depth, name in around if depth < indent]
            named = _NAME.search(line) if _SIGNATURE.match(line) else None
            around += [(indent, named[1])] if named else []
        contexts.append(_qualified(context, [name for _, name in around]))
        text, closing, is_prose = _docstring(line, closing)
        if not is_prose and _COMMENTED.match(line) and not _QUIET.match(line):
            text, is_prose = _COMMENT.sub(lambda m: " " * len(m[0]), line), True
        prose.append(is_prose)
        blanked.append(text if is_prose else "")
    return blanked, prose, contexts


def _qualified(context: str, names: Sequence[str]) -> str:
    """`Class.method`, when the lines belong to Class or to the method itself."""
    parts = context.split(".") if context else []
    if names and names[0] in parts:
        parts = parts[: parts.index(names[0])]
    return ".".join([*parts, *names])


def _opened_before(lines: Sequence[str]) -> str:
    """The quotes of a docstring that was opened before these lines begin: the first ones here stand alone, below text
    that neither ends a definition nor is a comment.
    """
    number, quotes = next(((n, m[0]) for n, line in enumerate(lines) if (m := _TRIPLE.search(line))), (0, ""))
    above = next((line.strip() for line in reversed(lines[:number]) if line.strip()), "")
    closes = (
        above and not above.endswith((":", "=", "(")) and not above.startswith("#") and lines[number].strip() == quotes
    )
    return quotes if closes else ""


def _docstring(line: str, closing: str) -> tuple[str, str, bool]:
    """The line's documentation with its quotes blanked, the quotes still to come, and whether it is documentation."""
    if closing:
        end = line.find(closing)
        return (line, closing, True) if end < 0 else (line[:end], "", True)
    opened = _TRIPLE.search(line)
    if opened is None or line[: opened.start()].strip() not in {"", "r", "u", "f", "b"}:
        return line, "", False
    rest = line[opened.end() :]
    end = rest.find(opened[0])
    text = " " * opened.end() + (rest if end < 0 else rest[:end])
    return text, opened[0] if end < 0 else "", True
