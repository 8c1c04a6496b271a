"""Endpoint clues, which every rule for routes, clients and API descriptions gives: what is served where, and who asks.

Kinds of clues (indexing/resolution/endpoints.py reads them):
`endpoint`: provides = the file's service serves the template `key` to the method `value` (ANY for all); needs = the
entity asks for the template `key`; `value` is `METHOD BASE`, where BASE is `//host`, `$VARIABLE` or names as written.
`grpc`: provides = the file defines the service `key` of the package `value`; needs = the entity has a stub of it.
`grpc server`: provides = the file's service serves the service `key`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from extraction.facts import Clue, Definition
from extraction.rules.port import COMMON_WORDS, Findings

ENDPOINT: Final = "endpoint"
ANY: Final = "ANY"
METHODS: Final = frozenset({"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"})
LONGEST: Final = 200
GROUP: Final = re.compile(r"\(\?P?<(\w+)>(?:[^()]|\([^()]*\))*\)")
ANGLES: Final = re.compile(r"<(?:[\w.]+(?:\([^)]*\))?:)?(\w+)(?:\.\.)?>")
BRACES: Final = re.compile(r"\{\*{0,2}(\w+)[^{}/]*(?:\{[^{}]*\}[^{}]*)?\}")
COLON: Final = re.compile(r"(?<=/):(\w+)(?:\([^)]*\))?[?*+]?")
PARAMETER: Final = re.compile(r"\{[^{}]*\}|\*+\w*")
_COMMON: Final = """
    api rest public private internal healthz health_check healthcheck healthy ready readyz readiness live livez
    liveness ping version metrics prometheus info actuator about home index login logout signin signup register auth
    token oauth callback search list new edit create update delete all me self docs swagger openapi json favicon ico
    robots txt static assets public upload uploads files file images graphql query ws webhook webhooks echo hello up
    alive debug env error errors
"""
COMMON_SEGMENTS: Final = frozenset(_COMMON.split()) | COMMON_WORDS
"""Parts of paths that say nothing about whose they are, casefolded."""


def route(path: str) -> str:
    """A path as endpoints are named: `/orders/{id}`, however the framework writes parameters; '' for no path."""
    path = GROUP.sub(r"{\1}", path.strip())
    path = re.sub(r"[?#].*$", "", ANGLES.sub(r"{\1}", BRACES.sub(r"{\1}", path)))
    path = COLON.sub(r"{\1}", re.sub(r"/{2,}", "/", f"/{path}"))
    path = path.rstrip("/") or "/"
    return "" if re.search(r"[\s\"'`<>\\^|;,=]", path) or len(path) > LONGEST else path


def template(named: str) -> str:
    """A named path as paths are compared: `/orders/{}`."""
    parts = ("{}" if PARAMETER.search(part) else part.casefold() for part in named.split("/"))
    return "/".join(parts) or "/"


def is_common_path(key: str) -> bool:
    """Whether a template has no part that says whose it is: `/users/{}`, `/api/v1/health`, `/`."""
    parts = [part for part in key.split("/") if part and part != "{}"]
    return all(part in COMMON_SEGMENTS or re.fullmatch(r"v?\d[\w.]*", part) for part in parts)


def serves(rule: str, method: str, path: str, line: int, handler: str = "", end: int = 0) -> tuple[Definition, Clue]:
    """The endpoint `METHOD path`, served by the file's service; `handler` is what answers, for people."""
    method = method.upper()
    named = route(path)
    name = f"{method} {named}"
    summary = f"handled by {handler}" if handler else ""
    definition = Definition(name, ENDPOINT, line, max(line, end), summary=summary)
    says = f"{name} {summary}".strip()
    return definition, Clue(rule, ENDPOINT, template(named), "provides", "EXPOSES", line, name, says, method)


def asks(rule: str, method: str, path: str, base: str, line: int, scope: str) -> Clue:
    """The definition `scope` (without one: the file) asks for `METHOD path` of the service that `base` points to."""
    named = route(path)
    says = f"asks for {method} {named}" + (f" of {base.lstrip('/')}" if base else "")
    return Clue(rule, ENDPOINT, template(named), "needs", "INVOKES", line, scope, says, f"{method} {base}".strip())


def found_routes(served: Iterable[tuple[Definition, Clue]]) -> Findings | None:
    """Findings of what was read, each endpoint once, under the name of the first framework."""
    rows = list(served)
    definitions = {d.name: d for d, _ in reversed(rows)}
    clues = {(c.entity, c.value): c for _, c in reversed(rows)}
    return Findings(definitions.values(), clues.values(), rows[0][1].rule) if rows else None
