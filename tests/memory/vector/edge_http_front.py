"""Not a Qdrant server: a small HTTP front over Qdrant Edge, the same engine in process, for tests of what goes over the wire.

It speaks the JSON of the calls that `QdrantVectorStore` makes, keeps every request, and answers as it was told to where
a test wants a failure. One collection, one shard, no cluster, no authorisation but the key it was given.
Beside it is the collection of pieces that a server follows.
"""

from __future__ import annotations

import json
import re
import shutil
from dataclasses import dataclass, field
from typing import Any, Self
from uuid import UUID

import qdrant_edge as edge

from tests.http_server import HttpServer, Reply, Request

COLLECTION = "chunks"


@dataclass
class EdgeHttpFront(HttpServer):
    """`with EdgeHttpFront(folder) as front:` - the address is `front.url`, what came in `front.seen`.

    `planned` answers come first, one a request: (status, headers, body); a body of None breaks the connection. After
    `left` further requests every connection breaks. No HNSW is built but with `hnsw`, once `optimize` is called.
    """

    folder: str
    version: str = "1.19.0"
    key: str | None = None
    hnsw: Any = None
    collection: str = COLLECTION
    seen: list[Request] = field(default_factory=list)
    planned: list[tuple[int, dict[str, str], bytes | None]] = field(default_factory=list)
    left: int | None = None
    config: dict[str, Any] | None = None
    indexes: dict[str, Any] = field(default_factory=dict)
    shard: Any = None
    pieces: EdgeHttpFront | None = None

    def __enter__(self) -> Self:
        self.pieces = EdgeHttpFront(f"{self.folder}-pieces", collection=f"{self.collection}_generations")
        return super().__enter__()

    def __exit__(self, *_: object) -> None:
        super().__exit__()
        for one in (self, self.pieces):
            if one is not None and one.shard is not None:
                one.shard.close()

    def optimize(self) -> None:
        """Build what a server builds in the background."""
        self.shard.optimize()

    def points_where(self, key: str, value: str) -> int:
        """How many points have this value, whoever may see them."""
        matching = edge.Filter(must=[edge.FieldCondition(key, match=edge.MatchValue(value))])
        return self.shard.count(edge.CountRequest(filter=matching, exact=True))

    def reply(self, request: Request) -> Reply | None:
        with self.lock:
            self.seen.append(request)
            status, headers, body = self.answer(request)
        return None if body is None else Reply(status, body, headers)

    def answer(self, request: Request) -> tuple[int, dict[str, str], bytes | None]:
        """The status, headers and body of an answer; a body of None breaks the connection."""
        if self.left is not None:
            if self.left == 0:
                self.planned.append((0, {}, None))
            else:
                self.left -= 1
        if self.planned:
            return self.planned.pop(0)
        if self.key is not None and request.headers.get("api-key") != self.key:
            return 403, {}, b'{"status": {"error": "Forbidden"}}'
        if request.path == "/":
            return 200, {}, json.dumps({"title": "qdrant - vector search engine", "version": self.version}).encode()
        try:
            result = self._result(request.method, request.path.partition("?")[0], request.body or {})
        except LookupError as error:
            return _failure(404, error.args[0])
        except Exception as error:  # noqa: BLE001 - whatever the engine refuses is an answer of this front
            return _failure(404 if "Not found" in str(error) or "No point" in str(error) else 400, str(error))
        return 200, {}, json.dumps({"result": result, "status": "ok", "time": 0.0}).encode()

    def _result(self, method: str, path: str, body: dict[str, Any]) -> Any:
        if self.pieces is not None and path.split("/")[2] == self.pieces.collection:
            return self.pieces._result(method, path, body)
        place = f"/collections/{self.collection}"
        if path.endswith("/exists"):
            return {"exists": self.config is not None and path == f"{place}/exists"}
        if (method, path) == ("PUT", place):
            self._create(body)
            return True
        if self.config is None or not path.startswith(place):
            raise LookupError(f"Not found: Collection `{path.split('/')[2]}` doesn't exist!")
        call = {
            ("GET", ""): self._info,
            ("DELETE", ""): self._drop,
            ("PUT", "/index"): self._index,
            ("PUT", "/points"): self._upsert,
            ("PUT", "/points/vectors"): self._update_vectors,
            ("POST", "/points/delete"): self._delete,
            ("POST", "/points/payload"): self._set_payload,
            ("POST", "/points/count"): self._count,
            ("POST", "/points/scroll"): self._scroll,
            ("POST", "/points/query/batch"): self._query_batch,
        }[(method, path.removeprefix(place))]
        return call(body)

    def _create(self, body: dict[str, Any]) -> None:
        vectors = body["vectors"]
        named = {"": vectors} if "size" in vectors else vectors
        self.shard = edge.EdgeShard.create(
            self.folder,
            edge.EdgeConfig(
                vectors={
                    name: edge.EdgeVectorParams(
                        size=params["size"], distance=getattr(edge.Distance, params["distance"])
                    )
                    for name, params in named.items()
                },
                sparse_vectors={
                    name: edge.EdgeSparseVectorParams(modifier=edge.Modifier.Idf if params.get("modifier") else None)
                    for name, params in (body.get("sparse_vectors") or {}).items()
                },
                hnsw_config=self.hnsw,
                optimizers=edge.EdgeOptimizersConfig(indexing_threshold=1 if self.hnsw else 10**9),
                wal_enabled=False,
            ),
        )
        self.config = body

    def _drop(self, _: dict[str, Any]) -> bool:
        self.shard.close()
        shutil.rmtree(self.folder)
        self.config = self.shard = None
        return True

    def _info(self, _: dict[str, Any]) -> Any:
        assert self.config is not None
        params = {key: self.config[key] for key in ("vectors", "sparse_vectors") if self.config.get(key)}
        return {
            "status": "green",
            "optimizer_status": "ok",
            "points_count": self.shard.count(edge.CountRequest(exact=True)),
            "segments_count": 1,
            "config": {
                "params": params,
                "hnsw_config": {"m": 16, "ef_construct": 100, "full_scan_threshold": 10000},
                "optimizer_config": {
                    "deleted_threshold": 0.2,
                    "vacuum_min_vector_number": 1000,
                    "default_segment_number": 0,
                    "flush_interval_sec": 5,
                },
            },
            "payload_schema": self.indexes,
        }

    def _index(self, body: dict[str, Any]) -> Any:
        schema = body["field_schema"]
        self.indexes[body["field_name"]] = {"data_type": schema["type"], "params": schema, "points": 0}
        if schema["type"] == "integer":
            params = edge.IntegerIndexParams(lookup=schema["lookup"], range=schema["range"])
        else:
            params = edge.KeywordIndexParams(is_tenant=bool(schema.get("is_tenant")))
        return self._update(edge.UpdateOperation.create_field_index(body["field_name"], params))

    def _upsert(self, body: dict[str, Any]) -> Any:
        points = [edge.Point(one["id"], _vectors(one["vector"]), one["payload"]) for one in body["points"]]
        return self._update(edge.UpdateOperation.upsert_points(points))

    def _update_vectors(self, body: dict[str, Any]) -> Any:
        points = [edge.PointVectors(one["id"], _vectors(one["vector"])) for one in body["points"]]
        return self._update(edge.UpdateOperation.update_vectors(points))

    def _delete(self, body: dict[str, Any]) -> Any:
        return self._update(edge.UpdateOperation.delete_points_by_filter(_filter(body["filter"])))

    def _set_payload(self, body: dict[str, Any]) -> Any:
        return self._update(edge.UpdateOperation.set_payload_by_filter(_filter(body["filter"]), body["payload"]))

    def _update(self, operation: Any) -> Any:
        self.shard.update(operation)
        return {"operation_id": 0, "status": "completed"}

    def _count(self, body: dict[str, Any]) -> Any:
        request = edge.CountRequest(filter=_filter(body["filter"]), exact=body["exact"])
        return {"count": self.shard.count(request)}

    def _scroll(self, body: dict[str, Any]) -> Any:
        records, offset = self.shard.scroll(
            edge.ScrollRequest(
                offset=_offset(body.get("offset")),
                limit=body["limit"],
                filter=_filter(body.get("filter")),
                with_payload=_selected(body.get("with_payload", True)),
                with_vector=body.get("with_vector") or False,
            )
        )
        return {"points": [_shown(record) for record in records], "next_page_offset": offset and str(offset)}

    def _query_batch(self, body: dict[str, Any]) -> Any:
        return [{"points": self._query(search)} for search in body["searches"]]

    def _query(self, search: dict[str, Any]) -> Any:
        if "query" not in search:
            listed = self._scroll({key: search[key] for key in ("filter", "limit", "with_vector") if key in search})
            return listed["points"]
        query = search["query"] if isinstance(search["query"], dict) else {}
        rrf = {"k": 2} if query.get("fusion") == "rrf" else query.get("rrf")  # plain, the engine's own k
        request = edge.QueryRequest(
            limit=search["limit"],
            prefetches=[
                edge.Prefetch(
                    limit=one["limit"], query=_nearest(one), params=_params(one), filter=_filter(one.get("filter"))
                )
                for one in search.get("prefetch") or ()
            ],
            query=_nearest(search) if rrf is None else edge.Fusion.Rrf(k=rrf["k"], weights=rrf.get("weights")),
            params=_params(search),
            filter=_filter(search.get("filter")),
            with_payload=_selected(search["with_payload"]),
            with_vector=search.get("with_vector") or False,
        )
        return [_shown(point) for point in self.shard.query(request)]


