"""The facts of one file: its grammar's symbols, what the rules see in it, and the names that a document speaks of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from operator import attrgetter
from pathlib import PurePosixPath
from typing import Final

from extraction.facts import Clue, Definition, FileFacts
from extraction.languages import Symbols, language_of, read_symbols
from extraction.occurrences import occurrences_of
from extraction.rules import RULES, Rule, Source

ORDER: Final = attrgetter("line", "rule", "kind", "key", "side", "relation", "entity", "says", "value")


def extract_facts(path: str, text: str, project: str, rules: Sequence[Rule] = RULES) -> FileFacts:
    """What the file says on its own; `path` is relative to the project, with `/`. Never raises, whatever the text."""
    text = re.sub(r"\r\n?", "\n", text)
    language = language_of(path)
    symbols = read_symbols(language, text, path) if language else Symbols()
    source = Source(path, text, project, symbols.definitions, symbols.texts, symbols.variables)
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
        lines=text.count("\n") + (not text.endswith("\n")) or 1,
        summary=symbols.summary,
        package=symbols.package,
    )
