from __future__ import annotations

import pytest

from agents.evidence.paths import looks_like_file, path_tokens, resolve_path, unknown_path

PATHS = ["src/kit/tool.py", "src/kit/agent.py", "src/other/agent.py", "README.md", "docs/tools.md"]


@pytest.mark.parametrize(
    ("query", "tokens"),
    [
        ("what is in `src/kit/tool.py`?", ["src/kit/tool.py"]),
        ("tool.py, agent.py and tool.py.", ["tool.py", "agent.py"]),
        ("sync and/or async", ["and/or"]),
        ("see /etc", ["/etc"]),
        ("read https://example.org/a.py / README", []),
    ],
)
def test_tokens(query, tokens):
    assert path_tokens(query) == tokens


@pytest.mark.parametrize(
    ("token", "path"),
    [
        ("src/kit/tool.py", "src/kit/tool.py"),
        ("./README.md", "README.md"),
        ("/tool.py", "src/kit/tool.py"),
        ("kit/agent.py", "src/kit/agent.py"),
        ("agent.py", None),  # of two
        ("ool.py", None),  # no whole name
        ("", None),
    ],
)
def test_a_path_or_the_only_one_with_this_end(token, path):
    assert resolve_path(token, PATHS) == path


def test_what_can_only_be_a_file():
    assert [looks_like_file(token) for token in ("and/or", "kit/tool", "src/kit", "a/b/c", "tool.py", "./x")] == [
        False,
        False,
        True,
        True,
        True,
        True,
    ]


def test_the_error_lists_the_nearest():
    ambiguous = unknown_path(["agent.py"], PATHS)
    assert ambiguous.message == "'agent.py' ends 2 indexed paths."
    assert ambiguous.hint.startswith("Nearest: src/kit/agent.py, src/other/agent.py")
    unknown = unknown_path(["lib/tool.py"], PATHS)
    assert unknown.message == "'lib/tool.py' is no indexed path."
    assert unknown.hint.startswith("Nearest: src/kit/tool.py, ")
    assert len(unknown_path(["a"], [f"x/{n}/a" for n in range(9)]).hint.split(", ")) == 5
    assert unknown_path(["zzz/qqq"], ["b"]).hint == "Nearest: none."
    assert "names none" in unknown_path([], PATHS).message


def test_the_nearest_are_named_in_an_order_of_their_own():
    paths = ["z/kit/agent.py", "a/kit/agent.py", "m/n/tool.py", "b/n/tool.py", "tools.py/other"]
    assert unknown_path(["kit/agent.py"], paths).hint.startswith("Nearest: a/kit/agent.py, z/kit/agent.py")
    deep = unknown_path(["some/where/tool.py"], paths)  # of this name, whatever folders it was looked for in
    assert deep.hint.startswith("Nearest: b/n/tool.py, m/n/tool.py")


def test_blanks_around_a_path_are_not_part_of_it():
    assert resolve_path(" src/kit/tool.py ", PATHS) == "src/kit/tool.py"
