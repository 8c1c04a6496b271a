from __future__ import annotations

from dataclasses import replace

from orchestrator.hybrid import HybridRetrievalOrchestrator
from orchestrator.running.fakes import FakeAgent, found
from synthesis import Citation


async def asked(**agents):
    async with HybridRetrievalOrchestrator(**agents) as orchestrator:
        return await orchestrator.retrieve("What is <b>alpha</b>?")


async def test_a_notebook_shows_the_answer_what_it_lacks_and_its_citations():
    result = await asked(vector=FakeAgent([found("Alpha beta")]), graph=FakeAgent(error=OSError("gone")))
    cited = Citation("[a.md:1-2]", "1", "alpha", "Alpha <script>", None, located=True, reason="says less")
    html = replace(
        result, answer=replace(result.answer, citations=(cited, replace(cited, supported=True)))
    )._repr_html_()
    assert "What is &lt;b&gt;alpha&lt;/b&gt;?" in html
    assert "the relations between the projects (graph failed)" in html
    assert "2 citations" in html
    assert "not verified: says less" in html
    assert html.count(">verified<") == 1
    assert "<script>" not in html


async def test_an_answer_without_any_is_shown_too():
    html = (await asked())._repr_html_()
    assert "not_found" in html
    assert "<table>" not in html
