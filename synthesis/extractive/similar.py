"""Similar code: how many places and where, the best one's lines, and what the others share with the question (001 §10, C)."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from synthesis.extractive.cleaning import printable
from synthesis.extractive.features import features, told
from synthesis.extractive.statements import Claim, Line
from synthesis.extractive.terms import question_terms, terms, words_held
from synthesis.extractive.wording import counted, listed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synthesis.extractive.sources import Ground, Source

__all__ = ["best_window", "similar_lines"]

_LANGUAGE = re.compile(
    r"\b(?:in|written in) (Go|Golang|Python|Java|JavaScript|TypeScript|Kotlin|Rust|Ruby|PHP|C#|C\+\+|SQL|YAML)(?![\w+#-])",
    re.IGNORECASE,
)
_WRITTEN = {"golang": "go", "c#": "csharp", "c++": "cpp"}
_WINDOW = 10
_OTHERS = 5
_NEAR = 0.5


def similar_lines(question: str, ground: Ground) -> list[Line]:
    """Lead, the closest place with its code, one line for each other place."""
    sources = _in_language(question, ground.sources)
    wanted = question_terms(_LANGUAGE.sub(" ", question))
    places = _places(sources, _asked_features(question))
    if not places:
        return []
    best, others = places[0], places[1 : 1 + _OTHERS]
    lines = [Line((Claim(_lead(places)),))]
    first, last = best_window(best.lines, wanted)
    shown = "\n".join(printable(line) for line in _dedented(best.lines[first : last + 1]))
    claim = _claim(best, wanted, first, last, "Closest: ")
    lines.append(Line((claim,), code=f"\n```{best.observation.metadata.get('lang') or ''}\n{shown}\n```"))
    lines += [Line((_claim(other, wanted, *best_window(other.lines, wanted)),), "- ") for other in others]
    more = len(places) - 1 - len(others)
    return [*lines, Line((Claim(f"… and {more} more."),))] if more else lines


def _in_language(question: str, sources: Sequence[Source]) -> Sequence[Source]:
    """Of a question for code `in Go` the sources of that language; all of them where it asks for none, or there is none."""
    asked = _LANGUAGE.search(question)
    name = _WRITTEN.get(asked[1].casefold(), asked[1].casefold()) if asked else ""
    return [s for s in sources if s.observation.metadata.get("lang") == name] or sources


def _claim(source: Source, wanted: frozenset[str], first: int, last: int, opening: str = "") -> Claim:
    """What the window does, or what it shares with the question, cited to its lines."""
    window = source.lines[first : last + 1]
    does = told(features(window)) or _shares(wanted, window)
    citation = source.citation(f"{source.path} {does}", "\n".join(window).strip(), first, last)
    return Claim(f"{opening}{_name(source, first, last)} {does}.", (citation,))


def _asked_features(question: str) -> frozenset[str]:
    """What the snippet in the question does about failure; it often stands in one line."""
    pieces = re.split(r"[:;\n{}]|(?=\b(?:except|catch|rescue|raise|throw)\b)", question)
    return frozenset(feature.kind for feature in features(pieces))


def _places(sources: Sequence[Source], asked: frozenset[str]) -> list[Source]:
    """The nearest code of each file, as long as its observation scores near the best one's.

    Where the snippet does something about failure, the places that do at least half of it, if there are any.
    Score × (1 + half the share of the asked features that the code has): of places that are about as near in words, the
    one that does the same comes first.
    """
    own = [s for s in sources if s.observation.agent != "graph"]

    def nearness(source: Source) -> float:
        has = asked & {feature.kind for feature in features(source.lines)}
        score = source.observation.score or source.observation.confidence
        return score * (1 + 0.5 * len(has) / max(1, len(asked)))

    found: dict[tuple[str, str], Source] = {}
    for source in sorted([s for s in own if s.is_code] or own, key=lambda s: -nearness(s)):
        found.setdefault((source.project, source.path), source)
    near = [source for source in found.values() if nearness(source) >= _NEAR * nearness(next(iter(found.values())))]
    doing = [s for s in near if 2 * len(asked & {feature.kind for feature in features(s.lines)}) >= len(asked)]
    return doing or near


def _lead(places: Sequence[Source]) -> str:
    projects = Counter(source.project for source in places)
    if len(projects) == 1:
        where = f" in {places[0].project}" if places[0].project else ""
    else:
        (most, count), *_ = sorted(projects.items(), key=lambda item: (-item[1], item[0]))
        where = f" in {listed(list(projects))}"
        where = f"{where}, most of them in {most}" if count > 1 and count > len(places) / 2 else where
    return f"Found {counted(len(places), 'similar place')}{where}."


def _name(source: Source, first: int, last: int) -> str:
    """The definition that most of the window's lines stand in, and whose it is."""
    inside = Counter(p.context for p in source.passages() if first <= p.first <= last and p.context)
    symbol = max(inside, key=lambda name: (inside[name], name), default=source.symbol)
    return f"`{symbol}` in {source.project}" if symbol else f"{source.project}/{source.path}".strip("/")


def _shares(wanted: frozenset[str], window: Sequence[str]) -> str:
    shared = words_held(" ".join(window), wanted)[:4]
    return f"speaks of {listed(shared)}" if shared else "is near in meaning"


def best_window(lines: Sequence[str], wanted: frozenset[str], size: int = _WINDOW) -> tuple[int, int]:
    """The run of at most `size` lines that holds most of the wanted terms, blank lines at its ends left out.

    Each term counts once; of equal runs the first that starts on a line holding one.
    """
    held = [wanted & terms(line) for line in lines]
    if len(lines) <= size:
        return _trimmed(lines, 0, len(lines) - 1)

    def worth(first: int) -> tuple[int, bool, int]:
        return (len(frozenset[str]().union(*held[first : first + size])), bool(held[first]), -first)

    first = max(range(len(lines) - size + 1), key=worth)
    return _trimmed(lines, first, first + size - 1)


def _trimmed(lines: Sequence[str], first: int, last: int) -> tuple[int, int]:
    while first < last and not lines[first].strip():
        first += 1
    while last > first and not lines[last].strip():
        last -= 1
    return first, last


def _dedented(lines: Sequence[str]) -> list[str]:
    margin = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    return [line[margin:] for line in lines]
