"""Sample files, one a language: nested things, documentation, and a line that no compiler would take."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from extraction.languages import Symbols, language_of, read_symbols
from extraction.reading import extract_facts
from indexing.chunks import chunk_file

SAMPLES = Path(__file__).parent / "samples"


@dataclass(frozen=True)
class Sample:
    """What was read from a file, in short rows."""

    symbols: Symbols
    path: str
    text: str

    @property
    def definitions(self):
        return [(d.name, d.kind, d.start_line, d.end_line, d.summary) for d in self.symbols.definitions]

    @property
    def imports(self):
        return [(i.module, i.name, i.alias, i.line) for i in self.symbols.imports]

    @property
    def bases(self):
        return self._references("INHERITS")

    @property
    def calls(self):
        return self._references("CALLS")

    @property
    def bindings(self):
        return {(b.scope, b.name, b.type) for b in self.symbols.bindings}

    @property
    def chunks(self):
        facts = extract_facts(self.path, self.text, "shop")
        return [(c.start_line, c.end_line, c.symbol) for c in chunk_file(self.path, self.text, facts, max_chars=400)]

    def _references(self, relation):
        dotted = [(r, f"{r.receiver}.{r.name}".lstrip(".")) for r in self.symbols.references if r.relation == relation]
        return [(r.caller, name, r.line) for r, name in dotted]


@pytest.fixture(scope="session")
def sample():
    """`sample(file)`, as if it stood in `src/shop`."""

    def read(file):
        text, path = (SAMPLES / file).read_text(encoding="utf-8"), f"src/shop/{file}"
        language = language_of(path)
        assert language is not None
        return Sample(read_symbols(language, text, path), path, text)

    return read
