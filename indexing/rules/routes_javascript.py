"""Routes of JavaScript and TypeScript: Express and what looks like it, Fastify, Koa, Hono."""

from __future__ import annotations

from typing import Final

from indexing.rules.routes import Calls, RouteRule

__all__ = ["JavaScriptRoutes"]

ROWS: Final = (
    Calls(  # https://expressjs.com/en/guide/routing.html, https://fastify.dev/docs/latest/Reference/Routes
        name="express",
        sign=r"""(?:from\s+|require\(\s*)["'](?:express|fastify|restify|koa-router|@koa/router|hono|polka|find-my-way|@hapi/hapi)[\w/-]*["']|\bRouter\(""",
        routes=r"\b(?P<on>(?:\w*[aA]pp|\w*[rR]outer?s?|server|fastify|api|instance))\.(?P<verb>get|post|put|patch|delete|head|options|all)(?=\()",
        mounts=r"\b(?P<on>\w+)\.use(?=\()",
        slash=True,
    ),
    Calls(  # https://expressjs.com/en/guide/routing.html#approute
        name="express",
        sign=r"""(?:from\s+|require\(\s*)["'](?:express|restify)["']|\bRouter\(""",
        routes=r"\b(?P<on>\w*[aA]pp|\w*[rR]outer)\.route(?=\()",
        also_verbs=r"\.(?:get|post|put|patch|delete)(?=\()",
        default="ANY",
        mounts=r"\b(?P<on>\w+)\.use(?=\()",
        handled=False,
        slash=True,
    ),
)


class JavaScriptRoutes(RouteRule):
    """An endpoint for each route on an application or router."""

    def __init__(self) -> None:
        super().__init__("javascript routes", frozenset({"javascript", "typescript"}), ROWS)
