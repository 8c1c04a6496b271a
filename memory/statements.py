"""`StatementIndex`: which relations a question speaks of, by BM25 and by the share of the question they hold.

    score(s, q) = Σ idf(t) · f(t, s) (k + 1) / (f(t, s) + k (1 − b + b |s| / average))        k = 1.2, b = 0.4
    idf(t)      = ln(1 + (N − n(t) + 0.5) / (n(t) + 0.5)), over the statements that may be seen

Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009). A statement is seen only by who
may see every project it speaks of, and so are the counts behind its IDF.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, Protocol

import numpy as np

from memory.entities import Relationship, sentence
from memory.graph.queries import relation_from
from memory.vocabulary import idf

if TYPE_CHECKING:
    from numpy.typing import NDArray


SATURATION: Final = 1.2
LENGTH_WEIGHT: Final = 0.4
_REMEMBERED: Final = 4096
"""Relations that are kept as they were read, by their permission: one question's are many another's."""
_RATED: Final = 500
"""So many of the best by BM25 are rated by what they hold of the question."""
_TEST_WEIGHT: Final = 0.7


@dataclass(frozen=True, slots=True)
class FoundStatement:
    """A relation that a question speaks of.

    coverage: the share (0..1) of the question's IDF mass that its sentence holds; less where only tests prove it.
    """

    relation: Relationship
    coverage: float

    @property
    def sentence(self) -> str:
        """The relation in words."""
        return sentence(self.relation)

    @property
    def places(self) -> tuple[tuple[tuple[str, str], int], ...]:
        """Where it is proven: file and line, the source's own first."""
        own = (self.relation.project, self.relation.path)
        pieces = (((piece.project, piece.path), piece.line) for piece in self.relation.evidence)
        return (*((own, line) for line in self.relation.lines), *pieces)

    @property
    def files(self) -> tuple[tuple[str, str], ...]:
        """The files that prove it, by project and path, each once; first the source's own."""
        places = [(self.relation.project, self.relation.path)]
        places += [(piece.project, piece.path) for piece in self.relation.evidence]
        return tuple(dict.fromkeys(place for place in places if all(place)))


@dataclass(frozen=True, slots=True, eq=False)
class Segment:
    """One project's statements: postings by ascending term, `starts[i]:starts[i + 1]` those of the i-th.

    audience: for each statement the place in `audiences` of the projects it speaks of; test: whether only tests prove
    it; offsets: where each one's line begins in `lines`.
    """

    terms: NDArray[np.int64]
    starts: NDArray[np.int64]
    rows: NDArray[np.int32]
    weights: NDArray[np.float32]
    audience: NDArray[np.int32]
    audiences: tuple[frozenset[str], ...]
    test: NDArray[np.bool_]
    offsets: NDArray[np.int64]
    lines: bytes

    @classmethod
    def empty(cls) -> Segment:
        """No statements."""
        none = np.zeros(0, dtype=np.int64)
        return cls(
            none, none, none.astype(np.int32), none.astype(np.float32), none.astype(np.int32), (), none > 0, none, b""
        )

    def visible(self, permission: frozenset[str]) -> NDArray[np.bool_]:
        """Which statements may be seen, shape (statements,)."""
        allowed = np.array([audience <= permission for audience in self.audiences], dtype=bool)
        return allowed[self.audience] if len(self.audience) else np.zeros(0, dtype=bool)

    def leading(self, projects: frozenset[str]) -> NDArray[np.bool_]:
        """Which statements lead between one of these projects and another, shape (statements,)."""
        between = np.array([len(one) > 1 and not projects.isdisjoint(one) for one in self.audiences], dtype=bool)
        return between[self.audience] if len(self.audience) else np.zeros(0, dtype=bool)

    def postings(self, term: int) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """The statements that hold a term, and its weight in each."""
        place = int(self.terms.searchsorted(term))
        if place == len(self.terms) or self.terms[place] != term:
            return self.rows[:0], self.weights[:0]
        inside = slice(int(self.starts[place]), int(self.starts[place + 1]))
        return self.rows[inside], self.weights[inside]

    def relation(self, row: int, permission: frozenset[str]) -> Relationship:
        """A statement's relation, with the evidence that may be seen."""
        line = self.lines[int(self.offsets[row]) : int(self.offsets[row + 1])]
        stored: dict[str, Any] = json.loads(line.decode("utf-8", "surrogatepass"))
        return relation_from(stored, permission)


