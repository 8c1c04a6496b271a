from __future__ import annotations

from synthesis.extractive.wording import all_of, counted, listed, number_word, verb


def test_small_english():
    assert [number_word(n) for n in (0, 3, 11)] == ["no", "three", "11"]
    assert [counted(1, "place"), counted(2, "place"), counted(2, "query", "queries")] == [
        "one place",
        "two places",
        "two queries",
    ]
    assert [all_of(2), all_of(3)] == ["Both", "All three"]
    assert [listed([]), listed(["a"]), listed(["a", "b", "c"]), listed(["a", "b"], "or")] == [
        "",
        "a",
        "a, b and c",
        "a or b",
    ]
    assert [verb("CALLS"), verb("OWNS_TABLE"), verb("READS_FROM")] == ["calls", "owns the table", "reads from"]
    assert [verb("STORES_IN"), verb("STORES_IN", "service")] == ["is stored in the table", "stores its data in"]