def _failure(status: int, error: str) -> tuple[int, dict[str, str], bytes]:
    return status, {}, json.dumps({"status": {"error": error}, "time": 0.0}).encode()


def _selected(payload: Any) -> Any:
    return edge.PayloadSelector.Include(payload) if isinstance(payload, list) else payload


def _offset(text: Any) -> Any:
    return UUID(text) if isinstance(text, str) and re.fullmatch(r"[0-9a-f-]{36}", text) else text


def _vector(value: Any) -> Any:
    return edge.SparseVector(value["indices"], value["values"]) if isinstance(value, dict) else value


def _vectors(named: Any) -> Any:
    return {name: _vector(value) for name, value in named.items()} if isinstance(named, dict) else named


def _nearest(search: dict[str, Any]) -> Any:
    query = search["query"]
    vector = query["nearest"] if isinstance(query, dict) and "nearest" in query else query
    return edge.Query.Nearest(_vector(vector), using=search.get("using") or "")


def _params(search: dict[str, Any]) -> Any:
    given = search.get("params")
    if not given:
        return None
    idf = given.get("idf")
    return edge.SearchParams(
        hnsw_ef=given.get("hnsw_ef"),
        exact=bool(given.get("exact")),
        idf=edge.IdfParams(corpus=_filter(idf["corpus"])) if idf else None,
    )


def _filter(given: dict[str, Any] | None) -> Any:
    if not given:
        return None
    assert set(given) == {"must"}
    return edge.Filter(must=[_condition(one) for one in given["must"]])


def _condition(given: dict[str, Any]) -> Any:
    if "has_id" in given:
        return edge.HasIdCondition({_offset(id_) for id_ in given["has_id"]})
    if "range" in given:
        return edge.FieldCondition(given["key"], range=edge.RangeFloat(**given["range"]))
    match = given["match"]
    return edge.FieldCondition(
        given["key"], match=edge.MatchAny(match["any"]) if "any" in match else edge.MatchValue(match["value"])
    )


def _shown(point: Any) -> dict[str, Any]:
    vector = point.vector
    if isinstance(vector, dict):
        vector = {
            name: value if isinstance(value, list) else {"indices": list(value.indices), "values": list(value.values)}
            for name, value in vector.items()
        }
    id_ = point.id if isinstance(point.id, int) else str(point.id)
    return {"id": id_, "version": 0, "score": getattr(point, "score", 0.0), "payload": point.payload, "vector": vector}
