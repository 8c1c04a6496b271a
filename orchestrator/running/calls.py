"""Anybody's agent behind one face: its signatures are read once, when the run's agents are set up."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from agents.ports import Publish
    from memory.entities import Scope
    from memory.query import TaskContext

Passing = Literal["name", "position", "never"]


class AgentCalls:
    """How to call an agent: `publish_into` if it has one, else `retrieve`; with the scope only where it takes one.

    gives_scope, takes_scope: None to go by the methods (an agent with `find_scope` gives, one whose call has a
    parameter `scope` takes).
    """

    def __init__(self, agent: Any, *, gives_scope: bool | None = None, takes_scope: bool | None = None) -> None:
        self._comparable = bool(getattr(agent, "comparable_ratings", False))
        self._publish_into = getattr(agent, "publish_into", None)
        self._call = self._publish_into or agent.retrieve
        self._scope_by = _passing(self._call, "scope", 3 if self._publish_into else 2)
        self._find_scope = getattr(agent, "find_scope", None)
        self._context_by = _passing(self._find_scope, "context", 1) if self._find_scope else "never"
        finds = self._find_scope is not None or self._publish_into is not None
        self.gives_scope = self._find_scope is not None if gives_scope is None else gives_scope and finds
        self.takes_scope = (not self.gives_scope if takes_scope is None else takes_scope) and self._scope_by != "never"

    @property
    def comparable(self) -> bool:
        """Its ratings are on the scale of this package's agents, as its `comparable_ratings` says."""
        return self._comparable

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
        return _called(self._call, given, "scope", scope, self._scope_by if self.takes_scope else "never")

    def find_scope(self, entities: Sequence[str], context: TaskContext) -> Any:
        """What its `find_scope` returns, as it comes."""
        find: Callable[..., Any] = self._find_scope  # type: ignore[assignment]  # only asked when finds_scope
        return _called(find, (list(entities),), "context", context, self._context_by)


def _passing(call: Callable[..., Any], name: str, position: int) -> Passing:
    """How a call takes one argument more: by `name`, at this `position`, or `never`."""
    try:
        parameters = tuple(inspect.signature(call).parameters.values())
    except (TypeError, ValueError):  # a callable that does not tell, such as one of an extension module
        return "never"
    if any(p.name == name and p.kind in {p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY} for p in parameters):
        return "name"
    positional = [p for p in parameters if p.kind in {p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD}]
    more = len(positional) > position or any(p.kind is p.VAR_POSITIONAL for p in parameters)
    return "position" if more else "never"


def _called(call: Callable[..., Any], given: Sequence[Any], name: str, more: object, passing: Passing) -> Any:
    if passing == "never":
        return call(*given)
    return call(*given, **{name: more}) if passing == "name" else call(*given, more)
