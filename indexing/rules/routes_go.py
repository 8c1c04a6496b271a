"""Routes of Go: net/http, gorilla/mux, chi, Gin, Echo and Fiber."""

from __future__ import annotations

from typing import Final

from indexing.rules.routes import Calls, RouteRule

__all__ = ["GoRoutes"]

ROWS: Final = (
    Calls(  # https://pkg.go.dev/net/http#hdr-Patterns-ServeMux, https://github.com/gorilla/mux
        name="net/http",
        sign=r'"net/http"|"github\.com/gorilla/mux"',
        routes=r"\b(?P<on>\w+)\.Handle(?:Func)?(?=\()",
        also_verbs=r"\.Methods\([^)]*",
        default="ANY",
        prefixes=r"\b(?P<name>\w+)\s*:?=\s*(?P<on>\w+)\.PathPrefix(?=\()",
    ),
    Calls(  # https://github.com/gorilla/mux: r.Methods("GET").Path("/x").Handler(h)
        name="gorilla",
        sign=r'"github\.com/gorilla/mux"',
        routes=r"\b(?P<on>\w+)\.Methods\([^)\n]*?(?P<verb>GET|POST|PUT|PATCH|DELETE|Get|Post|Put|Patch|Delete)\"?\)\.Path(?=\()",
        handled=False,
    ),
    Calls(  # https://go-chi.io/#/pages/routing
        name="chi",
        sign=r'"github\.com/go-chi/chi',
        routes=r"(?:\b(?P<on>\w+)|\bWith\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\s*)\.\s*(?P<verb>Get|Post|Put|Patch|Delete|Head|Options)(?=\()",
        blocks=r"\b\w+\.Route(?=\()",
    ),
    Calls(  # https://gin-gonic.com/docs/examples/grouping-routes, https://echo.labstack.com/docs/routing
        name="gin",
        sign=r'"github\.com/(?:gin-gonic/gin|labstack/echo)',
        routes=r"\b(?P<on>\w+)\.(?P<verb>GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|Any)(?=\()",
        prefixes=r"\b(?P<name>\w+)\s*:?=\s*(?P<on>\w+)\.Group(?=\()",
    ),
    Calls(  # https://docs.gofiber.io/guide/routing
        name="fiber",
        sign=r'"github\.com/gofiber/fiber',
        routes=r"\b(?P<on>\w+)\.(?P<verb>Get|Post|Put|Patch|Delete|Head|Options|All)(?=\()",
        prefixes=r"\b(?P<name>\w+)\s*:?=\s*(?P<on>\w+)\.Group(?=\()",
    ),
)


class GoRoutes(RouteRule):
    """An endpoint for each route that is registered."""

    def __init__(self) -> None:
        super().__init__("go routes", frozenset({"go"}), ROWS)
