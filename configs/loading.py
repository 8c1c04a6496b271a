"""One config out of a profile, a file, the environment and the command line (docs/design.md#settings)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from operator import attrgetter
from pathlib import Path
from typing import Any, TypeAlias, get_args, get_origin, get_type_hints

from configs.checks import SettingError, checked, from_text
from configs.documents import DocumentError, parse_yaml, read_text
from configs.settings import HybridRetrievalConfig

PREFIX = "HYBRID_RETRIEVAL_"
NOT_SETTINGS = ("HYBRID_RETRIEVAL_TEST_", "HYBRID_RETRIEVAL_DATA_DIR", "HYBRID_RETRIEVAL_PROFILE")
MakeError: TypeAlias = Callable[[str, str, str, str], Exception]
Values: TypeAlias = dict[str, Any]
_PROFILES = Path(__file__).with_name("profiles")


def load_config(
    profile: str = "embedded",
    file: str | Path | None = None,
    env: Mapping[str, str] | None = None,
    overrides: Sequence[str] = (),
    *,
    error: MakeError = SettingError,
    warn: Callable[[str], None] | None = None,
) -> HybridRetrievalConfig:
    """Profile < file < `env` (HYBRID_RETRIEVAL_<FIELD>, SECTION__FIELD) < `overrides` (KEY=VALUE, dotted or
    SECTION__FIELD).

    The environment is what the door passes in; an unknown name there only warns. Anything else that is unknown,
    ill-typed or out of range raises `error(key, where, problem, hint)`; a door passes its own error class (this folder
    knows none).
    """
    try:
        values = _gathered(profile, file, env or {}, overrides, warn or _warn)
    except SettingError as wrong:
        raise error(*wrong.given) from None
    config: HybridRetrievalConfig = _build(HybridRetrievalConfig, values, "")
    return config


def _warn(message: str) -> None:
    import logging  # noqa: PLC0415 - 10 ms that only a mistake needs

    logging.getLogger("hybrid_retrieval").warning(message)


def _gathered(
    profile: str,
    file: str | Path | None,
    env: Mapping[str, str],
    overrides: Sequence[str],
    warn: Callable[[str], None],
) -> Values:
    known = known_settings()
    if profile not in profiles():
        raise SettingError(profile, "--profile", "no such profile.", f"There are: {', '.join(profiles())}.")
    values = _read(_PROFILES / f"{profile}.yaml", f"profile {profile}", known)
    if file is not None:
        values.update(_read(Path(file), str(file), known))
    values.update(_environment(env, known, warn))
    for override in overrides:
        key, equals, text = override.partition("=")
        key = key.strip().lower().replace("__", ".")
        if not equals:
            raise SettingError(override, "--set", "is not KEY=VALUE.", "For example: --set scope.mode=sequential.")
        kind = _kind(key, "--set", known)
        values[key] = checked(key, "--set", from_text(key, "--set", text.strip(), kind), kind)
    return values


@cache
def profiles() -> tuple[str, ...]:
    return tuple(sorted(entry.stem for entry in _PROFILES.glob("*.yaml")))


@cache
def known_settings() -> Mapping[str, Any]:
    """Every setting by its dotted name, with its type."""
    return dict(_walk(HybridRetrievalConfig, ""))


def reaching(config: HybridRetrievalConfig, own: HybridRetrievalConfig) -> list[str]:
    """The settings by which a config names what `own` does not name: a server, a model, a file, a variable.

    That is what is free text in a section, and the choice of a provider and of a store.
    """
    naming = [key for key, kind in known_settings().items() if _names(key, kind)]
    return [key for key in naming if attrgetter(key)(config) != attrgetter(key)(own)]


def _names(key: str, kind: Any) -> bool:
    is_text = kind is str or (get_origin(kind) is not dict and str in get_args(kind))
    return "." in key and (is_text or key.endswith((".provider", ".store")))


def _walk(cls: type, prefix: str) -> Iterator[tuple[str, Any]]:
    for name, kind in get_type_hints(cls).items():
        if is_dataclass(kind) and isinstance(kind, type):
            yield from _walk(kind, f"{prefix}{name}.")
        else:
            yield prefix + name, kind


def _kind(key: str, where: str, known: Mapping[str, Any]) -> Any:
    if key in known:
        return known[key]
    outer, _, inner = key.rpartition(".")
    if get_origin(known.get(outer)) is dict:
        raise SettingError(key, where, "no such setting.", f"{outer} is one mapping: {outer}={{{inner}: VALUE}}.")
    import difflib  # noqa: PLC0415 - 9 ms that only a mistake needs

    near = difflib.get_close_matches(key, known, n=1) or [k for k in known if k.rpartition(".")[2] == key]
    hint = f"Did you mean {near[0]}?" if near else f"Known: {', '.join(sorted(known))}."
    raise SettingError(key, where, "no such setting.", hint)


def _read(source: Path, where: str, known: Mapping[str, Any]) -> Values:
    try:
        document = parse_yaml(read_text(source))
    except DocumentError as error:
        raise SettingError("--config", where, str(error), "Give a YAML file.") from None
    if document is None:
        return {}
    return dict(_flatten(document, "", where, known))


def _flatten(document: Any, prefix: str, where: str, known: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    if not isinstance(document, Mapping):
        raise SettingError(
            prefix.rstrip(".") or "the file", where, "is not a mapping of settings", "Write KEY: VALUE lines."
        )
    for name, value in document.items():
        key = f"{prefix}{name}"
        if any(k.startswith(f"{key}.") for k in known):
            yield from _flatten(value, f"{key}.", where, known)
        else:
            yield key, checked(key, where, value, _kind(key, where, known))


def _environment(env: Mapping[str, str], known: Mapping[str, Any], warn: Callable[[str], None]) -> Values:
    values: Values = {}
    for name in sorted(env):
        if not name.startswith(PREFIX) or name.startswith(NOT_SETTINGS):
            continue
        key = name.removeprefix(PREFIX).lower().replace("__", ".")
        if key in known:
            values[key] = checked(key, name, from_text(key, name, env[name], known[key]), known[key])
        else:
            warn(f"{name} in the environment is no setting and is ignored.")
    return values


def _build(cls: type, values: Values, prefix: str) -> Any:
    """An instance with its sections; what `values` leaves out keeps its default."""
    hints = get_type_hints(cls)
    given = {}
    for field in fields(cls):
        kind = hints[field.name]
        if is_dataclass(kind) and isinstance(kind, type):
            given[field.name] = _build(kind, values, f"{prefix}{field.name}.")
        elif f"{prefix}{field.name}" in values:
            given[field.name] = values[f"{prefix}{field.name}"]
    return cls(**given)
