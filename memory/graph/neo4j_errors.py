"""What the Neo4j driver and server say when they fail, as the errors of this project: what is wrong and what to do.

Codes: Neo4j Status Codes 5, https://neo4j.com/docs/status-codes/5/errors/.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from memory.errors import ConfigError, HybridRetrievalError, StoreError
from memory.text.output import without_credentials

if TYPE_CHECKING:
    from configs.settings import Neo4jSettings

__all__ = ["INDEX_AGAIN", "Told"]

INDEX_AGAIN: Final = "Index the projects again."
_NO_INDEX: Final = "no such fulltext schema index"


class Told:
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

    def _refused(self, code: str, message: str) -> StoreError:
        settings = self._settings
        if code.startswith("Neo.ClientError.Security"):
            said = "refused the password of" if self._has_password else "wants a password for"
            return StoreError(
                f"{self.where} {said} the user {settings.user!r}: {message}",
                f"Set the password in the environment variable {settings.password_env}, the user with graph.neo4j.user.",
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
