"""Addresses in settings files, and in a program's text literals: URLs of services, and the variables that hold them.

An address alone proves nothing: it takes a service of that name, or a manifest that gives the variable (resolution).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from extraction.facts import Clue
from extraction.rules.addresses import DEFAULT, Address, addresses_in, is_address_key, local_addresses_in
from extraction.rules.clues import snake
from extraction.rules.port import COMMENT, CodeRule, FileRule, Source
from extraction.rules.services import calls, reads_variable
from extraction.rules.structure.statements.code import CONFIG_KEY

SETTINGS: Final = re.compile(
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
VARIABLE: Final = re.compile(r"\$\{([A-Z][A-Z0-9_]{2,})(?=[:}])")
REMARKED: Final = re.compile(r"^\s*(?:#|//|;|--)")
ENTRY: Final = re.compile(r"""^[\s\-]*+["']?([\w.\-:]+)["']?\s*[=:]\s*+["']?(.*?)["']?,?;?$""")
WITH_SCHEME: Final = re.compile(r"\b[a-z][a-z0-9+.\-]{0,40}://[^\s\"'<>,;]+")
REMARK: Final = re.compile(r"(?:^|\s)#.*")
DISCOVERED: Final = frozenset({"serviceId", "service-id", "ServiceName"})
"""Keys of a service that a registry finds: Zuul's, Spring Cloud Gateway's and Ocelot's."""
PROXIED: Final = re.compile(r"^\s*(?:server|address:|reverse_proxy)\s+(?:[\w.-]+\s+)?([A-Za-z][\w.-]*:\d+)")
WORTH_READING: Final = re.compile(
    r"://|addr|host|ur[il]|endpoint|server|broker|instance|feign|service|@client|:\d{2,5}[\"'`/]", re.IGNORECASE
)
LITERAL: Final = re.compile(r"""(["'`])((?:(?!\1)[^\\\n]|\\.)*)\1""")
UPPER: Final = re.compile(r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+")
PREFIXED: Final = re.compile(r"(?:SERVICE|SVC)_(?:UR[LI]|HOST|ADDR(?:ESS)?|ENDPOINT)_([A-Z][A-Z0-9_]+)")
"""A variable with the service's name at its end: `SERVICE_URI_DELIVERY`."""
ENVIRONMENT: Final = re.compile(r"\b(?:process\.env|import\.meta\.env|Deno\.env|ENV)\.([A-Z][A-Z0-9_]+)\b")
NAMES: Final = re.compile(r"[A-Za-z_][\w.\-]*")
NAME: Final = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*|[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)+")
"""Also as Eureka shows it: `@FeignClient("STOCK-SERVICE")`."""
HOST_GOES_HERE: Final = re.compile(
    r"(?:\b(?:get_?instances?|choose|feign_?client|(?<=@)client|(?:set_?|with_?)?(?:remote_?)?host(?:_?name)?|service_?host|dial)"
    r"|(?:Host|HostName|Hostname|_host|_hostname))"
    r"(?:\(\s*(?:(?:name|value|id|host|hostname|serviceId)\s*[=:]\s*)?|[\"']?\s*(?:=|:=|:|=>)\s*)$"
    r"|(?:_HOST|_ADDR|_HOSTNAME)[\"']?\]?\)?\s*(?:,|\|\||\?\?|\?:|or)\s*$",
    re.IGNORECASE,
)
LOOKED_UP: Final = re.compile(
    r"\[\s*[\"']([a-z][\w\-]*)[\"']\s*\]\s*\[\s*[\"'](?:addr(?:ess)?|host(?:name)?|ur[li])[\"']\s*\]"
)
"""`config["text-service"]["addr"]`"""
INSIDE: Final = re.compile(r"\$\{([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?::([^}]*))?\}")
CONSTANT: Final = re.compile(r"^[^\S\n]*(?:export\s+)?(?:const|let|var|val)\s+([A-Z][A-Z0-9_]+)\b", re.MULTILINE)
"""A name of the file's own, which a template speaks of where another would mean the environment's."""


class SettingsFiles(FileRule):
    """The file's service, or the one it is called after, calls what its lines point to, if anything is known there,
    and reads the variables of the environment that they name.
    """

    name = "settings"

    def reads(self, path: str) -> bool:
        wanted = (SETTINGS.search(path) or REPOSITORY.search(path)) and not EVERYBODYS.search(path)
        return bool(wanted) and TESTS.search(path) is None

    def facts(self, source: Source) -> Iterator[Clue]:
        stored = REPOSITORY.search(source.path) if SETTINGS.search(source.path) is None else None
        app = stored["app"] if stored else ""
        for number, line in enumerate(source.text.split("\n"), start=1):
            if not REMARKED.match(line):
                yield from self._in_line(line, number, app)

    def _in_line(self, line: str, number: int, app: str) -> Iterator[Clue]:
        if entry := ENTRY.match(line.rstrip()):
            texts = [("host" if entry[1] in DISCOVERED else entry[1], entry[2])]
        else:
            texts = [("host", found[1]) for found in PROXIED.finditer(line)]
        texts += [("", found[0]) for found in WITH_SCHEME.finditer(DEFAULT.sub(r"\1", line))]
        found = {address: key for key, text in reversed(texts) if text for address in addresses_in(key, text)}
        for address, key in found.items():
            yield calls(self.name, address, number, app, f"{key or 'address'} → {address.host}")
        if entry:
            key, value = entry[1], REMARK.sub("", DEFAULT.sub(r"\1", entry[2]))
            for address in local_addresses_in(key, value):
                clue = calls(self.name, address, number, app, f"{key} → {address.host}")
                yield replace(clue, value=snake(re.split(r"[.:]", key)[-1]).upper())
        for key in dict.fromkeys(VARIABLE.findall(line)):
            yield Clue(self.name, CONFIG_KEY, key, "needs", "READS", number, app, f"reads {key}")


class CodeAddresses(CodeRule):
    """What the file's service calls, by the addresses it has and the variables it reads; tests are left out."""

    name = "address in code"

    def facts(self, source: Source) -> Iterator[Clue]:
        own = frozenset(found[1] for found in CONSTANT.finditer(source.text))
        for number, line in enumerate(source.text.split("\n"), start=1):
            if WORTH_READING.search(line) and not COMMENT.match(line):
                yield from self._in_line(line, number, own)

    def _in_line(self, line: str, number: int, own: frozenset[str]) -> Iterator[Clue]:
        literals = [(found[2], found.start()) for found in LITERAL.finditer(line)]
        named = [found[1] for found in ENVIRONMENT.finditer(line)]
        for text, _ in literals:
            if named_last := PREFIXED.fullmatch(text):
                yield calls(self.name, Address(named_last[1].lower().replace("_", "-")), number, says=f"reads {text}")
            named += [text] if UPPER.fullmatch(text) else [f[1] for f in INSIDE.finditer(text) if f[1] not in own]
        yield from (reads_variable(self.name, name, number) for name in named if is_address_key(name))
        texts = [("host", found[1]) for found in LOOKED_UP.finditer(line)]
        for text, at in literals:
            is_host = NAME.fullmatch(text) and HOST_GOES_HERE.search(line[:at])
            texts += [("host" if is_host else "", text)] if " " not in text and not UPPER.fullmatch(text) else []
        for text, at in literals:
            if named_so := next((name for name in NAMES.findall(line[:at])[-2:] if is_address_key(name)), ""):
                for address in local_addresses_in(line[:at] + named_so, text):
                    yield calls(self.name, address, number, says=f"{address.host} in code")
        for key, text in texts:
            for address in addresses_in(key, text):
                if address.host:
                    yield calls(self.name, address, number, says=f"{address.host} in code")
