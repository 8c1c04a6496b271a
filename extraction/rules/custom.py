"""Rules that users add in files of their own, named by the setting `indexing.rules` (docs/rules.md).

YAML has a pattern with named groups and what a match of it says, or is a family as structure/ reads it. A Python module
has `RULES`, each as extraction/rules/port.py says; the user named the file, so it is run.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final, get_type_hints

from configs.checks import called, fits
from configs.documents import MOST_YAML, DocumentError, parse_yaml, read_text
from extraction.facts import Clue, Definition
from extraction.rules.port import Findings, Rule, Source
from extraction.rules.structure import Family
from extraction.rules.structure.reading import KEY, families_of
from memory.errors import ConfigError

MISTAKES: Final = (ArithmeticError, AssertionError, AttributeError, ImportError, LookupError, NameError, OSError)
MISTAKES_TOO: Final = (RuntimeError, SyntaxError, TypeError, ValueError)
"""What a mistake in someone's code raises; an interrupt or a lack of memory is none."""


def rules_of(text: str, file: str) -> list[Family]:
    """The rules of a document `rules: [...]`. Raises ConfigError, which says which rule of the file and what of it."""
    try:
        document = parse_yaml(text)
    except DocumentError as error:
        raise ConfigError(KEY, file, str(error)) from None
    return families_of(document if isinstance(document, dict) else {}, file)


def module_rules(path: Path, text: str) -> Sequence[Rule]:
    """The rules of a Python file. Raises ConfigError for a file that can't be run or has none."""
    module = ModuleType(path.stem)
    module.__file__ = str(path)
    try:
        exec(compile(text, str(path), "exec"), module.__dict__)  # noqa: S102 - a plug-in, which the settings name
    except (*MISTAKES, *MISTAKES_TOO) as error:
        raise ConfigError(KEY, str(path), f"can't be run: {type(error).__name__}: {error}.") from error
    rules = getattr(module, "RULES", None)
    if not isinstance(rules, (list, tuple)) or not rules:
        raise ConfigError(KEY, str(path), "has no list `RULES`.", "See docs/rules.md for an example.")
    return [_rule_of_module(rule, number, path) for number, rule in enumerate(rules, start=1)]


def _rule_of_module(rule: Any, number: int, path: Path) -> Rule:
    missing = [part for part in ("name", "reads", "find") if not hasattr(rule, part)]
    if missing or isinstance(rule, type):
        problem = "is a class; put an object of it there." if isinstance(rule, type) else f"lacks {', '.join(missing)}."
        raise ConfigError(KEY, f"{path}, rule {number}", problem, "A rule has name, reads(path) and find(source).")
    name = rule.name
    if not isinstance(name, str):
        raise ConfigError(KEY, f"{path}, rule {number}", f"`name` is {name!r}, no text.")
    return _Checked(rule, name, str(path))


@dataclass(frozen=True, slots=True)
class _Checked:
    """The rule, whose mistakes become messages that name it and the file it stumbled over."""

    rule: Rule
    name: str
    file: str

    def reads(self, path: str) -> bool:
        try:
            return bool(self.rule.reads(path))
        except (*MISTAKES, *MISTAKES_TOO) as error:
            raise self._failed(path, error) from error

    def find(self, source: Source) -> Findings | None:
        try:
            found = self.rule.find(source)
            if found is None:
                return None
            made = Findings(tuple(found.definitions), tuple(found.clues), found.recognised)
            _check_type("recognised", made.recognised, str)
            for kind, facts in ((Definition, made.definitions), (Clue, made.clues)):
                for fact in facts:
                    _check_fact(fact, kind)
        except (*MISTAKES, *MISTAKES_TOO) as error:
            raise self._failed(source.path, error) from error
        return made

    def _failed(self, path: str, error: BaseException) -> ConfigError:
        where = f"{self.file}, rule {self.name}"
        return ConfigError(KEY, where, f"failed on {path}: {type(error).__name__}: {error}.")


def _check_fact(fact: object, kind: type) -> None:
    """Raises TypeError for a fact that is of another kind, or has something else in a field."""
    if not isinstance(fact, kind):
        raise TypeError(f"{fact!r} is no {kind.__name__}")
    for name, hint in _fields_of(kind).items():
        _check_type(f"{kind.__name__}.{name}", getattr(fact, name), hint)


def _check_type(name: str, value: object, kind: Any) -> None:
    if not fits(value, kind):
        raise TypeError(f"{name} is {value!r}, not {called(kind)}")


_fields_of = cache(get_type_hints)


def load_rules(files: Sequence[str]) -> tuple[Rule, ...]:
    """The rules of these files, in order; paths start at the working directory. Raises ConfigError, naming the file."""
    return tuple(rule for file in files for rule in _load(file))


def rules_hash(files: Sequence[str]) -> str:
    """Twelve hex digits that change with the files' texts and order; '' for none. Raises ConfigError."""
    if not files:
        return ""
    digest = hashlib.sha256()
    for file in files:
        digest.update(hashlib.sha256(_text(file).encode()).digest())
    return digest.hexdigest()[:12]


def _load(file: str) -> Sequence[Rule]:
    text = _text(file)
    if file.endswith((".yaml", ".yml")):
        return rules_of(text, file)
    if file.endswith(".py"):
        return module_rules(Path(file).expanduser(), text)
    raise ConfigError(KEY, file, "is neither YAML nor Python.", "Name a .yaml, .yml or .py file; see docs/rules.md.")


def _text(file: str) -> str:
    try:
        return read_text(Path(file).expanduser(), MOST_YAML)
    except DocumentError as error:
        raise ConfigError(KEY, file, str(error), "Paths start at the working directory.") from None
