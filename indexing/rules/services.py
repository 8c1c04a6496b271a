"""Service clues, which every manifest and client rule gives: what a service is called, where it lives, whom it calls.

Kinds of clues (resolution/services.py and resolution/addresses.py read them):
`service`: provides = reachable under the host `key`, `value` says how it is defined (DEFINED); needs = calls that host,
which the setting `value` has (of `localhost:PORT` alone).
`service alias`: the host `key` is before the service `value`.
`service port`: the entity is published at the port `key` of the machine that it runs on.
`service folder`: the folder `key` is the entity's source.
`variable`: provides = the entity is given the variable `key` with the host `value`; needs = it reads the variable
`key`. `settings`: provides = the map of settings has `MAP/VARIABLE` with the host `value`; needs = the entity is given
`MAP/VARIABLE` as the variable `value`, or all of `MAP/`. A map is a ConfigMap by its name, or a secret (`secret_map`,
`env_map`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from indexing.facts import Clue
from indexing.rules.addresses import Address, addresses_in
from indexing.rules.common_names import is_store

__all__ = [
    "ADDRESS",
    "ENVIRONMENT",
    "FOLDER",
    "NAMED",
    "WORKLOAD",
    "calls",
    "env_map",
    "given",
    "lives_in",
    "provides_service",
    "published_at",
    "reads_variable",
    "secret_map",
]

WORKLOAD: Final = "workload"
"""How a service is defined, the most telling first: something runs it,"""
NAMED: Final = "named"
"""its own settings name it,"""
ADDRESS: Final = "address"
"""a name leads to it,"""
FOLDER: Final = "folder"
"""or a folder is built into an image, which alone is weak."""
ENVIRONMENT: Final = "env:"


def env_map(path: str) -> str:
    """The map of settings that an environment file is."""
    return ENVIRONMENT + path.replace("/", ":")


def secret_map(name: str) -> str:
    """The map of settings that a Kubernetes Secret is."""
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
    relation = "STORES_IN" if address.store else "CALLS"
    if address.host:
        says = says or f"address {address.host}"
        return Clue(rule, "service", address.host, "needs", relation, line, service, says)
    return reads_variable(rule, address.variable, line, service, relation)


def reads_variable(rule: str, variable: str, line: int, service: str = "", relation: str = "CALLS") -> Clue:
    """The service (without one: the file's) takes an address from this variable."""
    return Clue(rule, "variable", variable, "needs", relation, line, service, f"reads {variable}")


def given(rule: str, service: str, key: str, value: str, line: int) -> Iterator[Clue]:
    """The service is given this variable: it calls what that points to, and its code may say where."""
    for address in addresses_in(key, value):
        yield calls(rule, address, line, service, f"{service} is given {key} → {address.host}")
        if address.host:
            relation = "STORES_IN" if address.store else "CALLS"
            says = f"{service} is given {key} → {address.host}"
            yield Clue(rule, "variable", key, "provides", relation, line, service, says, address.host)
