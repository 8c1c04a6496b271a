"""Prompts, which editors offer as slash commands: what a person fills in, as a request to the model.

The MCP package reads signatures and docstrings: they are what an editor shows.
"""

from __future__ import annotations

from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from pydantic import Field

__all__ = ["add_prompts"]


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
        f"How is {source} connected to {target}? Call explain_path, then read with retrieve_evidence the lines that prove "
        "its steps. Explain each step and give its file and lines."
    )


def example(task: Annotated[str, Field(description="What you are about to write.")]) -> str:
    """Find how other projects have done something already."""
    return (
        f"I am about to write this: {task}\nLook with retrieve_evidence for how the indexed projects do it already. Say what "
        "can be used as it is, what is a model to follow, and how the projects differ, each with file and lines."
    )
