"""`EvidenceRetriever`: a question to an evidence pack, in the steps of 000 §10.

Candidates come from the ranking of files that questions are answered by (`evidence.search: ranked`), or from the one
fused request of 000 §5 (`fused`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Final

import anyio

from agents.evidence.catalogue import EvidenceCatalogue
from agents.evidence.fused import (
    candidates,
    check_weights,
    choose_template,
    conditions_of,
    fused_query,
    rerank,
    widened,
    with_limits,
)
from agents.evidence.pack import (
    RANKED,
    EvidenceItem,
    EvidencePack,
    asked_words,
    behind,
    highlights,
    routes_used,
    spread,
)
from agents.evidence.ranked import RankedPieces
from agents.evidence.representations import NO_MODEL, QueryRepresenter, awaited
from agents.evidence.request import EvidenceRequest, SettledRequest, settle_request
from agents.evidence.selection import Picked, missing_of, needed, with_quotas, without_duplicates
from agents.search import HybridSearch
from configs.settings import EvidenceSettings
from memory.embedders.port import DenseEmbedder, SparseEmbedder
from memory.errors import ModelError, StoreError
from memory.files import WholeFiles
from memory.project_folder import ProjectFolder, count_changed, has_changed
from memory.rerankers import Reranker
from memory.statements import FoundStatement
from memory.together import AsyncLRUCache
from memory.vector.filters import Condition
from memory.vector.port import (
    DENSE_CODE,
    DENSE_DOCS,
    DenseVector,
    SparseVector,
    VectorStore,
)

_FILES: Final = 120
"""How many of the best files are read: more than a question needs, since of most of them a line is shown."""


@dataclass(frozen=True, slots=True)
class EvidenceParts:
    """What packs are made from.

    docs and code may be one embedder. search: what ranks files; None searches by the fused request alone. files: where
    blocks and windows are read within a permission; folders: the projects' files on disk, with what was indexed.
    foreign: others write to the store, so that no pack of it is remembered.
    """

    store: VectorStore
    docs: DenseEmbedder
    code: DenseEmbedder
    sparse: SparseEmbedder
    files: Callable[[frozenset[str]], WholeFiles] | None = None
    reranker: Reranker | None = None
    search: HybridSearch | None = None
    folders: Mapping[str, ProjectFolder] = field(default_factory=dict)
    foreign: bool = False


@dataclass(frozen=True, slots=True)
class EvidenceMemory:
    """The last packs and query vectors; several retrievers may share it, since the keys say what a value depends on."""

    packs: AsyncLRUCache[_Made]
    queries: AsyncLRUCache[DenseVector | SparseVector]

    @classmethod
    def of(cls, settings: EvidenceSettings) -> EvidenceMemory:
        """An empty one of the sizes that the settings give."""
        return cls(AsyncLRUCache(settings.remembered_packs), AsyncLRUCache(settings.remembered_queries))


@dataclass(frozen=True, slots=True)
class _Made:
    """A pack; one that lacks what a model owed it is not remembered."""

    pack: EvidencePack
    whole: bool = True


@dataclass(frozen=True, slots=True)
class _Found:
    """Candidates in their order, the relations asked about, and how they were searched; failures: what was left out."""

    items: Sequence[EvidenceItem]
    received: int
    routes: tuple[str, ...]
    statements: Sequence[FoundStatement] = ()
    failures: tuple[str, ...] = ()

    @property
    def ranked(self) -> bool:
        """Whether files were ranked."""
        return RANKED in self.routes


class EvidenceRetriever:
    """Packs from one generation of one index. Raises ConfigError for limits of no template.

    profile: part of every key. The same request on the same generation gives the same pack.
    """

    def __init__(
        self,
        parts: EvidenceParts,
        catalogue: EvidenceCatalogue,
        settings: EvidenceSettings,
        *,
        profile: str = "",
        memory: EvidenceMemory | None = None,
    ) -> None:
        self.memory = memory or EvidenceMemory.of(settings)
        self.catalogue = catalogue
        self._parts = parts
        self._settings = settings
        self._templates = with_limits(settings.limits)
        check_weights(settings.weights)
        self._represent = QueryRepresenter(
            parts.docs,
            parts.code,
            parts.sparse,
            profile=profile,
            timeout_s=settings.embedding_timeout_ms / 1000,
            remembered=self.memory.queries,
        )
        reranker = parts.reranker.model if parts.reranker else ""
        ranking = repr(parts.search.settings) if parts.search else ""
        self._made_with = (catalogue.generation, profile, self._represent.models, reranker, repr(settings), ranking)

    async def retrieve(self, request: EvidenceRequest, permission: frozenset[str]) -> EvidencePack:
        """The pack of a request. Raises InvalidInputError, StoreError, and ModelError where models failed."""
        settled = settle_request(request, self.catalogue, permission)
        key = (self._made_with, permission, settled)
        made = await self.memory.packs.get(key, lambda: self._make(settled), keep=lambda made: made.whole)
        return self._dated(made.pack)

    def _dated(self, pack: EvidencePack) -> EvidencePack:
        """The pack, which may be an earlier one, with the pieces marked whose file has changed since it was indexed."""
        stale = self._changed(pack.evidence)
        marked = (replace(item, stale=(item.chunk.project, item.chunk.path) in stale) for item in pack.evidence)
        changed = count_changed(self._parts.folders, (item.chunk.project for item in pack.evidence))
        return replace(pack, evidence=tuple(marked), changed=changed) if stale or changed else pack

    async def _make(self, request: SettledRequest) -> _Made:
        if not request.projects:
            return _Made(self._pack(request, _Found((), 0, ()), []))
        found = await self._find(request)
        items = [item for item in found.items if request.holds(item.chunk.project, item.chunk.path)]
        items = items[: request.min_rank_fusion]
        notes, failed = found.failures, bool(found.failures)
        if self._parts.reranker is not None:
            order = await rerank(
                request.query,
                items,
                self._parts.reranker,
                most=self._settings.rerank_candidates,
                timeout_s=self._settings.rerank_timeout_ms / 1000,
            )
            items, notes, failed = order.items, (*notes, *order.notes), failed or order.failed
        picked = await self._pick(request, items, found)
        pack = self._pack(request, found, picked.items, (*notes, *self._refused(picked)))
        return _Made(pack, whole=not (failed or self._parts.foreign or self._changed(items)))

    def _changed(self, items: Sequence[EvidenceItem]) -> set[tuple[str, str]]:
        """The files of these pieces that have changed since they were indexed."""
        return {
            (project, path)
            for project, path in {(item.chunk.project, item.chunk.path) for item in items}
            if has_changed(self._parts.folders, project, path)
        }

    async def _find(self, request: SettledRequest) -> _Found:
        if self._parts.search is None or self._settings.search == "fused":
            return await self._fused(request)
        try:
            found = await self._rank(request, self._parts.search)
            return found if found.items else await self._fused(request)  # of a named file there is always something
        except ModelError as error:
            found = await self._fused(request)  # gets by with one of several models
            return replace(found, failures=(f"ranking failed: {error.message}", *found.failures))

    async def _rank(self, request: SettledRequest, search: HybridSearch) -> _Found:
        timeout_s = (self._settings.embedding_timeout_ms + self._settings.search_timeout_ms) / 1000
        conditions = tuple(
            one for one in conditions_of(request) if one.key != "repo"
        )  # its projects alone are searched
        with _within(timeout_s):
            found = await search.search(request.question, request.projects, conditions=conditions, most_files=_FILES)
            need = self._needed(request)
            files = {(one.chunk.project, one.chunk.path): one for one in found} if need else {}
            for corpus in missing_of(spread([*files.values()]), need):  # each file gives a piece at least
                own = (*conditions, Condition("corpus", any_of=(corpus,)))
                found += behind(found, await search.search(request.question, request.projects, conditions=own))
        statements = search.statements(request.question, request.projects)
        sent = await search.routes(request.question)
        failures = self._awaited(request, sent) if {DENSE_CODE, DENSE_DOCS} & set(sent) else (NO_MODEL,)
        return _Found(spread(found), len(found), routes_used(sent, RANKED), statements, failures)

    async def _fused(self, request: SettledRequest) -> _Found:
        template = choose_template(request.intent, request.symbol, self._templates)
        representations = await self._represent.represent(request.query, template.dense_routes)
        query = fused_query(request, template, representations, self._settings)
        if query is None:  # no model and no word to look for, or no weight for what there is
            return _Found((), 0, (), failures=representations.failures)
        with _within(self._settings.search_timeout_ms / 1000):
            [hits] = await self._parts.store.query_batch([query], permission=request.projects)
        sent = [prefetch.using for prefetch in query.prefetches]
        failures = (*representations.failures, *self._awaited(request, sent))
        return _Found(candidates(hits, request.intent), len(hits), routes_used(sent), failures=failures)

    def _awaited(self, request: SettledRequest, sent: Collection[str]) -> tuple[str, ...]:
        """How many of the chunks that may be searched wait for their vectors, where meaning was searched."""
        if self._parts.search is None or not {DENSE_CODE, DENSE_DOCS} & set(sent):
            return ()
        share = self._parts.search.embedded(request.projects)
        return (awaited(share),) if share < 1 else ()

    def _share(self, request: SettledRequest) -> float:
        return self._settings.quota if request.quotas else 0.0

    def _needed(self, request: SettledRequest) -> int:
        return needed(request.top_k, self._share(request))

    async def _pick(self, request: SettledRequest, items: Sequence[EvidenceItem], found: _Found) -> Picked:
        settings = self._settings
        files = self._parts.files(request.projects) if self._parts.files and settings.windows else None
        if not found.ranked:
            return await self._pick_fused(items, request.top_k, self._share(request), files)
        need = self._needed(request)
        if need:
            items = without_duplicates(items, settings.near_duplicate)
        picked = Picked(request.top_k, settings.max_tokens)
        reading = self._parts.search.reading(request.question, request.projects) if self._parts.search else None
        await RankedPieces(files, settings, request.query, reading).fill(picked, items, found.statements, need=need)
        return picked

    async def _pick_fused(
        self, items: Sequence[EvidenceItem], top_k: int, share: float, files: WholeFiles | None
    ) -> Picked:
        """The best of each corpus in the order of their ranks;
        what is shown with another piece leaves its place to the next.
        """
        items = without_duplicates(items, self._settings.near_duplicate)
        versions: dict[int, tuple[EvidenceItem, ...]] = {}
        shown = set[int]()
        while True:
            left = [item for item in items if id(item) not in shown]
            offered = shown.union(map(id, with_quotas(left, top_k, share)))
            picked, before = Picked(top_k, self._settings.max_tokens), len(shown)
            for item in items:
                if id(item) not in offered or picked.full:
                    continue
                if id(item) not in versions:
                    wide = [await widened(item, files, self._settings)] if files else []
                    versions[id(item)] = (*wide, item)
                refused = picked.refused
                if not picked.offer(*versions[id(item)]) and picked.refused == refused:
                    shown.add(id(item))
            if len(shown) == before:
                return picked

    def _exact(self, *, ranked: bool) -> bool:
        """Whether an exact search was asked for, and a server's settings let it be made."""
        vector = self._parts.search.settings if self._parts.search else None
        denied = vector is not None and vector.store == "qdrant" and not vector.qdrant.exact
        return (ranked or self._settings.exact) and not denied

    def _refused(self, picked: Picked) -> tuple[str, ...]:
        if not picked.refused:
            return ()
        return (f"{picked.refused} items left out for the budget of {self._settings.max_tokens} tokens",)

    def _pack(
        self, request: SettledRequest, found: _Found, items: Sequence[EvidenceItem], notes: Sequence[str] = ()
    ) -> EvidencePack:
        missing = missing_of(items, self._needed(request))
        nowhere = f"nothing was found at commit {request.commit}: it is a whole hash, or a package's version"
        asked = asked_words(request.question)
        return EvidencePack(
            intent=request.intent,
            query=request.query,
            evidence=tuple(
                replace(item, rank=rank, highlights=highlights(asked, item.text))
                for rank, item in enumerate(items, start=1)
            ),
            candidates_received=found.received,
            routes_used=found.routes,
            hnsw_ef=None if found.ranked else self._settings.hnsw_ef,
            exact=self._exact(ranked=found.ranked),
            missing=missing,
            notes=(
                *request.notes,
                *notes,
                *([nowhere] if request.commit and not items else ()),
                *(f"{n} items of {corpus} short of its share" for corpus, n in missing.items()),
            ),
        )


@contextmanager
def _within(timeout_s: float) -> Iterator[None]:
    try:
        with anyio.fail_after(timeout_s):
            yield
    except TimeoutError:
        raise StoreError(f"The search gave no answer within {timeout_s:g} s.", "Try again.") from None
