"""`QdrantVectorStore`: a Qdrant server or cluster through `AsyncQdrantClient` (docs/design.md#vectors).

One `query_batch` is one HTTP request. A fused query goes out as prefetches with the server's own fusion, and each of
its prefetches once more behind it in the same request: these say which of them found a point, and whether the server's
order is beyond doubt. Where a list has equal scores the server ranks them by chance; then they are fused here, ties by
id. Payloads come with the server's own list alone. A second request is made only in a tie wider than the margin: for a
plain query whose limit falls inside it, and for chunks that it put on a fused list and the server did not.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from qdrant_client import models

from configs.settings import QdrantSettings
from memory.clock import Clock
from memory.errors import StoreError
from memory.together import batches
from memory.vector.filters import Condition
from memory.vector.payload import FieldMapping, file_key
from memory.vector.port import Chunk, DenseVector, FusedQuery, Hit, Point, VectorQuery
from memory.vector.qdrant_calls import QdrantCalls, ServerVersion
from memory.vector.qdrant_points import PointsOfGeneration, QdrantPoints
from memory.vector.qdrant_requests import QdrantRequests
from memory.vector.qdrant_schema import connected
from memory.vector.rrf import fused, routes
from memory.vector.ties import MARGIN, Rounds, cut, ranked

if TYPE_CHECKING:
    from qdrant_client import AsyncQdrantClient

T = TypeVar("T")
_BATCH = 200  # points a request: 8 MB of JSON at 2,048 dimensions
_PAGE = 500


class QdrantVectorStore:
    """The vector store on one collection of a server. Raises StoreError, and ConfigError for a wrong key.

    generation: where its points are distinguished by generation; without it all of the namespace are one.
    """

    def __init__(
        self,
        client: AsyncQdrantClient,
        settings: QdrantSettings,
        *,
        namespace: str,
        version: ServerVersion,
        clock: Clock | None = None,
        generation: PointsOfGeneration | None = None,
    ) -> None:
        self._client = client
        self._collection = settings.collection
        mapping = FieldMapping.of(settings)
        self._requests = QdrantRequests(
            mapping,
            namespace,
            version.idf_corpus,
            generation,
            exact=settings.exact,
            quantized=settings.quantization == "scalar",
        )
        self._points = QdrantPoints(mapping, namespace, generation)
        self._version = version
        self._calls = QdrantCalls(settings, clock)
        self._closed = False

    @classmethod
    async def open(
        cls,
        settings: QdrantSettings,
        *,
        vectors: Mapping[str, int],
        namespace: str,
        create: bool = False,
        environ: Mapping[str, str] | None = None,
        clock: Clock | None = None,
    ) -> QdrantVectorStore:
        """A store on a collection that was looked at; with `create`, what it lacks is made first.

        vectors: canonical name -> dimension. Raises ConfigError for settings, StoreError where the server is out of
        reach, DataFolderError for a collection that is not there or of another model; each says what to do.
        """
        client, version = await connected(settings, vectors, environ, create=create, clock=clock)
        return cls(client, settings, namespace=namespace, version=version, clock=clock)

    async def query_batch(
        self, queries: Sequence[VectorQuery | FusedQuery], *, permission: frozenset[str]
    ) -> list[list[Hit]]:
        if not permission:
            return [[] for _ in queries]
        sent = [self._requests.sent(q, permission) if isinstance(q, FusedQuery) else q for q in queries]
        groups = [self._group(query, permission) for query in sent]
        lists = iter(await self._search([request for group in groups for request in group]))
        found = [[next(lists) for _ in group] for group in groups]
        plain = {n: q for n, q in enumerate(sent) if isinstance(q, VectorQuery) and q.vector is not None}
        rounds: Rounds[Hit] = Rounds({number: query.limit for number, query in plain.items()})
        rounds.take([found[number][0] for number in plain])
        while rounds.asked:
            wider = [self._requests.search(plain[number], size, permission) for number, size in rounds.asked.items()]
            rounds.take(await self._search(wider))
        return [
            await self._fused(query, found[number], permission)
            if isinstance(query, FusedQuery)
            else rounds.results.get(number, [replace(hit, score=0.0) for hits in found[number] for hit in hits])
            for number, query in enumerate(sent)
        ]

    async def file_chunks(self, project: str, paths: Iterable[str], *, permission: frozenset[str]) -> list[Chunk]:
        matching = self._of_files(project, paths)
        if project not in permission or matching is None:
            return []
        chunks: list[Chunk] = []
        offset: Any = None
        while True:
            records, offset = await self._call("read", self._scroll(matching, offset))
            chunks += [self._points.chunk(record) for record in records]
            if offset is None:
                return sorted(chunks, key=lambda chunk: (chunk.path, chunk.start_line, chunk.end_line, chunk.id))

    async def count(self, *, permission: frozenset[str]) -> int:
        matching = self._requests.filter(permission)
        if matching is None:
            return 0
        count = self._client.count
        return (await self._call("count", lambda: count(self._collection, count_filter=matching, exact=True))).count

    async def upsert(self, points: Sequence[Point]) -> None:
        upsert = self._client.upsert
        for some in batches(points, _BATCH):
            batch = [self._points.stored(point) for point in some]
            await self._call("write", lambda batch=batch: upsert(self._collection, batch, wait=True), write=True)  # type: ignore[misc]  # a lambda's default

    async def set_dense(self, vectors: Mapping[str, Mapping[str, DenseVector]]) -> None:
        update = self._client.update_vectors
        points = [self._points.vectors(id_, dense) for id_, dense in vectors.items()]
        for batch in batches(points, _BATCH):
            await self._call("write", lambda batch=batch: update(self._collection, batch, wait=True), write=True)  # type: ignore[misc]  # a lambda's default

    async def delete_files(self, project: str, paths: Iterable[str]) -> None:
        await self._delete(self._of_files(project, paths))

    async def delete_project(self, project: str) -> None:
        await self._delete(self._requests.filter(frozenset({project})))

    async def close(self) -> None:
        if not self._closed:
            self._closed = True
            await self._client.close()

    def check_open(self) -> None:
        """Raises StoreError once it is closed."""
        if self._closed:
            raise StoreError("The vector store is closed.", "Open it again.")

    def _group(
        self, query: VectorQuery | FusedQuery | None, permission: frozenset[str]
    ) -> list[models.QueryRequest | None]:
        """The searches that answer one query: of a fused one the fusion, where the server can do it, and its legs."""
        if query is None:
            return []
        if isinstance(query, VectorQuery):
            size = query.limit if query.vector is None else query.limit + MARGIN
            return [self._requests.search(query, size, permission)]
        own = self._fuses(query)
        legs = [self._requests.search(leg, leg.limit + MARGIN, permission, bare=own) for leg in query.legs]
        return [self._requests.fused(query, _served(query), permission), *legs] if own else legs

    def _fuses(self, query: FusedQuery) -> bool:
        return self._version.fuses(query.k, weighted=bool(query.weights))

    async def _fused(self, query: FusedQuery, lists: Sequence[list[Hit]], permission: frozenset[str]) -> list[Hit]:
        """The server's order where no prefetch has equal scores to rank, otherwise the same fusion with ties by id."""
        legs = lists[-len(query.prefetches) :]
        certain = [cut(hits, leg.limit, leg.limit + MARGIN) for hits, leg in zip(legs, query.prefetches, strict=True)]
        if not self._fuses(query):
            return fused(query, certain)
        if any(_ties(hits, leg.limit) for hits, leg in zip(legs, query.prefetches, strict=True)):
            return await self._completed(query, fused(query, certain), lists[0], permission)
        by_id = routes(query, [[hit.chunk.id for hit in hits] for hits in certain])
        first = cut(lists[0], query.limit, _served(query))
        return [replace(hit, routes=by_id.get(hit.chunk.id, ())) for hit in first]

    async def _completed(
        self, query: FusedQuery, hits: Sequence[Hit], served: Iterable[Hit], permission: frozenset[str]
    ) -> list[Hit]:
        """What was fused bare, with the chunks that the server's fusion brought; in a wide tie these can be others."""
        full = {hit.chunk.id: hit for hit in served}
        missing = tuple(hit.chunk.id for hit in hits if hit.chunk.id not in full)
        if missing:
            by_id, vectors = (Condition("id", any_of=missing),), query.legs[0].with_vectors
            listing = VectorQuery("", None, len(missing), by_id, vectors)
            [listed] = await self._search([self._requests.search(listing, listing.limit, permission)])
            full |= {hit.chunk.id: hit for hit in listed}
        known = (hit for hit in hits if hit.chunk.id in full)
        return [replace(full[hit.chunk.id], score=hit.score, routes=hit.routes) for hit in known]

    async def _search(self, requests: Sequence[models.QueryRequest | None]) -> list[list[Hit]]:
        """A ranked list for every request, all in one call; for None an empty one, and no call for nothing else."""
        sent = [request for request in requests if request is not None]
        search = self._client.query_batch_points
        found = await self._call("search", lambda: search(self._collection, sent)) if sent else []
        if len(found) != len(sent):
            raise StoreError(f"Qdrant answered {len(found)} of {len(sent)} searches.", "Try again.")
        answers = iter(found)
        chunks: dict[object, Chunk] = {}  # most points come back from several of the searches
        return [
            [] if request is None else ranked([self._points.hit(point, chunks) for point in next(answers).points])
            for request in requests
        ]

    def _of_files(self, project: str, paths: Iterable[str]) -> models.Filter | None:
        files = tuple(file_key(project, path) for path in sorted(set(paths)))
        return self._requests.filter(frozenset({project}), (Condition("file", any_of=files),))

    def _scroll(self, matching: models.Filter, offset: Any) -> Callable[[], Awaitable[tuple[list[models.Record], Any]]]:
        scroll = self._client.scroll
        return lambda: scroll(self._collection, scroll_filter=matching, limit=_PAGE, offset=offset, with_payload=True)

    async def _delete(self, matching: models.Filter | None) -> None:
        if matching is not None:
            await self._delete_points(matching)

    async def _delete_points(self, matching: models.Filter) -> None:
        delete, selector = self._client.delete, models.FilterSelector(filter=matching)
        await self._call("write", lambda: delete(self._collection, selector, wait=True), write=True)

    async def _call(self, doing: str, call: Callable[[], Awaitable[T]], *, write: bool = False) -> T:
        self.check_open()
        return await self._calls(doing, call, write=write)


def _served(query: FusedQuery) -> int:
    """How many of its own fusion a server is asked for: enough to hold the chunks of nearly every list fused here."""
    return 2 * query.limit + MARGIN


def _ties(hits: Sequence[Hit], limit: int) -> bool:
    """Whether the first `limit` of a list could have come in another order, or been others."""
    scores = [hit.score for hit in hits[: limit + 1]]
    return len(set(scores)) < len(scores)
