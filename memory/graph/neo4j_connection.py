"""A pool of connections to one Neo4j database: managed transactions, retried within a bound and ended by a deadline.

The driver's own time-outs do not end a call on a connection that went silent, so each call has a deadline around it.
API: https://neo4j.com/docs/api/python-driver/current/async_api.html.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar
from urllib.parse import urlsplit

import anyio

from memory.errors import ConfigError, HybridRetrievalError, StoreError
from memory.imports import brought_by
from memory.text.output import without_credentials

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping, Sequence

    import neo4j

    from configs.settings import Neo4jSettings

    Work = Callable[[neo4j.AsyncManagedTransaction], Awaitable["_Result"]]

INDEX_AGAIN: Final = "Index the projects again."
_NO_INDEX: Final = "no such fulltext schema index"

_Result = TypeVar("_Result")
_SCHEMES: Final = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")
_FIRST_PAUSE: Final = 0.1
_TRIES: Final = 5
_WRITE_TIMEOUT: Final = "graph.neo4j.write_timeout_ms"
_CLOSES_WITHIN: Final = 1.0


class ConnectionErrors:
    """Says for one server what its failures mean. `has_password`: one was sent."""

    def __init__(self, settings: Neo4jSettings, *, has_password: bool) -> None:
        self.where = f"Neo4j at {without_credentials(settings.uri)}"
        self._settings = settings
        self._has_password = has_password

    def late(self, milliseconds: float, setting: str) -> StoreError:
        """Nothing came in time."""
        return StoreError(
            f"{self.where} did not answer within {milliseconds:.0f} ms.",
            f"See how it does, ask for less, or raise {setting}.",
        )

    def misconfigured(self, problem: str) -> ConfigError:
        """The driver does not take the settings."""
        hint = "For example bolt://HOST:7687, neo4j://HOST:7687 for a cluster, neo4j+s://HOST:7687 with TLS."
        return ConfigError("graph.neo4j", without_credentials(self._settings.uri), problem, hint)

    def error(self, error: Exception) -> HybridRetrievalError:
        """The error of ours for one of the driver's."""
        import neo4j.exceptions as theirs  # noqa: PLC0415 - who comes here has the driver loaded

        if isinstance(error, theirs.UnsupportedServerProduct):
            return self.version(str(error))
        if isinstance(error, theirs.ConfigurationError):
            return self.misconfigured(str(error))
        if isinstance(error, theirs.IncompleteCommit):
            return StoreError(f"{self.where} was lost while it wrote.", "See that it runs, and index again.")
        if isinstance(error, theirs.Neo4jError):
            return self._refused(error.code or "", error.message or str(error))
        if isinstance(error, theirs.ConnectionAcquisitionTimeoutError):
            return StoreError(
                f"{self.where} had no connection free in time.",
                "Ask less at once, or raise graph.neo4j.max_connections.",
            )
        reason = " ".join(str(error).split())
        if "handshake" in reason.lower() or "bolt" in type(error.__cause__).__name__.lower():
            reason += " (is it a Bolt port, with TLS as graph.neo4j.uri says?)"
        return StoreError(
            f"{self.where} is out of reach: {reason}.", "Start it, or say where it is with graph.neo4j.uri."
        )

    def passes(self, error: BaseException | None) -> bool:
        """Whether a transaction that ended so may be done again."""
        import neo4j.exceptions as theirs  # noqa: PLC0415 - as above

        return isinstance(error, (theirs.TransientError, theirs.IncompleteCommit))

    def _refused(self, code: str, message: str) -> StoreError:
        settings = self._settings
        if code.startswith("Neo.ClientError.Security"):
            problem = "refused the password of" if self._has_password else "wants a password for"
            return StoreError(
                f"{self.where} {problem} the user {settings.user!r}: {message}",
                f"Set the password in the environment variable {settings.password_env}, the user with graph.neo4j.user.",  # noqa: E501 - text that is read whole
            )
        if code.endswith(("DatabaseNotFound", "DatabaseUnavailable")):
            return StoreError(
                f"{self.where} has no database {settings.database!r} to ask: {message}",
                "Start or create it, or name another with graph.neo4j.database.",
            )
        if "TransactionTimedOut" in code or code.endswith("Terminated"):
            return StoreError(
                f"{self.where} ended a query that took too long.", "Ask for less, or raise graph.query_timeout_ms."
            )
        if _NO_INDEX in message:
            return StoreError(f"{self.where} has lost a full-text index: {message}", INDEX_AGAIN)
        if ".TransientError." in code:
            return StoreError(f"{self.where} is not able to answer now: {message}", "Try again; its log says more.")
        return StoreError(f"{self.where} refused a query: {message} ({code})", INDEX_AGAIN)

    def version(self, agent: str) -> StoreError:
        """Another product, or too old a one."""
        return StoreError(
            f"{self.where} is {agent or 'of an unknown version'}; this needs Neo4j 5 or newer.",
            "Update it, or say where another is with graph.neo4j.uri.",
        )


