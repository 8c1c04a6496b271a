"""The facts of one file: its grammar's symbols, what the rules see in it, and the names that a document speaks of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from operator import attrgetter
from pathlib import PurePosixPath
from typing import Final

from extraction.facts import Clue, Definition, FileFacts, Mention
from extraction.languages import Symbols, language_of, read_symbols
from extraction.occurrences import occurrences_of
from extraction.rules import RULES, Rule, Source

LIMIT: Final = 200
SUFFIXES: Final = (".md", ".markdown", ".rst", ".txt", ".adoc")
NAME: Final = re.compile(
    r"`{1,2}([A-Za-z_][\w.]*)(?:\(\))?`"  # in backticks
    r"|\b([A-Z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+(?:\.\w+)*)\b"  # CamelCase, with a member
    r"|\b([a-z][a-z0-9]*(?:_[a-z0-9]+)+)\b"  # snake_case
)
ORDER: Final = attrgetter("line", "rule", "kind", "key", "side", "relation", "entity", "says", "value")
HEADING: Final = re.compile(r"#{1,6}\s+([A-Z][a-z]+)\s*")


def is_document(path: str) -> bool:
    """Prose, by its suffix; also an installed distribution's METADATA, which holds the README."""
    return path.lower().endswith(SUFFIXES) or path.endswith(".dist-info/METADATA")


def names_in(text: str) -> tuple[Mention, ...]:
    """Each name once, at the first line that has it; the first 200."""
    first: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        for found in NAME.finditer(line):
            first.setdefault(found[1] or found[2] or found[3], number)
        for name in _headed(line):
            first.setdefault(name, number)
        if len(first) >= LIMIT:
            break
    return tuple(Mention(name, line) for name, line in list(first.items())[:LIMIT])


def _headed(line: str) -> tuple[str, ...]:
    """`## Customer` is about a class of that name, or about a table `customer` or `customers`."""
    title = HEADING.fullmatch(line) if line.startswith("#") else None
    if title is None:
        return ()
    word = title[1].lower()
    return title[1], word, f"{word}s"


def extract_facts(path: str, text: str, project: str, rules: Sequence[Rule] = RULES) -> FileFacts:
    """What the file says on its own; `path` is relative to the project, with `/`. Never raises, whatever the text."""
    text = re.sub(r"\r\n?", "\n", text)
    language = language_of(path)
    symbols = read_symbols(language, text, path) if language else Symbols()
    source = Source(path, text, project, symbols.definitions, symbols.texts)
    definitions: list[Definition] = list(symbols.definitions)
    clues: list[Clue] = []
    recognised = [language.name] if language else []
    for rule in rules:
        found = rule.find(source) if rule.reads(path) else None
        if found is not None:
            definitions += found.definitions
            clues += found.clues
            recognised.append(found.recognised or rule.name)
    return FileFacts(
        path=path,
        lang=language.name if language else PurePosixPath(path).suffix.lstrip(".").lower(),
        definitions=tuple(definitions),
        references=symbols.references,
        imports=symbols.imports,
        clues=tuple(sorted(set(clues), key=ORDER)),
        recognised=tuple(recognised),
        bindings=symbols.bindings,
        occurrences=occurrences_of(path, text, symbols.named),
        mentions=names_in(text) if is_document(path) else (),
        lines=text.count("\n") + (not text.endswith("\n")) or 1,
        summary=symbols.summary,
        package=symbols.package,
    )
