"""Every part of a specification has a test, and the page that says so is what the markers give."""

from __future__ import annotations

import json
import re

import pytest

from tests.specifications import (
    PAGE,
    Part,
    ProvingTest,
    Specification,
    faults,
    page,
    proving_tests,
    read_specifications,
)


@pytest.fixture(scope="module")
def specifications():
    return read_specifications()


@pytest.fixture(scope="module")
def tests():
    return proving_tests()


def test_every_part_has_a_test_and_every_marker_names_a_part(specifications, tests):
    assert faults(specifications, tests) == []


def test_the_page_is_what_the_markers_give(specifications, tests):
    assert PAGE.read_text(encoding="utf-8") == page(specifications, tests), "run: python -m tests.specifications"


def test_the_links_of_the_page_lead_somewhere():
    targets = set(re.findall(r"\]\(([^)]+)\)", PAGE.read_text(encoding="utf-8")))
    assert [target for target in targets if not (PAGE.parent / target).exists()] == []


def test_names_of_parts_begin_with_their_sections_number(specifications):
    for specification in specifications:
        for title, parts in specification.sections:
            number = title.split()[0]
            assert [p.name for p in parts if not p.name.startswith(f"{specification.number} {number} ")] == []


def written(tmp_path, text):
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/test_it.py").write_text(text, encoding="utf-8")
    (tmp_path / "test_other.py").write_text("def test_without_a_marker(): (", encoding="utf-8")  # never parsed
    return proving_tests(tmp_path)


def test_markers_of_tests_of_their_classes_and_of_parameters_count(tmp_path):
    text = """
@pytest.mark.specification("9 §1 a", "9 §1 b")
async def test_one(): ...

@pytest.mark.specification("9 §2 c")
class TestMany:
    @pytest.mark.parametrize("x", [1, pytest.param(2, marks=pytest.mark.specification("9 §1 a"))])
    def test_two(self, x): ...
    def not_a_test(self): ...

@pytest.mark.specification("9 §3 d")
def helper(): ...
"""
    assert written(tmp_path, text) == [
        ProvingTest("sub/test_it.py", 3, "test_one", frozenset({"9 §1 a", "9 §1 b"})),
        ProvingTest("sub/test_it.py", 8, "TestMany::test_two", frozenset({"9 §1 a", "9 §2 c"})),
    ]


DECIDED = "softly ([0007](decisions/0007-soft-scope.md))"
NINE = Specification("9", "Nine", (("§1 First", (Part("9 §1 a", "It rings.", DECIDED), Part("9 §1 b", "It ends."))),))


def test_what_is_wrong_is_named():
    rings = ProvingTest("x/test_y.py", 1, "TestBell::test_it_rings", frozenset({"9 §1 a", "9 §1 z"}))
    assert faults([NINE], [rings]) == ["9 §1 b has no test", "x/test_y.py: 9 §1 z is no part"]


@pytest.mark.parametrize("state", [{}, {"measured": "90 dB"}, {"missing": "no bell"}])
def test_a_deviation_that_links_no_decision_is_wrong(state):
    rings = ProvingTest("x/test_y.py", 1, "TestBell::test_it_rings", frozenset({"9 §1 a"}))
    for here in ("softly", "softly (docs/decisions/0007)", "softly ([contracts.md](contracts.md))"):
        nine = Specification("9", "Nine", (("§1 First", (Part("9 §1 a", "It rings.", here, **state),)),))
        assert faults([nine], [rings]) == ["9 §1 a links no decision"]


def test_figures_of_benchmarks_are_those_that_were_kept(specifications):
    kept = json.loads((PAGE.parent / "benchmarks.json").read_text(encoding="utf-8"))
    scifact, cosqa = (kept[f"quality {name}"]["ndcg@10"] for name in ("scifact", "cosqa"))
    python, stdio, http = (
        kept["load"]["runs"][f"{door}, 100 at once"]["p95_s"] for door in ("python", "stdio", "http")
    )
    quoted = {
        "003 REQ-0050 accuracy": f"(SciFact {scifact}, CoSQA {cosqa}; [",
        "003 §7 load": f" {python:.1f} s through Python, {stdio:.1f} over MCP's stdio, {http:.1f} over its HTTP ([",
        "003 §8 quality": f"NDCG is {'below' if max(scifact, cosqa) < 0.8 else 'above'} 0.8 ([",
    }
    texts = {part.name: f"{part.here} {part.measured}" for one in specifications for part in one.parts}
    assert {name for name, text in texts.items() if "benchmarks.md" in text} == quoted.keys()
    assert [name for name, text in quoted.items() if f"{text}benchmarks.md](benchmarks.md)" not in texts[name]] == []


def test_a_chapter_is_a_table_for_each_section():
    rings = ProvingTest("x/test_y.py", 1, "TestBell::test_it_rings", frozenset({"9 §1 a"}))
    again = ProvingTest("x/test_y.py", 5, "test_again", frozenset({"9 §1 a", "9 §1 b"}))
    assert page([NINE], [rings, again]).partition("## 9 ")[2].splitlines() == [
        "Nine",
        "",
        "2 parts (1 works, 1 decided), proven by 2 tests.",
        "",
        "### §1 First",
        "",
        "| part | state | what it says | tests |",
        "|---|---|---|---|",
        "| §1 a | decided | It rings.<br>*Here:* softly ([0007](decisions/0007-soft-scope.md)) | [x/test_y](../tests/x/test_y.py): Bell, it rings; again |",
        "| §1 b | works | It ends. | [x/test_y](../tests/x/test_y.py): again |",
    ]


def test_specifications_are_read_by_number(tmp_path):
    for number in ("003", "001"):
        text = (
            'title: T\nsections:\n  - title: "§1 S"\n    parts:\n      §1 a: A.\n      §1 b: {says: B., here: not so}\n'
        )
        (tmp_path / f"{number}.yaml").write_text(text, encoding="utf-8")
    first, third = read_specifications(tmp_path)
    assert first.parts == (Part("001 §1 a", "A."), Part("001 §1 b", "B.", "not so"))
    assert (first.title, third.number) == ("T", "003")


@pytest.mark.parametrize("state", ["unmeasured", "missing"])
def test_what_is_not_there_needs_no_test_but_a_reason(state):
    part = Part("9 §1 a", "It rings.", **{state: "no bell"})
    nine = Specification("9", "Nine", (("§1 First", (part,)),))
    assert faults([nine], []) == []
    shown = "Not measured" if state == "unmeasured" else "Missing"
    assert f"| §1 a | {shown.lower()} | It rings.<br>*{shown}:* no bell |  |" in page([nine], [])
