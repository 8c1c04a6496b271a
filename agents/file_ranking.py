"""Files ranked by what their chunks and the relations they prove have in common with a question.

    D(f) = the best cosine of its chunks              S(f) = Σ 0.3^k · (its k-th best BM25 chunk), five at most
    H(f) = w · D(f) / max D + (1 − w) · S(f) / max S  a file that one list lacks has that list's lowest value there
    V(f) = 1 − exp(−Σ c³)                             c: what each statement that f proves holds of the question
    M(f) = how surely a chunk of f says a message that the question quotes (`messages.py`)
    score(f) = (H(f) / max H + λ · (V(f) + M(f))) · a   a < 1 for documents, and less for tests, licences, migrations:
                                                      who asks how a system works is answered by what acts, then by
                                                      what tells of it; who asks for the tests gets them

A file outranks its chunks because a question is answered by a place, and several weak chunks of one file say more than
one of them alone. The convex combination is that of S. Bruch, S. Gai, A. Ingber: An Analysis of Fusion Functions for
Hybrid Retrieval (ACM TOIS 42(1), 2023), §3. The cube makes weak matches fade, so that a graph that covers a stack badly
does no harm.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, TypeAlias, TypeVar

from memory.text import aside_word
from memory.vector.port import SPARSE_LEXICAL
from memory.vector.ties import rounded

if TYPE_CHECKING:
    from configs.settings import VectorSettings
    from memory.entities import EvidenceFile
    from memory.statements import FoundStatement
    from memory.vector.port import Hit


_Document = TypeVar("_Document", bound=Hashable)


File: TypeAlias = tuple[str, str]
"""A file by project and path."""
_DECAY: Final = 0.3
_FIRST: Final = 1.01
"""Of the best score: what introduces a project is just before it, and the others keep theirs beside it."""
_MOST: Final = 5
_LEAST_EMBEDDED: Final = 0.01


def convex(lists: Sequence[Mapping[_Document, float]], weights: Sequence[float]) -> dict[_Document, float]:
    """Fused scores in 0..1: the weighted mean of score ÷ best score of its list.

    A document that a list lacks counts there with the lowest value listed, since all that is known of it is that it is
    no better. Lists without a positive score are left out.
    """
    pairs = [
        (ranked, weight) for ranked, weight in zip(lists, weights, strict=True) if ranked and max(ranked.values()) > 0
    ]
    total = math.fsum(weight for _, weight in pairs)
    fused: dict[_Document, float] = {}
    for ranked, weight in pairs:
        best = max(ranked.values())
        lowest = max(0.0, min(ranked.values())) / best
        for document in {key: None for other, _ in pairs for key in other}:
            share = max(0.0, ranked[document]) / best if document in ranked else lowest
            fused[document] = fused.get(document, 0.0) + weight / total * share
    return fused


@dataclass(frozen=True, slots=True)
class Proof:
    """What speaks for files beside their chunks: the votes, and the reason and the line of the strongest for each."""

    votes: Mapping[File, float] = field(default_factory=dict)
    reasons: Mapping[File, str] = field(default_factory=dict)
    lines: Mapping[File, int] = field(default_factory=dict)

    @classmethod
    def of(cls, statements: Sequence[FoundStatement], given: Iterable[EvidenceFile], visible: frozenset[str]) -> Proof:
        """The statements' votes and the files that a scope gives, of the visible projects alone.

        Two that speak for one file do so independently: 1 − (1 − a)(1 − b).
        """
        voted = {file: vote for file, vote in votes(statements).items() if file[0] in visible}
        reasons: dict[File, str] = {}
        lines: dict[File, int] = {}
        for statement in statements:
            sentence = statement.sentence
            for file, line in statement.places:
                reasons.setdefault(file, sentence)
                lines.setdefault(file, line)
        for one in given:
            if one.project in visible:
                file = (one.project, one.path)
                voted[file] = 1.0 - (1.0 - voted.get(file, 0.0)) * (1.0 - min(1.0, one.weight))
                reasons[file] = one.because
        return cls(voted, reasons, lines)


@dataclass(frozen=True, slots=True)
class RankedFile:
    """A file of the ranking.

    chunks: its chunks by id, best first, () where statements alone name it; shares: each one's score beside the best's;
    because: the relation for which it is here, '' where none is; line: where that is proven; weight: what its kind
    counts, in the score already.
    """

    file: File
    score: float
    chunks: tuple[str, ...] = ()
    shares: Mapping[str, float] = field(default_factory=dict)
    because: str = ""
    line: int = 1
    weight: float = 1.0

    def share(self, chunk: str) -> float:
        """A chunk's score beside that of the file's best, 0..1."""
        return self.shares.get(chunk, 1.0)


def rank_files(
    hits: Mapping[str, Sequence[Hit]],
    proof: Proof,
    settings: VectorSettings,
    *,
    embedded: float = 1.0,
    comparable: bool = True,
    in_hand: str | None = None,
    scope: frozenset[str] = frozenset(),
    quoting: Mapping[str, tuple[Hit, float]] = MappingProxyType({}),
    asks_for: Callable[[str], bool] = lambda _: False,
    introducing: Collection[File] = (),
    most: int | None = None,
) -> list[RankedFile]:
    """The best files of all hits and of all votes, best first, ties by project and path.

    Args:
        hits: by the vector that found them.
        proof: what speaks for files beside their chunks.
        settings: the weights.
        embedded: the share of the chunks that have a dense vector. As far as vectors are still to come the words count
            more: the best of the few that have one is not the best.
        comparable: whether all dense vectors are of one model; else each model's are divided by their own maximum.
        in_hand: the project whose files count `in_hand_weight`.
        scope: the projects whose files count `scope_weight`.
        quoting: the chunks in which a message stands that the question quotes, and how surely.
        asks_for: whether the question has a word such as `tests` or `migrations`: files of that kind count like others.
        introducing: what tells what the projects are that are asked about, before all others.
        most: how many files; None: all.
    """
    every = (*(hit for found in hits.values() for hit in found), *(hit for hit, _ in quoting.values()))
    files = {hit.chunk.id: (hit.chunk.project, hit.chunk.path) for hit in every}
    dense_weight = settings.dense_weight * max(embedded, _LEAST_EMBEDDED)
    weights = (dense_weight, 1.0 - dense_weight)
    dense, sparse = _lists(hits, settings.candidates, comparable=comparable)
    hybrid = convex([best_chunk(dense, files), decayed_sum(sparse, files)], weights)
    documents = {files[hit.chunk.id] for found in hits.values() for hit in found if hit.chunk.chunk_kind == "doc"}
    chunks = convex([dense, sparse], weights)
    quoted = best_chunk({id_: share for id_, (_, share) in quoting.items()}, files)
    chunks = dict.fromkeys(quoting, min(chunks.values(), default=1.0)) | chunks
    best = max(hybrid.values(), default=0.0) or 1.0
    lowest = min(hybrid.values(), default=0.0)
    scores, weights_of = {}, {}
    for file in {**hybrid, **proof.votes, **quoted}:
        speaks = proof.votes.get(file, 0.0) + quoted.get(file, 0.0)
        score = hybrid.get(file, lowest) / best + settings.statement_weight * speaks
        word = aside_word(file[1])
        weight = settings.document_weight if file in documents else 1.0
        weights_of[file] = min(weight, settings.aside_weight) if word and not asks_for(word) else weight
        score *= weights_of[file]
        score *= settings.in_hand_weight if file[0] == in_hand else 1.0
        score *= settings.scope_weight if file[0] in scope else 1.0
        scores[file] = score
    first = _FIRST * max(scores.values(), default=1.0)
    scores |= dict.fromkeys(introducing, first)
    own: dict[File, list[str]] = {
        file: [] for file in sorted(scores, key=lambda file: (-rounded(scores[file]), file))[:most]
    }
    for id_ in chunks:
        if (listed := own.get(files[id_])) is not None:
            listed.append(id_)
    ranked = []
    for file, found in own.items():
        ids = tuple(sorted(found, key=lambda id_: (-rounded(chunks[id_]), id_))[:_MOST])
        top = chunks[ids[0]] if ids else 1.0
        shares = {id_: chunks[id_] / top if top > 0 else 1.0 for id_ in ids}
        because, line = proof.reasons.get(file, ""), proof.lines.get(file, 1)
        ranked.append(RankedFile(file, scores[file], ids, shares, because, line, weights_of.get(file, 1.0)))
    return ranked


def best_chunk(scores: Mapping[str, float], files: Mapping[str, File]) -> dict[File, float]:
    """D: the best score among each file's chunks.

    Args:
        scores: by chunk.
        files: each chunk's file.
    """
    best: dict[File, float] = {}
    for chunk, score in scores.items():
        file = files[chunk]
        best[file] = max(score, best.get(file, score))
    return best


def decayed_sum(scores: Mapping[str, float], files: Mapping[str, File]) -> dict[File, float]:
    """S: the scores of each file's five best chunks, each further one at 0.3 of the weight before it."""
    own: defaultdict[File, list[float]] = defaultdict(list)
    for chunk, score in scores.items():
        own[files[chunk]].append(score)
    return {
        file: math.fsum(_DECAY**place * score for place, score in enumerate(sorted(found, reverse=True)[:_MOST]))
        for file, found in own.items()
    }


