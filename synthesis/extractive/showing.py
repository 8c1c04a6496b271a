"""Blocks as they are printed: a line that says where, then the lines themselves."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

from memory.observations import Location
from synthesis.answer import lines_marker
from synthesis.extractive.statements import CitedClaim, Line, clipped, code_span, printable
from synthesis.terms import defined, terms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synthesis.answer import Citation
    from synthesis.extractive.block import Block
    from synthesis.extractive.sources import CitedSource
    from synthesis.extractive.weighted_question import WeightedQuestion

_LONGEST: Final = 400
_LONGEST_PROSE: Final = 600
_ALSO: Final = 3
_LINE: Final = 160
_OWNERS: Final = 3
_WORD: Final = re.compile(r"[^\W\d]\w*")
_OPENS: Final = re.compile(r"(?:[{:]|\bdo|[=-]>|<-|\|[\w\s,]*\|)\s*(?://.*|#.*)?$")
"""How a line ends that opens a unit; one that is only less indented than the next, as in a template, opens none."""
_BRANCHES: Final = frozenset(
    _WORD.findall(
        """if else elif elsif unless switch case match when for foreach while until do loop try catch except finally
        rescue ensure with using lock synchronized return await throw begin"""
    )
)
"""What a line begins with that opens a branch or a loop, which may have others: it names no place."""


def by_project(asked: WeightedQuestion, blocks: Sequence[Block]) -> list[Line]:
    """The blocks under the names of their projects, of no project under that of who found them; that of the best
    first.
    """
    owners = [block.source.project or block.source.observation.agent for block in blocks]
    lines = list[Line]()
    for owner in dict.fromkeys(owners):
        lines.append(Line((CitedClaim(f"{owner}:"),), leads=True))
        lines += [block_line(asked, block) for block, own in zip(blocks, owners, strict=True) if own == owner]
    return lines


def block_line(asked: WeightedQuestion, block: Block) -> Line:
    """Where a block is, in what, and where else; and the block. asked: what a long line is cut around."""
    parts = [part for run in block.runs for part in run]
    claims = [_claimed(run, alone=number > 0) for number, run in enumerate(block.runs)]
    inside = [*map(_inside, block.runs), ""]
    for number, claim in enumerate(claims):
        if all(inside[: number + 1]) and inside[number] != inside[number + 1]:
            claims[number] = replace(claim, text=f"{claim.text}, in {inside[number]}")
    first, *others = [_elsewhere(part) for part in parts]
    also = [file for file in first if all(file in other for other in others)]
    copies = [claim for file in also[:_ALSO] for claim in (first[file], *(_and(other[file]) for other in others))]
    left = len(also) - _ALSO
    more = [CitedClaim(f"and in {left} more {'file' if left == 1 else 'files'}")] if left > 0 else []
    return Line((*claims, *copies, *more), block=_shown(asked, block.runs))


def _elsewhere(part: Block) -> dict[tuple[str, str], CitedClaim]:
    """Where the same or much the same lines stand, by file."""
    alike = [other for other in part.also if part.resembles(other)]  # it may have grown since it had a copy
    copies = {other.file: _named(_likeness(part, other), _claimed([other])) for other in alike}
    for at in part.source.copies:
        cited = _copied(part, at)
        exact = CitedClaim(_range(cited.location or at), (cited,))
        copies.setdefault((at.project, at.path), _named("also in", exact))
    return copies


def _likeness(one: Block, other: Block) -> str:
    """How a block that is not shown is like the one that is; a number may be what was asked for."""
    if one.text == other.text:
        return "also in"
    if _without_digits(one) == _without_digits(other):
        return "with other numbers in"
    has_numbers = any(map(str.isdigit, "".join(one.text ^ other.text)))
    return "with other lines in" if has_numbers else "much the same in"


def _without_digits(block: Block) -> set[str]:
    return {"".join(sign for sign in line if not sign.isdigit()) for line in block.text}


def _and(claim: CitedClaim) -> CitedClaim:
    """Further lines of a file that has been named."""
    places = [citation.location for citation in claim.citations if citation.location]
    if not places:
        return claim
    return replace(claim, text=_range(replace(places[0], end_line=places[-1].end_line), alone=True))


def _named(prefix: str, claim: CitedClaim) -> CitedClaim:
    return replace(claim, text=f"{prefix} {claim.text}")


def place_line(block: Block) -> Line:
    """Where a block is, in what, and its best line."""
    source, line = block.source, block.best
    at = source.at(line, line)
    where = f"{_place(source)}:{at.start_line}" if at else _place(source)
    inside, best = _inside([block]), clipped(" ".join(printable(source.lines[line]).split()), _LINE)
    text = f"{where}{f', in {inside}' if inside else ''}: {code_span(best)}"
    return Line((CitedClaim(text, (source.citation(" ".join(source.lines[line].split()), line, line),)),), "- ")


def _copied(block: Block, at: Location) -> Citation:
    """A citation of the same lines in a copy, which is at a place of the same observation."""
    source = block.source
    own = _citations(block)[0]
    start = at.start_line + (own.location.start_line - source.found.start_line if own.location and source.found else 0)
    last = start + (own.location.end_line - own.location.start_line if own.location else 0)
    location = Location(at.project, at.path, start, last)
    return replace(own, marker=lines_marker(source.observation, location), location=location)


def _citations(block: Block) -> tuple[Citation, ...]:
    """One for each span that holds lines that were found; what is claimed is the line that says most."""
    source = block.source
    found = [s for s in block.spans if s.first < source.focus.stop and s.last >= source.focus.start]
    best = [block.best if s.first <= block.best <= s.last else max(s.first, source.focus.start) for s in found]
    claims = [" ".join(source.lines[line].split()) for line in best]
    return tuple(source.citation(claim, s.first, s.last) for claim, s in zip(claims, found, strict=True))


def _claimed(run: Sequence[Block], *, alone: bool = False) -> CitedClaim:
    """From where to where blocks reach that stand together, with their file unless alone."""
    cited = tuple(citation for part in run for citation in _citations(part))
    source, at = run[0].source, run[0].source.location
    if at is None:
        return CitedClaim(_place(source), cited)
    whole = Location(at.project, at.path, run[0].lines.start, run[-1].lines.stop - 1)
    return CitedClaim(_range(whole, alone=alone), cited)


def _range(at: Location, *, alone: bool = False) -> str:
    lines = f"{at.start_line}-{at.end_line}" if at.start_line < at.end_line else f"{at.start_line}"
    return f"and {lines}" if alone else f"{at.project}/{at.path}:{lines}"


def _place(source: CitedSource) -> str:
    return f"{source.project}/{source.path}" if source.project and source.path else source.path or source.project


def _inside(run: Sequence[Block]) -> str:
    """The definition, the keys or the heading that blocks which stand together are in, where they do not show it."""
    block, source = run[0], run[0].source
    if source.is_settings:
        keys = [o.partition(":")[0].strip("\"' ") for o in block.owners if ":" in o and o[0] not in "-}])"]
        return " > ".join(f"`{key}`" for key in keys[-_OWNERS:] if key and len(key) <= 60)
    if _leaves_its_unit(run):
        return ""
    if source.is_prose:
        return _heading(block)
    first, owners = block.spans[0].first, block.owners
    opens = any(defined(line, prose=False) for line in source.lines[first : first + 3])
    if _is_within(block) and (not opens or terms(source.title) & terms(" ".join(owners))):
        return f"`{source.title}`"
    if opens or not owners:
        return ""
    naming = [owner for owner in owners if defined(owner, prose=False)] or list(filter(_is_named, owners))
    return f"`{clipped(naming[-1].rstrip('{: '), 80)}`" if naming else ""


def _heading(block: Block) -> str:
    """The heading that a document's lines are under: the whole title of their source where it ends in that one."""
    source, owners = block.source, block.owners
    if owners:
        heading = owners[-1].lstrip("#= ")
        return source.title if source.title.endswith(heading) else heading
    opening = source.lines[block.spans[0].first]
    shows_another = opening.startswith(("#", "=")) and not source.title.endswith(opening.lstrip("#= "))
    return "" if shows_another else source.title


