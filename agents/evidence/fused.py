"""The one fused request of 000: templates, filters, the order of its candidates, windows (000 §5 to §8.2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, get_args

from agents.evidence.intents import Intent, symbol_names
from agents.evidence.pack import EvidenceItem, item_of
from agents.evidence.representations import Representations
from agents.evidence.request import SettledRequest
from agents.evidence.selection import part_of
from configs.settings import EvidenceSettings
from memory.errors import ConfigError
from memory.files import WholeFiles
from memory.rerankers import Reranker, reorder
from memory.text.lines import split_lines
from memory.vector.filters import Condition
from memory.vector.port import (
    DENSE_CODE,
    DENSE_DOCS,
    SPARSE_LEXICAL,
    Chunk,
    ChunkKind,
    FusedQuery,
    Hit,
    VectorQuery,
)

_NO_TESTS = tuple(kind for kind in get_args(ChunkKind) if kind != "test")


@dataclass(frozen=True, slots=True)
class RerankedItems:
    """Items in their final order, the notes to show, and whether the reranker failed."""

    items: list[EvidenceItem]
    notes: tuple[str, ...] = ()
    failed: bool = False


def rerank_text(chunk: Chunk) -> str:
    """What a reranker reads: the chunk's place and name, then its text."""
    what = chunk.symbol or chunk.section
    return f"{chunk.repo}/{chunk.path}{f' {what}' if what else ''}\n{chunk.text}"


async def rerank(
    query: str, items: Sequence[EvidenceItem], reranker: Reranker, *, most: int, timeout_s: float
) -> RerankedItems:
    """The first `most` in the reranker's order, ties as they were, the rest behind them; all as it was if it fails.

    Scores stay as they were; only `rank` says the order.
    """
    read, rest = list(items[:most]), list(items[most:])
    if not read:
        return RerankedItems(read)
    done = await reorder(query, [rerank_text(item.chunk) for item in read], reranker, timeout_s)
    if done.failed:
        return RerankedItems(list(items), (done.note,), failed=True)
    ordered = [*(read[number] for number in done.order), *rest]
    ranked = [replace(item, rank=rank) for rank, item in enumerate(ordered, start=1)]
    return RerankedItems(ranked, (f"{done.note} of {len(items)} candidates",))


@dataclass(frozen=True, slots=True)
class Prefetch:
    """One route of a template: the named vector and how many candidates it brings. of_symbol: only chunks of the
    question's symbol.
    """

    using: str
    limit: int
    of_symbol: bool = False


@dataclass(frozen=True, slots=True)
class FusionTemplate:
    """Routes that are fused, and how many of the fusion are kept."""

    name: str
    prefetches: tuple[Prefetch, ...]
    final: int

    @property
    def dense_routes(self) -> tuple[str, ...]:
        """The dense vectors that it searches."""
        return tuple(prefetch.using for prefetch in self.prefetches if prefetch.using != SPARSE_LEXICAL)


TEMPLATES: Final[Mapping[str, FusionTemplate]] = {
    template.name: template
    for template in (
        FusionTemplate("A", (Prefetch(DENSE_DOCS, 80), Prefetch(DENSE_CODE, 80), Prefetch(SPARSE_LEXICAL, 120)), 40),
        FusionTemplate("B", (Prefetch(DENSE_CODE, 100), Prefetch(SPARSE_LEXICAL, 150)), 50),
        FusionTemplate("C", (Prefetch(DENSE_DOCS, 100), Prefetch(SPARSE_LEXICAL, 150)), 50),
        FusionTemplate(
            "D",
            (Prefetch(DENSE_DOCS, 80), Prefetch(DENSE_CODE, 80, of_symbol=True), Prefetch(SPARSE_LEXICAL, 120)),
            40,
        ),
    )
}


def choose_template(intent: Intent, symbol: str, templates: Mapping[str, FusionTemplate] = TEMPLATES) -> FusionTemplate:
    """B and C for a forced corpus, D for the lookup of a symbol, A for all the rest."""
    if intent is Intent.CODE_ONLY:
        return templates["B"]
    if intent is Intent.DOCS_ONLY:
        return templates["C"]
    return templates["D" if intent is Intent.API_LOOKUP and symbol else "A"]


def with_limits(limits: Mapping[str, int]) -> dict[str, FusionTemplate]:
    """The templates with other numbers: `A.dense_docs` is a route's, `A.final` the fusion's. Raises ConfigError."""
    known = {f"{t.name}.{key}" for t in TEMPLATES.values() for key in ("final", *(p.using for p in t.prefetches))}
    for key, limit in limits.items():
        if key not in known or limit < 1:
            hint = f"Known: {', '.join(sorted(known))}; numbers from 1."
            raise ConfigError("evidence.limits", "settings", f"{key}: {limit} can't be.", hint)
    return {name: _limited(template, limits) for name, template in TEMPLATES.items()}


