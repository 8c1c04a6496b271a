"""How texts introduce a thing: the sentences that begin with its name, its row in a table, its own README's first words."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from synthesis.extractive.boilerplate import aside
from synthesis.extractive.groups import chosen
from synthesis.extractive.scoring import Scored, scored, stands_alone
from synthesis.extractive.statements import Claim, passage_claim

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synthesis.extractive.sources import Source

__all__ = ["introduction", "opening_words", "spelt"]

_README: Final = re.compile(
    r"(?:^|/)(?:readme|metadata|pkg-info|index|overview|claude|agents)(?:\.\w+)?$", re.IGNORECASE
)
_VERBS: Final = (
    r"(?:is|are|provides?|offers?|gives?|lets?|makes?|helps?|implements?|builds?|supports?|comes|aims|contains?|manages?"
    r"|handles?|stores?|runs?|exposes?|serves?|consumes?|sends?|processe?s?|calculates?|generates?|accepts?|retrieves?"
    r"|allows?|acts?|represents?|executes?)"
)
_KIND: Final = r"(?:\s+(?:service|class|agent|app|application|component|package|library|project|module|demo|function))?"
_GREETS: Final = re.compile(r"(?:welcome|please|thanks?|if you|for (?:more|details|further)|see)\b", re.IGNORECASE)
_SENTENCES: Final = 2
_WORDS: Final = 6
_FEW: Final = 5
_TOP: Final = 15
_BEST: Final = 6


def spelt(name: str) -> str:
    """A pattern of a name however its words are joined: `bank-of-anthos` is also `Bank of Anthos`."""
    return r"[-_ ]?".join(re.escape(part) for part in re.split(r"[-_ ]", name))


def introduction(name: str, sources: Sequence[Source], *, whole: bool = False) -> list[Claim]:
    """At most two sentences that say what the name is, READMEs first; empty when no text introduces it.

    whole: all of these sources are about it, as a project's own are: then a sentence that merely names it will do.
    """
    opening = re.compile(rf"^(?:an?\s+|the\s+)?[`\"']?{spelt(name)}[`\"']?{_KIND}\s+{_VERBS}\b", re.IGNORECASE)
    row = re.compile(rf"^[`\"']?{spelt(name)}[`\"']?:\s", re.IGNORECASE)
    texts = sorted([s for s in sources if not s.is_code], key=_readme_first)
    prose = [
        Scored(s, p, 1.0, 1.0, frozenset())
        for s in texts
        for p in s.passages()
        if p.is_prose
        and len(p.text.split()) >= _WORDS
        and stands_alone(p)
        and not aside(p, s.path)
        and not _GREETS.match(p.text)
    ]
    sentences = [s for s in prose if s.passage.kind in {"prose", "documentation"}]
    first = [s for s in sentences if opening.match(s.passage.text)]
    first = first or [s for s in prose if row.match(s.passage.text)][:1]
    first = first or [s for s in sentences if _is_about(s.source, name)][:_SENTENCES]
    if first or not whole:
        return [passage_claim(s, named=True) for s in chosen(first, _SENTENCES)]
    alone = re.compile(rf"(?<![\w/-]){spelt(name)}(?![\w-])", re.IGNORECASE)
    told = [s.passage for s in sentences if alone.search(s.passage.text)]
    named = [s for s in scored(name, texts) if s.passage in told][:_BEST]
    named.sort(key=lambda s: (not _README.search(s.source.path), s.source.location, s.passage.first))
    return [passage_claim(s, named=True) for s in named[:_SENTENCES]]


def opening_words(sources: Sequence[Source]) -> list[Claim]:
    """The first sentence near the top of a project's own README, where none of its texts names it."""
    for source in sources:
        at_top = source.location is not None and source.location.start_line == 1
        if source.is_code or not at_top or "/" in source.path or not _README.search(source.path):
            continue
        for passage in source.passages():
            if passage.first > _TOP:
                break
            told = passage.kind == "prose" and len(passage.text.split()) >= _FEW and stands_alone(passage)
            if told and not aside(passage, source.path) and not _GREETS.match(passage.text):
                return [passage_claim(Scored(source, passage, 1.0, 1.0, frozenset()), named=True)]
    return []


def _is_about(source: Source, name: str) -> bool:
    """Whether these lines open the README of a folder, or of a project, that bears the name: `till`, `shop-till`."""
    if not _README.search(source.path) or source.location is None or source.location.start_line != 1:
        return False
    place = (PurePosixPath(source.path).parent.name or source.project).casefold()
    return place == name.casefold() or place.endswith(f"-{name.casefold()}")


def _readme_first(source: Source) -> tuple[bool, int, int]:
    line = source.location.start_line if source.location else 0
    return (not _README.search(source.path), source.path.count("/"), line)
