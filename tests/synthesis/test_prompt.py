"""What a model is asked to do (001 §6.2)."""

from __future__ import annotations

import pytest

from synthesis.markers import parse_markers
from synthesis.prompt import SYNTHESIS_PROMPT, synthesis_prompt


@pytest.mark.specification("001 §6.2 prompt")
def test_question_context_and_instructions_in_this_order():
    prompt = synthesis_prompt("Who reviews?", "<retrieved>two people</retrieved>")
    order = [
        "QUERY: Who reviews?",
        "RETRIEVED CONTEXT:",
        "<retrieved>two people</retrieved>",
        "INSTRUCTIONS:",
        "1. Synthesize a coherent answer",
        "2. Cite sources",
        "3. Note if sources agree or conflict",
        "4. If information is incomplete, say what's missing",
        "5. Prioritize local project context, then graph relationships, then similar examples",
    ]
    places = [prompt.index(part) for part in order]
    assert places == sorted(places)
    assert prompt.endswith("Answer:")


@pytest.mark.specification("001 §6.2 citations")
def test_the_forms_it_names_are_those_that_are_read():
    forms = [marker for marker in parse_markers(SYNTHESIS_PROMPT.replace(":A-B]", ":3-9]")) if marker.kind]
    assert [(form.kind, form.lines, form.names) for form in forms] == [
        ("local", (3, 9), ()),
        ("graph", None, ("PROJECT/NAME",)),
        ("graph", None, ("PROJECT/NAME", "PROJECT/NAME")),
        ("vector", (3, 9), ()),
    ]