class Statements(Protocol):
    """Where the relations that a question speaks of are searched."""

    def search(
        self,
        terms: Mapping[str, int],
        permission: frozenset[str],
        *,
        weights: Mapping[int, float] | None = None,
        between: frozenset[str] = frozenset(),
        limit: int = 50,
    ) -> list[FoundStatement]:
        """The statements that hold most of a question within the permission, best first."""
        ...


class StatementIndex:
    """The statements of one generation, a project's read when it is first asked for and then kept.

    segment: reads one project's statements.
    """

    def __init__(self, segment: Callable[[str], Segment]) -> None:
        self._read = segment
        self._segments: dict[str, Segment] = {}
        self._relation = lru_cache(_REMEMBERED)(self._relation_of)

    def search(
        self,
        terms: Mapping[str, int],
        permission: frozenset[str],
        *,
        weights: Mapping[int, float] | None = None,
        between: frozenset[str] = frozenset(),
        limit: int = 50,
    ) -> list[FoundStatement]:
        """The statements that hold most of a question, best first, ties by the relation's id.

        Args:
            terms: the question's words and their term ids.
            permission: the projects that may be seen.
            weights: each term's share of the question's mass, by id; the statements' own IDF where it is not given.
            between: only those that lead between one of these projects and another; none given: all.
            limit: how many at most.
        """
        ids = sorted(set(terms.values()))
        segments = [(name, self._segment(name)) for name in sorted(permission)]
        seen = {name: segment.visible(permission) for name, segment in segments}
        population = sum(int(mask.sum()) for mask in seen.values())
        if not ids or not population:
            return []
        postings = {name: map(segment.postings, ids) for name, segment in segments}
        held = {name: {place: one for place, one in enumerate(own) if len(one[0])} for name, own in postings.items()}
        holding = [0] * len(ids)
        for name, found in held.items():
            for place, (rows, _) in found.items():
                holding[place] += int(seen[name][rows].sum())
        rarity = np.array([idf(population, count) for count in holding])
        mass = np.array([weights.get(term, 0.0) for term in ids]) if weights is not None else rarity
        total = float(mass.sum())
        segments = [(name, segment) for name, segment in segments if held[name]]
        if total <= 0 or not segments:
            return []
        if between:
            seen = {name: seen[name] & segment.leading(between) for name, segment in segments}
        best = self._best(segments, seen, held, rarity, mass / total, limit)
        rated = [
            (score, FoundStatement(self._relation(segments[number][0], row, permission), share))
            for score, share, number, row in best
        ]
        rated.sort(key=lambda one: (-one[1].coverage, -one[0], one[1].relation.id))
        return [statement for _, statement in rated]

    def _relation_of(self, project: str, row: int, permission: frozenset[str]) -> Relationship:
        return self._segment(project).relation(row, permission)

    @staticmethod
    def _best(
        segments: Sequence[tuple[str, Segment]],
        seen: Mapping[str, NDArray[np.bool_]],
        held: Mapping[str, Mapping[int, tuple[NDArray[np.int32], NDArray[np.float32]]]],
        rarity: NDArray[np.float64],
        shares: NDArray[np.float64],
        limit: int,
    ) -> list[tuple[float, float, int, int]]:
        """(score, share, segment, row) of those that hold most among the best by BM25; ties by segment and row."""
        parts = []
        for number, (name, segment) in enumerate(segments):
            size = len(segment.audience)
            scores, share = np.zeros(size), np.zeros(size)
            for place, (rows, weights) in held[name].items():
                scores[rows] += rarity[place] * weights
                share[rows] += shares[place]
            share[segment.test] *= _TEST_WEIGHT
            matching = np.flatnonzero(seen[name] & (scores > 0))
            parts.append(
                (scores[matching].round(6), share[matching].round(6), np.full(len(matching), number), matching)
            )
        score, held_share, of, row = (np.concatenate(column) for column in zip(*parts, strict=True))
        rated = np.lexsort((row, of, -score))[:_RATED]
        order = rated[np.lexsort((row[rated], of[rated], -score[rated], -held_share[rated]))][:limit]
        columns = (score[order].tolist(), held_share[order].tolist(), of[order].tolist(), row[order].tolist())
        return list(zip(*columns, strict=True))

    def _segment(self, project: str) -> Segment:
        if project not in self._segments:
            self._segments[project] = self._read(project)
        return self._segments[project]
