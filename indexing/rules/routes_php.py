"""Routes of PHP: Laravel, and Slim or Lumen."""

from __future__ import annotations

from typing import Final

from indexing.rules.routes import Calls, RouteRule

__all__ = ["PhpRoutes"]

ROWS: Final = (
    Calls(  # https://laravel.com/docs/routing
        name="laravel",
        sign=r"\bRoute::",
        routes=r"\bRoute::(?P<verb>get|post|put|patch|delete|options|any)(?=\()",
        blocks=r"\bRoute::(?:[^;\n(]*\([^)\n]*\)->)*prefix(?=\()",
    ),
    Calls(  # https://www.slimframework.com/docs/v4/objects/routing.html
        name="slim",
        sign=r"\bSlim\b|\bRouteCollectorProxy\b|\$(?:app|router|group)->",
        routes=r"\$(?P<on>app|router|group|\w*[rR]outes?)->(?P<verb>get|post|put|patch|delete|options|any)(?=\()",
        blocks=r"\$\w+->group(?=\(\s*['\"])",
        slash=True,
    ),
)


class PhpRoutes(RouteRule):
    """An endpoint for each route that is registered."""

    def __init__(self) -> None:
        super().__init__("php routes", frozenset({"php"}), ROWS)
