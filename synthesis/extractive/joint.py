"""Where texts and code speak of what the graph holds no relation of: two things together, or the uses of one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from synthesis.extractive.groups import chosen
from synthesis.extractive.scoring import scored
from synthesis.extractive.statements import Claim, Line, passage_claim

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synthesis.extractive.passages import Passage
    from synthesis.extractive.sources import Ground, Source

__all__ = ["joint_lines", "mention_lines"]

_MOST = 4
_USES = 8


def _word(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", re.IGNORECASE)


def joint_lines(question: str, start: str, end: str, ground: Ground) -> list[Line]:
    """The passages that speak of both; a project's own passages need to name the other one only."""
    words = {name: _word(name) for name in (start, end)}

    def names_both(source: Source, passage: Passage) -> bool:
        said = {name: bool(word.search(f"{passage.context} {passage.text}")) for name, word in words.items()}
        return any(said.values()) and all(said[name] or source.project == name for name in words)

    both = [
        s for s in scored(question, ground.sources) if s.passage.kind != "import" and names_both(s.source, s.passage)
    ]
    picked = chosen(both, _MOST)
    if not picked:
        return []
    lead = Line((Claim(f"No relation between {start} and {end} is known to the graph. Texts that speak of both:"),))
    return [lead, *(Line((passage_claim(s),), f"- {s.source.project}: ") for s in picked)]


def mention_lines(names: Sequence[str], ground: Ground) -> list[Line]:
    """The lines of code that use a definition in hand whose relations are not known, outside of the definition itself."""
    defined = {
        name.rsplit(".", 1)[-1]
        for source in ground.sources
        if source.observation.observation_type == "entity"
        for name in source.observation.entities_mentioned[:1]
    }
    lines = []
    for name in dict.fromkeys(n.rsplit(".", 1)[-1] for n in names):
        used = _uses(name, ground) if name in defined else []
        lead = Line((Claim(f"{name} is used here:"),))
        lines += [lead, *used] if used else []
    return lines


def _uses(name: str, ground: Ground) -> list[Line]:
    word = re.compile(rf"(?<!\w){re.escape(name)}\s*\(")
    found: dict[tuple[str, str, int], Line] = {}
    for source in ground.sources:
        if not source.is_code or source.location is None or name.casefold() not in source.text:
            continue
        for passage in source.passages():
            inside = passage.context.rsplit(".", 1)[-1] == name
            if passage.kind != "code" or inside or not word.search(passage.text):
                continue
            number = source.location.start_line + passage.first
            where = f"{passage.context or source.path} of {source.project} ({source.path}:{number})"
            cited = source.citation(f"{where} uses {name}", passage.quote, passage.first, passage.last)
            text = f"{where}: `{passage.text.replace('`', chr(39))}`"
            found.setdefault((source.project, source.path, number), Line((Claim(text, (cited,)),), "- "))
    return list(found.values())[:_USES]
