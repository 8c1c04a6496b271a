from __future__ import annotations

import pytest

from facades.book.expectations import BookQuestion, Expectations, read_expectations
from memory.errors import InvalidInputError
from tests.facades.shelves import EXAMPLE, PAGES


def written(tmp_path, text):
    file = tmp_path / "checklist.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def test_what_it_says(tmp_path):
    text = "questions:\n  - {ask: a, source: m, first: true}\n  - {ask: b}\nmodules: [m]\nfiles: 3\n"
    expected = Expectations((BookQuestion("a", "m", first=True), BookQuestion("b")), ("m",), 3)
    assert read_expectations(written(tmp_path, text)) == expected
    assert read_expectations(written(tmp_path, "questions: [{ask: a}]")) == Expectations((BookQuestion("a"),))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("questions: [", "is not YAML"),
        ("", "is no checklist"),
        ("- a\n", "is no checklist"),
        ("modules: [a]\n", "is no checklist.*questions"),
        ("questions: []\n", "is no checklist"),
        ("questions: 3\n", "is no checklist"),
        ("questions: [a]\n", "is no checklist"),
        ("questions: [{source: a}]\n", "is no checklist.*ask"),
        ("questions: [{ask: 3}]\n", "is no checklist"),
        ("questions: [{ask: a, source: 3}]\n", "is no checklist"),
        ("questions: [{ask: a, where: b}]\n", "is no checklist.*where"),
        ("questions: [{ask: a}]\nmodules: [3]\n", "is no checklist"),
        ("questions: [{ask: a}]\nfiles: many\n", "is no checklist"),
    ],
)
def test_what_is_no_checklist(tmp_path, text, said):
    with pytest.raises(InvalidInputError, match=said):
        read_expectations(written(tmp_path, text))


def test_what_one_has_is_said(tmp_path):
    file = written(tmp_path, "questions: []\n")
    with pytest.raises(InvalidInputError) as met:
        read_expectations(file)
    assert met.value.message == f"{file} is no checklist: a question, a text or a number is something else."
    assert met.value.hint == (
        "It has `questions`, a list of {ask, source, first}, and may have `modules`, a list, and `files`, a number."
    )
    with pytest.raises(InvalidInputError) as broken:
        read_expectations(written(tmp_path, "questions: ["))
    assert broken.value.hint == "Correct it."


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(InvalidInputError, match="cannot be read"):
        read_expectations(tmp_path / "nowhere.yaml")


def test_the_example_s_names_what_is_there():
    expected = read_expectations(EXAMPLE / "checklist.yaml")
    pages = [page.relative_to(PAGES).as_posix() for page in PAGES.rglob("*.md")]
    assert expected.files == len(pages)
    for start in (*expected.modules, *(question.source for question in expected.questions)):
        assert any(page.startswith(start) for page in pages), start
