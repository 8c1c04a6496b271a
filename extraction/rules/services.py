"""Service clues, which every manifest and client rule gives: what a service is called, where it lives, whom it calls.

Kinds of clues (indexing/resolution/services.py and indexing/resolution/addresses.py read them):
`service`: provides = reachable under the host `key`, `value` says how it is defined (DEFINED); needs = calls that host,
which the setting `value` has (of `localhost:PORT` alone).
`service alias`: the host `key` is before the service `value`.
`service port`: the entity is published at the port `key` of the machine that it runs on.
`service folder`: the folder `key` is the entity's source.
`variable`: provides = the entity is given the variable `key` with the host `value`; needs = it reads the variable
`key`. `settings`: provides = the map of settings has `MAP/VARIABLE` with the host `value`; needs = the entity is given
`MAP/VARIABLE` as the variable `value`, or all of `MAP/`. A map is a ConfigMap by its name, or a secret (`secret_map`,
`env_map`).
`alias`: provides = the entity (without one: the file's component) is also called `value`, as its image or README's
title says; `key` is the name as it compares.

Who uses a database stores in it. Brokers are no stores: they pass on what they are given.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from extraction.facts import Clue, Definition
from extraction.rules.addresses import Address, addresses_in
from extraction.rules.expressions import line_at
from extraction.rules.port import Fact, FileRule, Source

WORKLOAD: Final = "workload"
"""How a service is defined, the most telling first: something runs it,"""
NAMED: Final = "named"
"""its own settings name it,"""
ADDRESS: Final = "address"
"""a name leads to it,"""
FOLDER: Final = "folder"
"""or a folder is built into an image, which alone is weak."""
ENVIRONMENT: Final = "env:"
ALIAS: Final = "alias"
README: Final = re.compile(r"(?:^|/)readme(?:\.(?:md|markdown|rst|adoc|txt))?$", re.IGNORECASE)
HEADING: Final = re.compile(r"^(?:#|=) +(.+?) *#*$|^(\S.*)\n={3,}$", re.MULTILINE)
MARKUP: Final = re.compile(r"<[^>]*>|!\[[^\]]*\]\([^)]*\)|\[!\[.*?\]\(.*?\)\]\(.*?\)|:[a-z_]+:|\([^()]*\)|[*`_]")
LINK: Final = re.compile(r"(?<!!)\[([^\]]+)\]\([^)]*\)")
BREAK: Final = re.compile(r"\s*[:|]\s+|\s+[-–—:|]+\s+")
TITLE: Final = re.compile(r"[A-Z]?\w+(?: \w+){1,3}")
SAYS_NOTHING: Final = frozenset(
    {"getting started", "table of contents", "read me", "what is this", "about this project"}
)
LONGEST: Final = 40
_COMMON_FOLDERS: Final = """
    src main java kotlin resources docker dockerfiles container containers build ci deploy deployment deployments k8s
    kubernetes manifests base overlays config configs scripts tools db sql mysql postgres postgresql mongo redis
    initdb init migrations migration schema data app apps api web server client service services packages lib libs
    test tests example examples sample samples dev prod production development staging local image images infra helm
    charts templates cmd internal pkg bin common shared core utils docs github rust go golang dotnet csharp python
    nodejs bak old backup archive public
"""
COMMON_FOLDERS: Final = frozenset(_COMMON_FOLDERS.split())
"""Folders that name no service by themselves."""
_ENGINES: Final = """
    postgres postgresql postgis pgvector timescaledb mysql mariadb percona mongo mongodb redis valkey keydb memcached
    memcache cassandra scylla elasticsearch opensearch dynamodb dynamodblocal couchdb couchbase cockroachdb cockroach
    mssql sqlserver oracle neo4j influxdb minio clickhouse qdrant weaviate milvus etcd rethinkdb arangodb alloydb
    cosmosdb
"""
ENGINES: Final = frozenset(_ENGINES.split())
BROKERS: Final = frozenset({"rabbitmq", "kafka", "nats", "activemq", "zookeeper", "pulsar", "mosquitto"})
WORDS: Final = frozenset({"db", "database", "store", "cache", "pgpool"})
_BESIDE: Final = """
    exporter ui express admin commander migration migrations migrator migrate init initializer operator proxy client
    backup seed seeder dashboard manager insight viewer setup job test populate loader connector
