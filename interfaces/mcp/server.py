"""The MCP server: tools, prompts and resources behind the protocol, and every failure as an error that says what to do.

Prompts are slash commands that a person fills in. Resources are attached to a conversation: the lines behind a
citation, or a named thing with its relations. The MCP package reads signatures and docstrings: an editor shows them.
"""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any, Final

import anyio
import anyio.to_thread
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ToolError
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolResult,
    GetPromptResult,
    InputRequiredResult,
    TextContent,
    ToolAnnotations,
)
from pydantic import Field, ValidationError

from configs import HybridRetrievalConfig
from configs.documents import DocumentError, parse_json
from interfaces.asking import LONGEST_ERROR
from interfaces.mcp.index import open_served
from interfaces.mcp.tools import Tools
from memory.attempt import attempt
from memory.errors import HybridRetrievalError, InvalidInputError
from memory.text.output import json_line, shortened
from orchestrator.logbook import log_warning

NAME = "hybrid-retrieval"
INSTRUCTIONS = (
    "Answers about code and documentation of several projects at once. ask_projects for whole questions across projects; "  # noqa: E501 - text that is read whole
    "retrieve_evidence for passages to quote; find_entities and explain_path for names and how they are connected; "
    "list_projects for what is indexed. Paths are relative to the project's root, which list_projects gives."
)
_READS = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
_WRITES = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
_PIECE: Final = 2**16


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

    async def get_prompt(
        self, name: str, arguments: dict[str, Any] | None = None, context: Context[Any, Any] | None = None
    ) -> GetPromptResult | InputRequiredResult:
        """The prompt, filled in; a wrong argument is the caller's mistake, and is named."""
        if (prompt := self._prompt_manager.get_prompt(name)) is None:
            known = ", ".join(one.name for one in self._prompt_manager.list_prompts())
            raise MCPError(INVALID_PARAMS, f"There is no prompt {name}. There are {known}.")
        takes = [argument.name for argument in prompt.arguments or ()]
        if wrong := sorted(set(arguments or ()).symmetric_difference(takes)):
            raise MCPError(INVALID_PARAMS, f"{name} takes {', '.join(takes)}; see to {', '.join(wrong)}.")
        return await super().get_prompt(name, arguments, context)


def build_server(tools: Tools, *, may_write: bool = False) -> MCPServer[Any]:
    """The server of these tools, with prompts and resources, on no transport yet.

    may_write: whether `refresh` is among them: for whom the index is their own.
    """
    server = _Server(NAME, instructions=INSTRUCTIONS, version=version(NAME), log_level="WARNING")
    reads = (tools.ask_projects, tools.retrieve_evidence, tools.find_entities, tools.explain_path, tools.list_projects)
    for tool in (*reads, *((tools.refresh,) if may_write else ())):
        annotations = _READS if tool in reads else _WRITES
        server.add_tool(tool, description=" ".join((tool.__doc__ or "").split()), annotations=annotations)
        schema = server._tool_input_schema(tool.__name__) or {}  # noqa: SLF001 - ours, by inheritance
        schema["additionalProperties"] = False  # as `_called` has it
    for prompt in (ask, connection, example):
        server.prompt()(prompt)
    _add_resources(server, tools)
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
    with _standard_input() as descriptor:
        lines: Any = (whole(line) async for line in lines_of(descriptor))  # which is all that is asked of a file
        async with stdio_server(stdin=lines) as (received, sent):
            await inner.run(received, sent, inner.create_initialization_options())


def _refusal(tool: str, error: BaseException) -> CallToolResult:
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
    return CallToolResult(content=[TextContent(type="text", text=shortened(text, LONGEST_ERROR))], is_error=True)


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


def _add_resources(server: MCPServer[Any], tools: Tools) -> None:

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


@contextmanager
def _standard_input() -> Iterator[int]:
    """A descriptor of its own; meanwhile programs that are started here find nothing on theirs."""
    own, nothing = os.dup(0), os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    try:
        yield own
    finally:
        os.dup2(own, 0)  # `own` stays open: an abandoned thread may still read from it


def whole(line: str) -> str:
    """A message without half a surrogate pair, as where a client cut a text inside a character: the library reads none
    and answers nothing, and the client would wait for ever.
    """
    if "\\ud" not in line.lower():
        return line
    try:
        return json_line(parse_json(line))
    except DocumentError:
        return line


async def lines_of(descriptor: int) -> AsyncIterator[str]:
    """Each line as it comes, until the other side closes; all that have come are read at once.

    The library reads each line in a thread of the pool that the agents use too. With a hundred requests on their way a
    line then waits for the questions before it, and so does the one that cancels them.
    """
    own_thread, begun = anyio.CapacityLimiter(1), list[bytes]()
    read = partial(os.read, descriptor, _PIECE)
    while piece := await anyio.to_thread.run_sync(read, limiter=own_thread, abandon_on_cancel=True):
        first, *others = piece.split(b"\n")
        begun.append(first)
        for other in others:
            yield b"".join(begun).decode("utf-8", "replace")
            begun = [other]
    if any(begun):
        yield b"".join(begun).decode("utf-8", "replace")
