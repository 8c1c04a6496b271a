"""`HybridRetrievalToolset`: both tools for an ADK agent of one's own; closing it closes what they opened (design §7)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from google.adk.tools.base_toolset import BaseToolset, ToolPredicate
from google.adk.tools.function_tool import FunctionTool

from orchestrator.adk.ask_tool import AskTool
from orchestrator.adk.evidence_tool import EvidenceTool

if TYPE_CHECKING:
    from google.adk.agents.readonly_context import ReadonlyContext
    from google.adk.tools.base_tool import BaseTool

__all__ = ["HybridRetrievalToolset"]


class HybridRetrievalToolset(BaseToolset):
    """`ask_projects` and `retrieve_adk_evidence` on one data folder.

    allowed_projects: what the agent may see, all that is indexed if not given. ask, evidence: the tools, where they are
    not to open what the environment names; they bring their own permission. tool_filter, tool_name_prefix: as every ADK
    toolset takes them.
    """

    def __init__(
        self,
        *,
        allowed_projects: Iterable[str] | None = None,
        ask: AskTool | None = None,
        evidence: EvidenceTool | None = None,
        tool_filter: ToolPredicate | list[str] | None = None,
        tool_name_prefix: str | None = None,
    ) -> None:
        super().__init__(tool_filter=tool_filter, tool_name_prefix=tool_name_prefix)
        allowed = None if allowed_projects is None else frozenset(allowed_projects)
        self._ask = ask or AskTool(allowed_projects=allowed)
        self._evidence = evidence or EvidenceTool(allowed_projects=allowed)
        self._tools = [FunctionTool(self._ask.ask_projects), FunctionTool(self._evidence.retrieve_adk_evidence)]

    async def get_tools(self, readonly_context: ReadonlyContext | None = None) -> list[BaseTool]:
        """Those that the filter leaves."""
        return [tool for tool in self._tools if self._is_tool_selected(tool, readonly_context)]

    async def close(self) -> None:
        """Let go of the index; a later call opens it again."""
        await self._ask.close()
        await self._evidence.close()
