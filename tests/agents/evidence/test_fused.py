"""The one fused request against the numbers of the specification, written out."""

from __future__ import annotations

from dataclasses import replace

import anyio
import pytest

from agents.evidence.fused import (
    TEMPLATES,
    FusionTemplate,
    Prefetch,
    candidates,
    choose_template,
    conditions_of,
    fused_query,
    rerank,
    rerank_text,
    widened,
    with_limits,
)
from agents.evidence.intents import Intent
from agents.evidence.representations import Representations
from memory.errors import ConfigError, ModelError
from memory.files import FakeFiles
from memory.rerankers import FakeReranker
from memory.vector import DENSE_CODE, DENSE_DOCS, SPARSE_LEXICAL, Condition, Hit, SparseVector, VectorQuery
from tests.agents.evidence.making import SETTINGS, item, make_chunk, settled, with_settings


@pytest.mark.specification("000 §12 rerank")
def test_what_a_reranker_reads():
    assert rerank_text(make_chunk(symbol="Tool.run", text="x")) == "google/kit/src/a.py Tool.run\nx"
    assert rerank_text(make_chunk("a.md", section="Guide > Tools", text="x")) == "google/guide/a.md Guide > Tools\nx"
    assert rerank_text(make_chunk(text="x")) == "google/kit/src/a.py\nx"


def pool():
    texts = {"a.py": "nothing", "b.py": "agent", "c.py": "agent tool", "d.py": "agent tool state"}
    return [item(path, rank=rank, text=text) for rank, (path, text) in enumerate(texts.items(), start=1)]


@pytest.mark.specification("000 §12 rerank")
async def test_the_rerankers_order_of_the_first_the_rest_behind():
    fake = FakeReranker()
    got = await rerank("agent tool", pool(), fake, most=3, timeout_s=1)
    assert [(one.rank, one.chunk.path) for one in got.items] == [(1, "c.py"), (2, "b.py"), (3, "a.py"), (4, "d.py")]
    assert got.items[0].score == pool()[2].score
    assert got.notes == ("reranked by fake-shared-words: 3 of 4 candidates",)
    assert not got.failed
    assert fake.calls == [("agent tool", tuple(rerank_text(one.chunk) for one in pool()[:3]))]


async def test_equal_scores_stay_in_order():
    got = await rerank("nowhere", pool(), FakeReranker(), most=40, timeout_s=1)
    assert [one.rank for one in got.items] == [1, 2, 3, 4]
    assert got.items == pool()


class Hanging(FakeReranker):
    async def rerank(self, query, texts):
        await anyio.sleep_forever()


class Short(FakeReranker):
    async def rerank(self, query, texts):
        return [1.0]


@pytest.mark.specification("000 §12 rerank")
@pytest.mark.parametrize(
    ("reranker", "why"),
    [
        (FakeReranker(ModelError("The service is down.")), "The service is down."),
        (Hanging(), "no answer within 0.02 s"),
        (Short(), "1 scores for 4 texts"),
    ],
)
async def test_one_that_fails_changes_nothing_and_is_named(reranker, why):
    got = await rerank("q", pool(), reranker, most=40, timeout_s=0.02)
    assert got.items == pool()
    assert got.failed
    assert got.notes == (f"reranking by fake-shared-words failed, order kept: {why}",)


async def test_nothing_to_rerank_is_no_call():
    fake = FakeReranker()
    assert (await rerank("q", [], fake, most=40, timeout_s=1)).items == []
    assert fake.calls == []


DOCS, CODE, WORDS = "dense_docs", "dense_code", "sparse_lexical"


@pytest.mark.specification("000 §7.1 A", "000 §5.3 limits")
def test_a():
    assert TEMPLATES["A"] == FusionTemplate("A", (Prefetch(DOCS, 80), Prefetch(CODE, 80), Prefetch(WORDS, 120)), 40)
    assert TEMPLATES["A"].dense_routes == (DOCS, CODE)


@pytest.mark.specification("000 §7.2 B")
def test_b():
    assert TEMPLATES["B"] == FusionTemplate("B", (Prefetch(CODE, 100), Prefetch(WORDS, 150)), 50)


@pytest.mark.specification("000 §7.3 C")
def test_c():
    assert TEMPLATES["C"] == FusionTemplate("C", (Prefetch(DOCS, 100), Prefetch(WORDS, 150)), 50)


@pytest.mark.specification("000 §7.4 D")
def test_d():
    prefetches = (Prefetch(DOCS, 80), Prefetch(CODE, 80, of_symbol=True), Prefetch(WORDS, 120))
    assert TEMPLATES["D"] == FusionTemplate("D", prefetches, 40)


