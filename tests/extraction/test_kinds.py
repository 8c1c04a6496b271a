from __future__ import annotations

import pytest

from extraction.kinds import _BY_END, corpus_of, is_instruction_file, kind_of, language_of
from memory.question.parsing import find_paths


@pytest.mark.specification("000 §6.4 policy")
@pytest.mark.parametrize("end", sorted(_BY_END))
def test_a_question_names_a_file_by_any_end_that_has_a_language(end):
    assert find_paths(f"what is in notes.{end}?") == (f"notes.{end}",)


@pytest.mark.specification("000 §6.3 fields")
@pytest.mark.parametrize(
    ("path", "lang", "corpus", "kind"),
    [
        ("src/a.py", "python", "code", "code"),
        ("src/a.TS", "typescript", "code", "code"),
        ("db/schema.sql", "sql", "code", "code"),
        ("docs/guide.md", "markdown", "docs", "doc"),
        ("docs/guide.rst", "rst", "docs", "doc"),
        ("notes.txt", "text", "docs", "doc"),
        ("README", "text", "docs", "doc"),
        ("docs/flow.png", "image", "docs", "image"),
        ("CODEOWNERS", "ini", "code", "config"),
        ("Dockerfile", "dockerfile", "code", "config"),
        ("api/Dockerfile", "dockerfile", "code", "config"),
        ("compose.yaml", "yaml", "code", "config"),
        ("pyproject.toml", "toml", "code", "config"),
        ("requirements-dev.txt", "requirements", "code", "config"),
        ("x-1.dist-info/METADATA", "markdown", "docs", "doc"),
        ("a.xyz", "other", "code", "code"),
        ("tests/a.py", "python", "code", "test"),
        ("tests/data.yaml", "yaml", "code", "test"),
        ("tests/README.md", "markdown", "docs", "doc"),
        ("pkg/test_a.py", "python", "code", "test"),
        ("pkg/tests.py", "python", "code", "test"),
        ("pkg/conftest.py", "python", "code", "test"),
        ("pkg/a_test.go", "go", "code", "test"),
        ("src/a.spec.ts", "typescript", "code", "test"),
        ("src/OrderTest.java", "java", "code", "test"),
        ("src/latest.py", "python", "code", "code"),
        ("src/contest/a.py", "python", "code", "code"),
        ("examples/a.py", "python", "code", "example"),
        ("example_client.py", "python", "code", "example"),
        ("examples/README.md", "markdown", "docs", "doc"),
        ("examples/tests/test_a.py", "python", "code", "test"),
    ],
)
def test_language_corpus_and_kind(path, lang, corpus, kind):
    assert (language_of(path), corpus_of(lang), kind_of(path, lang)) == (lang, corpus, kind)


@pytest.mark.parametrize("path", ["CLAUDE.md", "sub/AGENTS.md", "agents.md", ".github/copilot-instructions.md"])
def test_instructions(path):
    assert is_instruction_file(path)
    assert language_of(path) == "markdown"
    assert not is_instruction_file("README.md")
