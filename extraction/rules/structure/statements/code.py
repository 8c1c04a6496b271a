"""gRPC stubs and servers, config keys, the tables of classes, and whatever else a rule states in so many words."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Final

from extraction.facts import Clue, Definition
from extraction.rules.addresses import Address
from extraction.rules.clues import (
    CONVENTION,
    MAPPED,
    SQL,
    columns_summary,
    defines_table,
    needs_package,
    plain_table,
    plural,
    provides_package,
    snake,
    uses_table,
)
from extraction.rules.expressions import join, texts
from extraction.rules.port import Fact
from extraction.rules.services import WORKLOAD, calls, lives_in, provides_service
from extraction.rules.structure.matches import Assertion, plain

CONFIG_KEY: Final = "config key"
INFRASTRUCTURE: Final = frozenset({"health", "serverreflection", "reflection", "reflectionservice", "channelz", "grpc"})
"""gRPC's own services."""
SERVICE: Final = re.compile(
    r"(?:\w+(?:\.|::|\\))*?(?:New|Register|add_)?(?P<name>\w+?)(?:Grpc|(?:\.|::)service|::Stub|::Service|CoroutineStub|Stub|GrpcClient"
    r"|Client|CoroutineImplBase|ImplBase|Base|Server|Servicer_to_server|::NewStub|::AsyncService|HandlerFromEndpoint|HandlerClient)?"
)
SETTING: Final = re.compile(r"^\$\{([\w.\-]+).*$")
NAMED: Final = re.compile(r"\s*[rbfu@$]?[\"'`]|\s*[A-Z]\w*[a-z]")
"""A text or a class: what a variable has is not known."""
KEY: Final = re.compile(r"[A-Za-z_][\w.:\-]*")
KEY_SPACE: Final = re.compile(r"[A-Za-z_][\w\-]*+(?:[:/.][A-Za-z_][\w\-]*+)+(?=[:/.]|$)")
"""Names of a key with what separates them, before the first thing put in."""
CONVENTIONS: Final[Mapping[str, Callable[[str, str], tuple[str, ...]]]] = {
    "same": lambda name, _: (name,),
    "snake": lambda name, _: tuple(dict.fromkeys((snake(name), name.lower()))),
    "plural": lambda name, _: (plural(snake(name)),),
    "collection": lambda name, _: (plural(name.lower()),),
    "application": lambda name, folder: ("_".join(filter(None, (folder, name.lower()))),),
}
"""What frameworks call the table of a class that names none, in a folder."""


def stub(rows: list[Assertion]) -> Iterator[Fact]:
    """A stub of a gRPC or Thrift service, which alone proves nothing: it takes the file that defines the service."""
    for one in rows:
        if name := _service(one):
            line, says = one.match.line(), f"stub of {name}"
            yield Clue(one.rule, "grpc", name, "needs", "INVOKES", line, one.around(), says)


def server(rows: list[Assertion]) -> Iterator[Fact]:
    """The file's service serves the gRPC or Thrift service."""
    for one in rows:
        if name := _service(one):
            says = f"serves {name}"
            yield Clue(one.rule, "grpc server", name, "provides", "EXPOSES", one.match.line(), "", says)


def read(rows: list[Assertion]) -> Iterator[Fact]:
    """A config key that the program reads by name."""
    for one in rows:
        for part in one.parts("name"):
            written = [part.text] if one.flag("bare") else [SETTING.sub(r"\1", text) for text in texts(part.text)]
            for key in written if one.flag("bare") or part.text[:1] in "\"'`[(" else ():
                if KEY.fullmatch(key) and not (one.flag("upper") and key != key.upper()):
                    line, around = one.match.line(part), one.around(part)
                    yield Clue(one.rule, CONFIG_KEY, key, "needs", "READS", line, around, f"reads {key}")


def stored(rows: list[Assertion]) -> Iterator[Fact]:
    """A class, else the one around, is stored in a table: in the one it names, else what the framework calls it."""
    named: set[str] = set()
    tables: set[str] = {d.name for d in rows[0].match.source.definitions} if rows else set()
    for one in sorted(rows, key=lambda one: not one.parts("table")):
        cls = plain(one.part("class"))
        part = one.part("table") or one.part("class") or one.part("named")
        definitions = one.match.source.definitions
        own = next((d.name for d in definitions if cls and d.name.rpartition(".")[2] == cls), "")
        entity, line, is_row = own or one.around(part), one.match.line(part), one.flag("row", default=True)
        if not entity or (is_row and entity in named):
            continue
        if (table := plain_table(plain(one.part("table")))) and "{" not in table:  # what is filled in is no name
            named |= {entity} if is_row else set()
            if table not in tables and one.flag("defines", default=True):
                tables.add(table)
                columns = re.findall(one.fields["columns"], one.match.source.text) if "columns" in one.fields else []
                summary = columns_summary((column, "") for column in columns)
                yield from defines_table(one.rule, table, line, line, summary, MAPPED)
            yield from uses_table(one.rule, table, line, entity, stored=is_row)
        elif convention := one.fields.get("convention"):
            folder = posixpath.basename(posixpath.dirname(one.match.source.path))
            for name in CONVENTIONS[convention](plain(one.part("named")) or cls, folder):
                yield from uses_table(one.rule, name, line, entity, CONVENTION, stored=is_row)


