"""Addresses in settings files: Spring's, appsettings.json, Helm values, nginx and Envoy, and their like.

A line at a time, so that YAML, JSON, TOML, properties and a proxy's own syntax read the same: `KEY: value`,
`KEY=value`, and any URL.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from indexing.rules.addresses import addresses_in
from indexing.rules.port import Findings, Source
from indexing.rules.services import calls

if TYPE_CHECKING:
    from collections.abc import Iterator

    from indexing.facts import Clue

__all__ = ["SettingsFiles"]

FILE: Final = re.compile(
    r"(^|/)(application|bootstrap)[\w.-]*\.(ya?ml|properties)$|(^|/)appsettings[\w.-]*\.json$"
    r"|(^|/)(config|settings|default|production|development|local|values|database|mongoid|cable|redis)[\w.-]*\.(ya?ml|json|toml|ini|properties|conf)$"
    r"|\.(conf|properties)(\.(template|tmpl|j2|in))?$|(^|/)(nginx|envoy)[\w.-]*$|(^|/)Caddyfile$",
    re.IGNORECASE,
)
TESTS: Final = re.compile(r"(^|/)(src/test|tests?)/|[-.]test\.")
COMMENT: Final = re.compile(r"^\s*(?:#|//|;|--)")
ENTRY: Final = re.compile(r"""^[\s\-]*["']?([\w.\-:]+)["']?\s*[=:]\s*["']?(.*?)["']?,?;?\s*$""")
URL: Final = re.compile(r"\b[a-z][a-z0-9+.\-]*://[^\s\"'<>,;]+")
DEFAULT: Final = re.compile(r"\$\{[\w.\-]+:[-?]?([^${}]*)\}")
PROXIED: Final = re.compile(r"^\s*(?:server|address:|reverse_proxy)\s+([A-Za-z][\w.-]*:\d+)")


class SettingsFiles:
    """The file's service calls what its lines point to; a line that names nothing known gives no edge."""

    name = "settings"

    def reads(self, path: str) -> bool:
        return FILE.search(path) is not None and TESTS.search(path) is None

    def find(self, source: Source) -> Findings | None:
        lines = enumerate(source.text.split("\n"), start=1)
        found = [clue for number, line in lines if not COMMENT.match(line) for clue in self._said(line, number)]
        return Findings(clues=dict.fromkeys(found)) if found else None

    def _said(self, line: str, number: int) -> Iterator[Clue]:
        if entry := ENTRY.match(line):
            texts = [entry.groups()]
        else:
            texts = [("host", found[1]) for found in PROXIED.finditer(line)]
        texts += [("", found[0]) for found in URL.finditer(DEFAULT.sub(r"\1", line))]
        found = {address: key for key, text in reversed(texts) if text for address in addresses_in(key, text)}
        for address, key in found.items():
            yield calls(self.name, address, number, says=f"{key or 'address'} → {address.host}")
