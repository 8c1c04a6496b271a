"""Anybody's agent behind one face: its signatures are read once, when the run's agents are set up."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from agents.ports import Publish
    from memory.entities import Scope
    from memory.query import TaskContext

__all__ = ["AgentCalls"]


class AgentCalls:
    """How to call an agent: `publish_into` if it has one, else `retrieve`; with the scope only where it takes one.

    gives_scope, takes_scope: None to go by the methods (an agent with `find_scope` gives, one whose call has a
    parameter `scope` takes).
    """

    def __init__(self, agent: Any, *, gives_scope: bool | None = None, takes_scope: bool | None = None) -> None:
        self._publish_into = getattr(agent, "publish_into", None)
        self._call = self._publish_into or agent.retrieve
        self._scope_by = _scope_passing(self._call, 3 if self._publish_into else 2)
        self._find_scope = getattr(agent, "find_scope", None)
        self._scope_with_context = self._find_scope is not None and _takes(self._find_scope, "context", 1)
        finds = self._find_scope is not None or self._publish_into is not None
        self.gives_scope = self._find_scope is not None if gives_scope is None else gives_scope and finds
        self.takes_scope = (not self.gives_scope if takes_scope is None else takes_scope) and self._scope_by != "never"

    @property
    def reports(self) -> bool:
        """It publishes as it goes, the scope included."""
        return self._publish_into is not None

    @property
    def finds_scope(self) -> bool:
        """It is to be asked for the scope apart from its observations."""
        return self.gives_scope and not self.reports

    def search(self, query: str, context: TaskContext, scope: Scope | None, publish: Publish) -> Any:
        """What its call returns, as it comes: awaitable or not, observations or garbage."""
        given = (query, context, publish) if self.reports else (query, context)
        if not self.takes_scope:
            return self._call(*given)
        return self._call(*given, scope=scope) if self._scope_by == "name" else self._call(*given, scope)

    def find_scope(self, entities: Sequence[str], context: TaskContext) -> Any:
        """What its `find_scope` returns, as it comes."""
        find: Callable[..., Any] = self._find_scope  # type: ignore[assignment]  # only asked when finds_scope
        return find(list(entities), context) if self._scope_with_context else find(list(entities))


def _parameters(call: Callable[..., Any]) -> Sequence[inspect.Parameter] | None:
    try:
        return tuple(inspect.signature(call).parameters.values())
    except (TypeError, ValueError):  # a callable that does not tell, such as one of an extension module
        return None


def _takes(call: Callable[..., Any], name: str, position: int) -> bool:
    """Whether a call takes this argument, by name or by one more position."""
    parameters = _parameters(call)
    if parameters is None:
        return False
    positional = [p for p in parameters if p.kind in {p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD}]
    return len(positional) > position or any(p.kind is p.VAR_POSITIONAL or p.name == name for p in parameters)


def _scope_passing(call: Callable[..., Any], position: int) -> str:
    """How a call takes the scope: by `name`, by `position`, or `never`."""
    parameters = _parameters(call) or ()
    if any(p.name == "scope" and p.kind is not p.POSITIONAL_ONLY for p in parameters):
        return "name"
    return "position" if _takes(call, "scope", position) else "never"
