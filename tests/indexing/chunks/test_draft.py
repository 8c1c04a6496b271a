from __future__ import annotations

from extraction.facts import FileFacts
from indexing.chunks import chunk_file
from indexing.chunks.draft import header, may_join, size_of, split_by_size, trimmed


def test_project_path_and_symbols_in_words():
    assert header("billing", "db/schema.sql", ["customer_accounts"]) == "billing db schema sql customer accounts"
    assert header("order-intake", "src/OrderService.py", ["OrderService.placeOrder"]) == (
        "order intake src order service py order service place order"
    )


def test_each_name_once_and_a_class_before_its_members():
    assert header("shop", "a.py", ["Cart", "Cart.add", "Cart.remove", "Cart.add"]) == "shop a py cart add remove"
    assert header("httpx", "httpx/httpx/a.py", []) == "httpx a py"
    assert header("shop-api", "shop_api/cart.py", []) == "shop api cart py", "another spelling is the same name"


def test_a_phrase_keeps_its_words():
    assert header("t", "retry.py", ["retry_if_exception"]) == "t retry py retry if exception"
    assert header("retry", "retry.py", []) == "retry py", "a word is not said twice in a row"


def test_what_python_names_says_nothing():
    assert header("shop", "__init__.py", ["Cart", "Cart.__init__", "__all__"]) == "shop init py cart"


def test_it_leaves_the_model_room_for_the_text():
    assert len(header("p", "a.py", [f"constant_{n}" for n in range(100)]).split()) == 48


def test_size_counts_the_line_ends_between():
    assert size_of(["ab", "", "c"], 1, 3) == 2 + 1 + 0 + 1 + 1
    assert size_of(["ab", "", "c"], 1, 1) == 2


def test_trimmed():
    lines = ["", "a", " ", "b", "\t"]
    assert trimmed(lines, 1, 5) == (2, 4)
    assert trimmed(lines, 3, 3) is None
    assert trimmed(lines, 4, 3) is None


def test_what_fits_is_not_cut():
    assert split_by_size(["a", "", "b"], 1, 3, 4) == [(1, 3)]
    assert split_by_size(["a", "", "b"], 1, 3, 3) == [(1, 1), (3, 3)]


def test_cut_at_the_last_blank_line_that_fits():
    lines = ["aaaa", "", "bbbb", "", "cccc", "dddd"]
    assert split_by_size(lines, 1, 6, 17) == [(1, 3), (5, 6)], (
        "16 characters to the end of line 5, but the blank line is line 4"
    )


def test_without_blank_lines_at_a_top_level_key():
    lines = ["one:", "  a: 1", "  b: 2", "two:", "  c: 3", "  d: 4"]
    assert size_of(lines, 1, 5) == 4 + 6 + 6 + 4 + 6 + 4
    assert split_by_size(lines, 1, 6, 30) == [(1, 3), (4, 6)]


def test_the_first_third_is_too_early_for_a_cut():
    lines = ["a", "", *["b" * 9] * 10]
    assert split_by_size(lines, 1, 12, 52) == [(1, 7), (8, 12)], "not after the blank line 2"


def test_lines_that_stay_together_are_cut_only_when_they_must():
    lines = ["aaaa", "bbbb", "", "```", "c", "", "d", "```"]
    assert split_by_size(lines, 1, 8, 19) == [(1, 5), (7, 8)], "the last blank line stands inside the fence"
    assert split_by_size(lines, 1, 8, 19, together={5, 6, 7, 8}) == [(1, 2), (4, 8)]
    assert split_by_size(["a" * 5] * 4, 1, 4, 11, together={1, 2, 3, 4, 5}) == [(1, 2), (3, 4)]


def test_a_longer_line_stands_alone():
    assert split_by_size(["a", "b" * 50, "c"], 1, 3, 10) == [(1, 1), (2, 2), (3, 3)]


def test_small_neighbours_join():
    small, large, other = ["x" * 199], ["y" * 200], ["z" * 300]
    assert may_join([*small, *large], (1, 1), (2, 2), 1500)
    assert not may_join([*large, *other], (1, 1), (2, 2), 1500), "neither is under 200"
    assert may_join([*small, *large], (1, 1), (2, 2), 199 + 1 + 200)
    assert not may_join([*small, *large], (1, 1), (2, 2), 199 + 200)


def cut(path, text, max_chars):
    return [
        (d.start_line, d.end_line, d.chunk_kind)
        for d in chunk_file(path, text, FileFacts(path, ""), max_chars=max_chars)
    ]


def test_yaml_is_cut_at_top_level_keys():
    text = "services:\n  db:\n    image: postgres\n  web:\n    image: nginx\nvolumes:\n  data: {}\n"
    assert cut("compose.yaml", text, 70) == [(1, 5, "config"), (6, 7, "config")]


def test_toml_is_cut_at_blank_lines():
    text = '[project]\nname = "shop"\n\n[tool.ruff]\nline-length = 120\n'
    assert cut("pyproject.toml", text, 45) == [(1, 2, "config"), (4, 5, "config")]


def test_what_no_grammar_knows_is_cut_all_the_same():
    assert cut("a.xyz", "one\ntwo\n\nthree\n", 10) == [(1, 2, "code"), (4, 4, "code")]
