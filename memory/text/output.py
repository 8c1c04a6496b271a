"""Text that may be printed: never a control character from a file, nor half a surrogate pair."""

from __future__ import annotations

import codecs
import json
import math
import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import asdict, is_dataclass
from datetime import date
from enum import Enum
from io import TextIOWrapper
from typing import Any, Final, TextIO

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_BREAK = re.compile(r"[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
"""What some programs end a line at, though no editor does."""
_CREDENTIALS = re.compile(r"(?<=://)[^/?#\s]+@")
_HALF = re.compile(r"[\ud800-\udfff]")
_WHOLE: Final = "\ufffd"
_ESCAPED: Final = "as-json"
_TEXT: Final = frozenset({str})
_PLAIN: Final = frozenset({str, int, bool, type(None)})


def is_encodable(text: str) -> bool:
    """Whether every encoding of Unicode can write it."""
    return text.isascii() or _HALF.search(text) is None


def encodable(text: str) -> str:
    """The text with U+FFFD for every half of a surrogate pair, which no encoding can write."""
    return text if is_encodable(text) else _HALF.sub(_WHOLE, text)


def without_credentials(text: str) -> str:
    """The text, or the address alone, without what is before an @ where an address names its host."""
    return _CREDENTIALS.sub("", text)


def printable(text: str) -> str:
    """The text without control characters and changes of direction: nothing indexed or typed steers the terminal.

    A blank stands for what ends a line in some programs alone, so that no line of a file passes for one of ours.
    """
    if text.isprintable():  # as nearly every line is
        return text
    return encodable(_CONTROL.sub("", _BREAK.sub(" ", text.replace("\r\n", "\n"))))


def one_line(text: str) -> str:
    """The text as a name or a short saying: printable, with single spaces for all white space."""
    return " ".join(printable(text).split())


def shortened(text: str, most: int) -> str:
    """So many characters of it, the last of them "…" where it has more."""
    return text if len(text) <= most else f"{text[: most - 1]}…"


def escape_unencodable(*streams: TextIO) -> None:
    r"""Let these write what their encoding does not have as JSON does: `\u2192`, in two halves where it must be.

    A pipe on Windows has the code page's encoding.
    """
    codecs.register_error(_ESCAPED, _escape)
    for stream in streams:
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors=_ESCAPED)


def _escape(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[n : n + 4]}" for n in range(0, len(units), 4)), error.end


def json_line(document: Any) -> str:
    """A JSON document on one line."""
    return encodable(json.dumps(document, ensure_ascii=False, allow_nan=False))


def json_ready(value: Any) -> Any:
    """The value as JSON can carry it: lists for sequences and sets, ISO dates, None for a number that is none."""
    if type(value) in _PLAIN:  # nearly everything is
        return value
    if type(value) is dict:
        if _PLAIN.issuperset(map(type, value.values())) and _TEXT.issuperset(map(type, value)):
            return value.copy()
        return {str(key): json_ready(item) for key, item in value.items()}
    if type(value) is list:
        return value.copy() if _PLAIN.issuperset(map(type, value)) else [json_ready(item) for item in value]
    return _made_ready(value)


def _made_ready(value: Any) -> Any:
    if hasattr(value, "tolist"):  # numpy's numbers and arrays
        value = value.tolist()
    if isinstance(value, Enum):
        value = value.value
    if is_dataclass(value) and not isinstance(value, type):
        value = asdict(value)
    match value:
        case int() | str():
            plain: Any = value
        case float():
            plain = value if math.isfinite(value) else None
        case Mapping():
            plain = {str(key): json_ready(item) for key, item in value.items()}
        case AbstractSet():
            plain = sorted((json_ready(item) for item in value), key=str)
        case list() | tuple():  # a subclass of list, or a tuple
            plain = [json_ready(item) for item in value]
        case date():
            plain = value.isoformat()
        case _:
            plain = str(value)
    return plain
