"""The Neo4j server of the tests, and a connection to it that can be made to fail.

The server is the one that HYBRID_RETRIEVAL_TEST_NEO4J_URI names (with _USER, _PASSWORD and _DATABASE where it has them),
else, with HYBRID_RETRIEVAL_TEST_NEO4J=1, one that `scripts/neo4j` starts. Its database must be empty, and is again after.
With HYBRID_RETRIEVAL_TEST_NEO4J=required what would be skipped fails.
"""

from __future__ import annotations

import os
import shutil
import ssl
import subprocess
import sys
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NoReturn
from urllib.parse import urlsplit

import anyio
import anyio.abc
import pytest
from anyio.streams.tls import TLSListener

from configs.settings import Neo4jSettings
from memory.graph import Neo4jGraphStore
from memory.graph.neo4j_schema import GraphVersion

SCRIPT = Path(__file__).parents[1] / "scripts/neo4j"
VARIABLE = "HYBRID_RETRIEVAL_TEST_NEO4J"
OURS = "MATCH (n) WHERE n:Entity OR n:Graph OR n:Touched CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 10000 ROWS"


@dataclass(frozen=True, slots=True)
class Server:
    """Where it is and how to get in; `password` is None where it asks for none."""

    settings: Neo4jSettings
    password: str | None

    @property
    def address(self) -> tuple[str, int]:
        """Its host and port."""
        parts = urlsplit(self.settings.uri)
        return parts.hostname or "127.0.0.1", parts.port or 7687

    def through(self, proxy: Proxy, **changes: object) -> Neo4jSettings:
        """The settings of one who goes through a proxy, and does not try for long."""
        quick = {"connect_timeout_ms": 20_000, "retry_ms": 0, "max_connections": 2}
        return replace(self.settings, **{"uri": proxy.uri, **quick, **changes})

    def needs_password(self) -> None:
        """Skips a test that is about passwords where there are none."""
        if self.password is None:
            _lacking("this server asks for no password")

    def create(
        self, settings: Neo4jSettings | None = None, *, version: GraphVersion | None = None, **options: object
    ) -> Neo4jGraphStore:
        """A graph to be written, a new one in a namespace of its own unless a version is given."""
        version = version or GraphVersion(uuid.uuid4().hex)
        options = {"password": self.password, "query_timeout_ms": 20_000, **options}
        return Neo4jGraphStore.create(settings or self.settings, version=version, **options)

    def open(self, version: GraphVersion, settings: Neo4jSettings | None = None, **options: object) -> Neo4jGraphStore:
        """A graph that is there."""
        options = {"password": self.password, "query_timeout_ms": 20_000, **options}
        return Neo4jGraphStore.open(settings or self.settings, version=version, **options)

    def as_old(self) -> tuple[bytes, bytes]:
        """What the server calls itself, and the same of version 4: a proxy's `rewrite`."""
        (row,) = self.run("CALL dbms.components() YIELD versions RETURN versions[0] AS version")
        version = str(row["version"])
        major = version.index(".")
        return f"Neo4j/{version}".encode(), f"Neo4j/4{'.' * (major - 1)}{version[major:]}".encode()

    def run(self, text: str, **parameters: object) -> list[dict[str, object]]:
        """What the server says to one text, by the driver alone."""
        import neo4j  # noqa: PLC0415 - a suite without a server needs none

        auth = (self.settings.user, self.password) if self.password is not None else None
        with (
            neo4j.GraphDatabase.driver(self.settings.uri, auth=auth, notifications_min_severity="OFF") as driver,
            driver.session(database=self.settings.database) as session,
        ):
            return session.run(text, parameters).data()


@contextmanager
def server(folder: Path) -> Iterator[Server]:
    """The tests' server, empty. Skips where there is none and none may be started."""
    uri = os.environ.get(f"{VARIABLE}_URI")
    if uri:
        user, database = (os.environ.get(f"{VARIABLE}_{name}", "neo4j") for name in ("USER", "DATABASE"))
        with _emptied(
            Server(Neo4jSettings(uri, user, database=database), os.environ.get(f"{VARIABLE}_PASSWORD"))
        ) as one:
            yield one
        return
    if os.environ.get(VARIABLE) not in {"1", "required"}:
        _lacking(f"no server: set {VARIABLE}_URI to one with an empty database, or {VARIABLE}=1 to start one")
    missing = [tool for tool in ("java", "mvn") if shutil.which(tool) is None]
    if missing:
        _lacking(f"no server can be started: there is no {' and no '.join(missing)} on this machine")
    started = subprocess.run(  # noqa: S603 - our own script
        [sys.executable, SCRIPT, "start", folder], capture_output=True, text=True, check=False
    )
    assert started.returncode == 0, started.stderr
    try:
        password = (folder / "password").read_text(encoding="utf-8")
        with _emptied(Server(Neo4jSettings(started.stdout.strip()), password)) as one:
            yield one
    finally:
        subprocess.run([sys.executable, SCRIPT, "stop", folder], check=False)  # noqa: S603 - as above