def check_weights(weights: Mapping[str, float]) -> None:
    """Raises ConfigError for a weight of no route, and where none of a template's routes is left."""
    known = sorted({prefetch.using for template in TEMPLATES.values() for prefetch in template.prefetches})
    for route in sorted(weights.keys() - known):
        raise ConfigError("evidence.weights", "settings", f"there is no route {route}.", f"Known: {', '.join(known)}.")
    for template in TEMPLATES.values():
        if not any(weights.get(prefetch.using, 1.0) for prefetch in template.prefetches):
            hint = "Give one of them a weight above 0."
            raise ConfigError("evidence.weights", "settings", f"no route of {template.name} is left.", hint)


def _limited(template: FusionTemplate, limits: Mapping[str, int]) -> FusionTemplate:
    prefetches = tuple(replace(p, limit=limits.get(f"{template.name}.{p.using}", p.limit)) for p in template.prefetches)
    return replace(template, prefetches=prefetches, final=limits.get(f"{template.name}.final", template.final))


def conditions_of(request: SettledRequest) -> tuple[Condition, ...]:
    """What holds on every route: corpus, repositories, paths, commit, and no tests where none are wanted."""
    conditions = {
        "corpus": (request.corpus,) if request.corpus else (),
        "repo": request.repo_scope,
        "path": request.path_scope,
        "commit": (request.commit,) if request.commit else (),
        "chunk_kind": () if request.include_tests else _NO_TESTS,
    }
    return tuple(Condition(key, any_of=values) for key, values in conditions.items() if values)


def fused_query(
    request: SettledRequest, template: FusionTemplate, representations: Representations, settings: EvidenceSettings
) -> FusedQuery | None:
    """The routes that have a representation and a weight, fused; None where no one has. Search parameters stand in the
    dense prefetches, where alone they act.
    """
    vectors = representations.vectors
    weights = {prefetch.using: settings.weights.get(prefetch.using, 1.0) for prefetch in template.prefetches}
    present = [prefetch for prefetch in template.prefetches if prefetch.using in vectors and weights[prefetch.using]]
    if not present:
        return None
    of_symbol = (Condition("symbol", any_of=symbol_names(request.symbol)),)
    return FusedQuery(
        prefetches=tuple(
            VectorQuery(
                prefetch.using,
                vectors[prefetch.using],
                prefetch.limit,
                conditions=of_symbol if prefetch.of_symbol else (),
                hnsw_ef=None if prefetch.using == SPARSE_LEXICAL else settings.hnsw_ef,
                exact=prefetch.using == SPARSE_LEXICAL or settings.exact,
            )
            for prefetch in present
        ),
        limit=template.final,
        k=settings.rrf_k,
        weights=tuple(weights[prefetch.using] for prefetch in present) if settings.weights else (),
        conditions=conditions_of(request),
    )


def candidates(hits: Sequence[Hit], intent: Intent) -> list[EvidenceItem]:
    """Items ranked from 1 by score; equal scores by corpus (code first, for HOW_TO_IMPLEMENT alone), file and line."""

    def key(hit: Hit) -> tuple[Any, ...]:
        chunk = hit.chunk
        later = intent is Intent.HOW_TO_IMPLEMENT and chunk.corpus != "code"
        return -hit.score, later, chunk.repo, chunk.path, chunk.start_line, chunk.id

    ordered = sorted(hits, key=key)
    return [item_of(hit, rank) for rank, hit in enumerate(ordered, start=1)]


async def widened(item: EvidenceItem, files: WholeFiles, settings: EvidenceSettings) -> EvidenceItem:
    """A short piece of code with the lines around it, within its file (rule 4).

    Unchanged where the file does not have the chunk's text on its lines: it is another version of it.
    """
    short = item.end_line - item.start_line + 1 < settings.window_below
    if item.chunk.corpus != "code" or item.start_line < 1 or not short:
        return item
    lines = await files.file(item.chunk.project, item.chunk.path)
    own = split_lines(item.text)
    if lines is None or item.end_line > len(lines) or lines[item.start_line - 1 :][: len(own)] != own:
        return item
    first = max(1, item.start_line - settings.window_lines)
    return part_of(item, lines, (first, min(len(lines), item.end_line + settings.window_lines)))
