"""Routes of Ktor (https://ktor.io/docs/server-routing.html)."""

from __future__ import annotations

from typing import Final

from indexing.rules.routes import Calls, RouteRule

__all__ = ["KtorRoutes"]

ROWS: Final = (
    Calls(
        name="ktor",
        sign=r"\bio\.ktor\.server\b",
        routes=r"(?<![\w.])(?P<verb>get|post|put|patch|delete|head|options)(?=\(\s*\"[^\"\n]*\"\s*\)\s*\{)",
        blocks=r"(?<![\w.])route(?=\()",
        handled=False,
    ),
)


class KtorRoutes(RouteRule):
    """An endpoint for each route in a routing block."""

    def __init__(self) -> None:
        super().__init__("kotlin routes", frozenset({"kotlin"}), ROWS)
