"""Service addresses in settings and code: of a value only the host is kept, never what is before it or behind.

A URL's host, `host:port`, a connection string's `Host=`, and, under a key that says so (`…_ADDR`, `…Host`), a name
alone. Hosts are services of a
cluster or a compose network: one label, or what a cluster appends to it
(https://kubernetes.io/docs/concepts/services-networking/dns-pod-service).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

KEY: Final = re.compile(
    r"(?:(?:^|[_.\-:])(?i:ADDR(?:ESS)?|HOST(?:NAME)?|UR[LI]|ENDPOINT|SERVERS?|BROKERS?)"
    r"|(?<=[a-z])(?:Addr(?:ess)?|Host(?:name)?|Ur[li]|UR[LI]|Endpoint|Servers?|Brokers?))$"
)
DEFAULT: Final = re.compile(r"\$\{[\w.\-]+:[-?]?([^${}]*)\}")
DEEPEST: Final = 5
"""So many defaults may be in each other."""
URL: Final = re.compile(r"(?:(?:jdbc|r2dbc):)?([a-z][a-z0-9+.\-]*):///?(?:[^/@\s]*@)?([^/:?#;,\s\"'`)]+)")
WITH_PORT: Final = re.compile(r"([A-Za-z][\w\-]*(?:\.[\w\-]+)*):(?:\d{2,5}|\$\{?\w+\}?)(?:/.*)?")
CONNECTION: Final = re.compile(
    r"(?:^|[;:\s])(?:host|server|data source|address)=(?:tcp:)?([A-Za-z][\w.\-]*)|@(?:tcp|udp)\(([A-Za-z][\w.\-]*)",
    re.IGNORECASE,
)
NAME: Final = re.compile(r"[A-Za-z][\w\-]*(?:\.[\w\-]+)*")
VARIABLE: Final = re.compile(r"\$(?:\{([A-Z]\w*)\}|\(([A-Z]\w*)\)|([A-Z]\w*))")
CLUSTER: Final = re.compile(r"(?:\.[a-z0-9\-]+)?\.svc(?:\.cluster\.local|\.)?|\.(?:internal|local|consul|default)")
PROJECT: Final = re.compile(r"[a-z][\w\-]*\.(?:api|grpc|web|worker|service|server|gateway|identity)")
"""A service that is called as its .NET project: `catalog.api`. None of these is a domain's ending."""
LOCAL: Final = re.compile(
    r"(?:(?:jdbc:|r2dbc:)?(?P<scheme>[a-z][a-z0-9+.\-]*)://(?:[^/@\s]*@)?)?(?:localhost|127\.0\.0\.1):(?P<port>\d{2,5})(?!\d)"
)
SPOKEN_TO: Final = re.compile(r"(?:UR[LI]|HOST|ENDPOINT|SERVER|BROKER)S?$", re.IGNORECASE)
BROWSERS: Final = frozenset({"ws", "wss"})
"""What a browser speaks, most often to the very service that it got the address from."""
ITS_OWN: Final = re.compile(
    r"origin|cors|redirect|callback|client[_-]?ur[li]|front|issuer|public|external|listen|bind|advertised|logout|cookie|allow|swagger|\b(?:self|ui|web)\b",
    re.IGNORECASE,
)
"""Settings of where one is reached oneself, and by whom."""
OWN: Final = frozenset({"localhost", "host", "hostname", "example", "true", "false", "none", "null"})
NO_HOST: Final = frozenset({"file", "unix", "s3", "gs", "data", "classpath", "git", "arn", "npm", "vscode", "urn"})
STORES: Final = (
    "postgres", "mysql", "mariadb", "mongodb", "redis", "rediss", "sqlserver", "oracle", "cassandra", "neo4j", "bolt",
    "memcached", "valkey", "clickhouse", "cockroach", "mssql", "db2",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Address:
    """Where a value points: a `host` in lower case, else the `variable` that says it. store: a database's protocol."""

    host: str = ""
    variable: str = ""
    store: bool = False

    @property
    def relation(self) -> str:
        """What who speaks to it does: it stores in a database, and calls all else."""
        return "STORES_IN" if self.store else "CALLS"


def is_address_key(key: str) -> bool:
    """Whether a setting's name says that it holds an address: `CART_ADDR`, `spring.data.mongodb.uri`, `paymentHost`."""
    return KEY.search(key) is not None


def addresses_in(key: str, value: str) -> list[Address]:
    """What a setting, or a text without a key, points to; none when that is no service's host."""
    value = value.strip().strip("\"'")
    for _ in range(DEEPEST):  # `${NAME:-http://payments:8080}` is what follows the dash
        value = DEFAULT.sub(r"\1", value)
    if not value:
        return [Address(variable=key)] if key.isupper() and is_address_key(key) else []
    if "://" not in value and (connections := list(CONNECTION.finditer(value))):
        return [_at(found[1] or found[2], store=True) for found in connections]
    named = is_address_key(key) and re.search(r"\s", value) is None
    found = [_address(part, named=named) for part in re.split(r"[,\s]+", value)]
    return list(dict.fromkeys(address for address in found if address.host or address.variable))


def local_addresses_in(key: str, value: str) -> list[Address]:
    """What a developer's machine has at a port, as `localhost:PORT`: it takes a service that is published there. Only
    where the program itself runs on that machine: never what a container is given.
    """
    found = [LOCAL.match(part) for part in re.split(r"[,\s]+", value.strip()) if not ITS_OWN.search(key)]
    return [
        Address(f"localhost:{one['port']}", store=(one["scheme"] or "").startswith(STORES))
        for one in found
        if one and (one["scheme"] or SPOKEN_TO.search(key)) and one["scheme"] not in BROWSERS
    ]


def _address(text: str, *, named: bool) -> Address:
    url = URL.match(text)
    if url is not None:
        scheme, host = url[1], url[2]
        return Address() if scheme in NO_HOST else _at(host, store=scheme.startswith(STORES))
    if found := WITH_PORT.fullmatch(text):
        return _at(found[1])
    variable = VARIABLE.match(text)
    if variable is not None and (named or text[variable.end() :].startswith(":")):
        return _at(text[: variable.end()])
    return _at(text) if named and NAME.fullmatch(text) else Address()


def _at(host: str, *, store: bool = False) -> Address:
    if variable := VARIABLE.match(host):
        name = next(filter(None, variable.groups()))
        return Address(variable=name, store=store) if is_address_key(name) else Address()
    host = re.split(r"[${%]", host)[0].rstrip(".").lower()  # `http://catalogue%s` with a domain to come
    if PROJECT.fullmatch(host):
        return Address(host, store=store)
    first, _, rest = host.partition(".")
    if not NAME.fullmatch(host) or first in OWN or (rest and not CLUSTER.fullmatch(f".{rest}")):
        return Address()
    return Address(first, store=store)
