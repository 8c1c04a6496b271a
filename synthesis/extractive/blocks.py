"""The blocks of an answer: of the best files the lines that hold most of the question, within what can be read.

    worth(piece) = own · score of its file · kind        own: the share of the question that its lines hold

A piece is a short unit around a line; tests and documents count less than code that acts. No file's score is more than
that of one ranked before it: agents rate on scales of their own, and the ranking has settled between them. The pieces
of most worth are taken until their lines fill the answer, several of a file standing under one heading; what room is
left lets each grow to the unit around it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Final

from memory.text import is_aside, is_test
from memory.text.kinds import is_debris
from memory.text.units import LineSpan
from synthesis.terms import defined, terms

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Sequence
    from collections.abc import Set as AbstractSet

    from memory.observations import Location
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
_OF_FILE: Final = 4
_CLOSE, _APART = 3, 20
"""Fewer lines than these between two pieces are shown too: the middle of a thing says what both ends belong to."""
_ROOM: Final = 12
MOST_SHOWN: Final = 120
"""How many lines are shown, headings among them, but for `_ROOM`."""
_HEADING: Final = 4
"""What a file's heading, fences and blank line cost, in lines."""
_NEAR, _NEAR_OF_SEVERAL = 0.3, 0.4
"""How much of the best a further file is worth; more where several projects are asked about: each has one then."""
_NEAR_FILE: Final = 0.15
_LEAST_FILES: Final = 4
_NEAR_OF_OTHERS: Final = 0.8
"""Where one project is asked about, a block of another has to be worth nearly as much as the best."""
_ASIDE, _PROSE, _DEFINES = 0.6, 0.65, 0.5
_PROVES: Final = 0.65
"""What proves a relation that answers says as much as one that holds so much of the question."""
_OF_PLACE: Final = 0.2
_PLACE: Final = 0.7  # what only the path says counts less
_WHOLE: Final = 0.8  # from this share of the question on, a file that it names is all that is asked for
_ALIKE: Final = 0.6


@dataclass(frozen=True, eq=False)
class Block:
    """Lines of one source to show.

    spans: which of its lines, counted from 0; best: the line that says most; share: how much of the question (0..1) the
    lines and the names of their place hold; own: how much the lines alone; worth: what it is chosen by; defines:
    whether it defines something that the question names; also: blocks of the same text in other files; more: further
    blocks of the same file, shown with it.
    """

    source: CitedSource
    spans: tuple[LineSpan, ...]
    best: int
    share: float = 1.0
    own: float = 1.0
    worth: float = 1.0
    defines: bool = False
    is_aside: bool = False
    also: tuple[Block, ...] = ()
    more: tuple[Block, ...] = ()

    @property
    def length(self) -> int:
        """How many lines are shown."""
        return sum(len(span) for span in self.spans)

    @property
    def file(self) -> tuple[str, str]:
        """Where it is: project and path."""
        return self.source.project, self.source.path or self.source.observation.id

    @cached_property
    def runs(self) -> list[list[Block]]:
        """It and what is shown with it, in the file's order, what is close together as one."""
        runs = list[list[Block]]()
        for part in sorted((self, *self.more), key=lambda part: part.lines.start):
            gap = part.lines.start - runs[-1][-1].lines.stop if runs else 0
            if runs and runs[-1][-1].goes_on(gap):
                runs[-1][-1] = runs[-1][-1].reaching(gap)
                runs[-1].append(part)
            else:
                runs.append([part])
        return runs

    def goes_on(self, gap: int) -> bool:
        """Whether so many lines behind it are shown too: few in any case, more where they say something."""
        behind = self.spans[-1].last + 1
        between = self.source.lines[behind : behind + max(0, gap)]
        return gap < _CLOSE or (gap < _APART and len(between) == gap and not is_debris(between))

    def reaching(self, further: int) -> Block:
        """It with so many more lines."""
        last = self.spans[-1]
        return replace(self, spans=(*self.spans[:-1], LineSpan(last.first, last.last + further))) if further else self

    @cached_property
    def lines(self) -> range:
        """From where to where it reaches in its file."""
        start = self.source.location.start_line if self.source.location else 0
        return range(start + self.spans[0].first, start + self.spans[-1].last + 1)

    @cached_property
    def held(self) -> frozenset[str]:
        """The terms of its lines."""
        return frozenset().union(*(terms(self.source.lines[n]) for s in self.spans for n in range(s.first, s.last + 1)))

    @cached_property
    def text(self) -> frozenset[str]:
        """Its lines without their white space: what copies share."""
        lines = (
            " ".join(line.split()) for span in self.spans for line in self.source.lines[span.first : span.last + 1]
        )
        return frozenset(line for line in lines if line)

    @property
    def owners(self) -> list[str]:
        """What the lines stand in, as it is written there, the outermost first."""
        return [self.source.lines[n].strip() for n in self.source.units.owners(self.spans[0].first)]

    def resembles(self, other: Block) -> bool:
        """Whether most lines of both are the same."""
        return len(self.text & other.text) >= _ALIKE * max(len(self.text), len(other.text))

    def meets(self, other: Block) -> bool:
        """Whether both hold a line of the same file."""
        own, others = self.lines, other.lines
        return self.file == other.file and own.start < others.stop and others.start < own.stop


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


