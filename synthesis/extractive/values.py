"""A value that is asked for: the line of a setting or a constant whose name says what the question says."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from memory.text import is_test
from memory.text.units import CodeUnits
from synthesis.extractive.statements import CitedClaim, Line, code_span
from synthesis.terms import terms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synthesis.extractive.sources import CitedSource
    from synthesis.extractive.weighted_question import WeightedQuestion

_STATED: Final = re.compile(
    r"^\s*(?:-\s+)?(?:(?:export|const|let|var|val|final|static|public|private|ENV|ARG|set|define)\s+)*"
    r"[\"']?(?P<key>[A-Za-z_][\w.\-]*)[\"']?(?:\s*+:\s*+[\w\[\],|][\w\[\], |]*)?\s*(?::=|=(?!=)|:)\s*(?P<value>\S.*)$"
)
_ITEM: Final = re.compile(r"^\s*-\s+(?P<value>[\"']?[\w./${}:-]+[\"']?)\s*$")
_LITERAL: Final = re.compile(r"^[\"'\[]?[-+]?\d|^[\"'][^\"']*[\"'][,;)]?$|^(?:true|false)\b", re.IGNORECASE)
_BARE: Final = re.compile(r"^[\w./${}:@-]+$")
_SETTINGS: Final = (".yaml", ".yml", ".properties", ".env", ".toml", ".ini", ".cfg", ".conf", ".tfvars")
_LEAST_SHARE: Final = 0.7
_KEY: Final = 0.1
_NAMED: Final = 0.5
_OWN: Final = 0.5
"""The share of a key's words that the question has to hold: `RedisRetryNumber` is no answer to what is asked of
Redis.
"""
_PREFIX: Final = 3
_MOST: Final = 3
_LONGEST: Final = 200


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """A line that states a value; share: how much of the question its key, and what the key is in, hold."""

    source: CitedSource
    line: int
    share: float
    owners: tuple[str, ...]


def values_of(asked: WeightedQuestion, sources: Sequence[CitedSource]) -> list[Value]:
    """The lines whose key names what is asked, best first, none that holds less than the best."""
    found = list[Value]()
    for source in sources:
        if source.is_prose or source.location is None or (is_test(source.path) and "test" not in asked.terms):
            continue
        units, bare = CodeUnits(source.lines), source.path.lower().endswith(_SETTINGS)
        for number in source.focus:
            line = source.lines[number]
            if not bare and asked.held(line) is None:
                continue
            key = _key(line, bare=bare)
            if key is None or (key and asked.held(line) is None):
                continue
            owners = tuple(source.lines[n].strip() for n in units.owners(number)) if bare else ()
            name = terms(key or (owners[-1] if owners else ""))
            own = _held(asked, name)
            if asked.share(own) < _KEY or len(own) < _OWN * len(name):
                continue
            path = own | _held(asked, terms(" ".join(owners)))
            share = asked.share(path | source.named)
            if share >= _LEAST_SHARE and asked.share(path) >= _NAMED:
                found.append(Value(source, number, round(share, 4), owners))
    best = max((value.share for value in found), default=0.0)
    return [value for value in found if value.share == best]


def value_lines(values: Sequence[Value]) -> list[Line]:
    """`LOCAL_ROUTING_NUM: "883745000"`, where it is, and where else."""
    lines: dict[str, Line] = {}
    for value in values:
        source, text = value.source, value.source.lines[value.line].strip()
        at = source.at(value.line, value.line)
        if text not in lines and len(text) <= _LONGEST and at is not None:
            keys = [owner.removeprefix("- ").partition(":")[0] for owner in value.owners if source.is_settings]
            inside = f", in `{' > '.join(keys[-3:])}`" if keys else ""
            cited = source.citation(text, value.line, value.line)
            claim = f"{code_span(text.removeprefix('- '))} ({source.project}/{source.path}:{at.start_line}{inside})"
            lines[text] = Line((CitedClaim(claim, (cited,)),))
    return list(lines.values())[:_MOST]


@lru_cache(maxsize=32_768)
def _key(line: str, *, bare: bool) -> str | None:
    """The name whose value a line states, '' for an item of a list; None where it states none."""
    stated = _STATED.match(line)
    if stated:
        value = stated["value"].strip()
        return stated["key"] if _LITERAL.match(value) or (bare and _BARE.match(value)) else None
    return "" if bare and _ITEM.match(line) else None


def _held(asked: WeightedQuestion, held: frozenset[str]) -> frozenset[str]:
    """The question's terms that these say, if only by their beginning: `NUM` for number, `config` for configuration."""
    short = {
        term
        for term in asked.terms
        for one in held
        if len(one) >= _PREFIX and len(term) >= _PREFIX and (term.startswith(one) or one.startswith(term))
    }
    return frozenset(short)
