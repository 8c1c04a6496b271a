"""Which YAML files are compose's, whatever they are called (`docker-stack.yml`, `deploy/app.yml`), and the names in their networks.

https://github.com/compose-spec/compose-spec/blob/main/spec.md
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from indexing.rules.yaml_nodes import at, documents, names, pairs

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import yaml

    from indexing.rules.port import Source

__all__ = ["aliases_of", "compose_services", "dotted_aliases", "told_apart"]

FILE: Final = re.compile(r"(^|/)(docker-)?compose[\w.-]*\.ya?ml$", re.IGNORECASE)
SERVICES: Final = re.compile(r"^services:\s*(?:#.*)?$", re.MULTILINE)
TOP: Final = re.compile(r"version|name|include|services|networks|volumes|secrets|configs|x-.*")
"""All that a compose file may have at its top."""
RUNS: Final = frozenset({"image", "build", "extends"})
URL_HOST: Final = re.compile(r"(?<=://)(?:[^/@\s]*@)?(?P<host>[\w.-]+)")


def compose_services(source: Source) -> Iterator[yaml.Node]:
    """The mapping of services of each document.

    A file that is called so may say what it likes; one that is not has compose's keys alone, and its services all say what
    they run. The first version of the format had the services at its top.
    """
    called_so = FILE.search(source.path) is not None
    if not called_so and SERVICES.search(source.text) is None:
        return
    for root in documents(source.text):
        services = at(root, "services")
        if services is not None and (
            called_so or (_all_run(services) and all(TOP.fullmatch(k) for k, _ in pairs(root)))
        ):
            yield services
        elif services is None and called_so and _all_run(root):
            yield root


def _all_run(services: yaml.Node) -> bool:
    return all(RUNS & dict(pairs(node)).keys() for _, node in pairs(services))


def aliases_of(fields: Mapping[str, yaml.Node]) -> Iterator[str]:
    """What else a service is called in its networks."""
    for _, network in pairs(fields.get("networks")):
        yield from (alias for alias, _ in names(at(network, "aliases")))


def dotted_aliases(services: yaml.Node) -> dict[str, str]:
    """The services behind aliases that look like a domain's (`id.shop.local`); elsewhere such a name would mean no service."""
    named = [(name, dict(pairs(node))) for name, node in pairs(services)]
    return {alias.lower(): name for name, fields in named for alias in aliases_of(fields) if "." in alias}


def told_apart(value: str, aliases: Mapping[str, str]) -> str:
    """An address with the service in place of its alias."""
    found = URL_HOST.search(value)
    service = aliases.get(found["host"].lower(), "") if found else ""
    return f"{value[: found.start('host')]}{service}{value[found.end('host') :]}" if found and service else value
