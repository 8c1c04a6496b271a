"""The collection as the store wants it, and whether a server has it so: what is missing, and how to make it.

See docs/design.md#vectors.

Every check is a `SchemaFinding`; `doctor` shows them all, opening the store raises for the fatal ones.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import anyio
from qdrant_client import models

from configs.settings import QdrantSettings
from memory.clock import Clock
from memory.errors import ConfigError, DataFolderError, StoreError
from memory.text.output import without_credentials
from memory.vector.payload import INDEXED_KEYS, TENANT_KEYS, FieldMapping
from memory.vector.port import SPARSE_LEXICAL
from memory.vector.qdrant_calls import QdrantCalls, ServerVersion, connect
from memory.vector.qdrant_points import CHUNK, SINCE, UNTIL

if TYPE_CHECKING:
    from qdrant_client import AsyncQdrantClient

_FULL_SCAN_KB = 40_000  # below it a filtered search scans; lower values lose neighbours (docs/design.md#vectors)
_WORD: Final = {"type": "keyword"}
_TENANT: Final = {"type": "keyword", "is_tenant": True}
_NUMBER: Final = {"type": "integer", "lookup": False, "range": True}


@dataclass(frozen=True, slots=True)
class SchemaFinding:
    """One thing looked at: whether it is in order, what was seen, what to do. `fatal`: nothing can be searched so."""

    name: str
    detail: str
    hint: str = ""
    ok: bool = True
    fatal: bool = False


class QdrantSchema:
    """The vectors and payload indexes of one collection. dimensions: canonical name of a dense vector -> its size;
    generations: its points are distinguished by generation.

    Raises ConfigError where two vectors are mapped to one of theirs and differ in size.
    """

    def __init__(
        self,
        settings: QdrantSettings,
        mapping: FieldMapping,
        dimensions: Mapping[str, int],
        *,
        generations: bool = False,
    ) -> None:
        self._settings = settings
        self._dense: dict[str, int] = {}
        for canonical, size in dimensions.items():
            theirs = mapping.vector(canonical)
            if theirs is not None and self._dense.setdefault(theirs, size) != size:
                raise ConfigError(
                    f"vector.qdrant.vectors.{canonical}",
                    "settings",
                    f"{size} numbers do not fit into {theirs!r}, which has {self._dense[theirs]} for another vector.",
                    "Use models of one dimension, or a vector for each.",
                )
        self._sparse = mapping.vector(SPARSE_LEXICAL)
        indexed = ((key, mapping.key(key)) for key in INDEXED_KEYS)
        self._indexes = {
            theirs: _TENANT if key in TENANT_KEYS else _WORD for key, theirs in indexed if theirs is not None
        }
        if generations:
            self._indexes |= {CHUNK: _WORD, SINCE: _NUMBER, UNTIL: _NUMBER}

    async def make(self, client: AsyncQdrantClient, calls: QdrantCalls) -> None:
        """The collection where there is none, then the payload indexes it lacks, before anything is written."""
        name = self._settings.collection
        if not await calls("look", lambda: client.collection_exists(name)):
            await calls("make the collection", lambda: self._create(client), write=True)
        info = await calls("look", lambda: client.get_collection(name))
        for key in self._missing_indexes(info):
            await calls("make an index", lambda key=key: self._index(client, key), write=True)  # type: ignore[misc]  # a lambda's default

    def findings(self, version: ServerVersion, info: models.CollectionInfo | None) -> Iterator[SchemaFinding]:
        """Server version, collection, vectors and dimensions, payload indexes; `info` None: no such collection.

        Of a server that is too old the version alone.
        """
        lacks = "; ".join(version.lacks)
        detail, hint = (
            (f"{version.text}, without {lacks}", "Upgrade it to 1.19 or later.") if lacks else (version.text, "")
        )
        usable = version.answers_queries
        yield SchemaFinding("qdrant version", detail, hint, ok=usable, fatal=not usable)
        if not usable:
            return
        name, url = self._settings.collection, without_credentials(self._settings.url)
        if info is None:
            detail = f"there is no {name!r} on {url}"
            yield SchemaFinding("qdrant collection", detail, "Index your projects into it.", ok=False, fatal=True)
            return
        yield SchemaFinding("qdrant collection", f"{name}: {info.points_count or 0} points")
        there = info.config.params.vectors
        dense = {"": there} if isinstance(there, models.VectorParams) else there or {}
        yield from (_dense_finding(vector, size, dense) for vector, size in self._dense.items())
        if self._sparse is not None:
            yield _sparse_finding(self._sparse, (info.config.params.sparse_vectors or {}).get(self._sparse))
        yield self._index_finding(info)

    def _index_finding(self, info: models.CollectionInfo) -> SchemaFinding:
        missing = self._missing_indexes(info)
        if not missing:
            return SchemaFinding("qdrant payload indexes", f"all {len(self._indexes)}")
        bodies = ", ".join(_body(key, self._indexes[key]) for key in missing)
        place = f"{without_credentials(self._settings.url)}/collections/{self._settings.collection}/index"
        hint = f"Index once more, or PUT {place} with each of: {bodies}"
        return SchemaFinding("qdrant payload indexes", f"missing: {', '.join(missing)}", hint, ok=False)

    def _missing_indexes(self, info: models.CollectionInfo) -> list[str]:
        return [key for key in self._indexes if key not in (info.payload_schema or {})]

    async def _create(self, client: AsyncQdrantClient) -> bool:
        params = {
            name: models.VectorParams(size=size, distance=models.Distance.COSINE) for name, size in self._dense.items()
        }
        scalar = models.ScalarQuantizationConfig(type=models.ScalarType.INT8, quantile=0.99, always_ram=True)
        return await client.create_collection(
            self._settings.collection,
            vectors_config=params.get("", params),
            sparse_vectors_config=None
            if self._sparse is None
            else {self._sparse: models.SparseVectorParams(modifier=models.Modifier.IDF)},
            shard_number=self._settings.shards,
            replication_factor=self._settings.replicas,
            hnsw_config=models.HnswConfigDiff(full_scan_threshold=_FULL_SCAN_KB),
            quantization_config=models.ScalarQuantization(scalar=scalar)
            if self._settings.quantization == "scalar"
            else None,
        )

    async def _index(self, client: AsyncQdrantClient, key: str) -> models.UpdateResult:
        schema = self._indexes[key]
        made = models.IntegerIndexParams(**schema) if schema is _NUMBER else models.KeywordIndexParams(**schema)
        return await client.create_payload_index(self._settings.collection, key, field_schema=made, wait=True)


def _body(key: str, schema: Mapping[str, Any]) -> str:
    return json.dumps({"field_name": key, "field_schema": schema["type"] if schema == _WORD else schema})


def _dense_finding(name: str, size: int, there: Mapping[str, models.VectorParams]) -> SchemaFinding:
    title = f"qdrant vector {name or '(unnamed)'}"
    if name not in there:
        have = ", ".join(known or "(unnamed)" for known in there) or "none"
        hint = "Say what they call it in vector.qdrant.vectors, or index into a new collection."
        return SchemaFinding(title, f"missing; the collection has: {have}", hint, ok=False, fatal=True)
    if there[name].size != size:
        detail = f"the collection has {there[name].size} dimensions, the model {size}"
        hint = "Use the model it was filled with, or index into a new collection."
        return SchemaFinding(title, detail, hint, ok=False, fatal=True)
    cosine = there[name].distance == models.Distance.COSINE
    hint = "" if cosine else "Scores are read as cosines: index into a new collection, with the distance Cosine."
    return SchemaFinding(title, f"{size} dimensions, {there[name].distance.value}", hint, ok=cosine, fatal=not cosine)


def _sparse_finding(name: str, there: models.SparseVectorParams | None) -> SchemaFinding:
    title = f"qdrant sparse vector {name}"
    if there is None:
        hint = "Map it to null in vector.qdrant.vectors, or index into a new collection."
        return SchemaFinding(title, "missing", hint, ok=False, fatal=True)
    if there.modifier != models.Modifier.IDF:
        return SchemaFinding(title, "has no IDF", 'Give it {"modifier": "idf"} (PATCH the collection).', ok=False)
    return SchemaFinding(title, "with IDF")


async def connected(
    settings: QdrantSettings,
    vectors: Mapping[str, int],
    environ: Mapping[str, str] | None,
    *,
    create: bool,
    clock: Clock | None = None,
    generations: bool = False,
) -> tuple[AsyncQdrantClient, ServerVersion]:
    """A client whose collection can be searched; with `create`, what it lacks is made first.

    generations: its points are distinguished by generation. Raises ConfigError, StoreError, and DataFolderError for
    what `examine` calls fatal.
    """
    schema = QdrantSchema(settings, FieldMapping.of(settings), vectors, generations=generations)
    client, calls = connect(settings, environ), QdrantCalls(settings, clock)
    try:
        version = ServerVersion((await calls("answer", client.info)).version)
        if create and version.answers_queries:
            await schema.make(client, calls)
        _check(await _findings(client, calls, settings, schema, version))
    except BaseException:
        await _close(client)
        raise
    return client, version


async def examine(
    settings: QdrantSettings,
    vectors: Mapping[str, int],
    environ: Mapping[str, str] | None = None,
    *,
    generations: bool = False,
) -> list[SchemaFinding]:
    """Everything there is to say about the server and the collection, for `doctor`. Raises only ConfigError."""
    schema = QdrantSchema(settings, FieldMapping.of(settings), vectors, generations=generations)
    client, calls = connect(settings, environ), QdrantCalls(settings)
    try:
        version = ServerVersion((await calls("answer", client.info)).version)
        return await _findings(client, calls, settings, schema, version)
    except StoreError as error:
        return [SchemaFinding("qdrant server", error.message, error.hint, ok=False, fatal=True)]
    finally:
        await _close(client)


async def _findings(
    client: AsyncQdrantClient,
    calls: QdrantCalls,
    settings: QdrantSettings,
    schema: QdrantSchema,
    version: ServerVersion,
) -> list[SchemaFinding]:
    # Before 1.8 a server does not know the question whether a collection exists.
    there = version.answers_queries and await calls("look", lambda: client.collection_exists(settings.collection))
    info = await calls("look", lambda: client.get_collection(settings.collection)) if there else None
    return list(schema.findings(version, info))


def _check(findings: list[SchemaFinding]) -> None:
    bad = [finding for finding in findings if finding.fatal]
    if bad:
        seen = "; ".join(f"{finding.name}: {finding.detail}" for finding in bad)
        raise DataFolderError(f"{seen}.", " ".join(dict.fromkeys(finding.hint for finding in bad)))


async def _close(client: AsyncQdrantClient) -> None:
    with anyio.CancelScope(shield=True):
        await client.close()
