from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.secrets.escapes import without_escapes


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("https:\\/\\/x", "https://x"),
        ("p\\u0061ss\\x77ord", "password"),
        ("contrase\\u00f1a", "contraseña"),
        ("a&amp;b=&#65;&#x42;", "a&b=AB"),
        ("<p><![CDATA[a]]></p>", "<p>a</p>"),
        ("pass\\\n   word=1", "password=1"),
        ("C:\\\\u0061 \\\\/", "C:\\\\u0061 \\\\/"),
        (
            '\\u0022 \\u005c \\u000a \\ud800 \\" &#60; &#xfffff; \\n',
            '\\u0022 \\u005c \\u000a \\ud800 \\" &#60; &#xfffff; \\n',
        ),
    ],
    ids=["slash", "numbers", "letter", "references", "cdata", "continued", "no escape", "stays"],
)
def test_a_text_as_its_reader_takes_it(written, read):
    assert without_escapes(written).text == read


def test_the_lines_of_a_notebooks_cell_are_lines():
    written = '["a\\n",\n  "b\\\\n\\n"]'
    assert without_escapes(written, notebook=True).text == '["a\nb\\\\n\n"]'
    assert without_escapes(written).text == written


@pytest.mark.parametrize(
    ("written", "part", "there"),
    [
        ("a b c", "b", "b"),
        ("x \\/ secret \\/ y", "secret", "secret"),
        ("x s\\u0065cre\\u0074 y", "secret", "s\\u0065cre\\u0074"),
        ("<p><![CDATA[secret]]></p>", "secret", "secret"),
        ("x=sec\\\n  ret\ny", "secret", "sec\\\n  ret"),
        ("x=\\\n  secret\\\n y", "secret", "secret"),
        ("\\u0061\\u0062\\u0063", "b", "\\u0062"),
    ],
)
def test_where_it_stands_in_the_file(written, part, there):
    plain = without_escapes(written)
    start = plain.text.index(part)
    first, last = plain.place(start, start + len(part))
    assert written[first:last] == there


@given(st.text("ab\\/u0061x&;#mp\n <![CDATA]>", max_size=60), st.data())
def test_places_keep_their_order_and_hold_what_is_read(written, data):
    plain = without_escapes(written)
    start = data.draw(st.integers(0, len(plain.text)))
    end = data.draw(st.integers(start, len(plain.text)))
    if start < end:
        first, last = plain.place(start, end)
        assert 0 <= first < last <= len(written)
        assert last - first >= end - start
