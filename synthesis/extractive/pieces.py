"""Pieces of the best files: a short unit around each line that holds something of the question, and what it is worth.

    worth(piece) = own · score of its file · kind        own: the share of the question that its lines hold

Tests and documents count less than code that acts. No file's score is more than that of one ranked before it: agents
rate on scales of their own, and the ranking has settled between them.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from memory.text import is_aside, is_test
from memory.text.kinds import is_debris
from synthesis.extractive.block import Block
from synthesis.extractive.weighted_question import WHOLE
from synthesis.terms import defined, terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from collections.abc import Set as AbstractSet

    from memory.observations import Location
    from memory.text.units import LineSpan
    from synthesis.extractive.sources import CitedSource
    from synthesis.extractive.weighted_question import WeightedQuestion

MOST_LINES: Final = 15
"""How long a block may be that grows to the unit around it."""
_PIECE: Final = 6
_OPEN: Final = ("(", "[", "{", ":", ",", "=", "=>")
_CLOSING: Final = 4
"""How much longer a piece may be that else ended within brackets."""
_TRIED: Final = 4
_DEFINITIONS: Final = 2
_LONG: Final = 300
_FILES: Final = 12
_PLACES: Final = 3
_ASIDE, _PROSE, _DEFINES = 0.6, 0.65, 0.5
_PROVES: Final = 0.65
"""What proves a relation that answers says as much as one that holds so much of the question."""
_OF_PLACE: Final = 0.2
_PLACE: Final = 0.7  # what only the path says counts less


def pieces_of(
    asked: WeightedQuestion, sources: Sequence[CitedSource], proofs: AbstractSet[Location] = frozenset()
) -> list[Block]:
    """Short blocks of the best files around the lines that hold something of the question, those of most worth first.

    Args:
        asked: the question.
        sources: where to look, best first.
        proofs: lines that prove a relation which answers: they are worth as much as if they held its words.
    """
    files: dict[tuple[str, str], list[tuple[CitedSource, dict[int, float], float, float]]] = {}
    kept = {source.observation.id: source for source in sources}
    score = 1.0
    for source in sources:
        score = min(score, source.observation.score or 1.0)
        newer = kept.get(source.observation.superseded_by or "")
        if newer and (newer.project, newer.path) == (source.project, source.path):
            continue  # two states of one thing: what was superseded is named by the conflict alone
        mass = _mass(asked, source)
        held = frozenset().union(*(asked.held(source.lines[n]) or () for n in mass), source.named)
        key = source.project, source.path or source.observation.id
        files.setdefault(key, []).append((source, mass, score, asked.share(held) * score))
    best = sorted(files.values(), key=lambda own: -round(max(promise for *_, promise in own), 6))
    found = list[Block]()
    for own in best[:_FILES]:
        for source, mass, score, _ in own[:_PLACES]:
            found += _pieces(asked, source, mass, score, proofs)
    return sorted(found, key=lambda piece: -piece.worth)


def _mass(asked: WeightedQuestion, source: CitedSource) -> dict[int, float]:
    """How much the lines of a source hold of the question, for those that do."""
    held = {n: own for n in source.focus if (own := asked.held(source.lines[n])) is not None}
    lines = [n for n in held if source.is_prose or len(source.lines[n]) <= _LONG] or held
    return {n: asked.mass(own) for n in lines if (own := held[n]) and not is_debris([source.lines[n]])}


def _pieces(
    asked: WeightedQuestion,
    source: CitedSource,
    mass: dict[int, float],
    score: float,
    proofs: AbstractSet[Location],
) -> list[Block]:
    start, file = (source.location.start_line if source.location else 0), (source.project, source.path)
    proving = sorted({at.start_line - start for at in proofs if (at.project, at.path) == file} & {*source.focus})
    telling = [n for n in mass if n not in source.idle]
    tried = [*proving, *sorted(telling, key=lambda n: (-mass[n], n))[:_TRIED]]
    defining = (n for n in telling if defined(source.lines[n], prose=source.is_prose) & asked.terms)
    tried += islice(defining, _DEFINITIONS)
    if not tried:
        tried = [n for n in source.focus if n not in source.idle and not is_debris([source.lines[n]])][:1]
    found = list[Block]()
    for line in dict.fromkeys(tried):
        if not any(span.first <= line <= span.last for piece in found for span in piece.spans):
            spans = source.units.around(line, MOST_LINES if line in proving else _PIECE)
            if source.lines[spans[-1].last].rstrip().endswith(_OPEN):
                spans = source.units.around(line, _PIECE + _CLOSING)
            piece = _block(asked, source, spans, line, score, proves=line in proving)
            found += [piece] if piece else []
    return found


def _block(
    asked: WeightedQuestion, source: CitedSource, spans: Iterable[LineSpan], line: int, score: float, *, proves: bool
) -> Block | None:
    spans = tuple(spans)
    lines = [text for span in spans for text in source.lines[span.first : span.last + 1]]
    if is_debris(lines):
        return None
    held = frozenset().union(*(some for text in lines if (some := asked.held(text)) and not is_debris([text])))
    in_text = asked.share(held | terms(source.title))
    share = in_text + _PLACE * (asked.share(held | source.named) - in_text)
    named = asked.share(frozenset().union(*(defined(text, prose=source.is_prose) for text in lines)))
    own = asked.share(held) + _DEFINES * named
    if asked.names_file(source.path) and asked.share(source.named) >= WHOLE:
        share = own = asked.share(held | source.named)
    if proves:
        share, own = max(share, _PROVES), max(own, _PROVES)
    aside = is_aside(source.path) or (is_test(source.path) and "test" not in asked.terms)
    kind = (_ASIDE if aside else 1.0) * (_PROSE if source.is_prose else 1.0)
    worth = round((own + _OF_PLACE * (share - own)) * score * kind, 6)
    return Block(source, spans, line, share * (_ASIDE if aside else 1.0), own, worth, named > 0, aside)
