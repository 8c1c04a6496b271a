"""Routes of ASP.NET Core: minimal APIs with their groups, and controllers by their attributes."""

from __future__ import annotations

from typing import Final

from indexing.rules.annotations import AnnotationRule, Annotations
from indexing.rules.routes import Calls, RouteRule

__all__ = ["AspNetControllers", "AspNetRoutes"]

CALLS: Final = (
    Calls(  # https://learn.microsoft.com/aspnet/core/fundamentals/minimal-apis/route-handlers
        name="asp.net",
        sign=r"\.Map(?:Get|Post|Put|Patch|Delete|Methods)\(",
        routes=r"\b(?P<on>\w+)\s*\.Map(?P<verb>Get|Post|Put|Patch|Delete)(?=\()",
        prefixes=r"\b(?P<name>\w+)\s*=\s*(?P<on>\w+)\s*\.MapGroup(?=\()",
    ),
)
ATTRIBUTES: Final = (
    Annotations(  # https://learn.microsoft.com/aspnet/core/mvc/controllers/routing#attribute-routing-for-rest-apis
        name="asp.net",
        sign=r"\[Http(?:Get|Post|Put|Patch|Delete)\b",
        mapping=r"(?<=[\[,\s])Http(?P<verb>Get|Post|Put|Patch|Delete)\b",
        opens="[",
        closes="]",
        prefix=r"(?<=[\[,\s])Route\b",
        bare=False,
        rooted=True,
    ),
)


class AspNetRoutes(RouteRule):
    """An endpoint for each mapped handler."""

    def __init__(self) -> None:
        super().__init__("asp.net routes", frozenset({"csharp"}), CALLS)


class AspNetControllers(AnnotationRule):
    """An endpoint for each action with an attribute that says where."""

    def __init__(self) -> None:
        super().__init__("asp.net controllers", frozenset({"csharp"}), ATTRIBUTES)
