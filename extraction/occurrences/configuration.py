"""Names in configuration: what infrastructure makes, what settings call things, which resource a setting hands on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from extraction.facts import REFERENCE, Occurrence
from extraction.occurrences.words import (
    CALL,
    COMPOUND,
    PUBLISH,
    SUBSCRIBE,
    kind_in,
    last_in,
    name_in,
    role_in,
    words_of,
)
from extraction.rules.settings import Resource, Setting, settings_in

READS: Final = frozenset({"yaml", "json", "toml", "ini", "hcl"})
LEFT_OUT: Final = re.compile(
    r"(^|/)(package(-lock)?|composer|tsconfig[\w.]*|angular|nx|project|renovate|cdk|lerna|jest[\w.]*)\.json$|[-.]lock\b"
    r"|(^|/)\.github/|(^|/)(locales?|i18n|lang|translations?|fixtures|snapshots?)/|openapi|swagger|(^|/)\.[^/]*rc(\.\w+)?$"
    r"|(^|/)(pyproject|Cargo)\.toml$|pnpm|(^|/)dashboards?/|(^|/)\.gitlab-ci|\.editorconfig$|\.gitignore$|\.dockerignore$",
    re.IGNORECASE,
)
OF_TERRAFORM: Final = re.compile(
    r"(?<![\w.])((?:module|(?!var\.|local\.|data\.|each\.|path\.|self\.)[a-z]\w*_\w+)\.[A-Za-z_][\w-]*)"
)
OF_CLOUDFORMATION: Final = re.compile(r"\$\{([A-Za-z]\w*)(?:\.[\w.]+)?\}|^([A-Za-z]\w*)(?:\.[\w.]+)?$")
PSEUDO: Final = re.compile(r"AWS\b|Stage$|Stack$|App$|Region$|Account", re.IGNORECASE)
OWN_NAME: Final = re.compile(
    r"(?:queue|topic|table|bucket|function|stream|event_?bus|job|service)?_?-?name", re.IGNORECASE
)
EVENTS: Final = frozenset({"event", "trigger", "source", "mapping"})
SOURCES: Final = EVENTS | {"arn", "id", "pattern", "detail", "name", "stream", "type"}
AWAY: Final = frozenset({"destination", "dead", "dlq", "redrive", "failure"})
"""Where what fails is sent, which says nothing of who reads it."""
RIGHTS: Final = frozenset(
    {"policy", "policies", "permission", "role", "statement", "output", "alarm", "principal", "depend"}
)
ENVIRONMENT: Final = frozenset({"env", "environment", "variable"})
VARIABLE: Final = re.compile(r"^(?:var|local)\.")
BUCKET: Final = re.compile(r"(?:gs|s3a?)://")
RUNS: Final = frozenset({"function", "service", "job"})
PLUMBING: Final = re.compile(
    r"policy|permission|project|role|alarm|subscription$|mapping$|iam|binding|member|attachment|version|alias|log|secret$|metric"
    r"|autoscal|scal|security|identity|account|certificate|domain",
    re.IGNORECASE,
)
DESCRIBES: Final = frozenset(
    {"type", "default", "description", "dependson", "depends_on", "dependencies", "action", "version"}
)
"""Settings that say what something is, not what it has to do with."""
WORKLOADS: Final = frozenset({"Service", "Job", "CronJob"})
"""Kubernetes' kinds, which its own rule reads."""
MOST: Final = 300


def configured(path: str, lang: str, text: str) -> Iterator[Occurrence]:
    if LEFT_OUT.search(path):
        return
    kinds: dict[str, str] = {}
    left = MOST
    for one in settings_in(lang, text):
        for found in _made(one, kinds) if isinstance(one, Resource) else _set(one, kinds, lang):
            left -= 1
            if left < 0:
                return
            yield found


def _made(one: Resource, kinds: dict[str, str]) -> Iterator[Occurrence]:
    last = one.type.rpartition("::")[2]
    kind = "" if PLUMBING.search(last) else kind_in(last, of_type=True)
    if last in WORKLOADS:
        kind = ""
    kinds[one.name] = kind
    if kind:
        yield Occurrence(one.name, one.line, kind=kind)