@pytest.mark.specification("000 §10 step 4")
def test_which_one():
    chosen = {intent: choose_template(intent, "").name for intent in Intent}
    assert {intent for intent, name in chosen.items() if name != "A"} == {Intent.CODE_ONLY, Intent.DOCS_ONLY}
    assert (chosen[Intent.CODE_ONLY], chosen[Intent.DOCS_ONLY]) == ("B", "C")
    assert choose_template(Intent.API_LOOKUP, "FunctionTool").name == "D"
    assert choose_template(Intent.CONCEPTUAL, "FunctionTool").name == "A"


@pytest.mark.specification("000 §12 knobs", "000 §5.3 limits")
def test_other_numbers():
    changed = with_limits({"A.dense_docs": 5, "D.final": 7})
    assert changed["A"].prefetches[0] == Prefetch(DOCS, 5)
    assert changed["A"].final == 40
    assert (changed["D"].final, changed["D"].prefetches[1]) == (7, Prefetch(CODE, 80, of_symbol=True))
    assert with_limits({}) == TEMPLATES
    for wrong in ({"A.image": 3}, {"B.dense_docs": 3}, {"A.final": 0}):
        with pytest.raises(ConfigError, match=r"A\.dense_docs"):
            with_limits(wrong)


A, B, C, D = (TEMPLATES[name] for name in "ABCD")
DENSE, SPARSE = [0.6, 0.8], SparseVector((3, 7), (1.0, 1.0))
ALL = Representations({DENSE_DOCS: DENSE, DENSE_CODE: DENSE, SPARSE_LEXICAL: SPARSE})


@pytest.mark.specification("000 §6.4 policy", "000 §10 step 3")
def test_no_filter_unless_something_asks_for_one():
    assert conditions_of(settled()) == ()
    assert conditions_of(settled(intent="CODE_ONLY")) == (Condition("corpus", ("code",)),)
    assert conditions_of(settled(intent="DOCS_ONLY")) == (Condition("corpus", ("docs",)),)


@pytest.mark.specification("000 §6.1 syntax", "000 §10 step 3")
def test_scopes_are_exact_matches():
    asked = settled(
        repo_scope=("google/kit", "google/guide"), path_scope=("src/tool.py",), commit="c0ffee", include_tests=False
    )
    assert conditions_of(asked) == (
        Condition("repo", ("google/kit", "google/guide")),
        Condition("path", ("src/tool.py",)),
        Condition("commit", ("c0ffee",)),
        Condition("chunk_kind", ("doc", "code", "config", "example", "table", "image")),
    )


@pytest.mark.specification("000 §6.4 policy", "000 §10 step 4")
def test_a_targeted_file_is_a_global_filter():
    asked = settled("what is in src/tool.py", "TARGETED_FILE")
    assert fused_query(asked, A, ALL, SETTINGS).conditions == (Condition("path", ("src/tool.py",)),)


@pytest.mark.specification("000 §1.1 named vectors", "000 §5.2 request", "000 §5.3 limits", "000 §5.4 parameters")
def test_the_request_of_template_a():
    query = fused_query(settled(), A, ALL, SETTINGS)
    assert query.prefetches == (
        VectorQuery(DENSE_DOCS, DENSE, 80, hnsw_ef=256, exact=False),
        VectorQuery(DENSE_CODE, DENSE, 80, hnsw_ef=256, exact=False),
        VectorQuery(SPARSE_LEXICAL, SPARSE, 120, hnsw_ef=None, exact=True),
    )
    assert (query.limit, query.k, query.weights, query.conditions) == (40, 60, (), ())
    assert all(not prefetch.with_vectors for prefetch in query.prefetches)


@pytest.mark.specification("000 §7.4 D", "000 §10 step 4", "000 §1.3 filters", "000 §6.2 propagation")
def test_the_symbol_filters_the_code_route_alone():
    query = fused_query(settled("signature of tools.FunctionTool", "API_LOOKUP"), D, ALL, SETTINGS)
    assert [prefetch.conditions for prefetch in query.prefetches] == [
        (),
        (Condition("symbol", ("tools.FunctionTool", "FunctionTool")),),
        (),
    ]
    assert query.conditions == ()


def test_a_route_without_a_representation_is_not_sent():
    left = Representations({DENSE_CODE: DENSE})
    assert [p.using for p in fused_query(settled(), A, left, SETTINGS).prefetches] == [DENSE_CODE]


@pytest.mark.specification("000 §12 knobs")
def test_a_route_of_no_weight_is_not_sent():
    settings = with_settings(weights={DENSE_DOCS: 0.0, SPARSE_LEXICAL: 0.0})
    query = fused_query(settled(), A, ALL, settings)
    assert ([p.using for p in query.prefetches], query.weights) == ([DENSE_CODE], (1.0,))
    assert fused_query(settled(), A, Representations({DENSE_DOCS: DENSE}), settings) is None


@pytest.mark.specification("000 §12 knobs")
def test_the_knobs_of_the_search():
    settings = with_settings(hnsw_ef=384, exact=True, rrf_k=2, weights={SPARSE_LEXICAL: 2.0})
    query = fused_query(settled(), replace(A, final=7), ALL, settings)
    assert [(p.hnsw_ef, p.exact) for p in query.prefetches] == [(384, True), (384, True), (None, True)]
    assert (query.limit, query.k, query.weights) == (7, 2, (1.0, 1.0, 2.0))