class Neo4jConnection:
    """Opened by its first call; belongs to the event loop of that call."""

    def __init__(self, settings: Neo4jSettings, *, password: str | None = None) -> None:
        with brought_by("neo4j", "A graph on a Neo4j server"):
            import neo4j  # noqa: F401, PLC0415 - 0.3 s that only who has a server pays, and pays before a question's clock starts

        self.errors = ConnectionErrors(settings, has_password=password is not None)
        self._settings = settings
        self._password = password
        self._driver: neo4j.AsyncDriver | None = None

    async def read(self, work: Work[_Result], *, timeout_ms: float | None = None) -> _Result:
        """What `work` makes of a read transaction; None gives it a write's time. Raises StoreError, ConfigError."""
        if timeout_ms is None:
            return await self._run(work, self._settings.write_timeout_ms, _WRITE_TIMEOUT, writes=False)
        return await self._run(work, timeout_ms, "graph.query_timeout_ms", writes=False)

    async def write(self, work: Work[_Result]) -> _Result:
        """What `work` makes of one write transaction, all of it or nothing. Raises StoreError, ConfigError.

        Every write is one that may be done twice. So one that another got in the way of is done again, and one that was
        lost while it was committed, of which nobody knows whether it happened.
        """
        for left in reversed(range(_TRIES)):
            try:
                return await self._run(work, self._settings.write_timeout_ms, _WRITE_TIMEOUT, writes=True)
            except StoreError as error:
                if not left or not self.errors.passes(error.__cause__):
                    raise
                await anyio.sleep(self._settings.retry_ms / 1000)
        raise AssertionError

    async def read_rows(
        self, text: str, parameters: Mapping[str, Any], *, timeout_ms: float | None = None
    ) -> list[dict[str, Any]]:
        """The rows of one text, as dictionaries."""

        async def work(transaction: neo4j.AsyncManagedTransaction) -> list[dict[str, Any]]:
            return await (await transaction.run(text, dict(parameters))).data()

        return await self.read(work, timeout_ms=timeout_ms)

    async def write_rows(self, text: str, parameters: Mapping[str, Any] | None = None) -> list[dict[str, Any]]:
        """The rows of one text that writes."""
        return (await self.write_all([text], parameters))[0]

    async def write_all(
        self, texts: Sequence[str], parameters: Mapping[str, Any] | None = None
    ) -> list[list[dict[str, Any]]]:
        """The rows of several texts in one transaction."""

        async def work(transaction: neo4j.AsyncManagedTransaction) -> list[list[dict[str, Any]]]:
            return [await (await transaction.run(text, dict(parameters or {}))).data() for text in texts]

        return await self.write(work)

    async def close(self) -> None:
        """Let go of the connections; a server that does not answer is not waited for."""
        driver, self._driver = self._driver, None
        if driver is not None:
            with anyio.move_on_after(_CLOSES_WITHIN):
                await driver.close()

    async def _run(self, work: Work[_Result], timeout_ms: float, setting: str, *, writes: bool) -> _Result:
        import neo4j  # noqa: PLC0415 - loaded by now
        from neo4j.exceptions import DriverError, Neo4jError  # noqa: PLC0415 - as above

        seconds = timeout_ms / 1000
        try:
            with anyio.fail_after(seconds):
                async with self._opened().session(database=self._settings.database) as session:
                    execute = session.execute_write if writes else session.execute_read
                    return await execute(neo4j.unit_of_work(timeout=seconds)(work))
        except TimeoutError as error:
            raise self.errors.late(timeout_ms, setting) from error
        except (DriverError, Neo4jError, OSError) as error:
            raise self.errors.error(error) from error

    def _opened(self) -> neo4j.AsyncDriver:
        if self._driver is None:
            import neo4j  # noqa: PLC0415 - as above

            self._check()
            logging.getLogger("neo4j").addHandler(logging.NullHandler())  # or it prints each retry to standard error
            try:
                self._driver = neo4j.AsyncGraphDatabase.driver(self._settings.uri, **self._options())
            except (ValueError, neo4j.exceptions.ConfigurationError) as error:
                raise self.errors.misconfigured(str(error)) from error
        return self._driver

    def _check(self) -> None:
        """What the driver takes without a word, or only stumbles over when it connects."""
        uri, ca_file = urlsplit(self._settings.uri), self._settings.ca_file
        if uri.scheme not in _SCHEMES:
            raise self.errors.misconfigured(f"no URI of a Bolt server; it begins with one of {', '.join(_SCHEMES)}.")
        if "@" in uri.netloc:
            raise self.errors.misconfigured(
                "a user and password stand in the URI; say them with graph.neo4j.user and the environment variable."
            )
        if ca_file and not Path(ca_file).is_file():
            raise self.errors.misconfigured(f"there is no file {ca_file} of certificates (graph.neo4j.ca_file).")

    def _options(self) -> dict[str, Any]:
        import neo4j  # noqa: PLC0415 - as above

        settings = self._settings
        connect = settings.connect_timeout_ms / 1000
        options: dict[str, Any] = {
            "auth": (settings.user, self._password) if self._password is not None else None,
            "max_connection_pool_size": settings.max_connections,
            "connection_timeout": connect,
            "connection_acquisition_timeout": connect + 1,  # it must be the longer of the two
            "max_transaction_retry_time": settings.retry_ms / 1000,
            "initial_retry_delay": _FIRST_PAUSE,
            "notifications_min_severity": "OFF",
            "telemetry_disabled": True,
            "user_agent": "hybrid-retrieval",
        }
        if settings.encrypted or settings.ca_file:
            options["encrypted"] = True
        if settings.ca_file:
            options["trusted_certificates"] = neo4j.TrustCustomCAs(settings.ca_file)
        return options
