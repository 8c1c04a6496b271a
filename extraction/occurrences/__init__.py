"""Names that a file spells out, with what the words around them say: from them a relation is read without a rule.

Whatever a file is written in; tests and documents have none, nor has what a machine wrote.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from extraction.facts import READ, Occurrence
from extraction.kinds import kind_of, language_of
from extraction.languages.nodes import Places
from extraction.occurrences.code import BASE, Named, literals_in
from extraction.occurrences.configuration import OWN_NAME, configured
from extraction.occurrences.configuration import READS as CONFIGURATION
from extraction.occurrences.settings import settings_in
from extraction.occurrences.words import (
    CALL,
    COMPOUND,
    MESSAGES,
    PLACES,
    STORE,
    base_in,
    creates,
    held_way,
    is_route,
    kind_in,
    name_in,
    role_in,
    way_in,
    words_of,
)
from extraction.rules.clues import METHODS

if TYPE_CHECKING:
    from ast_grep_py import SgNode

__all__ = ["PLAIN", "has_names", "named_in", "occurrences_of"]

PLAIN: Final = frozenset({"lua", "groovy", "clojure", "erlang", "vue", "shell", "julia"})
LITERAL: Final = re.compile(r"\"((?:[^\"\\\n]|\\.){3,120})\"|'([^'\\\n]{3,120})'")
CALLEE: Final = re.compile(r"(\w+)(?:\[[^\]]*\])?\s*\((?:[^()\"']*,\s*)?[a-z]*$")
ASSIGNED: Final = re.compile(r"(\w+)\s*(?::\s*\w+\s*)?[:=]>?\s*[a-z]*$")
COMMENT: Final = re.compile(r"\s*(?://|#(?!\{)|\*|--|;)")
MOST: Final = 300
TESTS: Final = re.compile(
    r"(^|/)migrations?/|(^|/)(?:[\w.]+[-_.])?(?:tests?|Tests|[a-z]+Test|testdata|spec|mocks?|e2e|stories)/"
)
CHECKS: Final = re.compile(
    r"log|print|error|warn|info|debug|assert|raise|panic|exception|describe|it$|getLogger|trans|^t$", re.IGNORECASE
)
"""What only shows a text to people."""
READS: Final = frozenset({"get", "arg", "flag", "option", "env", "setting", "config", "value", "default", "property"})
"""What is in the name of a call that reads or declares a setting."""
SYMBOL: Final = re.compile(r"(?:[a-z][\w]*[./])+[A-Z]\w*(?:(?:::|\.|#)\w+)?")
"""A class by its full name, as a settings' value or a deployment writes a handler: `com.shop.Sender::handle`."""


def named_in(strings: Iterable[SgNode], root: SgNode, scope: Callable[[SgNode], str]) -> tuple[Named, ...]:
    """The literals, settings and constants of a program that look like names, the first of many.

    Args:
        strings: Its literals.
        root: Its tree.
        scope: Which definition is around a node.
    """
    places = Places(root)
    return (*literals_in(strings, places, scope), *settings_in(places, scope))


def plain_names(text: str) -> Iterator[Named]:
    count = 0
    for number, line in enumerate(text.split("\n"), 1):
        if COMMENT.match(line) or len(line) > 500:
            continue
        for found in LITERAL.finditer(line):
            if base := base_in(found[1] or found[2]):
                yield Named(base, number, "", (), BASE)
            name = name_in(found[1] or found[2])
            if not name or count >= MOST:
                continue
            count += 1
            before = line[: found.start()]
            callee, assigned = CALLEE.search(before), ASSIGNED.search(before)
            yield Named(name, number, "", (callee[1],) if callee else (), "", assigned[1] if assigned else "", number)


def has_names(path: str) -> bool:
    """Whether a file's names count: a program's or a configuration's."""
    return kind_of(path, language_of(path)) in {"code", "config"} and TESTS.search(path) is None


def occurrences_of(path: str, text: str, named: Sequence[Named]) -> tuple[Occurrence, ...]:
    """What the file spells out. named: what its grammar found in it."""
    lang = language_of(path)
    if not has_names(path):
        return ()
    if lang in CONFIGURATION:
        found: Iterable[Occurrence] = configured(path, lang, text)
    else:
        found = _spoken(plain_names(text) if lang in PLAIN else named)
    return tuple(sorted(set(found), key=lambda o: (o.line, o.name, o.scope, o.role, o.kind, o.key)))


def _spoken(named: Iterable[Named]) -> Iterator[Occurrence]:
    """Of names in code those that two places may share, and those of which the words around say what they are."""
    for one in named:
        if one.argument == BASE:
            yield Occurrence(one.name, one.line, one.scope, CALL, "", BASE)
            continue
        if any(CHECKS.match(callee) and not creates(callee, named=False) for callee in one.callees[:1]):
            continue
        if one.is_setting:
            way = next(filter(None, map(way_in, (*one.callees, one.argument))), "")
            yield Occurrence(one.name, one.line, one.scope, way, READ, one.argument)
            continue
        if _is_setting(one):
            yield Occurrence(one.name, one.line, one.scope, CALL, "", BASE)
        yield from _made(one) or _mentioned(one)


def _is_setting(one: Named) -> bool:
    """Whether a literal is the name of a setting or flag that has an address: `get("orders-url")`."""
    words = words_of(one.name)
    asked = any(not READS.isdisjoint(words_of(callee)) for callee in one.callees)
    return asked and words[-1:] != () and words[-1] in PLACES and not one.name.isupper()


def _made(one: Named) -> list[Occurrence]:
    """A thing that a call makes under this name, and a constant that only calls it so."""
    if one.argument and not OWN_NAME.fullmatch(one.argument):
        return []
    named = one.placed or bool(one.argument)
    kind = next(filter(None, (creates(callee, named=named) for callee in one.callees)), "")
    if kind:
        return [Occurrence(one.name, one.line, one.scope, "", kind, f"@{one.call}")]
    kind = kind_in(one.variable) if not (one.callees or is_route(one.name) or one.name.isupper()) else ""
    return [Occurrence(one.name, one.line, one.scope, "", f"named {kind}", one.variable)] if kind else []


def _mentioned(one: Named) -> Iterator[Occurrence]:
    key = one.argument or one.variable
    kind = kind_in(one.argument) if one.callees else ""
    role = role_in(one.callees if one.name.isupper() else [*one.callees, one.argument])
    if not role and one.callees and kind_in(one.name) in {"queue", "topic"}:
        role = held_way(one.callees[0])
    role = STORE if role == CALL and kind in {"table", "bucket"} else role  # both have a `get` and a `put`
    named_so = "" if one.name.isupper() else role_in([one.variable])
    if not role and named_so in {CALL, STORE}:  # what a variable is called tells of an address, not of a way
        role = named_so
    if is_route(one.name):
        verb = next((callee.upper() for callee in one.callees if callee.upper() in METHODS), "")
        role, key = ("" if role == STORE else role), verb
    compound = COMPOUND.search(one.name) is not None
    if not role and not MESSAGES.isdisjoint(words_of(key)):
        yield Occurrence(one.name, one.line, one.scope, "", "", key)
    elif SYMBOL.fullmatch(one.name) or kind_in(one.name) or (role and (compound or kind)):
        yield Occurrence(one.name, one.line, one.scope, role, "", key)
    elif compound and "." not in one.name:
        yield Occurrence(one.name, one.line, one.scope)
