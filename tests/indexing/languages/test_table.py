"""The table of languages."""

from __future__ import annotations

import subprocess
import sys

import pytest

from indexing.languages import LANGUAGES, language_of
from indexing.languages.table import grammar_of


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.name)
def test_every_row_has_a_grammar_whose_queries_compile(language):
    grammar = grammar_of(language)
    assert grammar.query.pattern_count > 0
    assert grammar_of(language) is grammar, "compiled once a process"


def test_a_file_finds_its_row_by_suffix():
    python = language_of("a/B.PY")
    assert python is not None
    assert python.name == "python"
    assert language_of("Makefile") is None


def test_nothing_heavy_is_imported_before_a_file_needs_it():
    heavy = "'tree_sitter', 'tree_sitter_python', 'sqlglot'"
    code = f"import sys, indexing.extraction, indexing.resolution; print([m for m in ({heavy}) if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603 - our own interpreter
    assert done.stdout.strip() == "[]"
