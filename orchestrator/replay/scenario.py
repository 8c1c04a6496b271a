"""A scenario: one question in its context and settings, what goes wrong meanwhile, and what is expected (YAML).

schema_version: "1"
id: vector-late
query: How does OrderService connect to PaymentGateway?
context: {project: orders}               # as `retrieve` takes it
config: {agent_timeout_ms: 1000}         # settings; `profile` names another than embedded
faults: {delay: {vector: 2s}}            # agents that are late, `fail: {local: why}`, `garbage: [graph]`
expect: {query_types: [relationship], paths: [local, graph], status: {vector: timeout}, contains: [...]}
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any, Final

from configs import HybridRetrievalConfig, load_config
from memory.errors import ConfigError, HybridRetrievalError, InvalidInputError
from memory.query import TaskContext
from orchestrator.documents import read_yaml_file
from orchestrator.replay.expectations import Expectations
from orchestrator.replay.faults import AGENTS, Faults, read_seconds

__all__ = ["Scenario", "find_scenarios", "read_scenario"]

VERSION: Final = "1"
_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


@dataclass(frozen=True, slots=True)
class Scenario:
    """One scenario file. `settings` are `config` as KEY=VALUE."""

    id: str
    query: str
    file: Path
    context: Mapping[str, Any] = field(default_factory=dict)
    profile: str = "embedded"
    settings: tuple[str, ...] = ()
    faults: Faults = field(default_factory=Faults)
    expect: Expectations = field(default_factory=Expectations)

    @property
    def cassette(self) -> Path:
        """Where its recording lies."""
        return self.file.with_name(f"{self.id}.cassette.json.gz")

    @property
    def permission(self) -> frozenset[str] | None:
        """The projects its context allows, None where it leaves that open."""
        return TaskContext.from_mapping(self.context).stated_permission

    def config(self, settings: tuple[str, ...] = (), file: Path | None = None) -> HybridRetrievalConfig:
        """Its profile, then `file`, then its own settings, then `settings`. Raises ConfigError."""
        return load_config(self.profile, file, {}, (*self.settings, *settings), error=ConfigError)


def find_scenarios(paths: tuple[Path, ...]) -> list[Scenario]:
    """The scenarios of these files and folders, by id. Raises InvalidInputError for none, and for one id twice."""
    files: list[Path] = []
    for path in paths:
        files += sorted(path.glob("*.yaml")) if path.is_dir() else [path]
    scenarios: dict[str, Scenario] = {}
    for file in files:
        scenario = read_scenario(file)
        if scenario.id in scenarios and scenarios[scenario.id].file.resolve() != file.resolve():
            raise InvalidInputError(
                f"{file} and {scenarios[scenario.id].file} are both called {scenario.id}.", "Rename one."
            )
        scenarios[scenario.id] = scenario
    if not scenarios:
        raise InvalidInputError("There is no scenario here.", "Give YAML files, or a folder that holds some.")
    return [scenarios[name] for name in sorted(scenarios)]


def read_scenario(file: Path) -> Scenario:
    """The scenario of a file. Raises InvalidInputError and ConfigError, which name the key and the file."""
    return _Reader(file).scenario(read_yaml_file(file))


class _Reader:
    """Reads one file; every complaint names it and the key."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def scenario(self, document: Any) -> Scenario:
        known = ("schema_version", "id", "query", "context", "config", "faults", "expect")
        given = self._mapping(document, "", known)
        if str(given.get("schema_version")) != VERSION:
            raise self._wrong("schema_version", f"is {given.get('schema_version')!r}.", f'Write "{VERSION}".')
        name, query = given.get("id"), given.get("query")
        if not isinstance(name, str) or not _ID.fullmatch(name):
            raise self._wrong("id", f"is {name!r}.", "Give a name of letters, digits, dots and hyphens.")
        if not isinstance(query, str):
            raise self._wrong("query", f"is {query!r}.", "Give the question.")
        context = self._mapping(given.get("context"), "context", [f.name for f in fields(TaskContext)])
        profile, settings = self._config(given.get("config"))
        return Scenario(
            id=name,
            query=query,
            file=self._file,
            context=self._checked("context", context, TaskContext.from_mapping),
            profile=profile,
            settings=settings,
            faults=self._faults(given.get("faults")),
            expect=self._expect(given.get("expect")),
        )

    def _config(self, given: Any) -> tuple[str, tuple[str, ...]]:
        document = {**self._mapping(given, "config", None)}
        profile = document.pop("profile", "embedded")
        settings = tuple(_settings(document, HybridRetrievalConfig(), ""))

        def wrong(key: str, _: str, problem: str, hint: str) -> ConfigError:
            return ConfigError(f"config.{key}", str(self._file), problem, hint)

        load_config(str(profile), None, {}, settings, error=wrong)
        return str(profile), settings

    def _faults(self, given: Any) -> Faults:
        document = self._mapping(given, "faults", ("delay", "fail", "garbage"))
        delay = self._mapping(document.get("delay"), "faults.delay", AGENTS)
        fail = self._mapping(document.get("fail"), "faults.fail", AGENTS)
        garbage = document.get("garbage") or []
        if not isinstance(garbage, list) or not all(agent in AGENTS for agent in garbage):
            raise self._wrong("faults.garbage", f"is {garbage!r}.", f"List some of {', '.join(AGENTS)}.")
        seconds = {
            agent: self._checked(f"faults.delay.{agent}", text, read_seconds) and read_seconds(text)
            for agent, text in delay.items()
        }
        return Faults(seconds, {agent: str(why) for agent, why in fail.items()}, frozenset(garbage))

    def _expect(self, given: Any) -> Expectations:
        document = self._mapping(given, "expect", [f.name for f in fields(Expectations)])
        self._checked("expect", document, Expectations.read)
        return Expectations.read(document)

    def _mapping(self, given: Any, key: str, known: Any) -> Mapping[str, Any]:
        """A mapping with no key but the known ones; None is an empty one."""
        if given is None and key:
            return {}
        if not isinstance(given, Mapping):
            raise self._wrong(key or "the file", "is no mapping.", "Write KEY: VALUE lines.")
        for name in given:
            if known is not None and name not in known:
                path = f"{key}.{name}" if key else str(name)
                raise self._wrong(path, "is no key of a scenario.", f"Known here: {', '.join(known)}.")
        return given

    def _checked(self, key: str, given: Any, read: Any) -> Any:
        """What was given, which `read` takes."""
        try:
            read(given)
        except HybridRetrievalError as error:
            raise self._wrong(key, error.message, error.hint) from None
        return given

    def _wrong(self, key: str, problem: str, hint: str = "") -> InvalidInputError:
        return InvalidInputError(f"{self._file}: {key}: {problem}", hint)


def _settings(document: Mapping[str, Any], section: Any, prefix: str) -> Iterator[str]:
    """A section's settings as KEY=VALUE; what is no section is a value."""
    for name, value in document.items():
        inner = getattr(section, str(name), None)
        if isinstance(value, Mapping) and is_dataclass(inner):
            yield from _settings(value, inner, f"{prefix}{name}.")
        else:
            text = value if isinstance(value, str) else json.dumps(value)  # YAML reads it
            yield f"{prefix}{name}={text}"
