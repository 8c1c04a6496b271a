"""Who a policy file lets in, and which files are none."""

from __future__ import annotations

from hashlib import sha256

import pytest

from interfaces.mcp.policy import Principal, from_json, principal_of, read_policy, to_json, within
from memory.errors import InvalidInputError

ONE, TWO = (sha256(token).hexdigest() for token in (b"one", b"two"))
PRINCIPALS = (Principal("ada", ONE, frozenset({"harbour"})), Principal("ben", TWO, None))
POLICY = f"""
principals:
  - {{name: ada, token_sha256: "{ONE.upper()}", projects: [harbour]}}
  - {{name: ben, token_sha256: "{TWO}", projects: all}}
"""


def test_a_policy(tmp_path):
    file = tmp_path / "policy.yaml"
    file.write_text(POLICY, encoding="utf-8")
    assert read_policy(file) == PRINCIPALS


def row(**changed):
    given = {"name": "ada", "token_sha256": f'"{ONE}"', "projects": "all"} | changed
    return "- {" + ", ".join(f"{key}: {value}" for key, value in given.items() if value) + "}"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "has no list of principals."),
        ("principals: []", "has no list of principals."),
        ("[1]", "has no list of principals."),
        (POLICY + "rate: 3", "has what no policy has: rate."),
        ("principals:\n- ada", ", principal 1 must have exactly these: name, projects, token_sha256."),
        (f"principals:\n{row(projects='')}", ", principal 1 must have exactly these: name, projects, token_sha256."),
        (f"principals:\n{row(token='x')}", ", principal 1 must have exactly these: name, projects, token_sha256."),
        (f"principals:\n{row(name='3')}", ", principal 1 has no name."),
        (f"principals:\n{row(token_sha256='secret')}", "token_sha256 is not 64 hexadecimal digits in quotes."),
        (f"principals:\n{row(token_sha256='1' * 64)}", "token_sha256 is not 64 hexadecimal digits in quotes."),
        (f"principals:\n{row(projects='some')}", "projects is neither a list of names nor `all`."),
        (f"principals:\n{row(projects='[]')}", "projects is neither a list of names nor `all`."),
        (f"principals:\n{row(projects='[3]')}", "projects is neither a list of names nor `all`."),
        (f"principals:\n{row()}\n{row(name='ben')}", ", principal 2 has the token of another."),
        (f"principals:\n{row()}\n{row(token_sha256=TWO)}", ", principal 2 has the name of another."),
        ("principals: [", "is not YAML"),
    ],
)
def test_what_is_no_policy(tmp_path, text, problem):
    file = tmp_path / "policy.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInputError) as caught:
        read_policy(file)
    assert caught.value.message.startswith(str(file))
    assert problem in caught.value.message
    assert "docs/mcp.md" in caught.value.hint
    assert ONE not in str(caught.value)
    assert "secret" not in str(caught.value)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(InvalidInputError, match="cannot be read"):
        read_policy(tmp_path / "none.yaml")


@pytest.mark.parametrize(
    ("header", "name"),
    [
        (b"Bearer one", "ada"),
        (b"bearer  two ", "ben"),
        (b"Bearer three", None),
        (b"Bearer ", None),
        (b"Bearer", None),
        (b"Basic one", None),
        (b"one", None),
        (b"", None),
        (b"Bearer \xff\x00", None),
        (b"Bearer " + ONE.encode(), None),
    ],
)
def test_whose_token_it_is(header, name):
    found = principal_of(header, PRINCIPALS)
    assert (found.name if found else None) == name


def test_allow_narrows_and_never_widens():
    ada, ben = PRINCIPALS
    assert within(ada, None) is ada
    assert within(ada, frozenset({"tower"})).projects == frozenset()
    assert within(ben, frozenset({"tower"})).projects == frozenset({"tower"})


def test_what_one_process_tells_another():
    assert from_json(to_json(PRINCIPALS)) == PRINCIPALS
