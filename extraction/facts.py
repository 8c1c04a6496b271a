"""What one file says on its own, before anything is resolved against other files (docs/design.md#generations).

A generation keeps these per file; the edges that a change may touch are resolved anew from them. They are plain data:
JSON out and in gives an equal value.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

REFERENCE = "reference"
"""The kind of an `Occurrence` that refers to another resource of its template."""
READ = "read by name"
"""The kind of an `Occurrence` that is the name of a setting or constant of a topic or table."""
HERE = "."
"""The module of an `Import` that is an export under another name: the file itself."""
Side: TypeAlias = Literal["needs", "provides"]
"""Of a `Clue`."""

EXTRACTION = 26
"""Raised when the same text gives other facts, chunks or relations, or they are kept otherwise: an older index is not
added to.
"""


@dataclass(frozen=True, slots=True)
class Definition:
    """A named thing the file defines: a class, a function, a method (`Class.method`), a table, a service.

    `summary` is its first line of documentation, or for a table its columns and keys; `parent` the qualified name of
    what encloses it; lines start at 1 and include both ends.
    """

    name: str
    kind: str
    start_line: int
    end_line: int
    parent: str = ""
    summary: str = ""


@dataclass(frozen=True, slots=True)
class Reference:
    """A use of a name: CALLS or INHERITS, the last name alone, and the innermost definition around it ('' = module).
    `receiver` is what is before the last dot, as written: `gateway`, `self.adapter`, `Gateway()`.
    """

    relation: str
    name: str
    line: int
    caller: str = ""
    receiver: str = ""


@dataclass(frozen=True, slots=True)
class Binding:
    """A variable and what it is made from or annotated as: `gateway = Gateway()`, `self.adapter: Adapter`. `type` is
    the dotted name as written; `scope` the innermost definition around it ('' = module).
    """

    name: str
    type: str
    line: int
    scope: str = ""


@dataclass(frozen=True, slots=True)
class Import:
    """`from module import name as alias`; `name` is '' when the module itself is imported. Where modules are named by
    path, `./a/b` starts at the project's folder, and anything else is a package's name.
    """

    module: str
    name: str
    alias: str
    line: int


@dataclass(frozen=True, slots=True)
class Clue:
    """One of the two agreeing pieces of evidence that a rule looks for.

    A `needs` clue and a `provides` clue of the same `kind` and `key` make a confirmed edge of type `relation`; a
    `needs` alone is a candidate. `entity` is the definition it belongs to, '' for the file's service or else the
    project; `value` is what some kinds say of their key.
    """

    rule: str
    kind: str
    key: str
    side: Side
    relation: str
    line: int
    entity: str = ""
    says: str = ""
    value: str = ""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A name that a file spells out where names of things are: a string literal, a setting, a resource.

    `scope` is the innermost definition around it, in configuration the resource. `role` is what the words around say is
    done with it (publish, subscribe, call, store; '' for nothing); `kind` what is made there under this name (queue,
    topic, table, bucket, function, service, job), `named KIND` what a constant, `set KIND` what a setting only calls
    so; REFERENCE what refers to another resource of the same template; READ a setting's or constant's own name, where
    its value is meant; '' where the name is mentioned; `key` the
    argument or setting that has it.
    """

    name: str
    line: int
    scope: str = ""
    role: str = ""
    kind: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class FileFacts:
    """Everything a file says. `recognised` names the rules and the language that saw something in it.

    `lines` counts its lines; `summary` is the first line of what it says about itself; `package` what the file is part
    of, where files of one package see each other's names.
    """

    path: str
    lang: str
    definitions: tuple[Definition, ...] = ()
    references: tuple[Reference, ...] = ()
    imports: tuple[Import, ...] = ()
    clues: tuple[Clue, ...] = ()
    recognised: tuple[str, ...] = ()
    bindings: tuple[Binding, ...] = ()
    occurrences: tuple[Occurrence, ...] = ()
    lines: int = 1
    summary: str = ""
    package: str = ""

    def to_dict(self) -> dict[str, Any]:
        rows = {name: [row_of(one) for one in getattr(self, name)] for name in _NESTED}
        names = [list(row_of(one).values()) for one in self.occurrences]  # many, so without the names of their fields
        fields = {name: getattr(self, name) for name in self.__slots__}
        return fields | rows | {"recognised": list(self.recognised), "occurrences": names}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> FileFacts:
        fields = {name: data[name] for name in cls.__slots__}
        rows = {name: tuple(kind(**row) for row in data[name]) for name, kind in _NESTED.items()}
        occurrences = tuple(Occurrence(*row) for row in data["occurrences"])
        return cls(**fields | rows | {"recognised": tuple(data["recognised"]), "occurrences": occurrences})


_NESTED: Mapping[str, Callable[..., Any]] = {
    "definitions": Definition, "references": Reference, "imports": Import, "clues": Clue, "bindings": Binding,
}  # fmt: skip


def row_of(one: Any) -> dict[str, Any]:
    """The fields of a dataclass with slots; `asdict` would copy each, five times as slowly."""
    return {name: getattr(one, name) for name in one.__slots__}
