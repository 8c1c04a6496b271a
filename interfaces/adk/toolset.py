"""`HybridRetrievalToolset`: the tools for an ADK agent of one's own (docs/design.md#the-doors)."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from google.adk.tools.base_toolset import BaseToolset, ToolPredicate
from google.adk.tools.function_tool import FunctionTool

from interfaces.adk.evidence_tool import EvidenceTool
from interfaces.adk.tools import AskTool, LookupTools, RefreshTool
from memory.query import allowed_names

if TYPE_CHECKING:
    from google.adk.agents.readonly_context import ReadonlyContext
    from google.adk.tools.base_tool import BaseTool
    from google.adk.tools.tool_context import ToolContext


class _StrictTool(FunctionTool):
    """A function tool that says which argument it needs, and refuses one that it does not have: a misspelt limit must
    not widen what is asked for.
    """

    async def run_async(self, *, args: dict[str, Any], tool_context: ToolContext) -> Any:
        known = {name: one for name, one in inspect.signature(self.func).parameters.items() if name != "tool_context"}
        unknown = sorted(set(args) - set(known))
        missing = [name for name, one in known.items() if one.default is one.empty and name not in args]
        if unknown or missing:
            wrong = f"takes no {', '.join(unknown)}" if unknown else f"needs {', '.join(missing)}"
            return {
                "error": {
                    "code": "invalid_input",
                    "message": f"{self.name} {wrong}.",
                    "hint": f"It takes {', '.join(known)}.",
                }
            }
        return await super().run_async(args=args, tool_context=tool_context)


class HybridRetrievalToolset(BaseToolset):
    """`ask_projects`, `retrieve_adk_evidence`, `find_entities`, `explain_path` and `list_projects` on one data folder,
    and `refresh` where the index is the agent's own.

    data_dir: the folder, the environment's if not given. allowed_projects: what the agent may see, all that is indexed
    if not given. ask, evidence, lookups: the tools, where they are not to open that folder; they bring their own
    permission. may_write: whether `refresh` is among them; an agent that serves others does without it. tool_filter,
    tool_name_prefix: as every ADK toolset takes them.
    """

    def __init__(
        self,
        *,
        data_dir: str | Path | None = None,
        allowed_projects: Iterable[str] | None = None,
        ask: AskTool | None = None,
        evidence: EvidenceTool | None = None,
        lookups: LookupTools | None = None,
        may_write: bool = False,
        tool_filter: ToolPredicate | list[str] | None = None,
        tool_name_prefix: str | None = None,
    ) -> None:
        super().__init__(tool_filter=tool_filter, tool_name_prefix=tool_name_prefix)
        allowed = allowed_names(allowed_projects)
        folder = None if data_dir is None else Path(data_dir)
        self._ask = ask or AskTool(allowed_projects=allowed, data_dir=folder)
        self._evidence = evidence or EvidenceTool(allowed_projects=allowed, data_dir=folder)
        self._lookups = lookups or LookupTools(allowed_projects=allowed, data_dir=folder)
        functions = (
            self._ask.ask_projects,
            self._evidence.retrieve_adk_evidence,
            self._lookups.find_entities,
            self._lookups.explain_path,
            self._lookups.list_projects,
            *([RefreshTool(allowed_projects=allowed, data_dir=folder).refresh] if may_write else ()),
        )
        self._tools = [_StrictTool(function) for function in functions]

    async def get_tools(self, readonly_context: ReadonlyContext | None = None) -> list[BaseTool]:
        """Those that the filter leaves."""
        return [tool for tool in self._tools if self._is_tool_selected(tool, readonly_context)]

    async def close(self) -> None:
        """Let go of the index; a later call opens it again."""
        await self._ask.close()
        await self._evidence.close()
        await self._lookups.close()
