"""The MCP server: the tools behind the protocol, and every failure as a tool error that says what and what to do."""

from __future__ import annotations

import json
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp_types import CallToolResult, TextContent, ToolAnnotations
from pydantic import ValidationError

from interfaces.mcp.index import open_served
from interfaces.mcp.offers import add_prompts, add_resources
from interfaces.mcp.stdio import lines_of, standard_input
from interfaces.mcp.tools import Tools
from memory.attempt import attempt
from memory.errors import HybridRetrievalError, InvalidInputError
from orchestrator.logbook import log_warning

if TYPE_CHECKING:
    from configs import HybridRetrievalConfig

__all__ = ["build_server", "run_stdio", "serve"]

NAME = "hybrid-retrieval"
INSTRUCTIONS = (
    "Answers about code and documentation of several projects at once. ask_projects for whole questions across projects; "  # noqa: E501 - text that is read whole
    "retrieve_evidence for passages to quote; find_entities and explain_path for names and how they are connected; "
    "list_projects for what is indexed. Paths are relative to the project's root, which list_projects gives."
)
_LONGEST_ERROR = 1_500
_READS = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
_WRITES = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False)


class _Server(MCPServer[Any]):
    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult:
        """The tool's result, or an error for the model to read; the protocol's own errors pass through."""
        done = await attempt(partial(self._called, name, arguments, context))
        if done.error is None:
            result: CallToolResult = done.value
            return result
        if isinstance(done.error, MCPError):
            raise done.error
        return _refusal(name, done.error)

    async def _called(self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None) -> CallToolResult:
        known = (self._tool_input_schema(name) or {}).get("properties", {})
        unknown = sorted(set(arguments) - set(known))
        if known and unknown:  # one that is misspelt must not widen what is asked for
            raise InvalidInputError(f"{name} takes no {', '.join(unknown)}.", f"It takes {', '.join(known)}.")
        result = await super().call_tool(name, arguments, context)
        assert isinstance(result, CallToolResult)  # no tool of ours asks back
        text = json.dumps(result.structured_content, ensure_ascii=False)
        return result.model_copy(update={"content": [TextContent(type="text", text=text)]})


def build_server(tools: Tools, *, may_write: bool = False) -> MCPServer[Any]:
    """The server of these tools, with prompts and resources, on no transport yet.

    Args:
        tools: what it offers.
        may_write: whether `refresh` is among them: for whom the index is their own.
    """
    server = _Server(NAME, instructions=INSTRUCTIONS, version=version(NAME), log_level="WARNING")
    reading = (
        tools.ask_projects,
        tools.retrieve_evidence,
        tools.find_entities,
        tools.explain_path,
        tools.list_projects,
    )
    for tool in (*reading, *((tools.refresh,) if may_write else ())):
        annotations = _READS if tool in reading else _WRITES
        server.add_tool(tool, description=" ".join((tool.__doc__ or "").split()), annotations=annotations)
        schema = server._tool_input_schema(tool.__name__) or {}  # noqa: SLF001 - ours, by inheritance
        schema["additionalProperties"] = False  # as `_called` has it
    add_prompts(server)
    add_resources(server, tools)
    return server


async def serve(
    data_dir: Path,
    profile: str,
    config: HybridRetrievalConfig,
    *,
    allowed: frozenset[str] | None = None,
    project: str | None = None,
) -> None:
    """Serve the data folder on standard input and output until the client closes them."""
    async with open_served(data_dir, profile, config) as index:
        tools = Tools(index, most_chars=config.mcp.max_chars, allowed=allowed, project=project)
        await run_stdio(build_server(tools, may_write=True))


async def run_stdio(server: MCPServer[Any]) -> None:
    """Serve on standard input and output until the client closes them."""
    inner = server._lowlevel_server  # noqa: SLF001 - as `run_stdio_async` does, which takes no other input
    with standard_input() as descriptor:
        lines: Any = lines_of(descriptor)  # which is all that is asked of a file
        async with stdio_server(stdin=lines) as (received, sent):
            await inner.run(received, sent, inner.create_initialization_options())


def _refusal(tool: str, error: BaseException) -> CallToolResult:
    """What went wrong and what to do, in a line."""
    cause = error.__cause__ if isinstance(error, ToolError) and error.__cause__ is not None else error
    if isinstance(cause, HybridRetrievalError):
        text = str(cause)
    elif isinstance(cause, ValidationError):
        wrong = [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in cause.errors(include_url=False)]
        text = f"{tool}: {'; '.join(wrong)}. Call it again as its schema says."
    elif isinstance(cause, ToolError):
        text = f"{cause}."
    else:
        log_warning("a tool failed", tool=tool, error=type(cause).__name__)  # its text may quote what was asked
        text = (
            f"{tool} failed ({type(cause).__name__}). Go on without, and say so; hybrid-retrieval doctor may know why."
        )
    short = text if len(text) <= _LONGEST_ERROR else f"{text[:_LONGEST_ERROR]}…"
    return CallToolResult(content=[TextContent(type="text", text=short)], is_error=True)
