"""How known edges that are named in prose compare with found ones: by place, by relation, and by the words of both
names.

Who writes edges down from reading calls things as people do: `harvester SQS queue`, `SloMonitor lambda`. A found name
fits a known one if the words of one are among those of the other. Words that say only what kind of thing it is need not
be on both sides, nor do case, joints and a plural's `s` count; of a name that is nothing else (`worker`, `api`) they
are the name. A found edge is at the place if one of its lines, or of its pieces of evidence, is within three lines of
the known one in the same file. Its ends are classes, modules and services; which methods are meant, and what handles a
route, its evidence says at that place, and those names count as the ends' own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from memory.entities import Relationship

NEAR: Final = 3
ALIKE: Final = {
    "CALLS": {"CALLS", "INVOKES"},
    "INVOKES": {"CALLS", "INVOKES"},
    "SUBSCRIBES": {"SUBSCRIBES", "CONSUMES"},
    "CONSUMES": {"SUBSCRIBES", "CONSUMES"},
    "READS": {"READS", "READS_FROM", "USES_TABLE", "STORES_IN"},
    "WRITES": {"WRITES", "WRITES_TO", "USES_TABLE", "STORES_IN"},
    "DEPLOYS": {"DEPLOYS", "DEFINES"},
    "EXTENDS": {"INHERITS"},
    "IMPLEMENTS": {"INHERITS", "EXPOSES"},
    "TRIGGERS": {"CALLS", "INVOKES", "PUBLISHES"},
    "USES": {"USES_TABLE", "STORES_IN", "CALLS", "READS", "DEPENDS_ON", "REFERENCES"},
}
JOINED: Final = ("_TO", "_FROM")
"""What may come behind a relation's verb: `PUBLISHES_TO` is the graph's PUBLISHES."""
_KINDS: Final = (
    "a an the of on in to from for and or by with via service app application lambda function job worker queue "
    "topic table bucket collection exchange bus stream event message sqs sns s3 dynamodb dynamo athena eventbridge "
    "kafka redis mongo mongodb postgres mysql sql grpc http rest api db database cdk cloud run module package class "
    "handler"
)
KINDS: Final = frozenset(_KINDS.split())
MEMBERS: Final = re.compile(r"(?P<source>\S+) (?:calls|creates|inherits) (?P<target>\S+)")
HANDLED: Final = re.compile(r"handled by (?P<source>\S+)$")
"""What a piece of evidence says of a call, and of a route."""
BESIDE: Final = re.compile(r"%[sdv]\b|^[A-Z]+ (?=/)")
"""What a program puts into a path, and a route's verb: neither is a word of its name."""
WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


@dataclass(frozen=True, slots=True)
class ContactEdge:
    """An edge somebody wrote down from reading, and where it is."""

    id: str
    project: str
    source: str
    relation: str
    target: str
    path: str
    line: int


def read_contact(file: Path) -> list[ContactEdge]:
    """The edges, one a line; `line`, or the first of `lines`."""
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines() if line.strip()]
    return [
        ContactEdge(
            str(row.get("id", number)),
            row["project"],
            row["source"],
            row["relation"],
            row["target"],
            row["path"],
            row["line"] if "line" in row else row["lines"][0],
        )
        for number, row in enumerate(rows, start=1)
    ]


def fits(known: str, found: str) -> bool:
    """Whether a found name, or what it is a member of, is what the prose speaks of."""
    return any(_within(known, name) for name in {found, found.partition(".")[0]})


def compare_contact(known: Sequence[ContactEdge], found: Iterable[Relationship]) -> dict[str, Any]:
    """Shares of the known edges: `exact` (place, relation, both names), `named` (place, both names, any relation),
    `related` (place and relation), `place`; and each edge's best.
    """
    by_file: dict[tuple[str, str], list[_Stated]] = {}
    for edge in found:
        if edge.status == "confirmed":
            for project, path, line in _places(edge):
                said = [piece.says for piece in edge.evidence if (piece.path, piece.line) == (path, line)]
                by_file.setdefault((project, path), []).append(_Stated(line, edge, _ends(edge, said)))
    rows = [_best(one, by_file) for one in known]
    share = {name: round(sum(row[name] for row in rows) / len(rows), 4) if rows else 0.0 for name in LEVELS}
    return {**share, "edges": len(rows), "rows": rows}


LEVELS: Final = ("exact", "named", "related", "place")


@dataclass(frozen=True, slots=True)
class _Stated:
    """A relation at a line, and what its source and target are called there."""

    line: int
    edge: Relationship
    ends: tuple[tuple[str, str], ...]

    def fits(self, one: ContactEdge) -> bool:
        return any(fits(one.source, source) and fits(one.target, target) for source, target in self.ends)


def _ends(edge: Relationship, said: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """The names of a relation's ends: their own, and those that its evidence says for them."""
    ends = [(edge.source.name, edge.target.name)]
    for statement in said:
        if members := MEMBERS.fullmatch(statement):
            source, target = members["source"], members["target"]
            ends += [(s, t) for s in _dotted(source) for t in _dotted(target)]
        elif (handled := HANDLED.search(statement)) and edge.type == "EXPOSES":
            ends += [(name, edge.target.name) for name in _dotted(handled["source"])]
    return tuple(dict.fromkeys(ends))


def _dotted(name: str) -> tuple[str, str]:
    """A member with its class, and alone."""
    return name, name.rpartition(".")[2]


def _best(one: ContactEdge, by_file: Mapping[tuple[str, str], Sequence[_Stated]]) -> dict[str, Any]:
    here = (there for there in by_file.get((one.project, one.path), ()) if abs(there.line - one.line) <= NEAR)
    stated = [there for there in here if (there.edge.type == "IMPORTS") <= (one.relation == "IMPORTS")]
    near = [there.edge for there in stated]
    verb = next((one.relation.removesuffix(end) for end in JOINED if one.relation.endswith(end)), one.relation)
    right = ALIKE.get(verb, {verb})
    named = [there.edge for there in stated if there.fits(one)]
    exact = [edge for edge in named if edge.type in right]
    related = [edge for edge in near if edge.type in right]
    shown = next((f"{e.source.name} {e.type} {e.target.name}" for e in (*exact, *named, *related, *near)), "")
    levels = {"exact": bool(exact), "named": bool(named), "related": bool(related), "place": bool(near)}
    return {"id": one.id, "known": f"{one.source} {one.relation} {one.target}", **levels, "found": shown}


def _places(edge: Relationship) -> Iterator[tuple[str, str, int]]:
    yield from {(edge.project, edge.path, line) for line in edge.lines} | {
        (piece.project, piece.path, piece.line) for piece in edge.evidence
    }


def _words(name: str) -> frozenset[str]:
    words = [word.lower() for word in WORD.findall(BESIDE.sub("", name))]
    return frozenset(
        word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word for word in words
    )


def _within(one: str, other: str) -> bool:
    """Whether the telling words of either are among all of the other's."""
    first, second = _words(one), _words(other)
    return bool(first and second) and ((first - KINDS or first) <= second or (second - KINDS or second) <= first)