def _set(one: Setting, kinds: dict[str, str], lang: str) -> Iterator[Occurrence]:
    if not one.keys or one.keys[-1].lower() in DESCRIBES:
        return
    label = one.resource if one.resource in one.keys else one.resource.rpartition(".")[2]
    below = one.keys[one.keys.index(label) + 1 :] if label in one.keys else one.keys
    words = {word for each in below for word in words_of(each)}
    if not below or (RIGHTS & words and not EVENTS & words):
        return
    own = kinds.get(one.resource, "")
    if below == ("source",) and one.resource.startswith("module.") and not own:
        parts = (
            kind_in(part, of_type=True) or ("service" if part == "worker" else "") for part in one.value.split("/")
        )
        if kind := next(filter(None, parts), ""):
            kinds[one.resource] = kind
            yield Occurrence(one.resource, one.line - 1, kind=kind)
        return
    if own and OWN_NAME.fullmatch(one.keys[-1]) and len(one.keys) <= 4 and not one.refers:
        if name := name_in(one.value):
            yield Occurrence(name, one.line, scope=one.resource, kind=own, key=one.resource)
        return
    role = _role(below, [words_of(each) for each in below], one.resource)
    referred = _terraform(one) if lang == "hcl" else _cloudformation(one)
    for name in referred:
        if name != one.resource:
            yield Occurrence(name, one.line, scope=one.resource, role=role, kind=REFERENCE, key=one.keys[-1])
    if not referred and "\n" not in one.value and not (one.refers and lang != "hcl"):
        yield from _named(one, below, role, own)


def _named(one: Setting, below: tuple[str, ...], role: str, own: str) -> Iterator[Occurrence]:
    """A name that is there itself."""
    key = below[-1]
    kind = kind_in(key) or (kind_in(below[-2]) if len(below) > 1 and len(words_of(below[-2])) == 1 else "")
    kind = kind or ("topic" if words_of(key)[-1:] == ("subscription",) else "")
    kind = "bucket" if BUCKET.match(one.value) else kind
    value = VARIABLE.sub("", one.value) if one.refers else one.value
    name = last_in(value.partition("?")[0]) if kind and "://" in value else name_in(value)
    if not name or name.lower() in {"true", "false", "null", "none"}:
        return
    near = ".".join(one.keys[-2:])
    if kind in {"queue", "topic", "table", "bucket"} and ":" not in name:
        yield Occurrence(name, one.line, scope=one.resource, role=role, kind=f"set {kind}", key=near)
    elif COMPOUND.search(name) and (role or own in RUNS):
        yield Occurrence(name, one.line, scope=one.resource, role=role, key=near)


def _role(keys: tuple[str, ...], above: list[tuple[str, ...]], resource: str) -> str:
    """What a setting's keys say is done: a resource's events are received; a variable's own name says least."""
    words = {word for each in above[:-1] for word in each}
    if AWAY & (words | set(above[-1])):
        return ""
    if resource and any(each and set(each) <= SOURCES for each in above) and not ENVIRONMENT & words:
        return SUBSCRIBE
    if ENVIRONMENT & words or keys[-1].isupper():
        if above[-1][-1:] == ("subscription",):
            return SUBSCRIBE
        return CALL if role_in([keys[-1]]) == CALL else ""
    ways = {role_in([each]) for each in keys} & {PUBLISH, SUBSCRIBE}
    return ways.pop() if len(ways) == 1 else role_in([keys[-1]])


def _terraform(one: Setting) -> list[str]:
    found = OF_TERRAFORM.findall(one.value) if one.refers else []
    return [name for name in dict.fromkeys(found) if not PLUMBING.search(name.partition(".")[0])]


def _cloudformation(one: Setting) -> list[str]:
    if not one.resource or not (one.refers or "${" in one.value):
        return []
    found = (a or b for a, b in OF_CLOUDFORMATION.findall(one.value))
    return [name for name in dict.fromkeys(found) if not PSEUDO.search(name)]
