"""Which texts look like names that two places may both spell out, and what the words around them say.

Prose, versions, files and media types are no names. Of words, what kind of thing it is, and what is done with it: no
framework's names are here, only what engineers call things: a queue is a queue in any library.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

SHORTEST: Final = 3
LONGEST: Final = 100
FILLED: Final = re.compile(r"\$\{[^{}]*\}|#\{[^{}]*\}|\{\{[^{}]*\}\}|\{[^{}]*\}|%[sdv]\b|\$\(?\w+\)?")
"""What is filled in when the program runs, in the ways of the usual languages."""
NAME: Final = re.compile(r"[A-Za-z_][\w.:/-]*(?:\*)?")
ROUTE: Final = re.compile(r"(?:/[\w.:*{}-]+)+/?")
URL: Final = re.compile(r"[a-z][a-z0-9+]*://(?:[^/@\s]*@)?([^/:?#\s]+)(?::[^/\s]*)?(/[^\s?#]*)?")
COMPOUND: Final = re.compile(r"[A-Za-z0-9*][-_.:/]+[A-Za-z0-9*]|[a-z0-9][A-Z]")
"""More than one word; one plain word may be anybody's."""
NO_NAME: Final = re.compile(
    r"localhost|127[.]|0[.]0[.]|(?:application|text|image|audio|video|multipart|font)/|https?$|utf-?8$|[a-z]{2}[-_][A-Z]{2}$|\d|v\d",
    re.IGNORECASE,
)
_ENDS: Final = """
    py pyi js jsx ts tsx mjs cjs json yml yaml toml htm html css scss svg png jpg jpeg gif ico md txt xml csv pdf sh
    sql go rs java kt scala rb php cs proto gz zip jar exe log lock conf ini env cfg pem crt key com org io net dev
"""
FILES: Final = frozenset(_ENDS.split())
"""What is behind the dot of a file's name, or of a public host's."""
HEADER: Final = re.compile(r"(?:[A-Z][a-z]*-)+[A-Z][a-z]*")
"""`Content-Type`: names of headers are the protocol's."""
PUBLISH: Final = "publish"
SUBSCRIBE: Final = "subscribe"
CALL: Final = "call"
STORE: Final = "store"
DEPEND: Final = "depend"

