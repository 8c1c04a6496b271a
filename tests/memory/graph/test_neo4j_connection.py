from __future__ import annotations

from dataclasses import replace

import pytest
from neo4j import exceptions
from neo4j.exceptions import Neo4jError

from configs.settings import Neo4jSettings
from memory.errors import ConfigError, StoreError
from memory.graph.neo4j_connection import ConnectionErrors, Neo4jConnection

ERRORS = ConnectionErrors(Neo4jSettings("bolt://u:p@host:7687", user="reader", database="graph"), has_password=True)


def refused(code, message="so it is"):
    return Neo4jError._hydrate_neo4j(code=code, message=message)


@pytest.mark.parametrize(
    ("error", "text", "hint"),
    [
        (
            refused("Neo.ClientError.Security.Unauthorized"),
            "refused the password of the user 'reader'",
            "NEO4J_PASSWORD",
        ),
        (refused("Neo.ClientError.Security.Forbidden"), "the user 'reader'", "graph.neo4j.user"),
        (refused("Neo.ClientError.Database.DatabaseNotFound"), "no database 'graph'", "graph.neo4j.database"),
        (refused("Neo.TransientError.Database.DatabaseUnavailable"), "no database 'graph'", "Start or create it"),
        (refused("Neo.ClientError.Transaction.TransactionTimedOut"), "took too long", "graph.query_timeout_ms"),
        (
            refused("Neo.ClientError.Procedure.ProcedureCallFailed", "There is no such fulltext schema index: x"),
            "full-text index",
            "Index the projects again",
        ),
        (refused("Neo.TransientError.General.MemoryPoolOutOfMemoryError"), "not able to answer now", "Try again"),
        (refused("Neo.ClientError.Statement.SyntaxError"), "refused a query: so it is", "Index the projects again"),
        (exceptions.ServiceUnavailable("Couldn't connect\nto it"), "out of reach: Couldn't connect to it", "Start it"),
        (exceptions.ServiceUnavailable("bad handshake"), "is it a Bolt port", "graph.neo4j.uri"),
        (exceptions.IncompleteCommit("gone"), "was lost while it wrote", "index again"),
        (exceptions.ConnectionAcquisitionTimeoutError("late"), "no connection free", "graph.neo4j.max_connections"),
        (exceptions.UnsupportedServerProduct("Other/9"), "is Other/9; this needs Neo4j 5", "Update it"),
    ],
)
def test_what_is_wrong_and_what_to_do(error, text, hint):
    message = ERRORS.error(error)
    assert isinstance(message, StoreError)
    assert message.message.startswith("Neo4j at bolt://host:7687 ")
    assert text in message.message
    assert hint in message.hint


def test_settings_that_the_driver_refuses_are_the_users():
    message = ERRORS.error(exceptions.ConfigurationError("no"))
    assert isinstance(message, ConfigError)
    assert "u:p@" not in str(message)


def test_a_server_that_wants_a_password_when_none_was_sent():
    message = ConnectionErrors(Neo4jSettings(), has_password=False).error(
        refused("Neo.ClientError.Security.Unauthorized")
    )
    assert "wants a password for the user 'neo4j'" in message.message


@pytest.mark.enable_socket
async def test_a_write_that_another_got_in_the_way_of_is_done_again(neo4j_server):
    connection = Neo4jConnection(replace(neo4j_server.settings, retry_ms=0), password=neo4j_server.password)
    coming = [refused("Neo.TransientError.Transaction.DeadlockDetected"), exceptions.IncompleteCommit("gone")]
    lasting = [refused("Neo.ClientError.Schema.ConstraintValidationFailed")]

    async def work(_transaction):
        if coming:
            raise coming.pop()
        return "done"

    assert await connection.write(work) == "done"
    for failures in (lasting, [refused("Neo.TransientError.Transaction.DeadlockDetected")] * 5):
        coming[:] = failures
        with pytest.raises(StoreError):
            await connection.write(work)
        assert coming == []
    await connection.close()
