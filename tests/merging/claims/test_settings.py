"""Values of configuration keys, with their whole path and their file."""

from __future__ import annotations

import pytest

from merging.claims import read_claims
from tests.merging.making import text


def stated(content, place):
    return {
        claim.property: claim.value
        for claim in read_claims(text(content, place))
        if claim.subject == place.partition(":")[0]
    }


class TestYaml:
    def test_keys_have_their_whole_path(self):
        found = stated("a: 1\nretry:\n  max: 3  # times\n  on:\n    code: '503'\nb: two words\n", "c/settings.yaml:1-6")
        assert found == {"a": "1", "retry.max": "3", "retry.on.code": "503", "b": "two words"}

    def test_lists_blocks_anchors_and_templates_state_nothing(self):
        content = "a:\n  - x: 1\n    y: 2\n  - z: 3\nb: |\n  key: value\nc: &anchor 1\nd: *anchor\ne: ${PORT}\nf: {{ value }}\ng: [1, 2]\nh: >-\n  k: v\ni: 1\n"
        assert stated(content, "s.yml:1-14") == {"i": "1"}

    def test_a_chunk_that_begins_amid_a_block_claims_from_the_next_top_key_on(self):
        assert stated("    deep: 1\n  less: 2\ntop: 3\n  \nnext:\n  k: 4\n", "s.yaml:40-45") == {
            "top": "3",
            "next.k": "4",
        }

    def test_several_documents_state_nothing(self):
        assert stated("a: 1\n---\nb: 2\n", "s.yaml:1-3") == {}
        assert stated("---\na: 1\n", "s.yaml:1-2") == {"a": "1"}

    def test_a_step_back_ends_the_deeper_blocks_alone(self):
        found = stated("a:\n  b:\n    c: 1\n  d: 2\n  e:\n    f: 3\ng: 4\n", "s.yaml:1-7")
        assert found == {"a.b.c": "1", "a.d": "2", "a.e.f": "3", "g": "4"}

    def test_comments_and_blank_lines_end_no_block(self):
        assert stated("a:\n# note\n\n  b: 1\n  # c: 2\n  d: 3 # e\n", "s.yaml:1-6") == {"a.b": "1", "a.d": "3"}

    def test_what_follows_a_list_or_a_block_of_text_is_read(self):
        found = stated(
            "a:\n  b:\n    - x: 1\n      y: 2\n    - z\n  c: |-\n    k: v\n\n    l: w\n  d: 1\n", "s.yaml:1-9"
        )
        assert found == {"a.d": "1"}
        assert stated("- a: 1\n  b: 2\nc: 3\n", "s.yaml:1-3") == {"c": "3"}

    def test_what_is_no_key_ends_the_blocks_it_stands_beside(self):
        assert stated("a:\n  b: 1\n? odd\n  c: 2\n", "s.yaml:1-4") == {"a.b": "1"}

    def test_keys_as_paths_and_values_with_colons(self):
        assert stated("a/b-c.d : x:y\nurl: http://h:1/p\nnokey:1\n", "s.yaml:1-3") == {
            "a/b-c.d": "x:y",
            "url": "http://h:1/p",
        }

    def test_comments_and_empty_values(self):
        assert stated("# a: 1\nb: # nothing\n  c: 2\nd: ''\n", "s.yaml:1-4") == {"b.c": "2", "d": ""}


class TestToml:
    def test_sections(self):
        assert stated(
            'top = 1\n[tool.x]\nline-length = 120\nname = "a b"  # yes\n[[list]]\nk = 1\n[y]\nk = 2\nv = [1]\n',
            "p.toml:1-9",
        ) == {
            "top": "1",
            "tool.x.line-length": "120",
            "tool.x.name": "a b",
            "y.k": "2",
        }

    def test_quoted_keys_and_sections_with_blanks(self):
        given = '"a b" = 1\n[ tool.x ]\nk=2\n  indented = 3\n[broken\nl = 4\n'
        assert stated(given, "p.toml:1-6") == {"a b": "1", "tool.x.k": "2"}

    def test_a_chunk_without_its_section_waits_for_the_next(self):
        assert stated("k = 1\n[y]\nk = 2\n", "p.toml:9-11") == {"y.k": "2"}

    def test_ini(self):
        assert stated("[server]\nhost = localhost\n  continued = 1\n; note\n", "app.cfg:1-3") == {
            "server.host": "localhost"
        }


