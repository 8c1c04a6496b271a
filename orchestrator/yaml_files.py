"""YAML files that users write and name on the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import yaml

from configs.documents import read_yaml
from memory.errors import InvalidInputError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["read_yaml_file"]


def read_yaml_file(file: Path, *, hint: str = "") -> Any:
    """The document as plain data. Raises InvalidInputError for a file that cannot be read, and, with the hint, for no YAML."""
    try:
        return read_yaml(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInputError(f"{file} cannot be read ({type(error).__name__}).", "Give a YAML file.") from None
    except yaml.YAMLError as error:
        raise InvalidInputError(f"{file} is not YAML: {' '.join(str(error).split())[:200]}", hint) from None
