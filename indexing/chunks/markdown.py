"""Documents (Markdown, reStructuredText, AsciiDoc) by heading."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from indexing.chunks.draft import Span, may_join, size_of, split_by_size, trimmed
from memory.text.lines import Heading, read_outline


@dataclass(frozen=True, slots=True)
class _Section:
    """Lines under one heading up to the next. trail: the headings above it and its own; bare: nothing but those."""

    start: int
    end: int
    trail: tuple[str, ...]
    bare: bool = False
    longest: _Section | None = None

    @property
    def name(self) -> str:
        """The trail; where joined sections have none in common, the longest one's."""
        trail = self.trail or (self.longest.trail if self.longest else ())
        return " > ".join(filter(None, trail))


def document_spans(lines: Sequence[str], lang: str, max_chars: int, *, merge: bool) -> list[Span]:
    """One span a section; a long one is cut at blank lines.

    With `merge`, a small section joins its neighbour under the same parent up to `max_chars`; the section of both is
    what they have in common.
    """
    outline = read_outline(lines, lang)
    sections = _sections(lines, outline.headings)
    return [
        Span(start, end, section=section.name)
        for section in (_merged(lines, sections, max_chars) if merge else sections)
        for start, end in split_by_size(lines, section.start, section.end, max_chars, together=outline.fenced)
    ]


def _sections(lines: Sequence[str], headings: Sequence[Heading]) -> list[_Section]:
    starts = [1, *(heading.line for heading in headings)]
    ends = [*(heading.line - 1 for heading in headings), len(lines)]
    sections = []
    above: list[Heading] = []
    for heading, start, end in zip([None, *headings], starts, ends, strict=True):
        if heading:
            above = [*(h for h in above if h.level < heading.level), heading]
        inside = trimmed(lines, start, end)
        if inside is not None:
            sections.append(
                _Section(*inside, tuple(h.title for h in above), heading is not None and inside[1] == heading.last)
            )
    return sections


def _merged(lines: Sequence[str], sections: Sequence[_Section], max_chars: int) -> list[_Section]:
    merged: list[_Section] = []
    for section in _filled(sections):
        last = merged[-1] if merged else None
        common = _common(last.trail, section.trail) if last else None
        if (
            last
            and common is not None
            and may_join(lines, (last.start, last.end), (section.start, section.end), max_chars)
        ):
            longest = max(last.longest or last, section, key=lambda s: size_of(lines, s.start, s.end))
            merged[-1] = _Section(last.start, section.end, common, longest=longest)
        else:
            merged.append(section)
    return merged


def _filled(sections: Sequence[_Section]) -> list[_Section]:
    """The sections, a bare heading being part of the first one below it."""
    filled: list[_Section] = []
    for section in sections:
        last = filled[-1] if filled else None
        if last and last.bare and section.trail[: len(last.trail)] == last.trail:
            filled[-1] = _Section(last.start, section.end, section.trail, section.bare)
        else:
            filled.append(section)
    return filled


def _common(before: tuple[str, ...], after: tuple[str, ...]) -> tuple[str, ...] | None:
    """The trail that both share when the second is below the first, or beside it under one parent; else None."""
    if before and after[: len(before)] == before:
        return before
    return before[:-1] if before[:-1] == after[:-1] else None
