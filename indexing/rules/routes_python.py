"""Routes of Python's frameworks: Flask, FastAPI and Starlette, aiohttp, Django."""

from __future__ import annotations

from typing import Final

from indexing.rules.routes import Calls, RouteRule

__all__ = ["PythonRoutes"]

ROWS: Final = (
    Calls(  # https://flask.palletsprojects.com/en/stable/quickstart/#routing
        name="flask",
        sign=r"\b(?:flask|quart|sanic|bottle)\b",
        routes=r"^[ \t]*@(?P<on>[\w.]+)\.(?P<verb>route|get|post|put|patch|delete)(?=\()",
        also_verbs=r"\bmethods\s*=\s*[\[({][^\])}]*",
        prefixes=r"\b(?P<name>\w+)\s*=\s*(?:\w+\.)?Blueprint(?=\()",
        keyword="url_prefix",
        mounts=r"\.register_blueprint(?=\()",
        handled=False,
    ),
    Calls(  # https://fastapi.tiangolo.com/tutorial/bigger-applications
        name="fastapi",
        sign=r"\b(?:fastapi|starlette|litestar)\b",
        routes=r"^[ \t]*@(?P<on>[\w.]+)\.(?P<verb>get|post|put|patch|delete|head|options|api_route)(?=\()",
        also_verbs=r"\bmethods\s*=\s*[\[({][^\])}]*",
        prefixes=r"\b(?P<name>\w+)(?:\s*:\s*\w+)?\s*=\s*(?:\w+\.)?APIRouter(?=\()",
        keyword="prefix",
        mounts=r"\b(?P<on>\w+)\.include_router(?=\()",
        handled=False,
    ),
    Calls(  # https://www.starlette.io/routing, https://fastapi.tiangolo.com/reference/apirouter
        name="starlette",
        sign=r"\b(?:fastapi|starlette)\b",
        routes=r"(?:(?<![\w.])Route|\.add_(?:api_)?route)(?=\()",
        also_verbs=r"\bmethods\s*=\s*[\[({][^\])}]*",
        blocks=r"(?<![\w.])Mount(?=\()",
    ),
    Calls(  # https://docs.aiohttp.org/en/stable/web_quickstart.html
        name="aiohttp",
        sign=r"\baiohttp\b[^\n]*\bweb\b|\bweb\.RouteTableDef\b",
        routes=r"(?:\.add_|\bweb\.)(?P<verb>get|post|put|patch|delete)(?=\()",
    ),
    Calls(  # https://docs.djangoproject.com/en/stable/topics/http/urls
        name="django",
        sign=r"\burlpatterns\b",
        routes=r"(?<![\w.])(?:re_)?(?:path|url)(?=\((?![^\n]*\binclude\())",
        default="ANY",
    ),
)  # fmt: skip


class PythonRoutes(RouteRule):
    """An endpoint for each decorated function, or line of `urlpatterns`."""

    def __init__(self) -> None:
        super().__init__("python routes", frozenset({"python"}), ROWS)
