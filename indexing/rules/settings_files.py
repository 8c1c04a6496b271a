"""Addresses in settings files: Spring's, appsettings.json, Helm values, nginx and Envoy, and their like.

A line at a time, so that YAML, JSON, TOML, properties and a proxy's own syntax read the same: `KEY: value`,
`KEY=value`, and any URL.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from indexing.rules.addresses import addresses_in, local_addresses_in
from indexing.rules.port import Findings, Source
from indexing.rules.services import calls
from indexing.rules.tables import snake

if TYPE_CHECKING:
    from collections.abc import Iterator

    from indexing.facts import Clue

__all__ = ["SettingsFiles"]

FILE: Final = re.compile(
    r"(^|/)(application|bootstrap)[\w.-]*\.(ya?ml|properties)$|(^|/)appsettings[\w.-]*\.json$"
    r"|(^|/)(config|settings|default|production|development|local|values|database|mongoid|cable|redis)[\w.-]*\.(ya?ml|json|toml|ini|properties|conf)$"
    r"|\.(conf|properties)(\.(template|tmpl|j2|in))?$|(^|/)(nginx|envoy)[\w.-]*$|(^|/)Caddyfile$"
    r"|(^|/)(ocelot|yarp|krakend|traefik|kong|haproxy)[\w.-]*\.(ya?ml|json|toml|cfg)$",
    re.IGNORECASE,
)
REPOSITORY: Final = re.compile(
    r"(^|/)(?:shared|[\w-]*config[\w-]*)/(?:[\w-]+/)*(?P<app>[a-z][\w-]*)\.(?:ya?ml|properties)$"
)
"""Spring Cloud Config's file of an application: `config-repo/orders.yml`
(https://docs.spring.io/spring-cloud-config/reference/server/environment-repository)."""
EVERYBODYS: Final = re.compile(r"(^|/)(?:shared|[\w-]*config-repo[\w-]*)/application[\w-]*\.(?:ya?ml|properties)$")
TESTS: Final = re.compile(r"(^|/)(src/test|tests?)/|[-.]test\.")
COMMENT: Final = re.compile(r"^\s*(?:#|//|;|--)")
ENTRY: Final = re.compile(r"""^[\s\-]*+["']?([\w.\-:]+)["']?\s*[=:]\s*+["']?(.*?)["']?,?;?$""")
URL: Final = re.compile(r"\b[a-z][a-z0-9+.\-]{0,40}://[^\s\"'<>,;]+")
DEFAULT: Final = re.compile(r"\$\{[\w.\-]+:[-?]?([^${}]*)\}")
REMARK: Final = re.compile(r"(?:^|\s)#.*")
DISCOVERED: Final = frozenset({"serviceId", "service-id", "ServiceName"})
"""Keys of a service that a registry finds: Zuul's, Spring Cloud Gateway's and Ocelot's."""
PROXIED: Final = re.compile(r"^\s*(?:server|address:|reverse_proxy)\s+(?:[\w.-]+\s+)?([A-Za-z][\w.-]*:\d+)")


class SettingsFiles:
    """The file's service, or the one it is called after, calls what its lines point to; a line that names nothing known gives no edge."""

    name = "settings"

    def reads(self, path: str) -> bool:
        wanted = (FILE.search(path) or REPOSITORY.search(path)) and not EVERYBODYS.search(path)
        return bool(wanted) and TESTS.search(path) is None

    def find(self, source: Source) -> Findings | None:
        lines = enumerate(source.text.split("\n"), start=1)
        stored = REPOSITORY.search(source.path) if FILE.search(source.path) is None else None
        app = stored["app"] if stored else ""
        found = [clue for number, line in lines if not COMMENT.match(line) for clue in self._said(line, number, app)]
        return Findings(clues=dict.fromkeys(found)) if found else None

    def _said(self, line: str, number: int, app: str) -> Iterator[Clue]:
        if entry := ENTRY.match(line.rstrip()):
            texts = [("host" if entry[1] in DISCOVERED else entry[1], entry[2])]
        else:
            texts = [("host", found[1]) for found in PROXIED.finditer(line)]
        texts += [("", found[0]) for found in URL.finditer(DEFAULT.sub(r"\1", line))]
        found = {address: key for key, text in reversed(texts) if text for address in addresses_in(key, text)}
        for address, key in found.items():
            yield calls(self.name, address, number, app, f"{key or 'address'} → {address.host}")
        if entry:
            key, value = entry[1], REMARK.sub("", DEFAULT.sub(r"\1", entry[2]))
            for address in local_addresses_in(key, value):
                clue = calls(self.name, address, number, app, f"{key} → {address.host}")
                yield replace(clue, value=snake(re.split(r"[.:]", key)[-1]).upper())
