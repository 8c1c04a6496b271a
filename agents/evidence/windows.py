"""A short piece of code with the lines around it, from the real file or not at all (000 §8.2, rule 4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from agents.evidence.pack import EvidenceItem
from configs.settings import EvidenceSettings
from memory.files import WholeFiles
from memory.text.lines import split_lines

__all__ = ["expanded", "widened"]


async def expanded(items: Sequence[EvidenceItem], files: WholeFiles, settings: EvidenceSettings) -> list[EvidenceItem]:
    """The items, short code chunks widened where `files` has their file."""
    result = []
    for item in items:
        short = item.end_line - item.start_line + 1 < settings.window_below
        if item.chunk.corpus == "code" and item.start_line > 0 and short:
            lines = await files.file(item.chunk.project, item.chunk.path)
            result.append(item if lines is None else widened(item, lines, settings.window_lines))
        else:
            result.append(item)
    return result


def widened(item: EvidenceItem, lines: Sequence[str], by: int) -> EvidenceItem:
    """The item with up to `by` lines before and after it, within the file.

    Unchanged where the file does not have the chunk's text on its lines: it is another version of it.
    """
    own = split_lines(item.text)
    first = item.start_line - 1
    if list(lines[first : first + len(own)]) != own or item.end_line > len(lines):
        return item
    start, end = max(1, item.start_line - by), min(len(lines), item.end_line + by)
    return replace(item, start_line=start, end_line=end, text="\n".join(lines[start - 1 : end]))
