"""Calls and texts as written."""

from __future__ import annotations

import pytest

from extraction.rules.expressions import (
    arguments,
    assigned,
    closing,
    first_text,
    join,
    line_at,
    texts,
    without_comments,
)


def test_the_arguments_of_a_call_and_where_it_ends():
    text = "f(a, 'x, (y', {b: [1, 2]}) + 1"
    assert arguments(text, 1) == (["a", "'x, (y'", "{b: [1, 2]}"], 26)
    assert arguments("get '/x', to: 'a#b'\nnext", 4) == (["'/x'", "to: 'a#b'"], 19)
    assert arguments("f(a", 1) == ([], 1)
    assert arguments("f()", 1) == ([], 3)
    assert arguments("get '/x'", 4) == (["'/x'"], 8)
    assert closing('("it\'s )" + x)', 0) == 13


@pytest.mark.parametrize(
    ("expression", "text", "holes"),
    [
        ("'/orders/' + id", "/orders/\0", ["+ id"]),
        ('f"{BASE}/orders/{id}/x"', "\0/orders/\0/x", ["BASE", "id"]),
        ("`${this.url}/a?b=${c}`", "\0/a?b=\0", ["this.url", "c"]),
        ("this.url + '/a'", "\0/a", ["this.url"]),
        ('fmt.Sprintf("%s/ship/%d", addr, n)', "\0/ship/\0", ["addr", "n"]),
        ("'http://{}/users'.format(os.environ.get('USER_ADDR'))", "http://\0/users", ["USER_ADDR"]),
        ("$this->base . '/a'", "\0/a", ["$this->base"]),
        ('new Uri("/a"), "/b"', "/a", []),
        ("'/x/:id/y'", "/x/\0/y", ["id"]),
        ("root + '/last'", "/first/last", []),
        ("config['late']", "/late", []),
    ],
)
def test_what_an_expression_makes(expression, text, holes):
    source = "root = '/first'\nother(root)\nconfig['late'] = '/late'\n"
    joined = join(expression, source, 20)
    assert joined.text == text
    assert all(part in hole for part, hole in zip(holes, joined.holes, strict=False))


def test_no_text_and_a_literal_as_it_stands():
    assert join("f(x)", "", 0) is None
    assert join("os.environ['ORDERS_URL']", "", 0) is None
    assert join("'/x/{id}'", "", 0, verbatim=True).text == "/x/{id}"
    assert join("a", "a = b\nb = a\n", 12).text == "\0"
    assert (first_text("prefix='/a'"), first_text("x + '/a'")) == ("/a", None)
    assert list(texts("f('a', \"b\")")) == ["a", "b"]
    assert line_at("a\nb\nc", 2) == 2


def test_what_is_assigned_to_a_name():
    source = "url = '/a'\nself.url = g(\n  '/b'\n)\nif url == 1: pass\nlet u: string = `/c`;\n"
    assert assigned("url", source, 12) == "'/a'"
    assert assigned("url", source, 80) == "g(\n  '/b'\n)"
    assert assigned("u", source, 0) == "`/c`"
    assert assigned("nobody", source, 0) == ""


def test_comments_become_blanks_but_not_in_texts():
    text = '// a("/x")\nb("/owners/*/pets") /* c */ "*/"\n  # d\n#[get("/x")]\n'
    assert without_comments(text) == '          \nb("/owners/*/pets")         "*/"\n     \n#[get("/x")]\n'
