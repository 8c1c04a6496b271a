"""Pictures of a project: which files are, whether one can be read, and which of them a Markdown document shows.

Documents show them as `![alt](target)`, `![alt][ref]` and `<img>`.
"""

from __future__ import annotations

import html
import posixpath
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from urllib.parse import unquote

from indexing.reading import NO_LIMIT, FileState, Skipped, read_bytes
from memory.embedders.images import decoded
from memory.errors import InvalidInputError
from memory.text.lines import read_outline, split_lines

_INLINE = re.compile(r"!\[(?P<alt>[^\]]{0,1000})\]\(\s*<?(?P<target>[^)>\s]{1,1000})>?(?:\s+[\"'(][^)]{0,1000})?\)")
_REFERENCE = re.compile(r"!\[(?P<alt>[^\]]{0,1000})\](?:\[(?P<ref>[^\]]{0,1000})\])?(?!\()")
_DEFINITION = re.compile(r"^ {0,3}\[(?P<ref>[^\]]+)\]:\s*<?(?P<target>[^\s>]+)>?")
_TAG = re.compile(r"<img\b[^>]{0,4000}>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"\b(?P<name>src|alt)\s*=\s*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)')", re.IGNORECASE)
_FENCE = re.compile(r"^\s*(?:`{3,}|~{3,})")
_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)
_MARKUP = re.compile(
    r"!\[([^\]]{0,1000})\](?:\([^)]{0,1000}\)|\[[^\]]{0,1000}\])?|<[^>]{0,1000}>|\[([^\]]{0,1000})\]\([^)]{0,1000}\)"
)
_MOST_CHARS = 600
_LOOKED_AT = 6 * _MOST_CHARS
"""Of the text around a picture: a line may be a megabyte, and hold a thousand pictures."""


@dataclass(frozen=True, slots=True)
class Shown:
    """A place that shows a picture. target: its path in the project; around: the heading above and the text beside."""

    target: str
    path: str
    line: int
    alt: str
    around: str


def shown_pictures(path: str, text: str) -> list[Shown]:
    """Every picture of this project that the document at `path` shows, in order; not those in code blocks."""
    lines = split_lines(text)
    outline = read_outline(lines, "markdown")
    words = ["" if n in outline.fenced or _FENCE.match(line) else line for n, line in enumerate(lines, 1)]
    references = {found["ref"].casefold(): found["target"] for line in lines if (found := _DEFINITION.match(line))}
    places: list[Shown] = []
    beside = cache(partial(_words_of, words))  # every line of a paragraph has the same around it
    for number, line in enumerate(lines, 1):
        if number in outline.fenced or ("![" not in line and "<img" not in line.lower()):
            continue
        title = next((heading.title for heading in reversed(outline.headings) if heading.line <= number), "")
        text = beside(_paragraph(words, number, -1), _paragraph(words, number, 1))
        around = " ".join(filter(None, (title, text)))[:_MOST_CHARS].strip()
        for alt, written in _in_line(line, references):
            target = _resolved(path, written)
            if target is not None:
                places.append(Shown(target, path, number, html.unescape(" ".join(alt.split())), around))
    return places


def _in_line(line: str, references: dict[str, str]) -> Iterator[tuple[str, str]]:
    for found in _INLINE.finditer(line):
        yield found["alt"], found["target"]
    for found in _REFERENCE.finditer(line):
        target = references.get((found["ref"] or found["alt"]).casefold())
        if target:
            yield found["alt"], target
    for tag in _TAG.findall(line):
        values = {one["name"].lower(): one["double"] or one["single"] or "" for one in _ATTRIBUTE.finditer(tag)}
        if values.get("src"):
            yield values.get("alt", ""), html.unescape(values["src"])


def _resolved(document: str, target: str) -> str | None:
    """The path in the project; None for what lies elsewhere."""
    if _ELSEWHERE.match(target):
        return None
    plain = unquote(re.split(r"[?#]", target, maxsplit=1)[0])
    folder = "" if plain.startswith("/") else posixpath.dirname(document)
    path = posixpath.normpath(posixpath.join(folder, plain.lstrip("/")))
    return None if path.startswith("..") else path


def _words_of(lines: Sequence[str], start: int, end: int) -> str:
    """The words of these lines, without their markup and headings."""
    text = " ".join(line for line in lines[start - 1 : end] if not line.lstrip().startswith("#"))
    plain = _MARKUP.sub(lambda found: f" {found[1] or found[2] or ''} ", text[:_LOOKED_AT])
    return html.unescape(" ".join(plain.split()))


def _paragraph(lines: Sequence[str], number: int, step: int) -> int:
    """The last line, in one direction, of the paragraph next to the one that `number` is in."""
    blanks = 0
    while 1 <= number + step <= len(lines):
        blank = not lines[number + step - 1].strip()
        if blank and lines[number - 1].strip():
            blanks += 1
            if blanks == 2:
                break
        number += step
    return number


_ENDS = (".png", ".jpg", ".jpeg", ".webp")


def is_picture(path: str) -> bool:
    """PNG, JPEG or WebP, by its name."""
    return path.lower().endswith(_ENDS)


def read_picture(path: Path, *, max_file_bytes: int = NO_LIMIT) -> FileState | Skipped:
    """The state of a file that holds a whole picture; `undecodable` where it holds none."""
    read = read_bytes(path, max_file_bytes)
    if isinstance(read, Skipped):
        return read
    data, state = read
    try:
        decoded(data)
    except InvalidInputError:
        return Skipped("undecodable")
    return state
