"""What a rule can state of a match: each statement's name, the fields it has, and how it becomes facts."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Final

from extraction.rules.port import Fact
from extraction.rules.structure.matches import Assertion, Fields, Statement
from extraction.rules.structure.statements import code, requests, routes, topics
from extraction.rules.topics import PUBLISHES, SUBSCRIBES

__all__ = ["STATEMENTS", "Assertion", "Fact", "Fields", "Statement"]

STATEMENTS: Final[Mapping[str, Statement]] = {
    "serves": Statement(routes.served, (), ("path", "verb", "handler", "of"), ("slash", "rooted", "bare"), scoped=True),
    "prefix": Statement(None, (), ("name", "path", "of")),
    "mount": Statement(None, ("name",), ("path", "of")),
    "inside": Statement(None, ("path",), (), ("class",)),
    "asks": Statement(requests.asked, ("url",), ("verb", "of"), ("sure", "based")),
    "declares": Statement(requests.declared, (), ("path", "verb"), ("bare",), scoped=True),
    "invokes": Statement(requests.invoked, ("service",), ("path", "verb")),
    "publishes": Statement(partial(topics.spoken, PUBLISHES), ("name",), ("by",), ("guess",)),
    "subscribes": Statement(partial(topics.spoken, SUBSCRIBES), ("name",), ("by",), ("guess",)),
    "binds": Statement(topics.bound, ("name",)),
    "sends": Statement(partial(topics.of_class, PUBLISHES), ("name",), ("by",), ("guess",)),
    "handles": Statement(partial(topics.of_class, SUBSCRIBES), ("name",), ("by",), ("guess",)),
    "names": Statement(topics.named, ("name", "topic")),
    "service": Statement(code.service, ("name",), ("folder",)),
    "calls": Statement(code.called, ("name",), ("by",)),
    "depends": Statement(code.depends, ("name",), ("by",)),
    "package": Statement(code.package, ("name",), (), ("of",)),
    "requires": Statement(code.requires, ("name",), (), ("of",)),
    "table": Statement(code.table, ("name",)),
    "uses": Statement(code.uses, ("name",), ("by",)),
    "keeps": Statement(code.keeps, ("name",), ("by",)),
    "refers": Statement(code.refers, ("name",), ("by",)),
    "stub": Statement(code.stub, ("name",)),
    "server": Statement(code.server, ("name",)),
    "reads": Statement(code.read, ("name",), (), ("bare", "upper")),
    "stored": Statement(code.stored, (), ("class", "table", "named"), ("convention", "columns", "row", "defines")),
    "states": Statement(code.stated, ("kind", "key", "side", "relation"), ("entity", "says", "value")),
}
"""By name. A statement whose one required field is all it has may be written as that field's value."""
