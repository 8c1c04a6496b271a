"""What editors offer besides the tools: prompts, as slash commands that a person fills in, and resources, attached to a
conversation.

A resource is the lines behind a citation, or a named thing with its relations. The MCP package reads signatures and
docstrings: they are what an editor shows.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError
from pydantic import Field

from memory.errors import HybridRetrievalError

if TYPE_CHECKING:
    from interfaces.mcp.tools import Tools

__all__ = ["add_prompts", "add_resources"]


def add_prompts(server: MCPServer[Any]) -> None:
    """Offer the prompts."""
    for prompt in (ask, connection, example):
        server.prompt()(prompt)


def ask(question: Annotated[str, Field(description="The whole question, names as they are written.")]) -> str:
    """Answer a question from the indexed projects, with citations."""
    return (
        f"Answer with the tool ask_projects, and keep its citation markers: {question}\n"
        "Name what is not verified, and what is missing."
    )


def connection(
    source: Annotated[str, Field(description="Where it begins: a name, or PROJECT/NAME.")],
    target: Annotated[str, Field(description="Where it ends: a name, or PROJECT/NAME.")],
) -> str:
    """Explain how two services, classes, tables or topics are connected."""
    return (
        f"How is {source} connected to {target}? Call explain_path, then read with retrieve_evidence the lines that prove "  # noqa: E501 - text that is read whole
        "its steps. Explain each step and give its file and lines."
    )


def example(task: Annotated[str, Field(description="What you are about to write.")]) -> str:
    """Find how other projects have done something already."""
    return (
        f"I am about to write this: {task}\nLook with retrieve_evidence for how the indexed projects do it already. Say what "  # noqa: E501 - text that is read whole
        "can be used as it is, what is a model to follow, and how the projects differ, each with file and lines."
    )


def add_resources(server: MCPServer[Any], tools: Tools) -> None:
    """Offer what these tools may see."""

    @server.resource("hybrid-retrieval://chunk/{+place}", mime_type="text/plain")
    async def chunk(place: str) -> str:
        """Lines of an indexed file, at PROJECT/PATH:FIRST-LAST as citations have it."""
        try:
            return await tools.passage(place)
        except HybridRetrievalError as error:
            raise ResourceError(str(error)) from error

    @server.resource("hybrid-retrieval://entity/{+name}", mime_type="application/json")
    async def entity(name: str) -> str:
        """What bears a name, or PROJECT/NAME: where it is defined, what it uses and who uses it."""
        try:
            return json.dumps(await tools.find_entities(name), ensure_ascii=False)
        except HybridRetrievalError as error:
            raise ResourceError(str(error)) from error