class TestValues:
    @pytest.mark.parametrize(
        ("written", "value"),
        [
            ("8080", "8080"),
            ("two words", "two words"),
            ("bare   # note", "bare"),
            ("a'b", "a'b"),
            ("'single # kept'", "single # kept"),
            ('"double \'s"  # note', "double 's"),
            ("' edges '", " edges "),
            ('""', ""),
            ("$5", "$5"),
            ("a < b", "a < b"),
        ],
    )
    def test_without_quotes_and_comment(self, written, value):
        assert stated(f"a: {written}\n", "s.yaml:1-1") == {"a": value}

    @pytest.mark.parametrize(
        "written",
        ["${PORT}", "x-${PORT}", "$(cmd)", "'{{ value }}'", "a{{b}}", "<your name>", "[1]", "{a: 1}", "&a 1", "*a", "|",
         ">", "!tag x", "'open", "'a' b", '"a" b'],
    )  # fmt: skip
    def test_filled_in_elsewhere_or_no_plain_value(self, written):
        assert stated(f"a: {written}\n", "s.yaml:1-1") == {}
        assert stated(f"a = {written}\n", "s.env:1-1") == {}


class TestOthers:
    def test_env_like(self):
        given = "export PORT=8080\nNAME='x y'\n# OLD=1\nREF=${PORT}\nEMPTY=\n  A.B-C = 1 # note\n"
        assert stated(given, "config/app.env:1-6") == {"PORT": "8080", "NAME": "x y", "A.B-C": "1"}

    def test_json(self):
        given = '{"a": {"b": 1, "c": "x", "d": {"e": 0.5}}, "d": [1], "e": true, "f": null, "g": "${G}"}'
        assert stated(given, "c.json:1-1") == {"a.b": "1", "a.c": "x", "a.d.e": "0.5", "e": "true"}

    def test_a_piece_of_json_states_nothing(self):
        assert stated('"a": {"b": 1},', "c.json:3-3") == {}
        assert stated("[" * 100_000, "c.json:1-1") == {}

    @pytest.mark.parametrize("place", ["notes.txt:1-1", "main.py:1-1", "docs/a.md:1-1", "LICENSE:1-1"])
    def test_nothing_where_there_are_no_settings(self, place):
        assert stated("port: 8080\nport = 8080\n", place) == {}


class TestDocuments:
    def test_a_block_speaks_for_the_file_named_in_the_line_before(self):
        (claim,) = read_claims(
            text("# S\n\nIn `config/app.yaml`:\n\n```yaml\nretry:\n  max: 5\n```\n", "README.md:1-8")
        )
        assert (claim.project, claim.subject, claim.property, claim.value) == (
            "billing",
            "config/app.yaml",
            "retry.max",
            "5",
        )
        assert claim.where.path == "README.md"

    def test_a_block_begins_at_the_top_of_its_file(self):
        claims = read_claims(text("`app.toml`:\n```toml\nk = 1\n[x]\nk = 2\n```\n", "README.md:9-14"))
        assert {(c.subject, c.property): c.value for c in claims} == {("app.toml", "k"): "1", ("app.toml", "x.k"): "2"}

    def test_not_without_a_name_or_with_two(self):
        for before in ("For example:", "`a.yaml` or `b.yaml`:", "`retry`:"):
            assert read_claims(text(f"{before}\n\n```yaml\nretry:\n  max: 5\n```\n", "README.md:1-6")) == ()
