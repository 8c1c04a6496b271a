"""Settings and constants by their own names, where code reads them: `config.orders_url`, `Topics.ORDERS`.

What one is called says what it leads to: an address to a component, a topic's or table's to what the organisation's
settings and constants call so.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING, Final

from extraction.languages.nodes import line_of
from extraction.occurrences.code import BASE, Named, around, identifier_at
from extraction.occurrences.words import PLACES, bare, held_way, kind_in, role_in, stem, words_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ast_grep_py import SgNode

    from extraction.languages.nodes import Places

VARIABLE: Final = re.compile(
    r"([.>]\s*|(?<![\w\"'.]))([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:URL|URI|HOST|HOSTNAME|ADDR|ADDRESS|ENDPOINT|QUEUE|TOPIC|TABLE|BUCKET|STREAM"
    r"|NAME|ARN|SERVICE|KEY)(?:_[A-Z]+)?)\b"
)
"""A setting that an object of settings has under its own name: `config.ORDERS_URL`."""
FIELD: Final = re.compile(
    r"(?:(?:[cC]onfig|[sS]etting|[oO]ption|[pP]ropert)\w*+|(?<![A-Za-z])(?:[cC]onf|[cC]fg|opts|args|props|env)(?![A-Za-z]))(?:\(\))?+"
    r"(?P<parts>(?:(?:\??\.|->|::)[A-Za-z_]\w*+)++)(?P<called>\(?)"
)
"""What an object of settings is asked for: `self._config.orders_url`, `config.Grpc.Client.Chat.Endpoint`."""
CONSTANT: Final = re.compile(
    r"(?<![\w$.:\"'@])(?=[\w.:]*(?:[tT]opic|TOPIC|[qQ]ueue|QUEUE|[rR]outing|ROUTING|[eE]xchange|EXCHANGE|[cC]hannel|CHANNEL|[sS]ubject|SUBJECT"
    r"|[sS]tream|STREAM|[tT]able|TABLE|[cC]ollection|COLLECTION|[bB]ucket|BUCKET))(?:\w++(?:\.|::))*+(?P<name>[A-Z]\w*+)(?![\w(.:<])"
)
NAMED: Final = frozenset({"queue", "topic", "table", "bucket"})
JOINT: Final = re.compile(r"\??\.|->|::")
MOST: Final = 300


def settings_in(places: Places, scope: Callable[[SgNode], str]) -> Iterator[Named]:
    """The settings and constants that a program reads, the first of many. scope: which definition is around a node."""
    yield from _variables(places, scope)
    yield from islice(_fields(places, scope), MOST)
    yield from islice(_constants(places, scope), MOST)


def _variables(places: Places, scope: Callable[[SgNode], str]) -> Iterator[Named]:
    """Settings by their own names: members of an object of settings, and constants that are handed to a call."""
    seen = set()
    for found in VARIABLE.finditer(places.text):
        above = identifier_at(places, found.start(2), found.end(2))
        if not above:
            continue
        node, name = above.pop(0), found[2]
        if (name, line_of(node)) in seen:
            continue
        use = around(node, above, name, scope(node))
        callees = use.callees if use else ()
        if found[1] or role_in(callees) or any(held_way(one) or name.endswith("_KEY") for one in callees):
            seen.add((name, line_of(node)))
            yield replace(use, argument=use.argument or name) if use else Named(name, line_of(node), "", (), name)


def _fields(places: Places, scope: Callable[[SgNode], str]) -> Iterator[Named]:
    """Of the settings that an object is asked for those that by their names are addresses, topics or tables."""
    for found in FIELD.finditer(places.text):
        end = found.end("parts")
        parts = JOINT.split(found["parts"])[1:]
        if found["called"] and not parts[-1].startswith("get"):  # a method of what is asked for
            end = places.text.rfind(parts.pop(), 0, end) - 1
        name = _telling([part.removeprefix("get") for part in parts])
        above = identifier_at(places, end - 1, end) if name else []
        if above:
            yield from _read(above, name, scope)


def _telling(parts: list[str]) -> str:
    """The last name, with what it is in where it tells only of what kind it is: `Chat.Endpoint`, `topics.orders`."""
    last = parts[-1] if parts else ""
    inside = f"{parts[-2]}.{last}" if len(parts) > 1 else ""
    if words_of(last)[-1:] and words_of(last)[-1] in PLACES:
        return last if bare(last) else inside
    if kind_in(last) in NAMED:
        return last if stem(last) else inside
    return inside if inside and kind_in(parts[-2]) in NAMED else ""


def _constants(places: Places, scope: Callable[[SgNode], str]) -> Iterator[Named]:
    """Constants that by their names, or those of what they are in, are topics or tables: `RoutingKey.ORDER_CREATED`."""
    for found in CONSTANT.finditer(places.text):
        parts = re.split(r"\.|::", found[0])
        name, own = ".".join(parts[-2:]), found["name"]
        telling = kind_in(own) in NAMED and stem(own) and len(words_of(own)) > 1
        inside = len(parts) > 1 and kind_in(parts[-2].removesuffix("Key").removesuffix("_KEY")) in NAMED  # RoutingKey
        above = identifier_at(places, found.start("name"), found.end("name")) if telling or inside else []
        if above:
            yield from _read(above, name, scope)


def _read(above: list[SgNode], name: str, scope: Callable[[SgNode], str]) -> Iterator[Named]:
    node = above.pop(0)
    if words_of(name)[-1] in PLACES:
        if not name.isupper():
            yield Named(name, line_of(node), scope(node), (), BASE)
        return
    use = around(node, above, name, scope(node))
    if use is not None and (use.callees or use.variable) and use.variable != name:
        yield replace(use, is_setting=True)
