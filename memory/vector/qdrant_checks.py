"""Looking at a server before anything is asked of it: what is missing, and how to make it (docs/design.md#vectors)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import anyio

from configs.settings import QdrantSettings
from memory.clock import Clock
from memory.errors import DataFolderError, StoreError
from memory.vector.mapping import FieldMapping
from memory.vector.qdrant_calls import QdrantCalls
from memory.vector.qdrant_schema import Finding, QdrantSchema
from memory.vector.qdrant_server import ServerVersion, connect

if TYPE_CHECKING:
    from qdrant_client import AsyncQdrantClient

__all__ = ["connected", "examine"]


async def connected(
    settings: QdrantSettings,
    vectors: Mapping[str, int],
    environ: Mapping[str, str] | None = None,
    *,
    create: bool = False,
    clock: Clock | None = None,
    generations: bool = False,
) -> tuple[AsyncQdrantClient, ServerVersion]:
    """A client whose collection can be searched; with `create`, what it lacks is made first.

    generations: its points are told apart by generation. Raises ConfigError, StoreError, and DataFolderError for what
    `examine` calls fatal.
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
) -> list[Finding]:
    """Everything there is to say about the server and the collection, for `doctor`. Raises only ConfigError."""
    schema = QdrantSchema(settings, FieldMapping.of(settings), vectors, generations=generations)
    client, calls = connect(settings, environ), QdrantCalls(settings)
    try:
        version = ServerVersion((await calls("answer", client.info)).version)
        return await _findings(client, calls, settings, schema, version)
    except StoreError as error:
        return [Finding("qdrant server", error.message, error.hint, ok=False, fatal=True)]
    finally:
        await _close(client)


async def _findings(
    client: AsyncQdrantClient,
    calls: QdrantCalls,
    settings: QdrantSettings,
    schema: QdrantSchema,
    version: ServerVersion,
) -> list[Finding]:
    there = await calls("look", lambda: client.collection_exists(settings.collection))
    info = await calls("look", lambda: client.get_collection(settings.collection)) if there else None
    return list(schema.findings(version, info))


def _check(findings: list[Finding]) -> None:
    bad = [finding for finding in findings if finding.fatal]
    if bad:
        seen = "; ".join(f"{finding.name}: {finding.detail}" for finding in bad)
        raise DataFolderError(f"{seen}.", " ".join(dict.fromkeys(finding.hint for finding in bad)))


async def _close(client: AsyncQdrantClient) -> None:
    with anyio.CancelScope(shield=True):
        await client.close()