def order(intent, *hits):
    return [(one.rank, one.chunk.path, one.start_line) for one in candidates(hits, intent)]


@pytest.mark.specification("000 §8.2 order", "000 §10 step 6")
def test_the_stores_order_with_ranks():
    hits = [Hit(make_chunk("b.py"), 0.3), Hit(make_chunk("a.py"), 0.2), Hit(make_chunk("c.md"), 0.1)]
    assert order(Intent.CONCEPTUAL, *hits) == [(1, "b.py", 1), (2, "a.py", 1), (3, "c.md", 1)]


@pytest.mark.specification("000 §8.2 order")
def test_equal_scores_by_file_and_line_and_code_first_where_something_is_built():
    hits = [Hit(make_chunk(path, start), 0.2) for path, start in (("b.py", 9), ("b.py", 1), ("a.md", 1), ("a.py", 1))]
    by_file = [(1, "a.md", 1), (2, "a.py", 1), (3, "b.py", 1), (4, "b.py", 9)]  # google/guide before google/kit
    for intent in set(Intent) - {Intent.HOW_TO_IMPLEMENT}:
        assert order(intent, *hits) == by_file
    assert order(Intent.HOW_TO_IMPLEMENT, *hits) == [(1, "a.py", 1), (2, "b.py", 1), (3, "b.py", 9), (4, "a.md", 1)]
    assert order(Intent.HOW_TO_IMPLEMENT, *hits[::-1]) == order(Intent.HOW_TO_IMPLEMENT, *hits)
    repos = [
        Hit(make_chunk("c.py", repo="a/z", project="z"), 0.2),
        Hit(make_chunk("b.py", repo="z/a", project="a"), 0.2),
    ]
    assert order(Intent.CONCEPTUAL, *repos[::-1]) == [(1, "c.py", 1), (2, "b.py", 1)]  # by repository, not by project


LINES = [f"line {n} of src/a.py" for n in range(1, 101)]
FILES = FakeFiles({"kit/src/a.py": "\n".join(LINES), "guide/docs/a.md": "\n".join(LINES)})


def shown(one):
    return one.start_line, one.end_line


@pytest.mark.specification("000 §8.2 window")
@pytest.mark.parametrize(
    ("start", "end", "window"),
    [
        (40, 45, (30, 55)),
        (1, 3, (1, 13)),
        (5, 6, (1, 16)),
        (95, 100, (85, 100)),
        (11, 11, (1, 21)),
        (90, 90, (80, 100)),
    ],
)
async def test_ten_lines_before_and_after_within_the_file(start, end, window):
    one = await widened(item(start=start, end=end), FILES, SETTINGS)
    assert shown(one) == window
    assert one.text.split("\n") == LINES[window[0] - 1 : window[1]]
    assert one.evidence_id == f"{one.chunk.id}:{window[0]}:{window[1]}"


@pytest.mark.specification("000 §8.2 window")
async def test_another_version_of_the_file_is_no_context():
    one = item(start=40, end=45)
    for other in ([], LINES[:44], [*LINES[:41], "changed", *LINES[42:]], ["new", *LINES]):
        assert await widened(one, FakeFiles({"kit/src/a.py": "\n".join(other)}), SETTINGS) is one


@pytest.mark.specification("000 §8.2 window")
async def test_short_code_alone_and_only_with_its_file():
    short, longer = item(start=40, end=63), item(start=40, end=64)  # 24 lines and 25
    document, elsewhere = item("docs/a.md", 40, 45, text="\n".join(LINES[39:45])), item("src/b.py", 40, 45)
    without_lines = item(start=0, end=0, text=LINES[0])
    pieces = [short, longer, document, elsewhere, without_lines]
    got = [await widened(one, FILES, SETTINGS) for one in pieces]
    assert [shown(one) for one in got] == [(30, 73), (40, 64), (40, 45), (40, 45), (0, 0)]
    assert got[1:] == [longer, document, elsewhere, without_lines]


async def test_other_sizes():
    one = item(start=40, end=45)
    settings = with_settings(window_lines=2, window_below=7)
    got = [await widened(o, FILES, settings) for o in (one, item(start=40, end=46))]
    assert [shown(o) for o in got] == [(38, 47), (40, 46)]


async def test_a_text_that_ends_with_a_line_end():
    one = item(start=40, end=41, text="line 40 of src/a.py\nline 41 of src/a.py\n")
    settings = with_settings(window_lines=1)
    assert shown(await widened(one, FILES, settings)) == (39, 42)
    beyond = replace(one, chunk=make_chunk(start=99, end=102), start_line=99, end_line=102, text="\n".join(LINES[98:]))
    assert await widened(beyond, FILES, settings) is beyond
