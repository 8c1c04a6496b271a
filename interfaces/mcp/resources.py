"""Resources, which editors attach to a conversation: the lines behind a citation, and a named thing with its relations."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError

from memory.errors import HybridRetrievalError

if TYPE_CHECKING:
    from interfaces.mcp.tools import Tools

__all__ = ["add_resources"]


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
