"""A scenario: one question in its context and settings, what goes wrong meanwhile, and what is expected (YAML).

schema_version: "1"
id: vector-late
query: How does OrderService connect to PaymentGateway?
context: {project: orders}               # as `retrieve` takes it
config: {agent_timeout_ms: 1000}         # settings; `profile` names another than embedded
faults: {delay: {vector: 2s}}            # agents that are late, `fail: {local: why}`, `garbage: [graph]`
expect: {query_types: [relationship], paths: [local, graph], status: {vector: timeout}, contains: [...]}

What goes wrong in a scenario, or would: agents that are late, fail, or return garbage.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import anyio

from configs import AGENTS, HybridRetrievalConfig, load_config
from memory.documents import read_yaml_file
from memory.errors import ConfigError, HybridRetrievalError, InvalidInputError, StoreError
from memory.query import TaskContext
from replay.expectations import Expectations

if TYPE_CHECKING:
    from agents.ports import Publish
    from memory.entities import Scope

_DURATION: Final = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|s|m)")
_UNITS: Final = {"ms": 0.001, "s": 1.0, "m": 60.0}
T = TypeVar("T")
_GARBAGE: Final = "this is no observation"


def read_seconds(text: object) -> float:
    """The seconds of `2s`, `300ms` or `1m`. Raises InvalidInputError."""
    found = _DURATION.fullmatch(str(text).strip())
    if found is None:
        raise InvalidInputError(f"{text!r} is no time.", "Write 300ms, 2s or 1m.")
    return float(found[1]) * _UNITS[found[2]]


@dataclass(frozen=True, slots=True)
class Faults:
    """By agent: seconds it is late, what it fails with; and which return garbage."""

    delay: Mapping[str, float] = field(default_factory=dict)
    fail: Mapping[str, str] = field(default_factory=dict)
    garbage: frozenset[str] = frozenset()

    def __or__(self, other: Faults) -> Faults:
        """Both; where they say different things of one agent, the other's."""
        return Faults({**self.delay, **other.delay}, {**self.fail, **other.fail}, self.garbage | other.garbage)

    def __bool__(self) -> bool:
        return bool(self.delay or self.fail or self.garbage)

    def around(self, name: str, agent: Any) -> Any:
        """The agent as it behaves with these faults; itself where none concerns it."""
        if not (name in self.delay or name in self.fail or name in self.garbage):
            return agent
        seconds, error = self.delay.get(name, 0.0), None
        if name in self.fail:
            error = StoreError(self.fail[name] or f"{name} was made to fail.")
        shape = _Publishing if hasattr(agent, "publish_into") else _Searching
        return shape(agent, seconds, error, returns_garbage=name in self.garbage)


class _Searching:
    """An agent with `retrieve` alone, and what comes before it."""

    def __init__(self, agent: Any, seconds: float, error: Exception | None, *, returns_garbage: bool) -> None:
        self.comparable_ratings = getattr(agent, "comparable_ratings", False)
        self._agent = agent
        self._seconds = seconds
        self._error = error
        self._returns_garbage = returns_garbage

    async def retrieve(self, query: str, context: TaskContext, scope: Scope | None = None) -> Any:
        await self._suffer()
        if self._returns_garbage:
            return [_GARBAGE]
        return await self._agent.retrieve(query, context, *([scope] if scope is not None else []))

    async def _suffer(self) -> None:
        await anyio.sleep(self._seconds)
        if self._error is not None:
            raise self._error


class _Publishing(_Searching):
    """An agent that reports as it goes, and its scope first."""

    async def publish_into(self, query: str, context: TaskContext, publish: Publish) -> None:
        await self._suffer()
        if self._returns_garbage:
            garbage: Any = _GARBAGE
            await publish(garbage)
        await self._agent.publish_into(query, context, publish)

    async def find_scope(self, entities: Sequence[str], context: TaskContext | None = None) -> Scope:
        await self._suffer()
        found: Scope = await self._agent.find_scope(entities, context)
        return found


VERSION: Final = "1"
_LONGEST_ID: Final = 200  # it is part of a file's name, of which a file system takes 255 bytes
_ID: Final = re.compile(rf"[A-Za-z0-9][A-Za-z0-9._-]{{0,{_LONGEST_ID - 1}}}")


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
        files += _offered(path) if path.is_dir() else [path]
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


def _offered(folder: Path) -> list[Path]:
    """The YAML files of a folder. Raises InvalidInputError for what is none: a pipe would be waited for."""
    files = sorted(folder.glob("*.yaml"))
    for file in files:
        if not file.is_file():
            raise InvalidInputError(f"{file} is no file.", "Take it out of the folder.")
    return files


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
            hint = f"Give a name of at most {_LONGEST_ID} letters, digits, dots and hyphens."
            raise self._wrong("id", f"is {repr(name)[:_LONGEST_ID]}.", hint)
        if not isinstance(query, str):
            raise self._wrong("query", f"is {query!r}.", "Give the question.")
        context = self._mapping(given.get("context"), "context", [f.name for f in fields(TaskContext)])
        profile, settings = self._config(given.get("config"))
        self._read("context", context, TaskContext.from_mapping)
        return Scenario(
            id=name,
            query=query,
            file=self._file,
            context=context,
            profile=profile,
            settings=settings,
            faults=self._faults(given.get("faults")),
            expect=self._expect(given.get("expect")),
        )

    def _config(self, given: Any) -> tuple[str, tuple[str, ...]]:
        document = {**self._mapping(given, "config", None)}
        profile = document.pop("profile", "embedded")
        try:
            settings = tuple(_settings(document, HybridRetrievalConfig(), ""))
        except TypeError as error:
            raise self._wrong(
                "config", f"has a value that no setting has: {error}.", "Give texts and numbers."
            ) from None

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
        seconds = {agent: self._read(f"faults.delay.{agent}", text, read_seconds) for agent, text in delay.items()}
        return Faults(seconds, {agent: str(why) for agent, why in fail.items()}, frozenset(garbage))

    def _expect(self, given: Any) -> Expectations:
        document = self._mapping(given, "expect", [f.name for f in fields(Expectations)])
        return self._read("expect", document, Expectations.read)

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

    def _read(self, key: str, given: Any, read: Callable[[Any], T]) -> T:
        """What `read` makes of what was given."""
        try:
            return read(given)
        except HybridRetrievalError as error:
            raise self._wrong(key, error.message, error.hint) from None

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
