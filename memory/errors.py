"""Every error a caller may meet, as one tree; messages are built in the class.

HybridRetrievalError                what went wrong, `hint` what to do, `code` for scripts
├── UserError                       exit 2: the caller can mend it
│   ├── InvalidQueryError           empty, too long
│   ├── InvalidInputError           an argument, a file or a filter that makes no sense
│   ├── UnknownProjectError         names only what the caller may see
│   ├── DuplicateProjectError       two folders of one name
│   ├── ConfigError                 names the key and where it is
│   ├── DataFolderError             not ours, newer, of another model, not writable, no index yet
│   ├── IndexLockedError            names who is indexing
│   └── NotInstalledError           a part of the distribution that comes with an extra; also an ImportError
├── UnavailableError                exit 3: nothing could be answered
│   ├── BusyError                   too many questions at once
│   ├── StoreError                  a store is out of reach, or refused
│   │   └── DamagedIndexError       a file of the index is not what was written
│   ├── ModelError                  weights or a hosted model are out of reach
│   │   └── NoModelError            none is installed, and none can be downloaded
│   └── StorageFullError            no room on the disk; the index is as it was
└── InvalidAnswerError              an agent returned what is no observation (an outcome, never raised to a caller)
"""

from __future__ import annotations

import copyreg
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, ClassVar, Final

__all__ = [
    "BusyError",
    "ConfigError",
    "DamagedIndexError",
    "DataFolderError",
    "DuplicateProjectError",
    "HybridRetrievalError",
    "IndexLockedError",
    "InvalidAnswerError",
    "InvalidInputError",
    "InvalidQueryError",
    "ModelError",
    "NoModelError",
    "NotInstalledError",
    "StorageFullError",
    "StoreError",
    "UnavailableError",
    "UnknownProjectError",
    "UserError",
]

ANOTHER_FOLDER: Final = (
    "Index your projects into another data folder; a copy of this one's `cache` saves the embedding."
)
HIGHER_LIMITS: Final = (
    "Allow the process more memory and threads: `ulimit -v` and `ulimit -u`, or a container's limits."
)


def _encodable(text: str) -> str:
    """Lone surrogates as escapes, since a message quotes what was read and is written to terminals, logs and JSON."""
    return text.encode("utf-8", "backslashreplace").decode()


class HybridRetrievalError(Exception):
    """The root: a message that says what, a hint that says what to do."""

    code: ClassVar[str] = "error"
    exit_code: ClassVar[int] = 3

    def __init__(self, message: str, hint: str = "") -> None:
        self.message, self.hint = _encodable(message), _encodable(hint)
        super().__init__(self.message)

    def __reduce__(self) -> tuple[Any, ...]:
        return copyreg.__newobj__, (type(self), *self.args), self.__dict__  # type: ignore[attr-defined]  # no stub has it

    def __str__(self) -> str:
        return f"{self.message} {self.hint}".strip()


class UserError(HybridRetrievalError):
    """The caller can mend it."""

    code = "invalid"
    exit_code = 2


class InvalidQueryError(UserError):
    """The question is empty or too long."""

    code = "invalid_query"


class InvalidInputError(UserError):
    """An argument, a file or a filter that makes no sense."""

    code = "invalid_input"


class NoFolderError(InvalidInputError):
    """No folder is there of what is to be indexed; it may come back, as a disk does."""


class UnknownProjectError(UserError):
    """A project no one indexed, or that this caller may not see; both read the same."""

    code = "unknown_project"

    def __init__(self, name: str, visible: Iterable[str]) -> None:
        known = ", ".join(sorted(visible))
        none = "None of those that are allowed is indexed: check their names."
        super().__init__(f"No project {name!r} here.", f"Known: {known}." if known else none)


class DuplicateProjectError(UserError):
    """Two folders would be one project."""

    code = "duplicate_project"

    def __init__(self, name: str, first: str, second: str) -> None:
        super().__init__(
            f"Two projects are called {name!r}: {first} and {second}.",
            "Rename one folder, remove the one that is indexed (index --remove NAME), or use two data folders.",
        )


class ConfigError(UserError):
    """A setting that is unknown or of the wrong type; names the key and where it is."""

    code = "config"

    def __init__(self, key: str, where: str, problem: str, hint: str = "") -> None:
        super().__init__(f"{where}: {key}: {problem}", hint)
        self.key, self.where, self.problem = key, where, problem


class DataFolderError(UserError):
    """The data folder is not ours, newer, of another model, not writable, or holds no index."""

    code = "data_folder"


class IndexLockedError(UserError):
    """Somebody else is indexing into this data folder. holder: who, for who may know it."""

    code = "index_locked"

    def __init__(self, holder: str = "") -> None:
        who = f": {holder}" if holder else ""
        super().__init__(f"Another run is indexing into this data folder{who}.", "Wait for it to end, or stop it.")


class NotInstalledError(UserError, ImportError):
    """A part that comes with an extra, which is not installed."""

    code = "not_installed"


class UnavailableError(HybridRetrievalError):
    """Nothing could be answered because a part is out of reach."""

    code = "unavailable"


class BusyError(UnavailableError):
    """More questions at once than are taken; this one was not begun."""

    code = "busy"

    def __init__(self, problem: str) -> None:
        super().__init__(f"Too many questions at once: {problem}", "Ask again in a second.")


class StoreError(UnavailableError):
    """A store is out of reach, or refused."""

    code = "store"


class DamagedIndexError(StoreError):
    """A file of the index is missing, or does not hold what was written to it."""

    code = "damaged_index"

    def __init__(self, file: Path | str, problem: str) -> None:
        super().__init__(f"The index is damaged: {file} {problem}.", ANOTHER_FOLDER)


class ModelError(UnavailableError):
    """Weights or a hosted model are out of reach."""

    code = "model"


class NoModelError(ModelError):
    """A model is neither installed nor can it be downloaded."""

    code = "no_model"


class StorageFullError(UnavailableError):
    """No room is left on the disk; what was published before is untouched."""

    code = "disk_full"

    def __init__(self, where: str, *, wanted: int = 0, free: int = 0) -> None:
        needs = f": up to {-(-wanted // 2**20)} MB may be needed, {free // 2**20} MB are free" if wanted else ""
        super().__init__(
            f"No room is left on the disk while writing {where}{needs}.",
            "Free some and run it again; nothing was lost.",
        )


class InvalidAnswerError(HybridRetrievalError):
    """An agent returned what is no observation; becomes that agent's outcome, never a caller's error."""

    code = "invalid_answer"


def key_in(environ: Mapping[str, str] | None, variable: str, setting: str, hint: str) -> str:
    """The API key in a variable, by default of the process. Raises ConfigError, naming the variable and with this hint
    where it is not set, and for a key that no header of HTTP takes, without the key.
    """
    key = (os.environ if environ is None else environ).get(variable, "").strip()
    if not key:
        raise ConfigError(setting, "environment", f"{variable} is not set.", hint)
    if not (key.isascii() and key.isprintable()):
        problem = f"{variable} has a letter or a sign that no API key has."
        raise ConfigError(setting, "environment", problem, "Copy the key again; a page may show it shortened with “…”.")
    return key
