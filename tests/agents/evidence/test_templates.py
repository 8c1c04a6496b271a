"""The templates against the numbers of the specification, written out."""

from __future__ import annotations

import pytest

from agents.evidence.intents import Intent
from agents.evidence.templates import TEMPLATES, Prefetch, Template, choose_template, with_limits
from memory.errors import ConfigError

DOCS, CODE, SPARSE = "dense_docs", "dense_code", "sparse_lexical"


@pytest.mark.specification("000 §7.1 A", "000 §5.3 limits")
def test_a():
    assert TEMPLATES["A"] == Template("A", (Prefetch(DOCS, 80), Prefetch(CODE, 80), Prefetch(SPARSE, 120)), 40)
    assert TEMPLATES["A"].dense_routes == (DOCS, CODE)


@pytest.mark.specification("000 §7.2 B")
def test_b():
    assert TEMPLATES["B"] == Template("B", (Prefetch(CODE, 100), Prefetch(SPARSE, 150)), 50, "code")


@pytest.mark.specification("000 §7.3 C")
def test_c():
    assert TEMPLATES["C"] == Template("C", (Prefetch(DOCS, 100), Prefetch(SPARSE, 150)), 50, "docs")


@pytest.mark.specification("000 §7.4 D")
def test_d():
    prefetches = (Prefetch(DOCS, 80), Prefetch(CODE, 80, of_symbol=True), Prefetch(SPARSE, 120))
    assert TEMPLATES["D"] == Template("D", prefetches, 40)


@pytest.mark.specification("000 §10 step 4")
def test_which_one():
    chosen = {intent: choose_template(intent, "").name for intent in Intent}
    assert {intent for intent, name in chosen.items() if name != "A"} == {Intent.CODE_ONLY, Intent.DOCS_ONLY}
    assert (chosen[Intent.CODE_ONLY], chosen[Intent.DOCS_ONLY]) == ("B", "C")
    assert choose_template(Intent.API_LOOKUP, "FunctionTool").name == "D"
    assert choose_template(Intent.CONCEPTUAL, "FunctionTool").name == "A"


@pytest.mark.specification("000 §12 knobs")
def test_other_numbers():
    changed = with_limits({"A.dense_docs": 5, "D.final": 7})
    assert changed["A"].prefetches[0] == Prefetch(DOCS, 5)
    assert changed["A"].final == 40
    assert (changed["D"].final, changed["D"].prefetches[1]) == (7, Prefetch(CODE, 80, of_symbol=True))
    assert with_limits({}) == TEMPLATES
    for wrong in ({"A.image": 3}, {"B.dense_docs": 3}, {"A.final": 0}):
        with pytest.raises(ConfigError, match=r"A\.dense_docs"):
            with_limits(wrong)
