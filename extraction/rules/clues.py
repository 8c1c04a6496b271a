"""Clues that several rules give, of packages, tables and endpoints: how things are named, compared and stated.

Packages (every rule for manifests): who is called what, and who needs whom -> DEPENDS_ON. Python's names mean the same
in any spelling, crates' with `-` as with `_`, NuGet's in any case; those of other kinds are exact. A clue's `value` is
the name as it is written, under which the package is an entity (indexing/resolution/catalogue.py).

Tables (every rule for migrations and object-relational mappings): a Definition of kind table with a `table` clue
(provides, OWNS_TABLE) is made where a table is created. Where a class only says what its table is called, the clue's
`value` is MAPPED: it means the table if the project creates none of that name. A need whose `value` is CONVENTION has
its table's name from a framework's rules, not from the text: it means the project's own.

Endpoints (every rule for routes, clients and API descriptions): what is served where, and who asks. Kinds of clues
(indexing/resolution/endpoints.py reads them):
`endpoint`: provides = the file's service serves the template `key` to the method `value` (ANY for all); needs = the
entity asks for the template `key`; `value` is `METHOD BASE`, where BASE is `//host`, `$VARIABLE` or names as written.
`grpc`: provides = the file defines the service `key` of the package `value`; needs = the entity has a stub of it.
`grpc server`: provides = the file's service serves the service `key`.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Iterator
from typing import Any, Final

from extraction.facts import Clue, Definition
from extraction.rules.port import COMMON_WORDS, Findings

REQUIREMENT: Final = re.compile(r"\s*([A-Za-z0-9](?:[A-Za-z0-9._-]*[A-Za-z0-9])?)\s*(?=$|[\s\[(<>=!~;@,])")


def _key(name: str, kind: str) -> str:
    if kind == "package":
        return normal_name(name)
    return name.replace("_", "-") if kind == "rust package" else name.casefold() if kind == "nuget package" else name


def normal_name(name: str) -> str:
    """PEP 503's normal form: `Foo.Bar_baz` is `foo-bar-baz`."""
    return re.sub(r"[-_.]+", "-", name).lower()


def requirement_name(requirement: str) -> str:
    """The package of a PEP 508 requirement; '' when it is none."""
    found = REQUIREMENT.match(requirement)
    return found[1] if found else ""


def provides_package(rule: str, name: str, line: int, summary: str = "", kind: str = "package") -> Clue:
    """This project is the package `name`; `summary` is what it says about itself."""
    return Clue(
        rule, kind, _key(name, kind), "provides", "DEPENDS_ON", line, says=summary or f"package {name}", value=name
    )


def needs_package(rule: str, name: str, line: int, group: str = "", kind: str = "package") -> Clue:
    """This project needs the package `name`; `group` is the extra or group that asks for it."""
    says = f"dependency {name} ({group})" if group else f"dependency {name}"
    return Clue(rule, kind, _key(name, kind), "needs", "DEPENDS_ON", line, says=says)


def read_toml(text: str) -> dict[str, Any] | None:
    """The tables of a manifest in TOML; None where it can't be read."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):  # an integer of 4,301 digits is not a TOMLDecodeError
        return None


DROPPED: Final = "dropped table"
"""The kind of a clue that a table is there no more."""
MAPPED: Final = "mapped"
CONVENTION: Final = "convention"
SQL: Final = "sql"
"""The value of a need that SQL states in capitals: the table is there, wherever it is created."""
SHOWN: Final = 40
IRREGULAR: Final = {"person": "people", "child": "children", "status": "statuses", "datum": "data", "man": "men"}


def defines_table(
    rule: str, name: str, first: int, last: int, summary: str = "", how: str = ""
) -> tuple[Definition, Clue]:
    """A table, created here or, when `how` is MAPPED, only mapped."""
    says = f"table {name}" if how != MAPPED else f"mapped to table {name}"
    return (
        Definition(name, "table", first, last, summary=summary),
        Clue(rule, "table", name.casefold(), "provides", "OWNS_TABLE", first, name, says, how),
    )


def uses_table(rule: str, table: str, line: int, entity: str, how: str = "", *, stored: bool = True) -> Iterator[Clue]:
    """The class uses this table, and, if it is what a row becomes, is stored in it."""
    if stored:
        says = f"{entity} is stored in {table}"
        yield Clue(rule, "table", table.casefold(), "needs", "STORES_IN", line, entity, says, how)
    yield Clue(rule, "table", table.casefold(), "needs", "USES_TABLE", line, entity, f"{entity} uses {table}", how)


def plain_table(name: str) -> str:
    """Without its schema and quotation marks."""
    return name.rsplit(".", 1)[-1].strip("\"'`[]")


def columns_summary(columns: Iterable[tuple[str, str]]) -> str:
    """`columns: id uuid, total numeric`, as SQL's have it."""
    listed = [f"{name} {kind}".strip() for name, kind in dict.fromkeys(columns)]
    return f"columns: {', '.join(listed[:SHOWN])}" if listed else ""


def snake(name: str) -> str:
    """`OrderItem` is `order_item`."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])", "_", name).lower()


def plural(name: str) -> str:
    """English, for the last word: `category` is `categories`."""
    head, _, last = name.rpartition("_")
    if last in IRREGULAR:
        made = IRREGULAR[last]
    elif re.search(r"[^aeiou]y$", last):
        made = f"{last[:-1]}ies"
    else:
        made = f"{last}es" if re.search(r"(?:s|x|z|ch|sh)$", last) else f"{last}s"
    return f"{head}_{made}" if head else made


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
