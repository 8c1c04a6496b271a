"""Requests: which endpoint is asked for, by a client's call, an interface that declares it, or a service's name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from extraction.rules.addresses import Address, addresses_in, is_address_key
from extraction.rules.clues import asks, route
from extraction.rules.expressions import HOLE, Joined, first_text, join
from extraction.rules.port import Fact
from extraction.rules.services import calls
from extraction.rules.structure.declarations import annotated, class_around, is_annotation
from extraction.rules.structure.matches import Assertion
from extraction.rules.structure.statements.routes import Scopes, paths_of, verbs_of

URL: Final = re.compile(r"(?:(?P<scheme>[a-z][a-z+]*)://(?P<host>[^/?#]*))?(?P<rest>[^?#]*)", re.DOTALL)
VARIABLE: Final = re.compile(r"\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b")
LOCAL: Final = re.compile(r"(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])(?::\d+)?")
SEGMENT: Final = re.compile(rf"(?:[\w.\-~%@:+!$&'()*]|{HOLE})*")
BASE: Final = re.compile(
    r"\b(?i:base_?ur[li]|base_?address|prefix_?url|root_?uri)\b[\"']?\s*(?:[:=]\s*|\(\s*|=>\s*)(?P<value>[^\n;]+)"
    r"|@(?:FeignClient|RegisterRestClient)\(\s*(?:[^)\n]*?\b(?:name|value)\s*=\s*)?(?P<name>\"[^\"\n]+\")"
    r"|@Client\(\s*(?:(?:id|value)\s*=\s*)?(?P<client>\"[a-z][\w\-]*\")"
)


@dataclass(frozen=True, slots=True)
class Url:
    """A path with `{}` for what is put in. base: `//host`, `$VARIABLE` or ''; names: what is in front, as written."""

    path: str
    base: str = ""
    names: str = ""


def url_of(joined: Joined, *, sure: bool = False) -> Url | None:
    """The address that a text is, else None. sure: a text without a slash in front is a path too."""
    found = _parts(joined)
    if found is None:
        return None
    rest, holes = found["rest"], list(joined.holes)
    if found["host"] is not None:
        base = _whose(found["scheme"], found["host"], holes)
        names = holes[0] if HOLE in found["host"] else ""
        return None if base is None else _with_path(rest, base, names)
    front = re.match(HOLE + "+", rest)
    if front:
        names = " ".join(holes[: front.end()])
        return _with_path(rest[front.end() :], _variable(names), names)
    return _with_path(rest, "", "") if rest.startswith("/") or (sure and re.match(r"[\w-]+/?", rest)) else None


def _parts(joined: Joined) -> re.Match[str] | None:
    """None for a text that has zero bytes of its own: they look like holes."""
    return URL.match(joined.text) if joined.text.count(HOLE) == len(joined.holes) else None


def _whose(scheme: str, host: str, holes: list[str]) -> str | None:
    if host.startswith(HOLE):
        return _variable(holes[0])
    if LOCAL.fullmatch(host):
        return ""
    found = addresses_in("", f"{scheme}://{host.replace(HOLE, '')}/")
    return f"//{found[0].host}" if found and found[0].host else None


def _variable(names: str) -> str:
    found = next((one for one in VARIABLE.findall(names) if is_address_key(one)), "")
    return f"${found}" if found else ""


def _with_path(rest: str, base: str, names: str) -> Url | None:
    parts = [part for part in rest.split("/") if part]
    if not parts or not all(SEGMENT.fullmatch(part) for part in parts):
        return None
    if re.fullmatch(rf"[^{HOLE}]+{HOLE}+", parts[-1]):
        parts[-1] = parts[-1].rstrip(HOLE)  # what is put behind a name is a query
    named = ["{}" if HOLE in part else part for part in parts]
    return Url("/" + "/".join(named), base, names) if any(part != "{}" for part in named) else None


def base_in(text: str) -> str:
    """The one address of a file's client, and its path: `//carts /api`, `$CARTS_URL`; '' for none or several."""
    found = set()
    for one in BASE.finditer(text):
        if named := one["name"] or one["client"]:
            found.add(f"//{named.strip(chr(34)).lower()}")
            continue
        joined = join(one["value"].strip().rstrip("),"), text, one.start())
        url = _parts(joined) if joined else None
        if joined is None or url is None:
            continue
        holes = list(joined.holes)
        base = _whose(url["scheme"], url["host"], holes) if url["host"] is not None else _variable(" ".join(holes))
        if base:
            found.add(f"{base} {url['rest'].rstrip('/') if HOLE not in url['rest'] else ''}".strip())
    return found.pop() if len(found) == 1 else ""


SERVICE: Final = re.compile(r"[A-Za-z][A-Za-z0-9_\-]*")
SAID: Final = re.compile(r"\(\s*[\"'](GET|POST|PUT|PATCH|DELETE)[\"']\s*,")
"""The verb that is handed to what makes a call's options: `request(options("POST", url))`."""


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
        said = SAID.search(part.text)
        verb = said[1] if said else _verb(one)
        yield asks(one.rule, verb, f"{prefix}/{url.path}", to.partition(" ")[0], one.match.line(), scope)


def declared(rows: list[Assertion]) -> Iterator[Fact]:
    """The same for each annotated method of an interface: the file's address, else the interface's own name."""
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
