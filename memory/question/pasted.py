"""Which parts of a question were pasted: fences, paragraphs of code, indented lines, traces, error messages, log lines,
JSON, code behind a colon, a paragraph behind one that ends with a colon. And the places that a stack trace points at.

By the marks that these have in every language. A line is only taken for one of a trace or a log where there are others.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from memory.embedders.english import ENGLISH

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from memory.question.parsed import PastedKind

_ENDINGS: Final = (
    "java|kt|kts|scala|groovy|clj|cs|fs|vb|go|js|jsx|ts|tsx|mjs|cjs|mts|vue|svelte|rb|erb|php|rs|c|h|cc|cpp|hpp|m|mm|py|ex|exs|erl"
    "|hs|lua|pl|pm|swift|dart|jl"
)
_FRAMES: Final = re.compile(
    r"File \"(?P<python>[^\"\n]+)\", line (?P<at>\d+)(?:, in (?P<def>\w+))?"
    r"|\bat\s+(?:[\w$]+[./])*?(?P<method>[\w$<>]+\.[\w$<>]+)\((?P<java>[\w$.-]+\.\w+):(?P<java_line>\d+)\)"
    r"|^[ \t]*+(?:[^\s()/]*+/)*+[\w%-]++\.(?:\(?\*?(?P<type>\w++)(?:\[\.\.\.\])?\)?\.(?!func\d))?"
    r"(?P<func>\w++)[^\s()]*+\([^\n]*\)\n[ \t]++(?:[A-Z]:|[^\s@]*+@)?(?P<go>[\w$./\\-]*\w\.go):(?P<go_line>\d+)"
    r"|(?<![\w$./\\-])(?:(?P<elixir>[\w./-]*\w\.exs?):(?:(?P<elixir_line>\d+):)? (?P<fun>[A-Z][\w.]*[!?]?)/\d"
    rf"|(?P<file>[\w$./\\-]*\w\.(?:{_ENDINGS})):(?:line )?(?P<line>\d+))",
    re.MULTILINE,
)
_THROWN_LINE: Final = re.compile(
    r"^[ \t]*(?:\S{0,80}(?:Error|Exception|Panic|panic|error|fatal)(?:\[\w+\])?:|\*\* \([\w.]+\))\s+(?P<message>\S[^\n]{,300})",  # noqa: E501 - a pattern
    re.MULTILINE,
)

_DIGITS: Final = 9
"""More than any file has lines; Python refuses to read a number of thousands of them."""

Span = tuple[int, int, "PastedKind"]
_FENCE: Final = re.compile(r"(```|~~~).*?(\1|\Z)", re.DOTALL)
_LINE: Final = re.compile(r"[^\n]*\n?")
_INDENTED: Final = re.compile(r"(?: {2,}+|\t)\s*+\S")
_TRACE: Final = re.compile(
    r"\s*(?:at [\w$<.\[/]|File \"|Traceback \(|Caused by:|from \S+:\d+|goroutine \d+|thread '|#?\d+:? +(?:0x|at )"
    r"|\([\w~. -]+\) \S+\.exs?\b|\S+\.[a-z]{1,5}:\d+(?::|$|\s*\(|\s+\+0x))"
)
_MESSAGE: Final = r"[\w.$]*(?:Error|Exception|Panic|Fault)\b(?:\[\w+\])?:"
_ERROR: Final = re.compile(
    rf"\s*(?:{_MESSAGE}|\*\* \([\w.]+\)|(?:panic|error|fatal)(?:\[\w+\])?:|[\w$]+(?:\.[\w$]+)+(?:Error|Exception)\s*$)"
)
_LOG: Final = re.compile(
    r"\s*\[?(?:\d{4}-\d\d-\d\d[T ]\d|\d\d:\d\d:\d\d|(?:ERROR|WARN(?:ING)?|INFO|DEBUG|FATAL|TRACE|CRITICAL|SEVERE)\b(?:[\]:]|\s+[\w\[(\"']))"  # noqa: E501 - a pattern
)
_JSON: Final = re.compile(r"\s*[{\[]\s*(?:$|\"|\{|\})")
_PARAGRAPH: Final = re.compile(r"\S[^\n]*(?:\n(?![^\S\n]*(?:\n|\Z))[^\n]*)*")
_ITEM: Final = re.compile(r"\s*(?:[-*+\u2022]|\d+[.)])\s")
_MOST_JSON_LINES: Final = 200
_INLINE: Final = re.compile(r"`[^`\n]{1,200}`")
_LONG_INLINE: Final = re.compile(r"`[^`\n]{61,}`|\"[^\"\n]{61,}\"")
_COLON: Final = re.compile(r"(?<!\"):(?=\s)")
_SIGNS: Final = r"\w\(|[{}]|[^=!<>]=|==|->|=>|\w\["
_CODE: Final = re.compile(rf"{_SIGNS}|;")
_FURTHER_CODE: Final = re.compile(rf"{_CODE.pattern}|^from [\w.]+ import |:$")
"""What code is in a line behind that of the colon."""
_STATEMENT: Final = re.compile(
    r"\s*(?:SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|WITH|FROM|WHERE|JOIN|LEFT|INNER|AND|GROUP|ORDER|SET|VALUES|RUN|COPY|ENV|CMD|ENTRYPOINT"
    r"|WORKDIR|EXPOSE)\s"
)
_MARKED: Final = re.compile(rf"{_SIGNS}|;\s*$|^\s*[a-z][\w.-]*:(?:\s|$)|:$|^{_STATEMENT.pattern}")
"""What a line of code has somewhere, and what one of settings or of a statement begins with."""
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_KEYWORDS: Final = (
    "a all and any as at before after both by d do each for from here i if in is m no not o of off on or other out own"
    " s some t then this to under until where while with over y"
)
_PROSE: Final = ENGLISH.difference(_KEYWORDS.split())
"""Words of English that hardly a language has as its own."""
_LITTLE: Final = 0.1
_THROWN: Final = re.compile(rf"(?<![\w.$]){_MESSAGE}[^\n]*|\*\* \([\w.]+\)[^\n]*")


@dataclass(frozen=True, slots=True)
class Frame:
    """A file as the trace names it, with `/`, the line, 0 where it names none, and the function, '' likewise."""

    file: str
    line: int
    function: str = field(default="", compare=False)


def frames_in(text: str) -> list[Frame]:
    """The places a trace points at, each once, in its order."""
    found = (
        Frame(
            (m["python"] or m["java"] or m["go"] or m["elixir"] or m["file"]).replace("\\", "/"),
            int((m["at"] or m["java_line"] or m["go_line"] or m["elixir_line"] or m["line"] or "0")[:_DIGITS]),
            m["def"] or m["method"] or m["fun"] or ".".join(filter(None, m.group("type", "func"))),
        )
        for m in _FRAMES.finditer(text)
    )
    return list(dict.fromkeys(found))


def thrown_in(text: str) -> str:
    """The message of the first error in a text; '' without one."""
    thrown = _THROWN_LINE.search(text)
    return thrown["message"] if thrown else ""


def find_pasted(text: str) -> list[Span]:
    """What was pasted, in its order: where each part starts and ends, and its kind. Neighbours of one kind are one."""
    found: list[Span] = [(m.start(), m.end(), "fence") for m in _FENCE.finditer(text)]
    found += _of_code(_blanked(text, found))
    rest = _blanked(text, found)
    if "\n" in text.strip():
        lines = list(_lines(rest))
        found += lines
        rest = _blanked(rest, lines)
    found += _behind_colons(rest)
    found += [(m.start(), m.end(), "log") for m in _LONG_INLINE.finditer(_blanked(rest, found))]
    rest = _blanked(text, found)
    found += [(start, end, kind) for start, end, kind in _announced(text) if rest[start:end] == text[start:end]]
    joined = list[Span]()
    for start, end, kind in sorted(span for span in found if text[span[0] : span[1]].strip()):
        if joined and joined[-1][1:] == (start, kind):
            start = joined.pop()[0]  # noqa: PLW2901 - the neighbour's
        joined.append((start, end, kind))
    return joined


def foreign(text: str, pasted: Sequence[Span]) -> list[tuple[int, int]]:
    """What the question's writer did not write: what was pasted, and errors that are quoted inside a sentence, from the
    error's name to the end of the line; in order and apart.
    """
    apart = list[tuple[int, int]]()
    for start, end in sorted([*(span[:2] for span in pasted), *(match.span() for match in _THROWN.finditer(text))]):
        if apart and start <= apart[-1][1]:
            apart[-1] = (apart[-1][0], max(end, apart[-1][1]))
        else:
            apart.append((start, end))
    return apart


def _blanked(text: str, spans: list[Span]) -> str:
    letters = list(text)
    for start, end, _ in spans:
        letters[start:end] = [letter if letter == "\n" else " " for letter in letters[start:end]]
    return "".join(letters)


def _of_code(text: str) -> Iterator[Span]:
    """The paragraphs that are code, where there are others too: most lines of one have its marks, and hardly a word is
    prose.
    """
    paragraphs = list(_PARAGRAPH.finditer(text))
    code = [(part.start(), part.end()) for part in paragraphs if _is_code(part.group())]
    if len(code) < len(paragraphs):
        yield from ((start, end, "code") for start, end in code)


def _is_code(paragraph: str) -> bool:
    lines, words = paragraph.split("\n"), _LETTERS.findall(paragraph)
    marked = sum(_MARKED.search(line) is not None for line in lines)
    is_marked = 2 * marked > len(lines) if len(lines) > 1 else _STATEMENT.match(paragraph) is not None
    is_written = any(_kind(line, first=False) not in {None, "indented"} for line in lines)  # by a program that runs
    return is_marked and not is_written and sum(word in _PROSE for word in words) < _LITTLE * len(words)


def _lines(text: str) -> Iterator[Span]:
    """The lines that were pasted, whole JSON values among them."""
    depth = seen = 0
    for match in _LINE.finditer(text):
        line = match.group()
        kind = "json" if depth > 0 and seen < _MOST_JSON_LINES else _kind(line, first=match.start() == 0)
        if kind == "json":
            depth, seen = max(0, depth + _opened(line)), seen + 1
        if kind is not None:
            yield match.start(), match.end(), kind


def _kind(line: str, *, first: bool) -> PastedKind | None:
    kinds = ((_TRACE, "trace"), (_ERROR, "error"), (_LOG, "log"), (_JSON, "json"), (_INDENTED, "indented"))
    found: list[PastedKind] = [kind for pattern, kind in kinds if pattern.match(line)]  # type: ignore[misc]  # literals
    return found[0] if found and not (first and found[0] == "indented") else None


def _opened(line: str) -> int:
    return sum(map(line.count, "{[")) - sum(map(line.count, "}]"))


def _announced(text: str) -> Iterator[Span]:
    """The paragraphs behind one that ends with a colon, as a message that was copied; no questions and no lists."""
    for one, two in pairwise(_PARAGRAPH.finditer(text)):
        lines = two.group().split("\n")
        asks = any(line.rstrip().endswith("?") or _ITEM.match(line) for line in lines)
        if one.group().rstrip().endswith(":") and not asks:
            yield two.start(), two.end(), "log"


def _behind_colons(text: str) -> Iterator[Span]:
    """Of each paragraph what follows its first colon, where that is code: its line's rest and further lines of code.

    Behind a paragraph that ends with a colon or with code the next one goes on, unless its first line is a question.
    """
    unticked = _INLINE.sub(lambda ticked: " " * len(ticked.group()), text)
    at, behind, announced, first = 0, False, False, True
    for line in unticked.split("\n"):
        if not line.strip():
            behind, first = announced, True
        else:
            behind = behind and not (first and line.rstrip().endswith("?"))
            first = False
            begun = None if behind else _COLON.search(line)
            is_code = (_CODE if begun else _FURTHER_CODE).search(line, begun.end() if begun else 0) is not None
            if is_code and (behind or begun):
                yield at + (begun.start() if begun else 0), at + len(line), "code"
            announced = line.rstrip().endswith(":") or (is_code and (behind or begun is not None))
            behind = behind or announced or begun is not None
        at += len(line) + 1