def votes(statements: Iterable[FoundStatement]) -> dict[File, float]:
    """How much the statements speak for each file they are proven in: 1 − exp(−Σ coverage³), 0..1."""
    mass: defaultdict[File, float] = defaultdict(float)
    for statement in statements:
        for file in statement.files:
            mass[file] += statement.coverage**3
    return {file: 1.0 - math.exp(-total) for file, total in mass.items()}


def _lists(
    hits: Mapping[str, Sequence[Hit]], limit: int, *, comparable: bool
) -> tuple[dict[str, float], dict[str, float]]:
    """The dense fields as one list of scores by chunk, and the sparse list."""
    dense: dict[str, float] = {}
    for using, found in hits.items():
        if using != SPARSE_LEXICAL:
            unit = 1.0 if comparable else max((hit.score for hit in found), default=0.0)
            dense.update((hit.chunk.id, hit.score / unit if unit > 0 else hit.score) for hit in found)
    dense = dict(sorted(dense.items(), key=lambda item: (-item[1], item[0]))[:limit])
    words = {hit.chunk.id: hit.score for hit in hits.get(SPARSE_LEXICAL, ())}
    if len(words) < limit:  # a list that is not full was not cut: the others hold none of the words
        words = dict.fromkeys(dense, 0.0) | words
    return dense, words
