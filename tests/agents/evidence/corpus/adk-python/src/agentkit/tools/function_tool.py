"""A Python function as a tool."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any


class FunctionTool:
    """Wraps a function; its schema comes from signature, type hints and docstring."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.name = function.__name__
        self.description = inspect.getdoc(function) or ""

    def schema(self) -> dict[str, Any]:
        """The declaration that the model sees."""
        signature = inspect.signature(self.function)
        shown = {name: one for name, one in signature.parameters.items() if name != "tool_context"}
        return {
            "name": self.name,
            "description": self.description,
            "parameters": {name: json_type(one.annotation) for name, one in shown.items()},
            "required": [name for name, one in shown.items() if one.default is inspect.Parameter.empty],
        }

    async def call(self, arguments: dict[str, Any], context: Any) -> Any:
        if "tool_context" in inspect.signature(self.function).parameters:
            arguments = {**arguments, "tool_context": context}
        result = self.function(**arguments)
        return await result if inspect.isawaitable(result) else result


def json_type(annotation: Any) -> str:
    """JSON's name of a Python type."""
    names = {int: "integer", float: "number", bool: "boolean", list: "array", dict: "object"}
    return names.get(annotation, "string")