"""
BESIDE: Final = frozenset(_BESIDE.split())


def is_engine(name: str) -> bool:
    """Whether it is called as a database or broker itself, as a folder of code that speaks to one often is."""
    return name.lower() in ENGINES | BROKERS


def is_store(name: str, image: str = "") -> bool:
    """By its image, else its name: `accounts-db`, `redis-cart`; not what is beside one (`redis-exporter`)."""
    parts = re.split(r"[-_.]", name.lower())
    if BESIDE & set(parts):
        return False
    base = re.split(r"[:@]", image.rsplit("/", 1)[-1])[0].lower()
    first = re.split(r"[-_.]", base)
    if ENGINES & set(first) and not BESIDE & set(first):
        return True
    return bool(ENGINES & {parts[0], parts[-1]}) or parts[-1] in WORDS or parts[-1].endswith(("db", "-database"))


def env_map(path: str) -> str:
    return ENVIRONMENT + path.replace("/", ":")


def secret_map(name: str) -> str:
    return f"secret:{name}"


def provides_service(rule: str, host: str, name: str, line: int, how: str, image: str = "") -> Clue:
    """The service `name`, defined in this file, answers to `host`; using a database means storing in it."""
    relation = "STORES_IN" if is_store(name, image) else "CALLS"
    return Clue(rule, "service", host.lower(), "provides", relation, line, name, f"service {name}", how)


def lives_in(rule: str, folder: str, name: str, line: int) -> Clue:
    """The service's source is this folder, relative to the project."""
    return Clue(
        rule, "service folder", folder, "provides", "DEFINES", line, name, f"{name} is built from {folder or '.'}"
    )


def published_at(rule: str, port: str, name: str, line: int) -> Clue:
    """Where the service is run for development, `localhost:PORT` is its address."""
    return Clue(rule, "service port", port, "provides", "CALLS", line, name, f"{name} is published at port {port}")


def calls(rule: str, address: Address, line: int, service: str = "", says: str = "") -> Clue:
    """The service (without one: the file's) calls this address, or one that a variable will say."""
    if address.host:
        says = says or f"address {address.host}"
        return Clue(rule, "service", address.host, "needs", address.relation, line, service, says)
    return reads_variable(rule, address.variable, line, service, address.relation)


def reads_variable(rule: str, variable: str, line: int, service: str = "", relation: str = "CALLS") -> Clue:
    """The service (without one: the file's) takes an address from this variable."""
    return Clue(rule, "variable", variable, "needs", relation, line, service, f"reads {variable}")


def given(rule: str, service: str, key: str, value: str, line: int) -> Iterator[Clue]:
    """The service is given this variable: it calls what that points to, and its code may say where."""
    for address in addresses_in(key, value):
        says = f"{service} is given {key} → {address.host}"
        yield calls(rule, address, line, service, says)
        if address.host:
            yield Clue(rule, "variable", key, "provides", address.relation, line, service, says, address.host)


def also_called(rule: str, name: str, line: int, entity: str = "") -> Clue:
    says = f"also called {name}"
    return Clue(rule, ALIAS, name.casefold(), "provides", "DEFINES", line, entity, says, name)


class ReadmeTitle(FileRule):
    """A definition of kind `project` for a title of two to four words; the first part that is one, of several. The
    title of a folder's README is another name of the component in it.
    """

    name = "README title"
    files = README

    def facts(self, source: Source) -> Iterator[Fact]:
        found = HEADING.search(source.text)
        if found is None:
            return
        text = MARKUP.sub(" ", LINK.sub(r"\1", found[1] or found[2]))
        parts = (" ".join(part.split()) for part in BREAK.split(text))
        title = next((part for part in parts if TITLE.fullmatch(part) and len(part) <= LONGEST), "")
        line = line_at(source.text, found.start())
        if title and title.casefold() not in SAYS_NOTHING:
            inside = "/" in source.path
            yield also_called(self.name, title, line) if inside else Definition(title, "project", line, line)
