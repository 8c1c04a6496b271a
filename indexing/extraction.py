"""The facts of one file: its grammar's symbols, and what the rules see in it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from indexing.documents import is_document, names_in
from indexing.facts import Clue, Definition, FileFacts
from indexing.languages import Symbols, language_of, read_symbols
from indexing.occurrences import occurrences_of
from indexing.rules import RULES, Rule, Source

__all__ = ["extract_facts"]


def extract_facts(path: str, text: str, project: str, rules: Sequence[Rule] = RULES) -> FileFacts:
    r"""What the file says on its own; `path` is relative to the project, with `/`. Never raises, whatever the text.

    Lines are counted at \n, \r\n and \r only.
    """
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
        clues=tuple(
            sorted(
                set(clues), key=lambda c: (c.line, c.rule, c.kind, c.key, c.side, c.relation, c.entity, c.says, c.value)
            )
        ),
        recognised=tuple(recognised),
        bindings=symbols.bindings,
        occurrences=occurrences_of(path, text, symbols.named),
        mentions=names_in(text) if is_document(path) else (),
        lines=text.count("\n") + (not text.endswith("\n")) or 1,
        summary=symbols.summary,
        package=symbols.package,
    )
