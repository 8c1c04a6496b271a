from __future__ import annotations

import pytest

from memory.secrets.tables import table_spans

ONE, TWO = "Winter" + "2024!", "Summer" + "2025!"


def found(text: str) -> list[str]:
    return [text[start:end] for start, end in table_spans(text)]


def test_a_column_of_passwords_to_the_end_of_its_table():
    rows = f"| a1 | {ONE} |\n| a2 | `{TWO}` |\n| short |\n| a3 | changeme |\n\n| a4 | {ONE}x |\n"
    assert found(f"| user1 | **DB Password** |\n|:--|--:|\n{rows}") == [ONE, TWO]
    assert found(f"> user | password\n> --- | ---\n> a | {ONE}") == [ONE]


@pytest.mark.parametrize(
    "text",
    [
        f"| password rules | user |\n|--|--|\n| {ONE} | x1y2z3! |\n",
        f"| password |\n| {ONE} |\n",
        "| password | type |\n|---|---|\n| required | string |\n",
        f"password\n---\n{ONE}\n",
        "|--|",
        "",
    ],
    ids=["other columns", "no rule", "plain words", "no table", "no heading", "empty"],
)
def test_what_is_no_such_column(text):
    assert found(text) == []
