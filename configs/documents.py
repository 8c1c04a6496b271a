"""YAML and JSON as plain data: the files that come with us, and those that a user names, which may hold anything.

What a user names is read within bounds of size and depth, so that whoever walks through it needs none of their own.
YAML is read by libyaml where PyYAML was built with it, in a tenth of the time; it recurses in C, so that its depth has
to be known before.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any, Final, NoReturn

import yaml

DEEPEST: Final = 100
MOST_VALUES: Final = 100_000  # of YAML, those that aliases repeat counted again
MOST_YAML: Final = 1_000_000  # characters: seconds of work
MOST_JSON: Final = 64_000_000
_LONGEST_NUMBER: Final = 1_000
_SHOWN: Final = 200
_LARGEST_SHOWN: Final = 10**18
_BADLY_TAGGED: Final = (ValueError, LookupError, AttributeError, TypeError, OverflowError)
"""What PyYAML raises for a date or a number that is none."""
_SafeLoader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_SafeLoader):  # type: ignore[misc]
    """Safe YAML, where no key stands twice in a mapping and `1:30` is a text, as in YAML 1.2 (in 1.1 it is 90)."""

    def construct_mapping(self, node: yaml.MappingNode, *deep: bool) -> dict[Any, Any]:
        seen: set[tuple[str, str]] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode) and (key.tag, key.value) in seen:
                problem = f"the key {key.value[:_SHOWN]!r} stands twice"
                raise yaml.constructor.ConstructorError(None, None, problem, key.start_mark)
            if isinstance(key, yaml.ScalarNode):
                seen.add((key.tag, key.value))
        mapping: dict[Any, Any] = super().construct_mapping(node, *deep)
        return mapping

    def number(self, node: yaml.ScalarNode) -> Any:
        kind = node.tag.rpartition(":")[2]
        return node.value if ":" in node.value else getattr(self, f"construct_yaml_{kind}")(node)


_Loader.add_constructor("tag:yaml.org,2002:int", _Loader.number)
_Loader.add_constructor("tag:yaml.org,2002:float", _Loader.number)


class DocumentError(ValueError):
    """What is wrong with a document, as a predicate: "is not YAML: …"."""


def shown(value: object) -> str:
    """A value as an error quotes it: not whole where it is long; an integer of thousands of digits can't be printed."""
    if isinstance(value, int) and abs(value) > _LARGEST_SHOWN:
        return "a number of too many digits"
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def read_yaml(text: str) -> Any:
    """A document of our own as plain data, None when it is empty. Raises yaml.YAMLError."""
    return yaml.load(text, Loader=_Loader)  # noqa: S506 - the safe loader in C


def read_bytes(file: Path, most: int = MOST_JSON) -> bytes:
    """A file that a user names, a pipe too. Raises DocumentError when it can't be read, or is longer than `most`."""
    try:
        with file.open("rb") as stream:
            content = stream.read(most + 1)
    except (OSError, ValueError) as error:  # a ValueError for a name with a zero character
        raise DocumentError(f"cannot be read ({type(error).__name__}).") from None
    if len(content) > most:
        raise DocumentError(f"is larger than {most / 1_000_000:g} MB.")
    return content


def read_text(file: Path, most: int = MOST_JSON) -> str:
    """The same as text. Raises DocumentError, also where it is not UTF-8."""
    try:
        return read_bytes(file, most).decode("utf-8")
    except UnicodeDecodeError as error:
        raise DocumentError(f"cannot be read ({type(error).__name__}).") from None


def parse_yaml(text: str) -> Any:
    """A user's YAML as plain data, None when empty. Raises DocumentError for none, and for one beyond the bounds."""
    if len(text) > MOST_YAML:
        raise DocumentError(f"is larger than {MOST_YAML / 1_000_000:g} MB.")
    try:
        _check_extent(text)
        return read_yaml(text)
    except DocumentError:
        raise
    except (yaml.YAMLError, *_BADLY_TAGGED) as error:
        raise DocumentError(f"is not YAML: {_problem(error)}.") from None


def parse_json(text: str | bytes) -> Any:
    """A user's JSON as plain data. Raises DocumentError for none, and for one that is too deep."""
    try:
        document = json.loads(text, parse_constant=_no_number, parse_float=_finite)
    except RecursionError:
        raise DocumentError(f"is nested deeper than {DEEPEST}.") from None
    except ValueError as error:
        raise DocumentError(f"is not JSON: {error}.") from None
    level = [document]
    for _ in range(DEEPEST):
        inner = (value.values() if type(value) is dict else value for value in level if type(value) in {dict, list})
        level = [value for values in inner for value in values if type(value) in {dict, list}]
        if not level:
            return document
    raise DocumentError(f"is nested deeper than {DEEPEST}.")


def _problem(error: Exception) -> str:
    """What a parser complains of, in one line, and where."""
    mark = getattr(error, "problem_mark", None)
    where = f"line {mark.line + 1}: " if mark is not None else ""
    return where + " ".join(str(getattr(error, "problem", None) or error).split())[:_SHOWN]


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number that can be written")


def _finite(digits: str) -> float:
    number = float(digits)
    return number if math.isfinite(number) else _no_number(digits[:_SHOWN])


def _check_extent(text: str) -> None:
    """Whether a document may be built, by its events alone, which are made without recursion."""
    extent = _Extent()
    for event in yaml.parse(text, Loader=_Loader):
        match event:
            case yaml.CollectionStartEvent():
                extent.open(event.anchor)
            case yaml.CollectionEndEvent():
                extent.close()
            case yaml.AliasEvent():
                extent.repeat(event.anchor)
            case yaml.ScalarEvent():
                _check_scalar(event)
                extent.add(event.anchor)


class _Extent:
    """How deep a document is, and how large once its aliases are followed. Raises DocumentError beyond the bounds."""

    def __init__(self) -> None:
        self._around: list[tuple[str | None, int]] = []  # by collection that is open: its anchor, and the values before
        self._values = 0
        self._sizes: dict[str | None, int] = {}

    def open(self, anchor: str | None) -> None:
        self._around.append((anchor, self._values))
        if len(self._around) > DEEPEST:
            raise DocumentError(f"is nested deeper than {DEEPEST}.")

    def close(self) -> None:
        anchor, before = self._around.pop()
        self.add(anchor, self._values - before + 1, counted=self._values - before)

    def add(self, anchor: str | None, size: int = 1, *, counted: int = 0) -> None:
        """So many values more, of which some were counted before."""
        self._values += size - counted
        self._sizes[anchor] = size
        if self._values > MOST_VALUES:
            raise DocumentError(f"holds more than {MOST_VALUES} values.")

    def repeat(self, anchor: str | None) -> None:
        """What bears this anchor, once more."""
        if anchor not in self._sizes:
            raise DocumentError(
                f"has an alias *{str(anchor)[:_SHOWN]} that refers to nothing, or to what it is part of."
            )
        self.add(None, self._sizes[anchor])


def _check_scalar(event: yaml.ScalarEvent) -> None:
    """A number of a million digits takes its time to be made."""
    if not event.style and len(event.value) > _LONGEST_NUMBER and event.value.lstrip("+-")[:1].isdigit():
        raise DocumentError(f"has a number of more than {_LONGEST_NUMBER} digits.")