def chosen(
    asked: WeightedQuestion,
    pieces: Sequence[Block],
    *,
    asks_several: bool = False,
    lines: int = MOST_SHOWN,
) -> list[Block]:
    """What to show of these pieces, a block a file: none that is worth far less than the best, no more than can be
    read.

    Args:
        asked: the question.
        pieces: those of most worth first.
        asks_several: whether the question is about several projects: each has its best piece before any has its second.
            Else other projects than the first piece's have to say nearly as much.
        lines: how many lines at most, headings among them.
    """
    best = max((piece.worth for piece in pieces), default=0.0)
    leading = firsts(pieces, lambda piece: piece.file)[:_LEAST_FILES]
    near = _NEAR_OF_SEVERAL if asks_several else _NEAR
    kept = [p for p in pieces if p.worth >= (_NEAR_FILE if p in leading else near) * best]
    if asks_several:
        kept = [*firsts(kept, lambda piece: piece.source.project), *kept]
    elif kept:
        home = kept[0].source.project
        kept = [piece for piece in kept if piece.source.project == home or piece.worth >= _NEAR_OF_OTHERS * best]
    picked, room, covered = list[Block](), lines, frozenset[str]()
    for piece in dict.fromkeys([*kept[:1], *_of_clauses(asked, kept), *kept]):
        like = next((n for n, other in enumerate(picked) if _is_copy(asked, other, piece)), None)
        if like is not None and picked[like].file != piece.file:
            picked[like] = replace(picked[like], also=(*picked[like].also, piece))
        own = sum(other.file == piece.file for other in picked)
        cost = piece.length + (1 if own else _HEADING)
        idle = piece.is_aside and piece.held & asked.terms <= covered
        if like is None and own < _OF_FILE and cost <= room and not idle and not any(map(piece.meets, picked)):
            picked.append(piece)
            room -= cost
            covered |= piece.held
    files: dict[tuple[str, str], list[Block]] = {}
    for piece in _grown(picked, room + _ROOM):
        files.setdefault(piece.file, []).append(piece)
    return [replace(own[0], more=tuple(own[1:])) for own in files.values()]


def firsts(pieces: Sequence[Block], of: Callable[[Block], Hashable]) -> list[Block]:
    """The first piece of each file, or of whatever else `of` distinguishes."""
    found: dict[Hashable, Block] = {}
    for piece in pieces:
        found.setdefault(of(piece), piece)
    return list(found.values())


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
    if asked.names_file(source.path) and asked.share(source.named) >= _WHOLE:
        share = own = asked.share(held | source.named)
    if proves:
        share, own = max(share, _PROVES), max(own, _PROVES)
    aside = is_aside(source.path) or (is_test(source.path) and "test" not in asked.terms)
    kind = (_ASIDE if aside else 1.0) * (_PROSE if source.is_prose else 1.0)
    worth = round((own + _OF_PLACE * (share - own)) * score * kind, 6)
    return Block(source, spans, line, share * (_ASIDE if aside else 1.0), own, worth, named > 0, aside)


def _of_clauses(asked: WeightedQuestion, pieces: Sequence[Block]) -> list[Block]:
    """For each question of a compound one the piece that is worth most for it."""
    found = list[Block]()
    for clause in asked.clauses.values():
        worth = {piece: piece.worth * clause.share(piece.held) for piece in pieces}
        best = max(pieces, key=lambda piece: worth[piece], default=None)
        found += [best] if best and worth[best] else []
    return found


def _grown(picked: Sequence[Block], room: int) -> list[Block]:
    """The pieces, each as large as the unit around it while there is room, the first before all others."""
    grown = list(picked)
    for most in (MOST_LINES, 2 * MOST_LINES):
        for number, piece in enumerate(grown):
            larger = replace(piece, spans=tuple(piece.source.units.around(piece.best, most)))
            others = [*grown[:number], *grown[number + 1 :]]
            if 0 < larger.length - piece.length <= room and not any(map(larger.meets, others)):
                room -= larger.length - piece.length
                grown[number] = larger
    return grown


def _is_copy(asked: WeightedQuestion, one: Block, other: Block) -> bool:
    """Whether two blocks are the same but for a few lines, none of which holds a word of the question."""
    return one.resembles(other) and not any(terms(line) & asked.terms for line in one.text ^ other.text)
