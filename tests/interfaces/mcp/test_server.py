"""Every failure is a tool error of one line: what is wrong, and what to do."""

from __future__ import annotations

import pytest
import structlog

from memory.errors import DataFolderError, UnknownProjectError
from orchestrator import logbook


@pytest.fixture
def anyio_backend():
    return "asyncio"


class Failing:
    """Tools of which one fails as told."""

    def __init__(self, failure):
        self.failure = failure

    async def list_projects(self, name_contains: str | None = None) -> dict[str, str]:
        """Fails."""
        raise self.failure

    ask_projects = retrieve_evidence = find_entities = explain_path = list_projects


async def refused(failure, tool="list_projects", **arguments):
    from interfaces.mcp.server import build_server  # noqa: PLC0415 - takes a second

    result = await build_server(Failing(failure)).call_tool(tool, arguments)
    assert result.is_error
    [block] = result.content
    return block.text


async def test_an_error_for_people_is_passed_on():
    assert await refused(DataFolderError("There is no index.", "Index some.")) == "There is no index. Index some."
    long = await refused(UnknownProjectError("x", {f"project-{number:03}" for number in range(500)}))
    assert (len(long), long[-1]) == (1_501, "…")


async def test_wrong_arguments_are_named():
    assert await refused(ValueError(), name_contains=3) == (
        "list_projects: name_contains: Input should be a valid string. Call it again as its schema says."
    )
    assert await refused(ValueError(), nane="x") == "list_projects takes no nane. It takes name_contains."
    assert await refused(ValueError(), tool="list_project") == "Unknown tool: list_project."


async def test_what_nobody_foresaw_is_told_without_its_text_and_logged():
    told = []

    def keep(logger, method, event):
        told.append(event)
        raise structlog.DropEvent

    logbook._doors.clear()
    structlog.configure(processors=[keep])
    try:
        text = await refused(ZeroDivisionError("the secret question"))
    finally:
        structlog.reset_defaults()
    assert text.startswith("list_projects failed (ZeroDivisionError). Go on without, and say so")
    assert [(event["event"], event["error"]) for event in told] == [("a tool failed", "ZeroDivisionError")]


async def test_an_error_of_the_protocol_stays_one():
    from mcp.shared.exceptions import MCPError  # noqa: PLC0415 - takes a second

    with pytest.raises(MCPError, match="not now"):
        await refused(MCPError(code=-32000, message="not now"))
