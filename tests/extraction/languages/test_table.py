"""The table of languages."""

from __future__ import annotations

import subprocess
import sys

import pytest
from ast_grep_py import SgRoot

from extraction.languages import LANGUAGES, language_of
from extraction.languages.table import matcher_of, queries_of


def named_in(items):
    """The kinds and fields that a query names."""
    for item in items:
        if item.field:
            yield {"has": {"field": item.field, "regex": "x"}}
        for choice in item.choices:
            if choice.kind and not choice.word:
                yield {"kind": choice.kind}
            yield from ({"has": {"field": field, "regex": "x"}} for field in choice.absent)
            yield from named_in(choice.items)


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: "".join(language.suffixes))
def test_the_queries_of_every_row_name_what_its_grammar_has(language):
    root = SgRoot("", language.parser or language.name).root()
    asked = [rule for query in queries_of(language) for rule in named_in(query.items)]
    assert asked or language.rules
    for rule in asked:
        root.find({"rule": rule})  # ast-grep raises at a kind or a field that it does not know
    matcher_of(language).matches(root)  # and so it does at those of a rule
    assert matcher_of(language) is matcher_of(language), "read once a process"


def test_what_a_grammar_does_not_have_is_an_error():
    with pytest.raises(RuntimeError):
        SgRoot("", "python").root().find({"rule": {"kind": "class_declaration"}})


def test_a_file_finds_its_row_by_suffix():
    python = language_of("a/B.PY")
    assert python is not None
    assert python.name == "python"
    assert language_of("Makefile") is None


def test_nothing_heavy_is_imported_before_a_file_needs_it():
    heavy = "'ast_grep_py', 'sqlglot'"
    code = f"import sys, extraction.languages, indexing.resolution; print([m for m in ({heavy}) if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603 - our own interpreter
    assert done.stdout.strip() == "[]"