def _lacking(reason: str) -> NoReturn:
    if os.environ.get(VARIABLE) == "required":
        pytest.fail(reason)
    pytest.skip(reason)


@contextmanager
def _emptied(one: Server) -> Iterator[Server]:
    if one.run("MATCH (n) RETURN n LIMIT 1"):
        pytest.fail(
            f"The database {one.settings.database} at {one.settings.uri} is not empty; tests write to none such."
        )
    try:
        yield one
    finally:
        one.run(OURS)


@dataclass(slots=True)
class Proxy:
    """Passes bytes on between a client and a server, and misbehaves as told. Counts the connections it took.

    silent: takes connections and says nothing. cut_after and stall_after: bytes of a connection's answers, after which it
    is closed or says no more; once: the first alone. rewrite: bytes of the answers and what stands there instead, of the same length.
    """

    to: tuple[str, int]
    port: int = 0
    silent: bool = False
    cut_after: int | None = None
    stall_after: int | None = None
    once: bool = False
    rewrite: tuple[bytes, bytes] = (b"", b"")
    connections: int = 0
    answered: int = 0
    open: list[anyio.abc.AnyByteStream] = field(default_factory=list)

    @property
    def uri(self) -> str:
        """Where it listens."""
        return f"bolt://127.0.0.1:{self.port}"

    async def serve(self, client: anyio.abc.AnyByteStream) -> None:
        """One connection."""
        self.connections += 1
        self.open.append(client)
        async with client:
            if self.silent:
                await anyio.sleep_forever()
            try:
                async with await anyio.connect_tcp(*self.to) as upstream, anyio.create_task_group() as group:
                    group.start_soon(self._asks, client, upstream, group.cancel_scope)
                    await self._answers(upstream, client)
                    group.cancel_scope.cancel()
            except (OSError, anyio.BrokenResourceError, anyio.ClosedResourceError):
                pass  # one side has gone: so does the other

    async def _asks(
        self, client: anyio.abc.AnyByteStream, upstream: anyio.abc.SocketStream, scope: anyio.CancelScope
    ) -> None:
        try:
            async for some in client:
                await upstream.send(some)
        except (anyio.BrokenResourceError, anyio.ClosedResourceError):
            pass
        scope.cancel()

    async def _answers(self, upstream: anyio.abc.SocketStream, client: anyio.abc.AnyByteStream) -> None:
        sent = 0
        async for some in upstream:
            part = some.replace(*self.rewrite) if self.rewrite[0] else some
            for limit in (self.cut_after, self.stall_after):
                if limit is not None:
                    part = part[: max(limit - sent, 0)]
            if part:
                await client.send(part)
            sent += len(part)
            self.answered += len(part)
            if self.cut_after is not None and sent >= self.cut_after:
                self.cut_after = None if self.once else self.cut_after
                return

    async def drop(self) -> None:
        """Close every connection there is."""
        while self.open:
            await self.open.pop().aclose()


@asynccontextmanager
async def proxied(
    to: tuple[str, int] = ("127.0.0.1", 1), tls: ssl.SSLContext | None = None, **faults: object
) -> AsyncIterator[Proxy]:
    """A proxy that listens on a free port of this machine; with `tls` it speaks that with its clients."""
    proxy = Proxy(to, **faults)
    async with await anyio.create_tcp_listener(local_host="127.0.0.1") as listener, anyio.create_task_group() as group:
        proxy.port = listener.extra(anyio.abc.SocketAttribute.local_port)  # noqa: S610 - anyio's, not Django's
        secured = TLSListener(listener, tls, standard_compatible=False) if tls else listener
        group.start_soon(secured.serve, proxy.serve)
        yield proxy
        await anyio.wait_all_tasks_blocked()  # connections that were given up are closed by now
        group.cancel_scope.cancel()
