"""Trees of odd texts: markup around PHP, signs of several bytes, and nesting that would take a reader hours."""

from __future__ import annotations

import pytest

from extraction.languages import language_of, read_symbols
from extraction.languages.nodes import Places, root_of
from extraction.reading import extract_facts
from tests.linear import seconds

PAGE = """<html><?php
class Page extends View { function show() { return '<?xml version="1.0"?>'; } }
?>
<b>it's <?= $title ?></b>
<?php if ($shown): // isn't it ?> don't
<?php endif ?>
<?php
/** Helps. */
function helper() { return other(1); }
"""


def test_markup_around_php_is_no_php():
    symbols = read_symbols(language_of("page.php"), PAGE, "page.php")
    assert [(d.name, d.start_line, d.summary) for d in symbols.definitions] == [
        ("Page", 2, ""),
        ("Page.show", 2, ""),
        ("helper", 9, "Helps."),
    ]
    assert [text.text for text in symbols.texts] == ['<?xml version="1.0"?>']


def test_places_count_characters():
    text = "x = 'ä😀ü'; place('orders-queue')\n"
    root = root_of(text, "python")
    start = text.index("orders")
    assert Places(root).around(start, start + 6)[0].text() == "orders-queue"
    assert root.find(kind="call").range().start.index == text.index("place")


def test_half_a_surrogate_pair_is_read():
    assert read_symbols(language_of("a.py"), "x = '\ud83d'\nclass A: ...\n", "a.py").definitions[-1].name == "A"


@pytest.mark.parametrize(
    ("path", "text", "name"),
    [
        ("a.js", "function a() {}\n" + "a(\n" * 4000 + ")" * 4000, "a"),
        ("a.js", "function a() {}\n" + "a(\n" * 70_000 + ")" * 70_000, ""),
        ("a.rb", "class A\nend\n" + "[" * 30_000, "A"),
        ("a.js", "function f() {}\n" + "text = 'a'" + " + b()\n" * 20_000, "f"),
        ("a.js", "function f() {}\na" + ".b('name-1234')\n" * 10_000, "f"),
        ("A.java", "class A {" * 20_000 + "}" * 20_000, "A"),
        ("a.js", "/** d */ const a = 1;\n" * 10_000, "a"),
        ("a.py", "class A:\n    rows = [" + "f(1)," * 30_000 + "]\n", "A"),
    ],
    ids=["calls", "deep calls", "brackets", "sum", "chain", "classes", "documented", "rows"],
)
def test_what_is_nested_or_long_is_read_in_a_fraction_of_the_time_a_file_has(path, text, name):
    found = []
    assert seconds(lambda: found.append(extract_facts(path, text, "shop"))) < 30  # takes one or two
    assert name in {"", *(d.name for d in found[0].definitions)}


def test_a_bracket_in_a_string_is_no_level():
    text = "def f():\n" + "    send({'face': ':('})\n" * 1_500 + "def g(): ...\n"
    assert [one.name for one in read_symbols(language_of("a.py"), text, "a.py").definitions] == ["f", "g"]


def test_what_stands_before_too_many_levels_is_read():
    text = "def f(): ...\n" + "rows = " + "[" * 1_001 + "]" * 1_001 + "\ndef g(): ...\n"
    assert [one.name for one in read_symbols(language_of("a.py"), text, "a.py").definitions] == ["f", "rows"]


def test_what_is_awaited_of_a_call_with_types_is_a_call():
    text = "class A {\n  client: Client;\n  async load() {\n    return await this.client.get<Order>(1);\n  }\n}\n"
    symbols = read_symbols(language_of("a.ts"), text, "a.ts")
    assert [(r.receiver, r.name, r.line, r.caller) for r in symbols.references] == [("this.client", "get", 4, "A.load")]
    assert root_of("x = await f<T>(1);", "typescript").text() == "x =       f<T>(1);"
    assert "await" in root_of("x = await f(1);", "typescript").text()
