"""The vocabulary of an index: in how many chunks of each project a term occurs, which is what makes a word rare."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Protocol

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_REMEMBERED: Final = 65_536
"""Terms whose chunks are counted."""


def idf(population: int, holding: int) -> float:
    """How rare a term is that so many of a population hold."""
    return math.log1p((population - holding + 0.5) / (holding + 0.5))


@dataclass(frozen=True, slots=True)
class FileTerms:
    """In how many of a file's chunks each term occurs, and how many chunks it has."""

    chunks: int
    counts: Mapping[int, int]


@dataclass(frozen=True, slots=True)
class UnknownWords:
    """What of a question occurs nowhere in what may be seen.

    names: the words among it that are written as names are, but for those of a pasted trace; share: that of unknown
    names (0..1) of the IDF mass of all that is known or a name, in the part of the question that knows most; ordinary:
    the terms of ordinary words, of which a small index lacks many; absent: those words, but for slips and
    plurals of what occurs; weights: the IDF of every word of the question, known or not, none where it is not known;
    idle: the terms that weigh nothing, of amounts, errors and hyphenated words whose parts all occur; is_pointed: a
    pasted trace names a file or a symbol that is indexed.
    """

    names: tuple[str, ...] = ()
    share: float = 0.0
    ordinary: frozenset[int] = frozenset()
    absent: tuple[str, ...] = ()
    idle: frozenset[int] = frozenset()
    weights: Mapping[str, float] = field(default_factory=dict)
    is_pointed: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class ProjectTerms:
    """One project's terms, ascending, and in how many of its chunks each occurs."""

    terms: NDArray[np.int64]
    counts: NDArray[np.int32]
    chunks: int

    @classmethod
    def of(cls, files: Iterable[FileTerms]) -> ProjectTerms:
        """The terms of these files together."""
        own = list(files)
        each = np.fromiter((term for file in own for term in file.counts), dtype=np.int64)
        counts = np.fromiter((count for file in own for count in file.counts.values()), dtype=np.int32)
        terms, places = np.unique(each, return_inverse=True)
        total = np.zeros(len(terms), dtype=np.int32)
        np.add.at(total, places, counts)
        return cls(terms, total, sum(file.chunks for file in own))

    def holding(self, wanted: NDArray[np.int64]) -> NDArray[np.int64]:
        """In how many chunks each of these terms occurs."""
        if not len(self.terms):
            return np.zeros(len(wanted), dtype=np.int64)
        places = np.minimum(np.searchsorted(self.terms, wanted), len(self.terms) - 1)
        found = np.where(self.terms[places] == wanted, self.counts[places], 0)
        return found.astype(np.int64)


class Words(Protocol):
    """Who says how rare words are within a permission, and which are known at all."""

    def weights(self, terms: Iterable[int], permission: Collection[str]) -> dict[int, float]:
        """The IDF of these terms, by term."""
        ...

    def known(self, terms: Iterable[int], permission: Collection[str]) -> frozenset[int]:
        """Those of the terms that occur anywhere."""
        ...


class Vocabulary:
    """The terms of one generation, a project's read when it is first asked for and then kept.

    read: one project's terms.
    """

    def __init__(self, read: Callable[[str], ProjectTerms]) -> None:
        self._read = read
        self._projects: dict[str, ProjectTerms] = {}
        self._known: dict[tuple[frozenset[str], int], int] = {}  # in how many chunks, by permission and term

    def weights(self, terms: Iterable[int], permission: Collection[str]) -> dict[int, float]:
        """The IDF of these terms over the chunks of the permitted projects, by term."""
        population = sum(self._terms_of(name).chunks for name in permission)
        return {term: idf(population, held) for term, held in self._held(terms, permission).items()}

    def known(self, terms: Iterable[int], permission: Collection[str]) -> frozenset[int]:
        """Those of the terms that occur anywhere within the permission."""
        return frozenset(term for term, held in self._held(terms, permission).items() if held)

    def _held(self, terms: Iterable[int], permission: Collection[str]) -> dict[int, int]:
        """In how many chunks each of these terms occurs; each is counted once, since one question asks several times
        and words come again.
        """
        wanted, visible = sorted(set(terms)), frozenset(permission)
        if len(self._known) > _REMEMBERED:
            self._known.clear()
        missing = [term for term in wanted if (visible, term) not in self._known]
        if missing:
            sought = np.array(missing, dtype=np.int64)
            counts = sum((self._terms_of(name).holding(sought) for name in visible), np.zeros_like(sought))
            self._known.update(zip(((visible, term) for term in missing), counts.tolist(), strict=True))
        return {term: self._known[visible, term] for term in wanted}

    def _terms_of(self, project: str) -> ProjectTerms:
        if project not in self._projects:
            self._projects[project] = self._read(project)
        return self._projects[project]
