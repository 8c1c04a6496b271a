"""Texts that were made to keep a reader busy: each took it from four seconds to hours."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from extraction.reading import extract_facts
from indexing.ignores import GitIgnores
from tests.fuzz.inputs import OTHERS
from tests.linear import grows_with_its_length, seconds


def filled(part: str, size: int = 100_000) -> Callable[[int], str]:
    return lambda share: part * (size // share // len(part))


def nested(start: str, end: str, levels: int) -> Callable[[int], str]:
    return lambda share: start * (levels // share) + end * (levels // share)


WORST = {
    "gradle": ("build.gradle", "dependencies {\n  implementation", filled(" ")),
    "proto, blank lines": ("a.proto", "", filled("\n")),
    "proto, comments": ("a.proto", "", filled("// a\n")),
    "proto, messages": ("a.proto", "", filled("message A {\n")),
    "event types, one name": ("a.go", "", filled("bus.Publish(ctx, a)\n", 150_000)),
    "event types, a bus": ("a.go", "", filled("Bus")),
    "event classes": ("a.cs", "", filled("bus.Publish(a);\n")),
    "listeners": ("a.cs", "", filled(".subscri(")),
    "listeners of types": ("a.cs", "", filled(".subscri(typeof(", 20_000)),
    "defaults in defaults": ("application.properties", "a.url=", nested("${A:-", "}", 16_000)),
    "a scheme": ("application.properties", "", filled("a.", 200_000)),
    "open comments": ("a.proto", "", filled("/* ")),
    "Helm": ("templates/a.yaml", "apiVersion: v1\nkind: Deployment\n- ", nested("{{}} ", "x\n", 30)),
    "blank lines of Ruby": ("a.gemspec", "", filled("\n")),
    "YAML of many documents": ("k8s.yaml", "apiVersion: v1\nkind: Service\n", filled("---\na: 1\n", 990_000)),
    "YAML of many levels": ("docker-compose.yml", "", filled("- ", 80_000)),
    "levels of Ruby": ("a.rb", "", nested("a(", ")", 33_000)),
    "levels of Python": ("a.py", "", nested("a(", ")", 66_000)),
}
"""A path, how its text begins, and how it goes on when it has a whole or half its length."""


@pytest.mark.parametrize("case", WORST)
def test_a_text_of_the_worst_kind_is_read_in_time(case):
    path, start, rest = WORST[case]
    half, whole = start + rest(2), start + rest(1)
    assert extract_facts(path, whole[: len(start)], "dock").path == path
    assert grows_with_its_length(lambda text: extract_facts(path, text, "dock"), half, whole)


@pytest.mark.parametrize(
    ("line", "name"),
    [("*a" * 10 + "b", "a" * 200), ("**********b", "a" * 200), ("a/**/" * 10 + "b", "a/" * 100 + "c")],
    ids=["stars and letters", "ten stars", "folders"],
)
def test_a_line_of_stars_is_matched_in_time(tmp_path, line, name):
    (tmp_path / ".gitignore").write_text(f"{line}\n")
    ignores = GitIgnores().within(tmp_path, "")
    matching = f"{name}b" if "/" not in name else f"{name}/b"
    found = []
    taken = seconds(lambda: found.extend(ignores.ignores(one, folder=False) for one in (name, matching)))
    assert found == [False, True]
    assert taken < 1


@pytest.mark.slow
@pytest.mark.parametrize("path", OTHERS)
@pytest.mark.parametrize("unit", ["[]", "()", "{}", "<>", "a\u2028", "\x1b[31m"])
def test_ten_thousand_levels_or_signs_are_read_in_time_whatever_the_file(path, unit):
    def text(length: int) -> str:
        return unit[0] * length + unit[1] * length if len(unit) == 2 else unit * length

    assert extract_facts(path, text(10), "dock").path == path
    assert grows_with_its_length(lambda one: extract_facts(path, one, "dock"), text(5_000), text(10_000))