def _leaves_its_unit(run: Sequence[Block]) -> bool:
    """Whether the last line is in another definition, or under another heading, than the first."""
    first, last = run[0].spans[0].first, run[-1].spans[-1].last
    above, lines = _owning(run[0].source, first), run[0].source.lines
    if run[0].source.is_prose:
        heading = _owning(run[-1].source, last)
        return bool(heading) and heading != (above or [lines[first]])
    return bool(above) and above[-1] not in _owning(run[-1].source, last)


def _owning(source: CitedSource, line: int) -> list[str]:
    """What a line is in and a block may be said to be in, or the heading it is under, as they are written there."""
    owners = [source.lines[n] for n in source.units.owners(line)]
    return owners if source.is_prose else [o for o in owners if defined(o, prose=False) or _is_named(o)]


def _is_named(owner: str) -> bool:
    """Whether a line opens a unit, and begins with a word, and with none of a branch."""
    word = _WORD.match(owner.lstrip("} @#["))
    return word is not None and word[0] not in _BRANCHES and _OPENS.search(owner) is not None


def _is_within(block: Block) -> bool:
    """Whether a block is in what its source is called after, or opens with it, rather than follows it."""
    lines, first, title = block.source.lines, block.spans[0].first, block.source.title.rpartition(".")[2]
    name = re.compile(rf"\b{re.escape(title)}\b")
    naming = [n for n, line in enumerate(lines) if title in line and name.search(line)]
    opening = [n for n in naming if first <= n < first + 3 and defined(lines[n], prose=False)]
    above = [n for n in naming if n <= block.spans[-1].last]
    nested = not naming and lines[first][:1].isspace()  # what stands at the margin is in nothing
    return bool(block.source.title) and (
        nested or bool(opening) or any(lines[n].strip() in block.owners for n in above)
    )


def _shown(asked: WeightedQuestion, runs: Sequence[Sequence[Block]]) -> str:
    """The lines: a document's as a quotation, code between fences."""
    source, pieces = runs[0][0].source, list[str]()
    for part in (part for run in runs for part in run):
        for number, span in enumerate(part.spans):
            apart = number > 0 or any(part is run[0] for run in runs)
            pieces += ["…"] if pieces and apart else []
            pieces += [printable(line).rstrip() for line in part.source.lines[span.first : span.last + 1]]
    if source.is_prose:
        return "".join(f"\n> {_around(asked, line, _LONGEST_PROSE)}".rstrip() for line in pieces)
    margin = min((len(p) - len(p.lstrip()) for p in pieces if p.strip() and p != "…"), default=0)
    cut = [_around(asked, piece if piece == "…" else piece[margin:], _LONGEST) for piece in pieces]
    fence = "````" if any("```" in piece for piece in cut) else "```"
    return "\n".join(["", fence + PurePosixPath(source.path).suffix.removeprefix("."), *cut, fence])


def _around(asked: WeightedQuestion, line: str, longest: int) -> str:
    """A line, or of a very long one the part around the words that are asked about."""
    if len(line) <= longest:
        return line
    steps = range(0, len(line) - longest // 2, longest // 4)
    start = max(steps, key=lambda at: (asked.mass(terms(line[at : at + longest])), -at))
    if start:
        start = line.find(" ", start) + 1 or start
    return ("… " if start else "") + clipped(line[start:], longest)
