"""Requests: which endpoint is asked for, by a client's call, by an interface that declares it, or by a service's name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from indexing.rules.addresses import Address
from indexing.rules.endpoints import asks, route
from indexing.rules.expressions import first_text, join
from indexing.rules.services import calls
from indexing.rules.structure.declarations import annotated, class_around, is_annotation
from indexing.rules.structure.statements.port import Assertion, Fact
from indexing.rules.structure.statements.routes import Scopes, paths_of, verbs_of
from indexing.rules.urls import base_in, url_of

__all__ = ["asked", "declared", "invoked"]

SERVICE: Final = re.compile(r"[A-Za-z][A-Za-z0-9_\-]*")


def asked(rows: list[Assertion]) -> Iterator[Fact]:
    """`asks for VERB path` for each call whose address has a path in it; of a call two patterns read, the first's."""
    seen = set()
    base = base_in(rows[0].match.text) if rows else ""
    for one in rows:
        part = one.part("url")
        joined = join(part.text, one.match.text, part.offset) if part else None
        url = url_of(joined, sure=one.flag("sure")) if joined else None
        if part is None or url is None or part.offset in seen:
            continue
        seen.add(part.offset)
        scope, on = one.around(), one.part("of")
        to = url.base or (base if one.flag("based", default=True) else "")
        to = to or _names(url.names, f"{on.text if on else ''}", scope)
        prefix = to.partition(" ")[2] if not url.base and to.startswith(("//", "$")) else ""
        yield asks(one.rule, _verb(one), f"{prefix}/{url.path}", to.partition(" ")[0], one.match.line(), scope)


def declared(rows: list[Assertion]) -> Iterator[Fact]:
    """The same for each annotated method of an interface, of the address in the file, else of the interface's own name."""
    scopes = Scopes(rows)
    base = base_in(rows[0].match.text).partition(" ")[0] if rows else ""
    for one in (one for one in rows if one.statement == "declares"):
        target, owner = annotated(one.match.node), class_around(one.match.node)
        prefixes = scopes.around(one.match.offset)
        if target.kind != "member" or not is_annotation(one.match.node):
            continue
        for path in paths_of(one, "path") or [""]:
            verbs, rest = verbs_of(one, path)
            for whole in (f"{prefix}/{rest}" for prefix in prefixes):
                if route(whole):
                    to = base or (owner.name if owner else "")
                    yield from (asks(one.rule, verb, whole, to, one.match.line(), one.around()) for verb in verbs)


def invoked(rows: list[Assertion]) -> Iterator[Fact]:
    """A call of the service that has the name, and of its endpoint where that is given."""
    for one in rows:
        service, path = one.part("service"), one.part("path")
        name = first_text(service.text) if service else None
        if name is None or not SERVICE.fullmatch(name):
            continue
        line = one.match.line(service)
        yield calls(one.rule, Address(name), line, says=f"invokes {name}")
        method = first_text(path.text) if path else None
        if method and route(method):
            yield asks(one.rule, _verb(one), method, f"//{name}", line, one.around())


def _verb(one: Assertion) -> str:
    return verbs_of(one, "")[0][0]


def _names(names: str, called_on: str, scope: str) -> str:
    """What the code calls what it speaks to: the names in the address, in front of the call, and of the class around.

    Not the function's: `get_orders` is called so after the path.
    """
    words = re.findall(r"[A-Za-z_]\w{2,}", f"{names} {called_on} {scope.rpartition('.')[0]}")
    return ".".join(dict.fromkeys(words))[:120]