KINDS: Final = {
    "queue": "queue", "topic": "topic", "stream": "topic", "exchange": "topic", "bus": "topic", "eventbus": "topic",
    "fifo": "queue", "routing": "topic", "table": "table", "tablename": "table", "collection": "table", "bucket": "bucket",  # noqa: E501 - a table
    "function": "function", "lambda": "function", "job": "job", "dlq": "queue",
}  # fmt: skip
"""What a name ends in decides: a `queue table` is a table, a `table family` none."""
PARTS: Final = frozenset({"name", "id", "url", "uri", "arn"})
"""What may come behind it: a part of the thing, which leads to it."""
SERVICES: Final = {"service": "service", "app": "service", "container": "service"}
"""What only a type of infrastructure says reliably."""
_ROLES: Final = {
    PUBLISH: (
        "publish publisher send sender emit dispatch enqueue produce producer notify push delay pusher notifier "
        "emitter dispatcher"
    ),
    SUBSCRIBE: "subscribe subscriber subscription consume consumer listen listener receive receiver handle poll bind on",  # noqa: E501 - a table
    CALL: (
        "get post put patch delete fetch request invoke call url uri host hostname endpoint addr address proxy http "
        "client forward dial connect upstream target"
    ),
    STORE: (
        "table collection bucket insert select into from query find save store scan upload download write read "
        "tablename"
    ),
    DEPEND: "wait depend dependency dependencies dep upstream require sensor",
}
ROLES: Final = {role: words.split() for role, words in _ROLES.items()}
WAYS: Final = {
    **dict.fromkeys(
        ["publish", "publisher", "pub", "send", "sender", "emit", "dispatch", "enqueue", "produce", "producer"], PUBLISH
    ),
    **dict.fromkeys(
        ["subscribe", "subscriber", "sub", "consume", "consumer", "receive", "receiver", "listener", "poll"], SUBSCRIBE
    ),
}
"""The words that tell a message's way from afar: another line of the definition, or the file's name."""
HELD: Final = {
    **dict.fromkeys(["add", "put", "push", "write", "schedule"], PUBLISH),
    **dict.fromkeys(["process", "processor", "worker", "pop", "take"], SUBSCRIBE),
}
"""What else is done with a queue by whoever holds it or is handed it."""
ROLE_OF: Final = {word: role for role, words in reversed(ROLES.items()) for word in words}
MESSAGES: Final = frozenset({"event", "topic", "subject", "channel", "routing", "detail", "message"})
"""What a field is called that says which message it is."""
CREATES: Final = frozenset({"create", "declare", "define", "assert", "ensure", "new", "make", "add"})
SAYS_NOTHING: Final = frozenset(
    {
        *KINDS, *SERVICES, "url", "uri", "arn", "name", "id", "host", "addr", "address", "endpoint", "sqs", "sns", "kafka",  # noqa: E501 - a table
        "dynamo", "dynamodb", "s3", "aws", "gcp", "key", "config", "path",
    }
)  # fmt: skip
_ADDRESSES: Final = (
    "url uri host hostname addr address endpoint base api service svc server app client port path root prefix http"
)
ADDRESSES: Final = frozenset(_ADDRESSES.split())
PLACES: Final = frozenset({"url", "uri", "host", "hostname", "addr", "address", "endpoint"})
"""What a setting's name ends in that says where something is asked."""
KEEPERS: Final = frozenset({"cache", "redis", "store", "storage", "kv", "memcached"})
"""What keeps something under a key is called so."""
WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


@lru_cache(maxsize=16384)
def name_in(text: str) -> str:
    """The name a text is or a URL leads to; '' for none. What is filled in at either end is left out (`events-${stage}`
    is `events`), unless too little would be left.
    """
    if not SHORTEST <= len(text) <= LONGEST or " " in text.strip():
        return ""
    text = FILLED.sub("*", text.strip()) if "{" in text or "$" in text or "%" in text else text
    if (url := URL.fullmatch(text)) is not None:
        return _host(url[1], url[2] or "")
    text = re.sub(r"^\*+(?=/)", "", text)
    if ROUTE.fullmatch(text):
        return text.rstrip("/") if text.count("/") > 1 or COMPOUND.search(text) else ""
    bare = text.strip("*").strip("-_.:/")
    if text.endswith("*") and not COMPOUND.search(bare):
        bare = text.lstrip("*").lstrip("-_.:/")
    plain = NAME.fullmatch(bare) and not _is_of_all(bare) and not HEADER.fullmatch(bare)
    return bare if plain and len(bare.strip("*")) >= SHORTEST else ""


def _is_of_all(text: str) -> bool:
    """Whether it says nothing of one organisation: a number, a kind of content, a file's name, a public host."""
    _, dot, end = text.rpartition(".")
    return (dot != "" and end.lower() in FILES) or NO_NAME.match(text) is not None


def _host(host: str, path: str) -> str:
    """What a URL leads to: the first part of its host, or its path where the host is filled in."""
    if host == "*" and len(path) > 1:
        return path.rstrip("/")
    host = host.partition(".")[0]
    return "" if "*" in host or _is_of_all(host) else host


BASE: Final = re.compile(r"(?:[a-z]+://)?(?:\$\{|#\{|\{\{?|\$)\s*([\w.()\[\]\"'@>-]*?)\s*\}{0,2}(?::\d+|/)")
LAST: Final = re.compile(r"(?:gs|s3a?)://([\w.-]+)/?|[a-z]+://.*/([\w.-]+)|arn:.*[:/]([\w.-]+)")


