"""Queries in tree-sitter's notation, matched on ast-grep's trees."""

from __future__ import annotations

import pytest

from indexing.languages.matching import Matcher
from indexing.languages.nodes import root_of
from indexing.languages.queries import queries_in

PYTHON = "# First.\n# Second.\nclass A(B, c.D):\n    x: int = f('a')\n\n\ndef f(a, *, b=1): ...\n"


def found(query: str, text: str = PYTHON, parser: str = "python"):
    """The texts of what is captured, by capture."""
    matches = Matcher(queries_in(query)).matches(root_of(text, parser))
    return [{name: node.text() for name, node in match.items()} for match in matches]


@pytest.mark.parametrize(
    ("query", "matches"),
    [
        ("(call function: (identifier) @f)", [{"f": "f"}]),
        (
            "(class_definition name: (_) @name superclasses: (_ (attribute object: (_) @of)))",
            [{"name": "A", "of": "c"}],
        ),
        ("(argument_list [(identifier) (attribute)] @base)", [{"base": "B"}, {"base": "c.D"}]),
        ("(argument_list . (identifier) @first)", [{"first": "B"}]),
        ("(argument_list (identifier) @last .)", []),
        ("(argument_list (attribute) @last .)", [{"last": "c.D"}]),
        ("(module . (comment)* . (class_definition name: (_) @name))", [{"name": "A"}]),
        ("(module . (comment)+ . (class_definition name: (_) @name))", [{"name": "A"}]),
        ("(module . (class_definition) @first)", []),
        ("((comment) @above . (class_definition name: (_) @name))", [{"above": "# Second.", "name": "A"}]),
        ('(parameters "*" @star)', []),
        ("(function_definition !return_type name: (_) @name)", [{"name": "f"}]),
        ("(assignment !type left: (_) @name)", []),
        ('((identifier) @x (#eq? @x "B"))', [{"x": "B"}]),
        ('((identifier) @x (#any-of? @x "B" "D"))', [{"x": "B"}, {"x": "D"}]),
        ('((identifier) @x (#match? @x "^[A-Z]") (#not-eq? @x "A"))', [{"x": "B"}, {"x": "D"}]),
        ('((identifier) @x (#not-match? @x "[a-z]") (#not-eq? @x "A"))', [{"x": "B"}, {"x": "D"}]),
    ],
)
def test_what_a_query_finds(query, matches):
    assert found(query) == matches


def test_a_word_is_a_node_without_a_name():
    text = "import a from 'b';\nimport('c');\n"
    assert found('(import_statement "import" @word)', text, "javascript") == [{"word": "import"}]
    assert found("(call_expression function: (import) @name)", text, "javascript") == [{"name": "import"}]


@pytest.mark.parametrize("query", ["(call", "call)", "(call function: )", "(call (#eq? @x", "%"])
def test_what_is_no_query_is_an_error(query):
    with pytest.raises(ValueError, match=r"missing|No query"):
        list(queries_in(query))
