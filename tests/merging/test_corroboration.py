"""What counts as agreement, and what is one source twice."""

from __future__ import annotations

import pytest

from memory.observations import Location
from merging.corroboration import independent_sources, same_source
from tests.merging.making import graph, text

KEPT = text("retry three times", "a.md:1-10")


class TestIndependence:
    @pytest.mark.specification("001 §1 confidence", "001 §5.2 corroboration")
    def test_another_kind_of_source(self):
        assert independent_sources(KEPT, [text("retry 3 times", "b.md:1-9", kind="local")]) == ("local:billing",)

    def test_another_project(self):
        assert independent_sources(KEPT, [text("retry 3 times", "b.md:1-9", project="auth")]) == ("vector:auth",)

    def test_the_same_kind_in_the_same_project_is_not(self):
        assert independent_sources(KEPT, [text("retry 3 times", "b.md:1-9")]) == ()

    def test_a_copy_is_not(self):
        assert independent_sources(KEPT, [text("retry  three times", "b.md:1-9", project="auth")]) == ()

    @pytest.mark.specification("001 §5.2 corroboration")
    def test_the_same_lines_are_one_source_whoever_found_them(self):
        assert independent_sources(KEPT, [text("three times", "a.md:5-14", kind="local")]) == ()  # 6 of 10 lines
        assert independent_sources(KEPT, [text("three times", "a.md:6-15", kind="local")]) == ("local:billing",)

    def test_what_the_graph_read_there_is_the_same_source(self):
        read = graph(
            "billing retries", locations=(Location("billing", "b.py", 1, 1), Location("billing", "a.md", 4, 4))
        )
        assert independent_sources(KEPT, [read]) == ()
        assert independent_sources(read, [KEPT]) == ()

    def test_each_kind_and_project_once(self):
        others = [text(f"retry {n} times", f"{n}.md:1-9", project="auth") for n in range(3)]
        assert independent_sources(KEPT, others) == ("vector:auth",)

    def test_two_that_are_one_source_speak_once_and_the_first_for_both(self):
        first = text("auth retries", "r.md:1-9", kind="vector", project="auth")
        again = text("auth retries", "r.md:1-9", kind="local", project="auth")
        assert independent_sources(KEPT, [first, again]) == ("vector:auth",)
        assert independent_sources(KEPT, [again, first]) == ("local:auth",)

    def test_what_was_heard_before_stays_and_the_list_is_sorted(self):
        heard = text("x", "a.md:1-10", corroborated_by=("vector:zoo",))
        others = [text("y", "b.md:1-2", project="crm"), text("z", "c.md:1-2", project="auth")]
        assert independent_sources(heard, others) == ("vector:auth", "vector:crm", "vector:zoo")

    def test_without_a_project_the_kind_speaks(self):
        assert independent_sources(KEPT, [text("y", "b.md", kind="local", project=None)]) == ("local",)
        kept = text("x", "a.md", kind="local", project=None)
        assert independent_sources(kept, [text("y", "b.md", kind="local", project=None)]) == ()


def test_same_source_needs_text_or_lines():
    assert same_source(KEPT, KEPT)
    assert not same_source(text("a"), text("b"))
    assert not same_source(KEPT, text("other", "b.md:1-10"))
