from __future__ import annotations

from extraction.facts import FileFacts
from indexing.chunks import chunk_file

BODY = "A sentence of some length that says what this part is about.\n" * 4


def cut(text, *, path="docs/guide.md", max_chars=1500):
    return [
        (d.start_line, d.end_line, d.section) for d in chunk_file(path, text, FileFacts(path, ""), max_chars=max_chars)
    ]


def test_one_chunk_a_section_with_its_trail():
    assert len(BODY) == 244
    text = f"# Shop\n\n{BODY}\n## Cart\n\n{BODY}\n### Empty\n\n{BODY}\n## Till\n\n{BODY}"
    assert cut(text) == [
        (1, 6, "Shop"),
        (8, 13, "Shop > Cart"),
        (15, 20, "Shop > Cart > Empty"),
        (22, 27, "Shop > Till"),
    ]


def test_small_sections_join_under_what_they_have_in_common():
    assert cut("# Shop\n\nintro\n\n## Cart\n\none\n\n## Till\n\ntwo\n") == [(1, 11, "Shop")]
    assert cut(f"# Shop\n\n{BODY}\n## Cart\n\none\n\n## Till\n\ntwo\n") == [(1, 14, "Shop")]
    assert cut(f"# Shop\n\n{BODY}\n## Cart\n\none\n\n## Till\n\ntwo\n", max_chars=len(f"# Shop\n\n{BODY}") - 1) == [
        (1, 6, "Shop"),
        (8, 14, "Shop"),
    ]


def test_sections_of_different_parents_do_not_join():
    text = f"# A\n\n{BODY}\n## Deep\n\n{BODY}\n### Deeper\n\none\n\n# B\n\ntwo\n\n## Other\n\nthree\n"
    assert cut(text) == [(1, 6, "A"), (8, 17, "A > Deep"), (19, 25, "B")]


def test_without_a_common_parent_the_longest_gives_the_name():
    assert cut(f"# A\n\none\n\n# B\n\n{BODY}") == [(1, 10, "B")]
    assert cut(f"before all\n\n# B\n\n{BODY}") == [(1, 8, "B")]


def test_a_bare_heading_belongs_to_what_it_stands_above():
    assert cut(f"# Shop\n\n{BODY}\n## Release\n\n### Fixed\n\n{BODY}") == [
        (1, 6, "Shop"),
        (8, 15, "Shop > Release > Fixed"),
    ]
    assert cut(f"Shop\n====\n\nRelease\n-------\n\n{BODY}") == [(1, 10, "Shop > Release")]


def test_instructions_are_cut_at_every_heading():
    text = "# Working here\n\n## Reviews\n\nTwo.\n\n## Style\n\nShort.\n"
    expected = [(1, 1, "Working here"), (3, 5, "Working here > Reviews"), (7, 9, "Working here > Style")]
    assert cut(text, path="CLAUDE.md") == expected
    assert cut(text, path="services/AGENTS.md") == expected
    assert cut(text, path="README.md") == [(1, 9, "Working here")]


def test_a_long_section_is_cut_at_blank_lines():
    text = f"# Shop\n\n{BODY}\n{BODY}\n{BODY}"
    assert cut(text, max_chars=600) == [(1, 11, "Shop"), (13, 16, "Shop")]


def test_a_heading_inside_a_fence_is_none():
    text = f"# Shop\n\n```sh\n# not a heading\n## nor this\n```\n\n~~~~\n```\n# nor this\n~~~~\n\n## Real\n\n{BODY}"
    assert [section for _, _, section in cut(text)] == ["Shop"]
    assert cut(f"# A\n\n{BODY}\n````\n```\n# x\n````\n\n## B\n\n{BODY}")[-1][2] == "A > B"
    assert cut("# A\n\n```\n# never closed\n\n# still open\n", max_chars=20)[-1][2] == "A"


def test_a_fence_is_not_cut_while_another_place_is_left():
    code = "```\n" + "line of code\n\n" * 10 + "```\n"
    assert cut(f"# A\n\n{BODY}\n{code}", max_chars=300) == [(1, 6, "A"), (8, 29, "A")]


def test_ticks_in_a_line_open_no_fence():
    assert cut(f"# A\n\n{BODY}\n```x``` is code\n\n# B\n\n{BODY}")[-1][2] == "B"


def test_underlined_headings():
    assert cut(f"Shop\n====\n\n{BODY}\nCart\n---\n\n{BODY}") == [(1, 7, "Shop"), (9, 15, "Shop > Cart")]


def test_what_only_looks_like_an_underline():
    for text in (
        f"---\ntitle: x\n---\n\n{BODY}",
        f"- item\n---\n\n{BODY}",
        f"two\nlines\n---\n\n{BODY}",
        f"a | b\n--|--\n\n{BODY}",
        f"{BODY}\n---\n\n{BODY}",
        f"---\n\n{BODY}",
    ):
        assert {section for _, _, section in cut(text)} == {""}, text


def test_front_matter_is_no_heading():
    assert cut(f"---\n# a comment\ntitle: x\n---\n\n# Shop\n\n{BODY}") == [(1, 11, "Shop")]


def test_titles_are_read_without_their_marks():
    assert cut(f"## [Cart](https://example.org) ##\n\n{BODY}")[0][2] == "Cart"
    assert cut(f"##\n\n{BODY}")[0][2] == ""
    assert cut(f"#hashtag\n\n{BODY}")[0][2] == ""
    assert cut(f"# C# and F#\n\n{BODY}")[0][2] == "C# and F#"


def test_restructured_text():
    text = f"""\
====
Shop
====

{BODY}
Cart
====

{BODY}
Empty `it`
----------

::

    Not this
    --------

{BODY}
Till
====

{BODY}"""
    assert [section for _, _, section in cut(text, path="docs/index.rst")] == [
        "Shop",
        "Shop > Cart",
        "Shop > Cart > Empty `it`",
        "Shop > Till",
    ]


def test_a_transition_in_restructured_text_is_no_heading():
    assert cut(f"Shop\n====\n\n{BODY}\n----\n\n{BODY}", path="a.rst", max_chars=300) == [
        (1, 9, "Shop"),
        (11, 14, "Shop"),
    ]


def test_asciidoc():
    text = f"= Shop\n\n{BODY}\n== Cart\n\n----\n== not this\n----\n\n{BODY}"
    assert cut(text, path="a.adoc") == [(1, 6, "Shop"), (8, 17, "Shop > Cart")]


def test_plain_text_has_no_sections():
    assert cut(f"# not a heading here\n\n{BODY}", path="notes.txt") == [(1, 6, "")]


def test_the_last_line_of_a_paragraph_is_no_title_in_restructured_text():
    assert cut(f"two\nlines\n=====\n\n{BODY}", path="a.rst") == [(1, 8, "")]
    assert cut(f"  quoted\n--------\n\n{BODY}", path="a.rst") == [(1, 7, "")]
