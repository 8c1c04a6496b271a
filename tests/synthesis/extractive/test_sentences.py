from __future__ import annotations

from memory.text.lines import split_lines
from synthesis.extractive.sentences import prose_passages

PAGE = split_lines("""# Retries

Tries three times, e.g. on a timeout. Then it
gives up.

- **max_attempts** is 3
  by default
1. Second

| name | default |
|---|---|
| pool | 5.0 s |

```python
x = retry(3)
```

Old style
---------

> Quoted
> text here.

    indented = code(1)

Parameters:
    first: One thing. `second` follows.
    other: Another.
<!-- hidden -->
.. note:: skipped
Last words""")


def found():
    return [(p.first + 1, p.last + 1, p.kind, p.context, p.text) for p in prose_passages(PAGE)]


def test_every_piece_knows_its_lines_and_heading():
    assert found() == [
        (3, 3, "prose", "Retries", "Tries three times, e.g. on a timeout."),
        (3, 4, "prose", "Retries", "Then it gives up."),
        (6, 7, "item", "Retries", "max_attempts is 3 by default"),
        (8, 8, "item", "Retries", "Second"),
        (12, 12, "row", "Retries", "pool: default 5.0 s"),
        (15, 15, "code", "Retries", "x = retry(3)"),
        (21, 22, "prose", "Old style", "Quoted text here."),
        (24, 24, "code", "Old style", "indented = code(1)"),
        (26, 26, "prose", "Old style", "Parameters:"),
        (27, 27, "prose", "Old style", "first: One thing."),
        (27, 27, "prose", "Old style", "`second` follows."),
        (28, 28, "prose", "Old style", "other: Another."),
        (31, 31, "prose", "Old style", "Last words"),
    ]


def test_quotations_stand_in_the_lines():
    for passage in prose_passages(PAGE):
        lines = " ".join(" ".join(PAGE[passage.first : passage.last + 1]).split())
        assert " ".join(passage.quote.split()) in lines


def test_three_lines_are_one_sentence():
    [passage] = prose_passages(["It begins", "  goes on", "and ends."])
    assert passage.text == "It begins goes on and ends."
    assert (passage.first, passage.last) == (0, 2)


def test_a_row_of_one_cell_and_an_empty_page():
    assert [p.text for p in prose_passages(["| a |", "|---|", "| x |"])] == ["x"]
    assert prose_passages([]) == []


def test_metadata_is_read_field_by_field():
    found = prose_passages(["Metadata-Version: 2.1", "Name: tills", "Requires-Dist: desk"])
    assert [(p.kind, p.text) for p in found][1:] == [("code", "Name: tills"), ("code", "Requires-Dist: desk")]


def test_what_an_indented_block_shows_is_code():
    lines = ["Use it like this::", "", "    ring(1,", "         second)", "", "Then go home."]
    assert [(p.kind, p.text) for p in prose_passages(lines)][1:] == [
        ("code", "ring(1,"),
        ("code", "second)"),
        ("prose", "Then go home."),
    ]


def texts(page):
    return [(p.kind, p.text) for p in prose_passages(split_lines(page))]


def test_front_matter_is_for_the_generator_but_for_its_description():
    page = '---\ntitle: Tills\ncatalog_description: "Opens drawers at night."\ntags:\n  - shop\n---\n\nA till opens.\n'
    [described, said] = prose_passages(split_lines(page))
    assert (described.text, described.quote, described.first, described.kind) == (
        "Opens drawers at night.",
        "Opens drawers at night.",
        2,
        "prose",
    )
    assert (said.text, said.first) == ("A till opens.", 7)


def test_a_rule_at_the_top_is_no_front_matter():
    assert texts("---\n\nA till opens.\n\n---\n") == [("prose", "A till opens.")]
    assert texts("---\nname: till\n") == [("prose", "name: till")]


def test_rows_of_a_table_that_began_above_have_no_header():
    assert texts("| till | Go | Opens. |\n| desk | C | Closes. |\n") == [
        ("row", "till: Go, Opens."),
        ("row", "desk: C, Closes."),
    ]


def test_a_page_s_script_is_code_even_where_it_began_above():
    script = "function ring() {\n  // loud\n  bell({\n    loud: true,\n    long: 2,\n  });\n}\n"
    assert {kind for kind, _ in texts(script)} == {"code"}


def test_headings_of_asciidoc():
    [said] = prose_passages(split_lines("== Tills\n\nThey open.\n"))
    assert (said.text, said.context) == ("They open.", "Tills")
