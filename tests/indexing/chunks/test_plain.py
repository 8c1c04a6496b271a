from __future__ import annotations

from indexing.chunks import chunk_file
from indexing.facts import FileFacts


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