def base_in(text: str) -> str:
    """The variable that an address begins with: `gateway_url` of `${gateway_url}/orders`; '' for none."""
    found = BASE.match(text)
    words = re.findall(r"[A-Za-z]\w*", found[1]) if found else []
    return words[-1] if words and len(text) <= 2 * LONGEST else ""


def last_in(address: str) -> str:
    """What an address of a queue, topic or bucket calls it: its last part, a bucket's host; '' for another address."""
    found = LAST.fullmatch(address)
    return next(filter(None, found.groups())) if found else ""


def is_route(name: str) -> bool:
    return name.startswith("/")


@lru_cache(maxsize=8192)
def words_of(name: str) -> tuple[str, ...]:
    """`sendMessage_batch` is send, message, batch; a plural counts as one."""
    return tuple(_singular(word.lower()) for word in WORD.findall(name))


def _singular(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "sqs", "sns")) else word


def kind_in(name: str, *, of_type: bool = False) -> str:
    """What a name's end says that it is: `ORDERS_TOPIC`, `ordersTopicArn` a topic; a resource's type also a service."""
    words = words_of(name)
    last = next((word for word in reversed(words) if of_type or word not in PARTS), "")
    return KINDS.get(last) or (SERVICES.get(last, "") if of_type else "")


def role_in(names: Iterable[str]) -> str:
    """What is done, as the first of the names that says anything tells: of one, a message's way before an address."""
    for name in names:
        words = words_of(name)
        if words and words[0] == "put" and words[-1] in {"event", "record", "message"}:
            return PUBLISH  # what streams and buses call it
        roles = {ROLE_OF[word] for word in words if word in ROLE_OF}
        for role in ROLES:
            if role in roles:
                return role
    return ""


INWARD: Final = frozenset({"input", "incoming", "inbound"})
OUTWARD: Final = frozenset({"output", "outgoing", "outbound", "destination"})


def way_of(names: Iterable[str]) -> str:
    """Which way a topic or queue is used by whom it is handed to, as its names say: what is put out is published to."""
    words = {word for name in names for word in words_of(name)}
    if INWARD & words:
        return SUBSCRIBE
    return PUBLISH if OUTWARD & words else ""


def way_in(name: str) -> str:
    """Which way messages go by a name that is not at the place itself; '' where it says both or nothing."""
    words = words_of(name)
    found = {WAYS[word] for word in words if word in WAYS}
    if words and words[0] == "put" and words[-1] in {"event", "record", "message"}:
        found.add(PUBLISH)
    if "handler" in words and found == {PUBLISH}:
        return ""  # it may handle what is published
    return found.pop() if len(found) == 1 else ""


def held_way(method: str) -> str:
    """Which way messages go by a call on or with a queue or topic: `add` and `sendBatch` publish; '' for neither."""
    return way_in(method) or next((HELD[word] for word in reversed(words_of(method)) if word in HELD), "")


def creates(callee: str, *, named: bool) -> str:
    """The kind of thing that a call makes: `createQueue`, where `named` so also `new SqsQueue`; '' for none."""
    words = words_of(callee)
    kind = next((KINDS[word] for word in reversed(words) if word in KINDS), "")
    constructed = named and callee[:1].isupper() and len(words) <= 3 and words[-1] in KINDS
    return kind if kind and (constructed or not CREATES.isdisjoint(words)) else ""


@lru_cache(maxsize=8192)
def stem(name: str) -> str:
    """What is left of a name without what only says its kind: `harvester` of `HarvesterSqsQueueUrl`."""
    return "".join(word for word in words_of(name) if word not in SAYS_NOTHING)


@lru_cache(maxsize=8192)
def bare(name: str) -> str:
    """What an address is called without what only says that it is one: `order` of `ORDERS_API_URL` and of `orders`."""
    words = words_of(name)
    while words and words[-1] in ADDRESSES:
        words = words[:-1]
    return "".join(words)
