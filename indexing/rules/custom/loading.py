"""Reads the files that the setting `indexing.rules` names: YAML is patterns, a Python module has `RULES`."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING

from configs.documents import MOST_YAML, DocumentError, read_text
from indexing.rules.custom.patterns import rules_of
from indexing.rules.custom.python import module_rules
from memory.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from indexing.rules.port import Rule

__all__ = ["load_rules", "rules_hash"]

KEY = "indexing.rules"


def load_rules(files: Sequence[str]) -> tuple[Rule, ...]:
    """The rules of these files, in order; paths start at the working directory. Raises ConfigError, which names the file."""
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
