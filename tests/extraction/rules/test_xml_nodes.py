"""XML with lines."""

from __future__ import annotations

import pytest

from extraction.rules.xml_nodes import root_of


def test_elements_have_lines_text_and_plain_names():
    root = root_of('<a:b xmlns:a="u">\n  <a:c a:d="1"> x </a:c>\n  <c/>\n</a:b>')
    assert (root.name, root.line, root.last_line) == ("b", 1, 4)
    assert [(c.line, c.text, c.attributes) for c in root.all("c")] == [(2, "x", {"d": "1"}), (3, "", {})]
    assert root.text_at("c") == "x"
    assert root.text_at("nothing") == ""
    assert [e.name for e in root.walk()] == ["b", "c", "c"]


@pytest.mark.parametrize(
    "text", ["", "<a>", "<a" * 9, "<a>" * 99 + "</a>" * 99, '<!DOCTYPE a [<!ENTITY e "x">]><a>&e;</a>']
)
def test_what_is_broken_too_deep_or_declares_entities_is_not_read(text):
    assert root_of(text) is None