def table(rows: list[Assertion]) -> Iterator[Fact]:
    """A table, collection or key space that is created here."""
    for one in rows:
        part = one.part("name")
        if name := plain_table(plain(part)):
            yield from defines_table(one.rule, name, one.match.line(part), one.match.line(part))


def uses(rows: list[Assertion]) -> Iterator[Fact]:
    for one in rows:
        for part in one.parts("name"):
            name, owner = plain_table(plain(part)), one.owner(part)
            if name and re.fullmatch(r"[\w.\-]+", name) and (owner or one.match.text):
                how = SQL if NAMED.match(part.text) else ""
                yield from uses_table(one.rule, name, one.match.line(part), owner, how, stored=False)


def keeps(rows: list[Assertion]) -> Iterator[Fact]:
    """A key of a store, by what it begins with: `orders:cart` of `orders:cart:{id}`; the table that its keys are in."""
    for one in rows:
        part = one.part("name")
        joined = join(part.text, one.match.text, part.offset) if part else None
        if part is not None and joined is not None and (found := KEY_SPACE.match(joined.text)):
            yield from uses_table(one.rule, found[0], one.match.line(part), one.owner(part), SQL, stored=False)


def refers(rows: list[Assertion]) -> Iterator[Fact]:
    """A row that refers to one of another table, by `table`, `table.column` or `schema.table.column`."""
    for one in rows:
        for part in one.parts("name"):
            name = plain(part).rpartition(".")[0].rpartition(".")[2] or plain(part)
            name = name.strip("\"'")
            if owner := one.owner(part):
                line, says = one.match.line(part), f"{owner} refers to {name}"
                yield Clue(one.rule, "table", name.casefold(), "needs", "REFERENCES", line, owner, says)


def package(rows: list[Assertion]) -> Iterator[Fact]:
    """A package that the file's folder is, of an ecosystem."""
    for one in rows:
        if name := plain(one.part("name")):
            yield provides_package(one.rule, name, one.match.line(one.part("name")), kind=_ecosystem(one))


def requires(rows: list[Assertion]) -> Iterator[Fact]:
    for one in rows:
        for part in one.parts("name"):
            if name := plain(part):
                yield needs_package(one.rule, name, one.match.line(part), kind=_ecosystem(one))


def _ecosystem(one: Assertion) -> str:
    return f"{one.fields.get('of', '')} package".strip()


def service(rows: list[Assertion]) -> Iterator[Fact]:
    """Something that runs under a name of its own, and the folder that it is built from."""
    for one in rows:
        part, folder = one.part("name"), plain(one.part("folder"))
        name, line = plain(part), one.match.line(part)
        if not re.fullmatch(r"[A-Za-z][\w.\-]*", name):
            continue
        yield Definition(name, "service", line, line, summary=f"{one.rule} in {one.match.source.path}")
        yield provides_service(one.rule, name, name, line, WORKLOAD)
        if folder:
            base = posixpath.dirname(one.match.source.path)
            yield lives_in(one.rule, posixpath.normpath(posixpath.join(base, folder)).strip("./"), name, line)


def called(rows: list[Assertion]) -> Iterator[Fact]:
    """A service that is called by the name it runs under."""
    for one in rows:
        for part in one.parts("name"):
            name = plain(part)
            if re.fullmatch(r"[A-Za-z][\w.\-]*", name):
                owner = plain(one.part("by"))
                yield calls(one.rule, Address(name.lower()), one.match.line(part), owner, f"calls {name}")


def depends(rows: list[Assertion]) -> Iterator[Fact]:
    """Something of the same project that must be there first."""
    for one in rows:
        for part in one.parts("name"):
            name = plain(part)
            if name:
                line, owner = one.match.line(part), one.owner(part)
                yield Clue(one.rule, "service", name.lower(), "needs", "DEPENDS_ON", line, owner, f"depends on {name}")


def stated(rows: list[Assertion]) -> Iterator[Fact]:
    """The clue, and the entity, that a rule spells out."""
    for one in rows:
        kind, side, relation = (one.fields[name] for name in ("kind", "side", "relation"))
        texts = {name: _filled(one, one.fields.get(name, "")) for name in ("key", "says", "value")}
        if not texts["key"]:
            continue
        line, entity = one.match.line(), ""
        if given := one.fields.get("entity"):
            entity = _filled(one, given["name"])
            matched = one.match.source.text[one.match.offset : one.match.end]
            below = one.match.node.text().count("\n") if one.match.text else matched.rstrip().count("\n")
            yield Definition(entity, given["kind"], line, line + below)
        elif kind in {"table", "topic"}:
            entity = one.around()
        says = texts["says"] or f"{side} {texts['key']}"
        yield Clue(one.rule, kind, texts["key"], side, relation, line, entity, says, texts["value"])


def _filled(one: Assertion, template: tuple[object, ...]) -> str:
    return "".join(part if isinstance(part, str) else plain(one.match.part(part)) for part in template)  # type: ignore[arg-type]


def _service(one: Assertion) -> str:
    part = one.part("name")
    found = SERVICE.fullmatch(part.text.strip()) if part else None
    return found["name"] if found and found["name"].lower() not in INFRASTRUCTURE else ""
