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
_COMMENTED = re.compile(r"^\s*(?:#|//|--(?!\w+=)|/\*|\*\s|\*$)")
_TRIPLE = re.compile(r'"""|\'\'\'')
_QUIET = re.compile(r"^\s*#\s*(?:type:|noqa|pragma|pylint|fmt:|mypy:|ruff:)")
_KEYED = re.compile(r"^\s*(?:- )?\"?([\w./-]+)\"?:\s*[|>{]?\s*$")
_STRING = re.compile(r"'[^']*'|\"[^\"]*\"")
_AFTER_OPENING = re.compile(r"([(\[{])\s+")
_BEFORE_CLOSING = re.compile(r",?\s*([)\]}])")
_REMARKED = re.compile(r"\s+#\s*(?:type: ignore|noqa|pragma|pylint|nosec)\b.*$")
_WORD = re.compile(r"\w+")
_LONGEST = 6


def code_passages(
    lines: Sequence[str], context: str = "", *, opened: str | None = None, keyed: bool = False
) -> list[Passage]:
    """The passages of code, in the order of their lines; `context` is the definition the lines belong to.

    opened: the quotes of a docstring that was opened before these lines, None where that is not known; keyed: the lines
    are settings such as YAML's, where a key stands over what is indented below it.
    """
    blanked, prose, contexts = _documented(
        lines, context, _opened_before(lines) if opened is None else opened, keyed=keyed
    )
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
    joined = " ".join(whole)
    if last > first:
        joined = _BEFORE_CLOSING.sub(r"\1", _AFTER_OPENING.sub(r"\1", joined))
    joined = _REMARKED.sub("", joined) if "#" in joined else joined
    joined = f"{joined} …)" if kind == "signature" and joined.endswith("(") else joined
    return Passage(printable(joined), "\n".join(lines[first : last + 1]).strip(), first, last, kind, context)


def _statement_end(lines: Sequence[str], first: int, prose: Sequence[bool]) -> int:
    """The line where the brackets that `first` opens are closed, a few lines on at most; else `first` itself."""
    depth = 0
    for number in range(first, min(first + _LONGEST, len(lines))):
        if prose[number]:
            break
        bare = _STRING.sub("", lines[number]) if "'" in lines[number] or '"' in lines[number] else lines[number]
        depth += bare.count("(") + bare.count("[") + bare.count("{")
        depth -= bare.count(")") + bare.count("]") + bare.count("}")
        if depth <= 0:
            return number
    return first


def _documented(
    lines: Sequence[str], context: str, closing: str, *, keyed: bool
) -> tuple[list[str], list[bool], list[str]]:
    """The lines with code and comment signs blanked out (columns stay), which of them are prose, and whose each is."""
    blanked, prose, contexts = [], list[bool](), list[str]()
    around, outer = list[tuple[int, str]](), _Outer(lines, context)
    whose = ".".join(outer.of([]))
    for line in lines:
        begun = line.lstrip()
        if not closing and begun and begun[0] not in ")]}":
            indent = len(line) - len(begun)
            around = [(depth, name) for depth, name in around if depth < indent]
            named = _KEYED.match(line) if keyed else _NAME.search(line) if _SIGNATURE.match(line) else None
            around += [(indent, named[1])] if named else []
            outer.reached(indent)
            names = [name for _, name in around]
            whose = ".".join([*outer.of(names), *names])
        contexts.append(whose)
        text, closing, is_prose = _docstring(line, closing)
        if not is_prose and _COMMENTED.match(line) and not _QUIET.match(line):
            text, is_prose = _COMMENT.sub(lambda m: " " * len(m[0]), line), True
        prose.append(is_prose)
        blanked.append(text if is_prose else "")
    return blanked, prose, contexts


class _Outer:
    """What stands around a chunk's lines: the definition the index names, as long as they are inside it.

    A definition that begins at the chunk's own indentation stands beside its other lines, not around them; lines that
    stand further out than the first one have left it.
    """

    def __init__(self, lines: Sequence[str], context: str) -> None:
        self._names = context.split(".") if context else []
        self._depth = next((_indent(line) for line in lines if line.strip()), 0)
        own = set(_WORD.findall(self._names[-1])) if self._names else set()
        if own and any(_indent(line) == self._depth and own.issubset(_WORD.findall(line)) for line in lines):
            self._names = self._names[:-1]

    def reached(self, indent: int) -> None:
        """A line of code at this indentation."""
        if indent < self._depth:
            self._names = self._names[:-1] if indent else []
            self._depth = indent

    def of(self, names: Sequence[str]) -> list[str]:
        """What stands around these names."""
        return self._names[: self._names.index(names[0])] if names and names[0] in self._names else self._names


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _opened_before(lines: Sequence[str]) -> str:
    """The quotes of a docstring that was opened before these lines begin: the first ones here stand alone, below text
    that neither ends a definition nor is a comment.
    """
    number, quotes = next(((n, m[0]) for n, line in enumerate(lines) if (m := _TRIPLE.search(line))), (0, ""))
    above = next((line.partition("  #")[0].strip() for line in reversed(lines[:number]) if line.strip()), "")
    closes = (
        above and not above.endswith((":", "=", "(")) and not above.startswith("#") and lines[number].strip() == quotes
    )
    return quotes if closes else ""


def _docstring(line: str, closing: str) -> tuple[str, str, bool]:
    """The line's documentation with its quotes blanked, the quotes still to come, and whether it is documentation."""
    if closing:
        end = line.find(closing)
        return (line, closing, True) if end < 0 else (line[:end], "", True)
    opened = _TRIPLE.search(line) if '"""' in line or "'''" in line else None
    if opened is None or line[: opened.start()].strip() not in {"", "r", "u", "f", "b"}:
        return line, "", False
    rest = line[opened.end() :]
    end = rest.find(opened[0])
    text = " " * opened.end() + (rest if end < 0 else rest[:end])
    return text, opened[0] if end < 0 else "", True
