"""Routes of Rust: Axum, and the attributes and resources of Actix Web and Rocket."""

from __future__ import annotations

from typing import Final

from indexing.rules.routes import Calls, RouteRule

__all__ = ["RustRoutes"]

ROWS: Final = (
    Calls(  # https://docs.rs/axum/latest/axum/struct.Router.html
        name="axum",
        sign=r"\baxum\b",
        routes=r"\.route(?=\()",
        also_verbs=r"\b(?:get|post|put|patch|delete)(?=\()",
        default="ANY",
    ),
    Calls(  # https://actix.rs/docs/url-dispatch, https://rocket.rs/guide/requests
        name="actix",
        sign=r"\b(?:actix_web|rocket)\b",
        routes=r"#\[(?:\w+::)?(?P<verb>get|post|put|patch|delete|head|options)(?=\()",
        blocks=r"\bscope(?=\()",
        handled=False,
    ),
    Calls(
        name="actix",
        sign=r"\bactix_web\b",
        routes=r"(?:\bresource|\.route)(?=\()",
        also_verbs=r"\b(?:web::)?(?:get|post|put|patch|delete)(?=\(\))",
        default="ANY",
        blocks=r"\bscope(?=\()",
        handled=False,
        slash=True,
    ),
)


class RustRoutes(RouteRule):
    """An endpoint for each attribute or registered route."""

    def __init__(self) -> None:
        super().__init__("rust routes", frozenset({"rust"}), ROWS)
