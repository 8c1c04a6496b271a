"""What a statement can name of a match, in several languages' ways of writing the same."""

from __future__ import annotations

import pytest

from extraction.reading import extract_facts
from extraction.rules.structure.reading import family_of

ARGUMENTS = [
    ("python", "a.py", "send(  # where to\n  {}, body, topic='orders')", "topic", "orders"),
    ("typescript", "a.ts", "send<Order>({ a: { topic: 'orders' } })", "topic", "orders"),
    ("csharp", "A.cs", 'class A { void F() { send(topic: "orders", body); } }', "topic", "orders"),
    ("kotlin", "a.kt", 'fun f() { send(body, topic = "orders") }', "topic", "orders"),
    ("php", "a.php", "<?php send($body, topic: 'orders');", "topic", "orders"),
    ("ruby", "a.rb", "send(body, topic: 'orders')", "topic", "orders"),
    ("ruby", "a.rb", "send(body, :topic => 'orders')", "topic", "orders"),
    ("elixir", "a.ex", 'send(body, topic: "orders")', "topic", "orders"),
    ("go", "a.go", 'package a\nfunc f() { send(Record{Topic: "orders"}) }', "Topic", "orders"),
    ("rust", "a.rs", 'fn f() { send(Record { topic: "orders" }); }', "topic", "orders"),
    ("java", "A.java", 'class A { void f() { send("a", "orders"); } }', "1", "orders"),
    ("python", "a.py", "send('a', 'b', key=1)", "-1", "b"),
    ("python", "a.py", "send(lambda: g(topic='orders'))", "topic", ""),
]


@pytest.mark.parametrize(("language", "path", "text", "step", "found"), ARGUMENTS)
def test_an_argument_by_its_name_or_place(language, path, text, step, found):
    assert stated(language, "send($$$ARGS)", f"{{ARGS.{step}}}", path, text) == ([found] if found else [])


def stated(language, rule, key, path, text):
    states = {"kind": "k", "key": key, "side": "needs", "relation": "USES"}
    family = family_of({"rules": [{"name": "a", "language": language, "rule": rule, "states": states}]}, "a.yaml")
    return [clue.key for clue in extract_facts(path, text, "shop", (family,)).clues]


@pytest.mark.parametrize(
    ("language", "rule", "key", "path", "text", "found"),
    [
        ("python", "make($$$)", "{ASSIGNED}", "a.py", "self.bus: Bus = make(1)\n", "bus"),
        ("go", "$IT.Make($$$ARGS)", "{ASSIGNED}", "a.go", "package a\nfunc f() { bus, err := x.Make(1) }\n", "err"),
        ("javascript", "make($$$)", "{ASSIGNED}", "a.js", "const bus = make(1).named('x')\n", "bus"),
        ("python", "@job", "{DECLARED}", "a.py", "@other\n@job\nasync def run(): ...\n", "run"),
        ("rust", "#[job]", "{DECLARED}", "a.rs", "#[job]\n/// It runs.\nfn run() {}\n", "run"),
        ("typescript", "@Job()", "{DECLARED}", "a.ts", "class A {\n @Job()\n @Other()\n run() {}\n}\n", "run"),
        ("java", "run($$$)", "{AROUND}", "A.java", "class A { class B { void f() { run(1); } } }", "B"),
        ("python", "run($$$)", "{FILE}", "jobs/mail.py", "run(1)\n", "mail"),
    ],
)
def test_what_every_match_has(language, rule, key, path, text, found):
    assert stated(language, rule, key, path, text) == [found]


def test_what_is_chained_ends_at_the_next_path(routes):
    text = "import express\nconst router = Router()\nrouter.route('/a').get(f).all(g)\nrouter.route('/b').post(function () { x.put('y') })\n"
    assert [name for _, name, _ in routes("a.js", text)] == ["GET /a", "POST /b"]
