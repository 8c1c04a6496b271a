"""Every heading, table and code block of the specifications has its rows in the page, or says why it has none."""

from __future__ import annotations

from tests.outline import elements, gaps, read_outline
from tests.printed_code import blocks
from tests.specifications import Part, Specification, read_specifications


def test_nothing_is_forgotten():
    specifications, outline = read_specifications(), read_outline()
    assert [one.number for one in specifications] == sorted(outline)
    assert list(gaps(specifications, outline)) == []


def test_every_python_block_is_kept_as_printed_and_has_a_row_that_says_so():
    for number, listed in read_outline().items():
        printed = {name.removeprefix("python in ") for name in listed if name.startswith("python in ")}
        assert printed == (set(blocks(number)) if printed else set())
        for heading in printed:
            assert any("as printed" in row for row in listed[f"python in {heading}"]), heading


def test_the_elements_of_a_document():
    document = "# A\n\n| x |\n|---|\n\n```python\n# no heading\n| no table |\n```\n## B\n```\n```\n```\n```\n"
    assert elements(document) == ["A", "table in A", "python in A", "B", "text in B", "text in B (2)"]


def test_gaps_are_named():
    nine = Specification("9", "Nine", (("§1 First", (Part("9 §1 a", "It rings."), Part("9 §1 b", "It ends."))),))
    assert list(gaps([nine], {"9": {"1. Bells": ["§1 a", "§2"], "2. Why": "an introduction", "3": ""}})) == [
        "9 1. Bells: no row §2",
        "9 3: neither rows nor why there are none",
        "9 §1 b: in no element",
    ]
