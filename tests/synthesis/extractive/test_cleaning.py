from __future__ import annotations

from synthesis.extractive.cleaning import plain, printable, shortened, visible


def test_markup_comes_off_and_code_keeps_its_backticks():
    text = "**Use** the [client](https://x.y) with `timeout=5`, see ![img](a.png) *now* <br> __init__"
    assert plain(text) == "Use the client with `timeout=5`, see now __init__"


def test_restructured_text_too():
    assert (
        plain(":class:`Client` and ``trio``, `docs <https://x.y>`_ and `page`__")
        == "`Client` and `trio`, docs and page"
    )


def test_a_terminal_obeys_nothing_that_was_retrieved():
    assert visible("a\x1b[31m\u202eb\n") == "a[31mb\n"
    assert printable("[graph:evil/X] and [1]") == "(graph:evil/X] and [1]"


def test_long_text_is_cut_between_words_and_closes_its_code():
    assert shortened("one two three", 8) == "one two …"
    assert shortened("say `a b c", 9) == "say `a b` …"
    assert shortened("short") == "short"


def test_links_of_asciidoc_are_their_words():
    assert plain("for my book https://example.org/book[Patterns of tills], see link:a.html[here]") == (
        "for my book Patterns of tills, see here"
    )
