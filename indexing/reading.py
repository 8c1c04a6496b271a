"""The text of a file, or why there is none."""

from __future__ import annotations

import codecs
import hashlib
import os
import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from indexing.ignores import is_generated_text
from memory.regular_files import FileTooLargeError, read_regular
from memory.secrets import is_secret_name, without_secrets

SkipReason: TypeAlias = Literal[
    "secret", "binary", "ignored", "vendored", "generated", "symlink", "too_large", "unreadable", "undecodable"
]

_CONTROL = bytes(set(range(32)) - set(b"\t\n\r\f\v\b\x1b"))
_CONTROL_SHARE = 0.1
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_LINE_END = re.compile(r"\r\n|\r")
NO_LIMIT = 1 << 31


@dataclass(frozen=True, slots=True)
class FileState:
    """A file's bytes, to tell later whether they changed. hash: SHA-256; read_ns: the wall clock before the look."""

    hash: str
    size: int
    mtime_ns: int
    ctime_ns: int
    read_ns: int


@dataclass(frozen=True, slots=True)
class SourceText:
    """A file's text without byte order mark and secrets; every line ends in a line feed. The record is the bytes'."""

    text: str
    record: FileState


@dataclass(frozen=True, slots=True)
class Skipped:
    """Why a file has no text here."""

    reason: SkipReason


def read_source(path: Path, *, relative: str = "", max_file_bytes: int = NO_LIMIT) -> SourceText | Skipped:
    """The text of UTF-8 (with or without mark) or marked UTF-16; never raises for what a file is or became.

    relative: its path in its project, which says how the file writes secrets; its name where that is all there is.
    A secret by name is not opened, a symlink not followed, anything but a regular file not waited for, and of a file
    that is too large only the size is read.
    """
    if is_secret_name(path.name):
        return Skipped("secret")
    read = read_bytes(path, max_file_bytes)
    if isinstance(read, Skipped):
        return read
    data, record = read
    text = _decode(data)
    if isinstance(text, Skipped):
        return text
    shown = without_secrets(relative or path.name, text)
    if shown is None:
        return Skipped("secret")
    if is_generated_text(path.name, text):
        return Skipped("generated")
    return SourceText(shown, record)


def read_bytes(path: Path, limit: int) -> tuple[bytes, FileState] | Skipped:
    """The bytes of a regular file of at most `limit`, and what tells later whether they changed."""
    read_ns = time.time_ns()
    try:
        data, state = read_regular(path, limit)
    except FileTooLargeError:
        return Skipped("too_large")
    except OSError:
        link = os.path.islink(path)  # noqa: PTH114 - `Path.is_symlink` raises in a folder that may not be entered
        return Skipped("symlink" if link else "unreadable")
    digest = hashlib.sha256(data).hexdigest()
    return data, FileState(digest, state.st_size, state.st_mtime_ns, state.st_ctime_ns, read_ns)


def _decode(data: bytes) -> str | Skipped:
    if data.startswith(_UTF16):
        encoding = "utf-16"
    elif b"\0" in data or len(data) - len(data.translate(None, _CONTROL)) > _CONTROL_SHARE * len(data):
        return Skipped("binary")
    else:
        encoding = "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        return Skipped("undecodable")
    return Skipped("binary") if "\0" in text else _LINE_END.sub("\n", text)
