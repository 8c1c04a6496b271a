"""What must never be stored, embedded or shown: whole files that are secret, and secrets inside files that are not.

Redacted text is stored, embedded, shown and held against citations, never the file's. Line numbers stay, since a secret
of several lines is replaced line by line, and what is around a secret stays.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

from memory.secrets.assignments import assignment_spans
from memory.secrets.commands import option_spans
from memory.secrets.credentials import credential_spans, key_blocks, key_spans
from memory.secrets.escapes import without_escapes
from memory.secrets.names import Writing, is_secret_folder, is_secret_name, writing_of
from memory.secrets.tables import table_spans
from memory.secrets.tokens import token_spans
from memory.secrets.values import REDACTED

__all__ = ["REDACTED", "is_secret_folder", "is_secret_name", "redact", "says_secret", "without_secrets"]

_LINE: Final = re.compile(r"(?P<indent>[ \t]*)(?P<text>[^\r\n]*)")
_SET: Final = re.compile(r"\s*(?:export\s+)?[A-Z][A-Z0-9_]*=")
_MANIFESTS: Final = (".yaml", ".yml", ".json")
_KIND_SECRET: Final = re.compile(
    r"""(?:^[ \t{,-]*|[{,][ \t]{0,40})["']?kind["']?[ \t]{0,40}:[ \t]{0,40}"""
    r"""(?:[&!]\S{0,60}[ \t]{1,8}){0,2}["']?Secret["']?[ \t]{0,40}(?:[#,}]|$)""",
    re.MULTILINE,
)
_SECRET_DATA: Final = re.compile(r"""["']?\b(?:data|stringData)["']?[ \t]{0,40}:""")
_DOCUMENT: Final = re.compile(r"^---", re.MULTILINE)
_MARKED: Final = re.compile(r"-{4,5}[ A-Z0-9]{1,80}-{4,5}", re.IGNORECASE)


def without_secrets(path: str, text: str) -> str | None:
    """What of a project's file may be stored and shown; None where the whole of it is secret.

    Args:
        path: relative to the project, with `/`; it tells how the file writes settings.
        text: with line feeds alone at the ends of its lines.
    """
    name = posixpath.basename(path)
    return None if is_secret_name(name) or says_secret(name, text) else redact(path, text)


def redact(path: str, text: str) -> str:
    """The text of a project's file with `REDACTED` in the place of each secret: the same for the same path and text;
    what is redacted already stays as it is.
    """
    plain = without_escapes(text, notebook=path.lower().endswith(".ipynb"))
    pieces: list[str] = []
    at = 0
    for start, end in _joined(plain.place(*span) for span in _spans(plain.text, writing_of(path))):
        pieces += text[at:start], _instead(text[start:end])
        at = end
    return "".join([*pieces, text[at:]]) if pieces else text


def _spans(text: str, writing: Writing) -> Iterator[tuple[int, int]]:
    yield from key_spans(text)
    yield from token_spans(text, settings=writing not in {Writing.CODE, Writing.PROSE})
    yield from credential_spans(text)
    yield from option_spans(text)
    yield from assignment_spans(text, writing)
    if writing is Writing.PROSE:
        yield from table_spans(text)


def says_secret(name: str, text: str) -> bool:
    """Whether nothing of a file should be kept: a private key alone, a Kubernetes `Secret` with its data, or, without a
    suffix to its name, an environment file by its form.
    """
    if _is_key_alone(text):
        return True
    if "." not in name and _is_environment(text):
        return True
    if not name.lower().endswith(_MANIFESTS):
        return False
    return any(map(_is_kubernetes_secret, _DOCUMENT.split(without_escapes(text).text)))


def _joined(spans: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """In order, those that overlap as one."""
    start = end = -1
    for first, last in sorted(spans):
        if first > end:
            if end > start:
                yield start, end
            start, end = first, last
        else:
            end = max(end, last)
    if end > start:
        yield start, end


def _instead(secret: str) -> str:
    if "\n" not in secret and "\r" not in secret:
        return REDACTED
    return _LINE.sub(lambda line: line["indent"] + REDACTED if line["text"] else line[0], secret)


def _is_key_alone(text: str) -> bool:
    blocks = list(key_blocks(text))
    if not blocks:
        return False
    ends = [0, *chain.from_iterable(blocks), len(text)]
    around = "".join(text[start:end] for start, end in zip(ends[::2], ends[1::2], strict=True))
    return not _MARKED.sub("", around).strip()


def _is_environment(text: str) -> bool:
    """Assignments of variables and nothing else: two at least, or that of a secret."""
    lines = [line for line in text.split("\n") if line.strip() and not line.lstrip().startswith("#")]
    return all(map(_SET.match, lines)) and (len(lines) > 1 or any(assignment_spans("\n".join(lines), Writing.SCRIPT)))


def _is_kubernetes_secret(document: str) -> bool:
    return _KIND_SECRET.search(document) is not None and _SECRET_DATA.search(document) is not None
