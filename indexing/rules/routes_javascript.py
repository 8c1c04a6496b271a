"""Routes of JavaScript and TypeScript: Express and what looks like it, Fastify, Koa, Hono."""

from __future__ import annotations

from typing import Final

from indexing.rules.routes import Calls, RouteRule

__all__ = ["JavaScriptRoutes"]

PREFIX: Final = r"\b(?P<name>\w+)\s*=\s*new\s+\w*Router\(\s*\{[^{}]*?\bprefix\s*:\s*[\"'`](?P<prefix>/[^\"'`$]*)"
"""Koa's: `new Router({prefix: '/api'})` (https://github.com/koajs/router/blob/master/API.md)."""
HANDED: Final = r"\b(?:module\.exports|exports\.\w+|export\s+default)\s*=?\s*(?:async\s+)?(?:function\s*\w*\s*)?\(\s*(?:app|router|server|fastify)\b"
"""A module of routes that is handed the application: `module.exports = (app) => { app.get("/orders", list) }`."""
ROWS: Final = (
    Calls(  # https://expressjs.com/en/guide/routing.html, https://fastify.dev/docs/latest/Reference/Routes
        name="express",
        sign=r"""(?:from\s+|require\(\s*)["'](?:express|fastify|restify|koa-router|@koa/router|hono|polka|find-my-way|@hapi/hapi)[\w/-]*["']|\bRouter\(|"""
        + HANDED,
        routes=r"\b(?P<on>(?:\w*[aA]pp|\w*[rR]outer?s?|server|fastify|api|instance))\.(?P<verb>get|post|put|patch|delete|head|options|all)(?=\()",
        prefixes=PREFIX,
        mounts=r"\b(?P<on>\w+)\.use(?=\()",
        slash=True,
    ),
    Calls(  # https://expressjs.com/en/guide/routing.html#approute
        name="express",
        sign=r"""(?:from\s+|require\(\s*)["'](?:express|restify)["']|\bRouter\(|""" + HANDED,
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
