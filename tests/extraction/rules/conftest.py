"""Rules on a few lines."""

from __future__ import annotations

import pytest

from extraction.languages import language_of, read_symbols
from extraction.reading import extract_facts
from extraction.rules import Source
from extraction.rules.families import shipped_families


@pytest.fixture
def served():
    """`served(rule, path, text)`: rows of line, endpoint and what handles it; and that the rule wants the path."""

    def read(rule, path, text):
        assert rule.reads(path)
        found = rule.find(Source(path, text, "shop"))
        if found is None:
            return []
        clues = {clue.entity: clue for clue in found.clues}
        assert all(clues[d.name].line == d.start_line for d in found.definitions)
        rows = ((d.start_line, d.name, d.summary.removeprefix("handled by ")) for d in found.definitions)
        return sorted(rows)

    return read


@pytest.fixture
def asked():
    """`asked(rule, path, text)`: rows of line, key, value and the definition that asks or serves."""

    def read(rule, path, text):
        language = language_of(path)
        symbols = read_symbols(language, text, path) if language else None
        found = rule.find(Source(path, text, "shop", symbols.definitions if symbols else ()))
        return [(c.line, c.key, c.value, c.entity) for c in found.clues] if found else []

    return read


@pytest.fixture
def routes():
    """`routes(path, text)`: rows of line, endpoint and what handles it, as the families of `http` see them."""

    def read(path, text):
        found = extract_facts(path, text, "shop", shipped_families("http"))
        rows = ((d.start_line, d.name, d.summary.removeprefix("handled by ")) for d in found.definitions)
        return sorted(row for row in rows if row[1].partition(" ")[2].startswith("/"))

    return read


@pytest.fixture
def requests():
    """`requests(path, text)`: rows of line, key, value and who asks, as the families of clients see them."""

    def read(path, text):
        families = (*shipped_families("http"), *shipped_families("clients"))
        clues = extract_facts(path, text, "shop", families).clues
        return [(c.line, c.key, c.value, c.entity) for c in clues if c.kind == "endpoint" and c.side == "needs"]

    return read
