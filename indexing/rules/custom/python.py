"""Rules in Python: a module's `RULES`, each as indexing/rules/port.py says. The user named the file, so it is run."""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final

from indexing.facts import Clue, Definition
from indexing.rules.port import Findings, Source
from memory.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from indexing.rules.port import Rule

__all__ = ["module_rules"]

KEY: Final = "indexing.rules"
MISTAKES: Final = (ArithmeticError, AssertionError, AttributeError, ImportError, LookupError, NameError, OSError)
MISTAKES_TOO: Final = (RuntimeError, SyntaxError, TypeError, ValueError)
"""What a mistake in someone's code raises; an interrupt or a lack of memory is none."""


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
    return [_Checked(_rule(rule, number, path), str(path)) for number, rule in enumerate(rules, start=1)]


def _rule(rule: Any, number: int, path: Path) -> Rule:
    missing = [part for part in ("name", "reads", "find") if not hasattr(rule, part)]
    if missing or isinstance(rule, type):
        problem = "is a class; put an object of it there." if isinstance(rule, type) else f"lacks {', '.join(missing)}."
        raise ConfigError(KEY, f"{path}, rule {number}", problem, "A rule has name, reads(path) and find(source).")
    checked: Rule = rule
    return checked


@dataclass(frozen=True, slots=True)
class _Checked:
    """The rule, whose mistakes become messages that name it and the file it stumbled over."""

    rule: Rule
    file: str

    @property
    def name(self) -> str:
        return self.rule.name

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
            definitions, clues = tuple(found.definitions), tuple(found.clues)
        except (*MISTAKES, *MISTAKES_TOO) as error:
            raise self._failed(source.path, error) from error
        strange: list[object] = [one for one in definitions if not isinstance(one, Definition)]
        strange += [one for one in clues if not isinstance(one, Clue)]
        if strange:
            raise self._failed(source.path, TypeError(f"{strange[0]!r} is neither a Definition nor a Clue"))
        return Findings(definitions, clues, found.recognised)

    def _failed(self, path: str, error: BaseException) -> ConfigError:
        where = f"{self.file}, rule {self.rule.name}"
        return ConfigError(KEY, where, f"failed on {path}: {type(error).__name__}: {error}.")
