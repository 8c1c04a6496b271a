from __future__ import annotations

from memory.text.lines import split_lines
from synthesis.extractive.code import code_passages

CODE = split_lines('''import os

class Client:
    """Sends requests. Keeps connections."""

    # Seconds a call may take.
    timeout: float = 5.0

    def __init__(
        self,
        *,
        verify: bool = True,
        a: int = 1,
        b: int = 2,
        c: int = 3,
    ) -> None:
        """
        Opens it.

        >>> Client()
        """
        pass

    def send(self, data):
        return self.pool.send(
            data,
        )


LIMITS = [1, 2]  # type: ignore
''')


def by_kind(kind: str, lines=CODE, context: str = ""):
    return [(p.first + 1, p.last + 1, p.context, p.text) for p in code_passages(lines, context) if p.kind == kind]


def test_documentation_and_comments_are_sentences():
    assert by_kind("documentation") == [
        (4, 4, "Client", "Sends requests."),
        (4, 4, "Client", "Keeps connections."),
        (6, 6, "Client", "Seconds a call may take."),
        (18, 18, "Client.__init__", "Opens it."),
    ]


def test_signatures_even_those_too_long_to_show():
    assert by_kind("signature") == [
        (3, 3, "Client", "class Client:"),
        (9, 9, "Client.__init__", "def __init__( …)"),
        (24, 24, "Client.send", "def send(self, data):"),
    ]


def test_statements_are_whole_and_know_where_they_stand():
    statements = by_kind("code")
    assert (7, 7, "Client", "timeout: float = 5.0") in statements
    assert (12, 12, "Client.__init__", "verify: bool = True,") in statements
    assert (25, 27, "Client.send", "return self.pool.send(data)") in statements
    assert statements[-1] == (30, 30, "", "LIMITS = [1, 2]")
    assert by_kind("import") == [(1, 1, "", "import os")]


def test_quotations_stand_in_the_lines():
    for passage in code_passages(CODE):
        lines = " ".join(" ".join(CODE[passage.first : passage.last + 1]).split())
        assert " ".join(passage.quote.split()) in lines


def test_a_chunk_of_a_method_keeps_its_class():
    lines = ["def send(self):", "    return 1 + 1"]
    assert by_kind("code", lines, "Client.send") == [(2, 2, "Client.send", "return 1 + 1")]
    assert by_kind("code", lines, "Client") == [(2, 2, "Client.send", "return 1 + 1")]


def test_other_languages_comments():
    lines = ["/** Sends it.", " * Twice if need be.", " */", "func Send(a int) {", "  // Now.", "}"]
    assert [text for *_, text in by_kind("documentation", lines)] == ["Sends it.", "Twice if need be.", "Now."]
    assert by_kind("signature", lines) == [(4, 4, "Send", "func Send(a int) {")]


def test_an_open_bracket_ends_at_a_comment():
    lines = ["x = call(", "    # why", "    1)"]
    assert by_kind("code", lines) == [(3, 3, "", "1)")]


def test_a_chunk_that_begins_inside_a_docstring():
    lines = ["the default bundle is used. It is", "certifi's.", '"""', "return 1 + 1"]
    assert [text for *_, text in by_kind("documentation", lines)] == ["the default bundle is used.", "It is certifi's."]
    assert by_kind("code", lines) == [(4, 4, "", "return 1 + 1")]
    cut = ["def f():", '    """', "    Says so."]
    assert [text for *_, text in by_kind("documentation", cut)] == ["Says so."]


def test_definitions_side_by_side_are_not_inside_each_other():
    lines = ["LIMIT = 5", "", "class Batch:", "    size = 3"]
    assert by_kind("code", lines, "LIMIT") == [(1, 1, "", "LIMIT = 5"), (4, 4, "Batch", "size = 3")]
    inside = ["        return 1 + 1", "", "    def close(self):", "        self.pool = None", "", "after = 1"]
    assert [where for _, _, where, _ in by_kind("code", inside, "Client.send")] == ["Client.send", "Client.close", ""]


def test_settings_stand_under_their_keys():
    lines = ["services:", "  billing:", "    ports: [8082]"]
    passages = code_passages(lines, keyed=True)
    assert (passages[-1].context, passages[-1].text) == ("services.billing", "ports: [8082]")


def test_a_docstring_known_to_be_open():
    lines = ["The default is five.", "LIMIT is used."]
    assert [p.kind for p in code_passages(lines, opened='"""')] == ["documentation"] * 2
    assert [p.kind for p in code_passages(["LIMIT = 5"], opened="")] == ["code"]


def test_only_the_whole_name_at_the_chunk_s_indentation_is_the_definition():
    lines = ["LIMITS = 5", "", "class Batch:", "    size = 3"]
    assert [where for _, _, where, _ in by_kind("code", lines, "LIMIT")] == ["LIMIT", "LIMIT.Batch"]


def test_an_option_is_no_comment():
    assert [p.kind for p in code_passages(["--hash=sha256:ab12", "-- a remark about hashes"])] == [
        "code",
        "documentation",
    ]
