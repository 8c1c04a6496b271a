"""Texts that were made to keep a reader busy: each took it from four seconds to hours."""

from __future__ import annotations

import time

import pytest

from indexing.extraction import extract_facts
from indexing.ignores import GitIgnores

LONG = 100_000


def filled(part: str, size: int = LONG) -> str:
    return part * (size // len(part))


WORST = {
    "gradle": ("build.gradle", "dependencies {\n  implementation" + filled(" ")),
    "proto, blank lines": ("a.proto", filled("\n")),
    "proto, comments": ("a.proto", filled("// a\n")),
    "proto, messages": ("a.proto", filled("message A {\n")),
    "event types, one name": ("a.go", filled("bus.Publish(ctx, a)\n", 150_000)),
    "event types, a bus": ("a.go", filled("Bus")),
    "event classes": ("a.cs", filled("bus.Publish(a);\n")),
    "listeners": ("a.cs", filled(".subscri(")),
    "listeners of types": ("a.cs", filled(".subscri(typeof(", 20_000)),
    "defaults in defaults": ("application.properties", "a.url=" + "${A:-" * 16_000 + "}" * 16_000),
    "a scheme": ("application.properties", filled("a.", 200_000)),
    "open comments": ("a.proto", filled("/* ")),
    "Helm": ("templates/a.yaml", "apiVersion: v1\nkind: Deployment\n- " + "{{}} " * 30 + "x\n"),
    "blank lines of Ruby": ("a.gemspec", filled("\n")),
    "YAML of many documents": ("k8s.yaml", "apiVersion: v1\nkind: Service\n" + "---\na: 1\n" * 110_000),
    "YAML of many levels": ("docker-compose.yml", "- " * 40_000),
    "levels of Ruby": ("a.rb", "a(" * 33_000 + ")" * 33_000),
    "levels of Python": ("a.py", "a(" * 66_000 + ")" * 66_000),
}


@pytest.mark.parametrize("case", WORST)
def test_a_text_of_the_worst_kind_is_read_in_time(case):
    path, text = WORST[case]
    began = time.process_time()
    assert extract_facts(path, text, "dock").path == path
    assert time.process_time() - began < 4


@pytest.mark.parametrize(
    ("line", "name"),
    [("*a" * 10 + "b", "a" * 200), ("**********b", "a" * 200), ("a/**/" * 10 + "b", "a/" * 100 + "c")],
    ids=["stars and letters", "ten stars", "folders"],
)
def test_a_line_of_stars_is_matched_in_time(tmp_path, line, name):
    (tmp_path / ".gitignore").write_text(f"{line}\n")
    ignores = GitIgnores().within(tmp_path, "")
    began = time.process_time()
    assert not ignores.ignores(name, folder=False)
    assert ignores.ignores(f"{name}b" if "/" not in name else f"{name}/b", folder=False)
    assert time.process_time() - began < 1
