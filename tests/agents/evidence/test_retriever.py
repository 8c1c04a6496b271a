from __future__ import annotations

import json
import random
from pathlib import Path

import anyio
import pytest

from agents import HybridSearch
from agents.evidence import EvidenceMemory
from configs.settings import EvidenceSettings, VectorSettings
from memory.embedders import Bm25Sparse, FakeDenseEmbedder, FakeSparseEmbedder, WordsOnly
from memory.entities import Entity, Relationship
from memory.errors import ConfigError, InvalidInputError, ModelError, StoreError
from memory.files import ChunkedFiles, FakeFiles
from memory.project_folder import ProjectFolder
from memory.rerankers import FakeReranker
from memory.text import estimate_tokens
from memory.vector import DENSE_CODE, DENSE_DOCS, SPARSE_LEXICAL, EdgeVectorStore, FusedQuery
from memory.vector.filters import Condition
from memory.vector.port import SparseVector
from tests.agents.evidence.making import (
    EVERYONE,
    ROWS,
    SETTINGS,
    CountedDense,
    CountedSparse,
    WatchedStore,
    make_chunk,
    points,
    request,
    retriever,
    with_settings,
)
from tests.agents.shop import spoken_index

DOWN = ModelError("The model is down.")
KIT = frozenset({"kit"})


async def pack(asked=None, permission=EVERYONE, **parts):
    one, _ = await retriever(**parts)
    return (await one.retrieve(asked or request(), permission)).to_dict()


def places(document):
    return [f"{item['path']}:{item['start_line']}" for item in document["evidence"]]


@pytest.mark.specification("000 §1.2 one request", "000 §2 one call", "000 §10 step 5")
async def test_one_batch_of_one_fused_query():
    one, parts = await retriever()
    await one.retrieve(request(), EVERYONE)
    [[query]] = parts.store.batches
    assert isinstance(query, FusedQuery)
    assert [prefetch.using for prefetch in query.prefetches] == [DENSE_DOCS, DENSE_CODE, SPARSE_LEXICAL]
    assert parts.docs.asked == parts.code.asked == parts.sparse.asked == [request().query]


@pytest.mark.specification(
    "000 §2 hybrid recall",
    "000 §2 complementarity",
    "000 §8.1 item",
    "000 §8.1 route",
    "000 §8.2 quota",
    "000 §10 step 8",
)
async def test_a_pack():
    document = await pack()
    assert list(document) == ["intent", "query", "evidence", "stats"]
    assert sorted(places(document)) == sorted(f"{chunk.path}:{chunk.start_line}" for chunk in ROWS)
    assert places(document)[0] == "docs/tools.md:1"
    assert [item["rank"] for item in document["evidence"]] == list(range(1, 8))
    assert {item["retrieval_route"] for item in document["evidence"]} == {"fusion_rrf", "dense_code"}
    assert document["stats"] == {
        "candidates_received": 7,
        "returned": 7,
        "corpus_mix": {"code": 4, "docs": 3},
        "routes_used": ["dense_code", "dense_docs", "sparse_lexical", "fusion_rrf"],
        "qdrant_params": {"hnsw_ef": 256, "exact": False},
        "notes": ["1 items of docs short of its share"],
        "missing": {"code": 0, "docs": 1},
    }


@pytest.mark.specification("000 §5.1 fusion", "000 §2 hybrid recall")
async def test_scores_are_sums_of_reciprocal_ranks():
    document = await pack(request("Parameters are required"))
    first = document["evidence"][0]  # first among the documents and first by its words
    assert (first["path"], first["score"]) == ("docs/tools.md", round(1 / 60 + 1 / 60, 6))
    again = await pack(request("Parameters are required"), settings=with_settings(rrf_k=2))
    assert again["evidence"][0]["score"] == round(1 / 2 + 1 / 2, 6)


@pytest.mark.specification("000 §6.2 propagation")
async def test_filters_hold_before_candidates_are_counted():
    """One candidate a route, and the best by far is elsewhere: a filter on the fused list would leave nothing."""
    settings = with_settings(limits={"A.dense_docs": 1, "A.dense_code": 1, "A.sparse_lexical": 1})
    asked = request("Parameters of a FunctionTool are required")
    assert places(await pack(asked, settings=settings))[0] == "docs/tools.md:1"
    elsewhere = request(asked.query, path_scope=("docs/agents.md",))
    assert {place.partition(":")[0] for place in places(await pack(elsewhere, settings=settings))} == {"docs/agents.md"}


@pytest.mark.specification("000 §1.3 filters", "000 §10 step 3", "000 §7.2 B", "000 §7.3 C")
async def test_scopes():
    one, _ = await retriever()

    async def found(intent="CONCEPTUAL", **changes):
        return set(places((await one.retrieve(request(intent=intent, **changes), EVERYONE)).to_dict()))

    code = {"src/tool.py:1", "src/agent.py:1", "src/agent.py:5", "tests/test_tool.py:1"}
    docs = {"docs/tools.md:1", "docs/agents.md:1", "docs/agents.md:4"}
    assert await found("CODE_ONLY") == code
    assert await found("DOCS_ONLY") == docs
    assert await found(repo_scope=("google/guide",)) == docs
    assert await found(path_scope=("src/agent.py",)) == {"src/agent.py:1", "src/agent.py:5"}
    assert await found(commit="beef") == {"docs/agents.md:4"}
    assert await found(include_tests=False) == (code | docs) - {"tests/test_tool.py:1"}
    assert await found("TARGETED_FILE", path_scope=("docs/tools.md",)) == {"docs/tools.md:1"}


@pytest.mark.specification("000 §9.2 optional")
async def test_the_rank_of_the_fusion_limits_the_candidates():
    everything = await pack()
    limited = await pack(request(min_rank_fusion=2))
    assert places(limited) == places(everything)[:2]
    assert limited["stats"]["candidates_received"] == 7


async def test_a_symbol_that_nobody_has_empties_its_route_alone():
    document = await pack(request("parameters of NoSuchThing", "API_LOOKUP"))
    assert all(item["retrieval_route"] != "dense_code" for item in document["evidence"])
    assert document["evidence"]


@pytest.mark.specification("000 §10 step 2", "000 §12 result cache")
async def test_what_failed_is_said_and_not_remembered():
    broken = CountedDense("fake-docs", DOWN)
    one, parts = await retriever(docs=broken)
    first = (await one.retrieve(request(), EVERYONE)).to_dict()
    assert first["stats"]["notes"][0] == "dense_docs failed: The model is down."
    assert first["stats"]["routes_used"] == ["dense_code", "sparse_lexical", "fusion_rrf"]
    broken.failure = None
    second = (await one.retrieve(request(), EVERYONE)).to_dict()
    assert second["stats"]["routes_used"] == ["dense_code", "dense_docs", "sparse_lexical", "fusion_rrf"]
    assert (len(broken.asked), len(parts.code.asked)) == (2, 1)


@pytest.mark.specification("000 §10 step 2", "000 §4 three")
async def test_sparse_alone_is_no_retrieval():
    with pytest.raises(ModelError, match="No dense representation"):
        await pack(docs=CountedDense("d", DOWN), code=CountedDense("c", DOWN))
    with pytest.raises(ModelError):
        await pack(request(intent="CODE_ONLY"), code=CountedDense("c", DOWN))
    document = await pack(sparse=CountedSparse(DOWN))
    assert document["stats"]["routes_used"] == ["dense_code", "dense_docs", "fusion_rrf"]


class Hanging(WatchedStore):
    async def query_batch(self, queries, *, permission):
        await anyio.sleep_forever()


async def test_a_store_that_hangs_is_an_error():
    with pytest.raises(StoreError, match=r"no answer within 0\.02 s"):
        await pack(store=Hanging(), settings=with_settings(search_timeout_ms=20))


class Silent(CountedDense):
    async def embed_queries(self, texts):
        await anyio.sleep_forever()


async def test_a_model_that_hangs_is_waited_for_as_long_as_the_settings_say():
    with pytest.raises(ModelError, match=r"dense_docs failed: .* gave no answer within 0\.02 s"):
        await pack(docs=Silent("d"), code=Silent("c"), settings=with_settings(embedding_timeout_ms=20))


async def test_the_permission_is_the_stores_and_never_widens():
    assert {item["repo"] for item in (await pack(permission=KIT))["evidence"]} == {"google/kit"}
    with pytest.raises(InvalidInputError, match=r"Known: google/kit\.$"):
        await pack(request(repo_scope=("google/guide",)), KIT)
    one, parts = await retriever()
    nothing = (await one.retrieve(request(), frozenset())).to_dict()
    assert (nothing["evidence"], parts.store.batches, parts.docs.asked) == ([], [], [])


async def test_what_may_not_be_seen_changes_nothing():
    with_others = await pack(permission=KIT)
    alone = await pack(permission=KIT, rows=[chunk for chunk in ROWS if chunk.project == "kit"])
    assert with_others == alone


@pytest.mark.specification("000 §12 rerank")
async def test_a_reranker_decides_the_order():
    fake = FakeReranker()
    document = await pack(request("a loop agent runs again"), reranker=fake)
    assert places(document)[0] == "docs/agents.md:4"
    assert document["stats"]["notes"][0] == "reranked by fake-shared-words: 7 of 7 candidates"
    few = FakeReranker()
    document = await pack(request(), reranker=few, settings=with_settings(rerank_candidates=3))
    assert [len(texts) for _, texts in few.calls] == [3]
    assert document["stats"]["notes"][0] == "reranked by fake-shared-words: 3 of 7 candidates"
    broken = FakeReranker(DOWN)
    one, _ = await retriever(reranker=broken)
    fallen_back = (await one.retrieve(request(), EVERYONE)).to_dict()
    assert places(fallen_back) == places(await pack())
    assert "order kept: The model is down." in fallen_back["stats"]["notes"][0]
    broken.failure = None
    assert "reranked by" in (await one.retrieve(request(), EVERYONE)).notes[0]


async def test_windows_come_from_the_permitted_files():
    text = ROWS[1].text + "\n\n" + ROWS[2].text + "\n\nEND = 1\n"
    asked: list[frozenset[str]] = []

    def files(permission):
        asked.append(permission)
        return FakeFiles({"kit/src/agent.py": text}, permission)

    document = await pack(files=files)
    lines = {item["path"]: (item["start_line"], item["end_line"]) for item in document["evidence"]}
    assert lines["src/agent.py"] == (1, 9)
    assert lines["src/tool.py"] == (1, 4)  # its file is not at hand
    assert asked == [EVERYONE]


@pytest.mark.specification("000 §8.2 window", "000 §10 step 7")
async def test_no_line_is_shown_twice_though_windows_meet():
    """Two chunks of one file, each widened by ten lines into the other."""
    rows = [make_chunk("src/long.py", 1, 8), make_chunk("src/long.py", 10, 18), make_chunk("src/long.py", 40, 44)]
    text = "\n".join(f"line {n} of src/long.py" for n in range(1, 60)).replace("line 9 of src/long.py", "")
    document = await pack(
        request("line of long"), rows=rows, files=lambda permission: FakeFiles({"kit/src/long.py": text}, permission)
    )
    shown = [n for item in document["evidence"] for n in range(item["start_line"], item["end_line"] + 1)]
    assert len(document["evidence"]) == 2  # what the first one's window shows already is no piece of its own
    assert len(shown) == len(set(shown)) > 22


@pytest.mark.specification("000 §10 step 8")
async def test_what_is_named_as_a_copy_leaves_its_place_to_the_next():
    said = "The tide comes in.\nThe tide goes out.\nShips wait for the tide."
    rows = [make_chunk(f"src/copy_{n}.py", 1, 3, said) for n in range(4)]
    rows += [make_chunk(f"src/other_{n}.py", 1, 3, f"tide {n}\nebb {n}\nflow {n}") for n in range(6)]
    document = await pack(request("the tide comes in and goes out", top_k=5), rows=rows)
    evidence = document["evidence"]
    assert len(evidence) == document["stats"]["returned"] == 5
    [told] = [item for item in evidence if "copy" in item["path"]]
    assert len(told["also_in"]) == 3


class ReadStore(WatchedStore):
    """Remembers the files that were read from it."""

    def __init__(self):
        super().__init__()
        self.read = []

    async def file_chunks(self, project, paths, *, permission):
        self.read += paths
        return await super().file_chunks(project, paths, permission=permission)


class NoTerms(FakeSparseEmbedder):
    """Knows a question for stop words alone."""

    def embed_query(self, text):
        return SparseVector((), ())


class TestRanked:
    """By the ranking of files, as packs are made by default."""

    RANKED = EvidenceSettings()

    async def of(self, asked=None, permission=EVERYONE, rows=ROWS, settings=RANKED, **parts):
        store = parts.pop("store", None) or WatchedStore()
        await store.upsert(await points(rows))
        dense = parts.pop("docs", CountedDense("fake-docs"))
        search = HybridSearch(
            store,
            dense,
            parts.pop("sparse", FakeSparseEmbedder()),
            VectorSettings(),
            statements=parts.pop("statements", None),
            embedded=parts.pop("embedded", lambda _projects: 1.0),
        )
        one, made = await retriever(rows, settings, store=store, search=search, docs=dense, **parts)
        return (await one.retrieve(asked or request(), permission)).to_dict(), made

    @pytest.mark.specification(
        "000 §1.1 named vectors",
        "000 §2 one call",
        "000 §2 complementarity",
        "000 §5.4 parameters",
        "000 §8.1 route",
        "000 §10 step 8",
        "000 §4 three",
    )
    @pytest.mark.parametrize("intent", ["CONCEPTUAL", "API_LOOKUP", "DOCS_ONLY"])
    async def test_a_pack(self, intent):
        document, made = await self.of(request(intent=intent))
        found, shown = made.store.batches  # the candidates, and what is shown of them
        assert [query.using for query in found] == [DENSE_DOCS, DENSE_CODE, SPARSE_LEXICAL]
        assert all(query.exact and query.hnsw_ef is None for query in found)
        assert {query.using for query in shown} == {""}
        assert (made.docs.asked, made.code.asked) == ([request().query], [])  # one model for both
        assert places(document)[0] == "docs/tools.md:1"
        assert {item["retrieval_route"] for item in document["evidence"]} == {"ranked"}
        assert document["stats"]["routes_used"] == ["dense_code", "dense_docs", "sparse_lexical", "ranked"]
        assert document["stats"]["qdrant_params"] == {"hnsw_ef": None, "exact": True}
        assert document["stats"]["missing"] == {"code": 0, "docs": 0}  # no corpus has a share unless one is asked for

    @pytest.mark.specification("000 §8.1 route", "000 §10 step 2")
    async def test_lines_that_prove_a_relation_are_in_it(self, tmp_path):
        text = "\n".join([f"value_{n} = {n}" for n in range(40)] + ["once()"] + [f"other_{n} = {n}" for n in range(40)])
        rows = [
            make_chunk("src/tool.py", 1, 2, "class FunctionTool:\n    pass"),
            make_chunk("src/runner.py", 1, 81, text),
        ]
        user, tool = (Entity(name, "class", "kit", "src/tool.py", 1) for name in ("Runner", "FunctionTool"))
        stated = spoken_index(tmp_path, [Relationship(user, "CALLS", tool, "kit", "src/runner.py", (41,))])
        texts = {f"kit/{row.path}": row.text for row in rows}
        document, _ = await self.of(
            request("Does Runner call FunctionTool?"),
            rows=rows,
            statements=stated,
            sparse=Bm25Sparse(),
            settings=EvidenceSettings(block_tokens=40),
            files=lambda permission: FakeFiles(texts, permission),
        )
        [proof] = [item for item in document["evidence"] if item["retrieval_route"] == "relation"]
        assert (proof["path"], proof["reason"]) == ("src/runner.py", "class Runner of kit calls class FunctionTool")
        assert proof["start_line"] <= 41 <= proof["end_line"]

    @pytest.mark.specification("000 §10 step 2", "000 §12 result cache")
    @pytest.mark.parametrize("settings", [RANKED, EvidenceSettings(search="fused")])
    async def test_that_vectors_are_awaited_is_noted(self, settings):
        document, _ = await self.of(embedded=lambda _projects: 0.25, settings=settings)
        note = "25% of the chunks have their vectors, the others are found by words alone"
        assert note in document["stats"]["notes"]

    async def test_where_there_is_no_model_no_vectors_are_awaited(self):
        none = WordsOnly("fake-docs", 8)
        document, _ = await self.of(
            embedded=lambda _projects: 0.0, settings=EvidenceSettings(search="fused"), docs=none, code=none
        )
        assert not any("have their vectors" in note for note in document["stats"]["notes"])

    @pytest.mark.specification("000 §9.2 optional")
    async def test_only_so_many_candidates_as_are_asked_for(self):
        whole, _ = await self.of()
        few, _ = await self.of(request(min_rank_fusion=3))
        assert len(whole["evidence"]) > 3 >= len(few["evidence"]) > 0

    @pytest.mark.specification("000 §10 step 8")
    async def test_a_search_that_was_not_made_is_no_route(self):
        document, _ = await self.of(sparse=NoTerms())
        assert document["stats"]["routes_used"] == ["dense_code", "dense_docs", "ranked"]
        document, _ = await self.of(docs=WordsOnly("none", 64))
        assert document["stats"]["routes_used"] == ["sparse_lexical", "ranked"]
        assert "meaning was not searched: there is no model" in document["stats"]["notes"]

    @pytest.mark.specification("000 §10 step 2")
    @pytest.mark.parametrize("search", ["ranked", "fused"])
    async def test_where_no_model_is_installed_a_pack_is_of_words_or_empty(self, search):
        async def of(query):
            none, settings = WordsOnly("none", 64), EvidenceSettings(search=search)
            document, _ = await self.of(request(query), docs=none, code=none, settings=settings)
            assert document["stats"]["notes"] == ["meaning was not searched: there is no model"]
            return document

        found = await of("FunctionTool schema")
        assert {"docs/tools.md:1", "src/tool.py:1"} <= set(places(found))
        assert {"dense_docs", "dense_code"}.isdisjoint(found["stats"]["routes_used"])
        assert [(await of(query))["evidence"] for query in ("zzzyqq flurbl", "?!")] == [[], []]

    @pytest.mark.specification("000 §1.3 filters", "000 §6.2 propagation", "000 §10 step 3")
    async def test_scopes_hold(self):
        async def found(**changes):
            return set(places((await self.of(request(**changes)))[0]))

        assert await found(repo_scope=("google/guide",)) == {"docs/tools.md:1", "docs/agents.md:1", "docs/agents.md:4"}
        assert await found(path_scope=("kit/src/agent.py",)) == {"src/agent.py:1", "src/agent.py:5"}
        assert await found(commit="beef") == {"docs/agents.md:4"}
        assert "tests/test_tool.py:1" not in await found(include_tests=False)
        assert {place.partition("/")[0] for place in await found(intent="CODE_ONLY")} == {"src", "tests"}
        _, made = await self.of(request(repo_scope=("google/guide",)))
        assert all(query.conditions == () for query in made.store.batches[0])  # its projects alone are searched
        _, made = await self.of(request(path_scope=("kit/src/agent.py",)))
        assert {query.conditions for query in made.store.batches[0]} == {(Condition("path", ("src/agent.py",)),)}

    @pytest.mark.specification("000 §12 knobs", "000 §8.2 quota", "000 §2 complementarity")
    @pytest.mark.parametrize(("quota", "mix"), [(0.0, {"code": 4, "docs": 1}), (0.3, {"code": 3, "docs": 2})])
    async def test_a_share_counts_where_one_is_asked_for(self, quota, mix):
        asked = request("def schema self return class run pass", top_k=5)
        document, _ = await self.of(asked, settings=EvidenceSettings(quota=quota))
        assert document["stats"]["corpus_mix"] == mix

    @pytest.mark.specification("000 §8.2 quota", "000 §2 complementarity", "000 §2 one call")
    @pytest.mark.parametrize(("quota", "docs", "calls"), [(0.0, 0, 2), (0.3, 2, 4)])
    async def test_a_share_is_looked_for_among_documents_that_many_files_are_ahead_of(self, quota, docs, calls):
        rows = [
            make_chunk(f"src/tide_{n}.py", 1, 2, f"def tide_{n}():\n    return tide, ebb, flow") for n in range(150)
        ]
        rows += [make_chunk(f"docs/{n}.md", 1, 2, f"# Part {n}\nThe tide is part {n}.") for n in range(9)]
        document, made = await self.of(
            request("tide ebb flow def return", top_k=5), rows=rows, settings=EvidenceSettings(quota=quota)
        )
        assert len(made.store.batches) == calls
        assert document["stats"]["corpus_mix"] == {"code": 5 - docs, "docs": docs}
        assert document["stats"]["missing"] == {"code": 0, "docs": 0}

    @pytest.mark.specification("000 §2 one call", "000 §8.1 route")
    async def test_where_the_ranking_finds_nothing_the_fused_request_is_left(self):
        document, made = await self.of(request(commit="nowhere"))
        assert [note for note in document["stats"]["notes"] if note.startswith("nothing was found at commit nowhere")]
        assert [isinstance(query, FusedQuery) for batch in made.store.batches for query in batch] == [False] * 3 + [
            True
        ]
        assert document["stats"]["routes_used"][-1] == "fusion_rrf"

    async def test_a_path_with_its_project_is_not_the_same_path_of_another(self):
        rows = [make_chunk("README.md", 1, 2, "Agents."), make_chunk("README.md", 1, 3, "Agents run.", project="kit")]
        document, _ = await self.of(request(path_scope=("kit/README.md",)), rows=rows)
        assert [item["text"] for item in document["evidence"]] == ["Agents run."]

    async def test_what_may_not_be_seen_changes_nothing(self):
        alone, _ = await self.of(permission=KIT, rows=[chunk for chunk in ROWS if chunk.project == "kit"])
        assert (await self.of(permission=KIT))[0] == alone

    async def test_a_limit_in_the_question_is_obeyed(self):
        document, _ = await self.of(request("only show code from kit: FunctionTool", None))
        assert {item["repo"] for item in document["evidence"]} == {"google/kit"}
        assert document["intent"] == "CODE_ONLY"

    @pytest.mark.specification("000 §10 step 2", "000 §8.1 route", "000 §2 one call")
    async def test_where_a_model_fails_the_fused_request_is_left(self):
        document, _ = await self.of(docs=CountedDense("fake-docs", DOWN))
        assert document["stats"]["notes"][:2] == [
            "ranking failed: The model is down.",
            "dense_docs failed: The model is down.",
        ]
        assert document["stats"]["routes_used"] == ["dense_code", "sparse_lexical", "fusion_rrf"]
        routes = {item["retrieval_route"] for item in document["evidence"]}
        assert {"fusion_rrf"} <= routes <= {"fusion_rrf", "dense_code", "sparse_lexical"}
        with pytest.raises(ModelError, match="No dense representation"):  # one model for both, as by default
            await self.of(docs=(down := CountedDense("fake-docs", DOWN)), code=down)

    @pytest.mark.specification("000 §12 budget")
    @pytest.mark.parametrize("search", ["ranked", "fused"])
    async def test_a_pack_keeps_to_its_budget_and_says_what_it_left_out(self, search):
        texts = [f"The tide of day {n}.\n" + f"Ebb {n} and flow {n} and slack {n}.\n" * 3 for n in range(9)]
        rows = [make_chunk(f"docs/{n}.md", 1, 5, text) for n, text in enumerate(texts)]
        settings = EvidenceSettings(search=search, max_tokens=120)
        document, _ = await self.of(request("the tide of the day"), rows=rows, settings=settings)
        took = sum(estimate_tokens(item["text"]) for item in document["evidence"])
        assert 0 < took <= 120
        assert any(note.endswith("items left out for the budget of 120 tokens") for note in document["stats"]["notes"])

    @pytest.mark.specification("000 §8.2 quota", "000 §12 knobs")
    async def test_a_share_is_filled_where_chunks_of_one_file_are_shown_as_one(self):
        text = [f"# Tide {n}\nThe tide and the ebb {n}." for n in range(3)]
        rows = [make_chunk("docs/tide.md", 1 + 2 * n, 2 + 2 * n, text[n]) for n in range(3)]
        rows.append(make_chunk("docs/other.md", 1, 1, "A tide."))
        code = {f"src/t{n}.py": f"def tide_{n}():\n    return tide, ebb" for n in range(6)}
        rows += [make_chunk(path, 1, 2, text) for path, text in code.items()]
        on_disk = {"docs/tide.md": "\n".join(text), "docs/other.md": "A tide.", **code}
        on_disk = {f"kit/{path}": text for path, text in on_disk.items()}
        settings = EvidenceSettings(quota=0.3)
        asked, files = request("tide ebb return", top_k=5), lambda permission: FakeFiles(on_disk, permission)
        document, _ = await self.of(asked, rows=rows, settings=settings, files=files)
        assert document["stats"]["corpus_mix"] == {"code": 3, "docs": 2}

    @pytest.mark.specification("000 §2 complementarity")
    async def test_chunks_of_one_file_are_no_reason_not_to_look_once_more(self):
        text = ["def tide():", *(f"    tide(ebb, returns={n})" for n in range(5))]
        rows = [make_chunk("src/tide.py", n, n + 1, "\n".join(text[n - 1 : n + 1])) for n in (1, 3, 5)]
        documents = {f"docs/t{n}.md": f"tide ebb returns tide ebb returns {n}" for n in range(150)}
        rows += [make_chunk(path, 1, 1, one) for path, one in documents.items()]
        other = f"tides = '{'among many words ' * 40}'"
        rows.append(make_chunk("src/other.py", 1, 1, other))
        on_disk = {"src/tide.py": "\n".join(text), "src/other.py": other, **documents}
        on_disk = {f"kit/{path}": one for path, one in on_disk.items()}
        asked, files = request("tide ebb returns", top_k=5), lambda permission: FakeFiles(on_disk, permission)
        document, _ = await self.of(asked, rows=rows, settings=EvidenceSettings(quota=0.3), files=files)
        assert document["stats"]["corpus_mix"] == {"code": 2, "docs": 3}

    @pytest.mark.specification("000 §8.2 quota", "000 §2 complementarity")
    @pytest.mark.parametrize("search", ["ranked", "fused"])
    async def test_what_the_budget_leaves_short_of_a_share_is_said(self, search):
        settings = EvidenceSettings(search=search, quota=0.3, max_tokens=30)
        document, _ = await self.of(request(top_k=5), settings=settings)
        mix, missing = document["stats"]["corpus_mix"], document["stats"]["missing"]
        assert missing == {corpus: max(0, 2 - count) for corpus, count in mix.items()}
        short = [f"{n} items of {corpus} short of its share" for corpus, n in missing.items() if n]
        assert short == [note for note in document["stats"]["notes"] if "short of" in note]
        assert short

    @pytest.mark.specification("000 §2 one call")
    @pytest.mark.parametrize("search", ["ranked", "fused"])
    async def test_files_that_are_on_another_machine_are_read_from_the_store(self, search):
        store = ReadStore()

        async def made(files):
            document, _ = await self.of(settings=EvidenceSettings(search=search), store=store, files=files)
            assert document["evidence"]
            return len(store.read)

        assert await made(None) == 0
        assert await made(lambda permission: ChunkedFiles(store, permission)) > 0

    @pytest.mark.specification("000 §8.3 text")
    @pytest.mark.parametrize("search", ["ranked", "fused"])
    async def test_what_has_no_text_is_no_evidence(self, search):
        rows = [make_chunk("docs/tide.md", 1, 1, "The tide."), make_chunk("docs/empty.md", 1, 1, " ")]
        document, _ = await self.of(request("the tide"), rows=rows, settings=EvidenceSettings(search=search))
        assert [item["text"] for item in document["evidence"]] == ["The tide."]


@pytest.mark.specification("000 §12 result cache")
class TestMemory:
    async def test_a_repeated_request_asks_nobody(self):
        one, parts = await retriever()
        first, second = [await one.retrieve(request(), EVERYONE) for _ in range(2)]
        assert first == second
        assert (len(parts.store.batches), len(parts.docs.asked), one.memory.packs.hits) == (1, 1, 1)

    async def test_another_request_on_the_same_question_embeds_nothing(self):
        one, parts = await retriever()
        for asked in (request(), request(top_k=5), request(commit="beef"), request(intent="DEBUG_ERROR")):
            await one.retrieve(asked, EVERYONE)
        await one.retrieve(request(), KIT)
        assert (len(parts.store.batches), len(parts.docs.asked), len(parts.sparse.asked)) == (5, 1, 1)

    @pytest.mark.parametrize(
        "changed",
        [
            {"generation": "g2"},
            {"profile": "other"},
            {"docs": CountedDense("another-model")},
            {"reranker": FakeReranker()},
            {"settings": with_settings(hnsw_ef=99)},
        ],
    )
    async def test_what_a_pack_depends_on_is_in_its_key(self, changed):
        memory, store = EvidenceMemory.of(SETTINGS), WatchedStore()
        for more in ({}, changed, {}, changed):
            one, _ = await retriever(store=store, memory=memory, **more)
            await one.retrieve(request(), EVERYONE)
        assert len(store.batches) == 2

    async def test_so_are_the_settings_of_the_ranking(self):
        memory, store = EvidenceMemory.of(SETTINGS), WatchedStore()
        for weight in (0.2, 0.8, 0.2, 0.8):
            search = HybridSearch(store, CountedDense(), FakeSparseEmbedder(), VectorSettings(dense_weight=weight))
            one, _ = await retriever(settings=EvidenceSettings(), store=store, memory=memory, search=search)
            await one.retrieve(request(), EVERYONE)
        assert (memory.packs.misses, memory.packs.hits) == (2, 2)

    async def test_a_new_generation_is_never_answered_from_the_old(self):
        memory = EvidenceMemory.of(SETTINGS)
        one, _ = await retriever(memory=memory, generation="index/1")
        old = (await one.retrieve(request(), EVERYONE)).to_dict()
        rows = [*ROWS, make_chunk("docs/new.md", text="How does a FunctionTool get its schema? From here.")]
        again, parts = await retriever(rows, memory=memory, generation="index/2")
        new = (await again.retrieve(request(), EVERYONE)).to_dict()
        assert ("docs/new.md:1" in places(old), places(new)[0]) == (False, "docs/new.md:1")
        assert parts.docs.asked == []  # the question is still the same question

    async def test_packs_are_bounded(self):
        one, _ = await retriever(settings=with_settings(remembered_packs=2))
        for number in range(5):
            await one.retrieve(request(f"question {number}"), EVERYONE)
        assert one.memory.packs.kept == 2


@pytest.mark.specification("000 §12 knobs")
async def test_a_weight_of_no_route_is_refused():
    with pytest.raises(ConfigError, match="there is no route foo"):
        await retriever(settings=with_settings(weights={"foo": 2}))
    with pytest.raises(ConfigError, match=r"no route of \S+ is left"):
        await retriever(settings=with_settings(weights={"dense_docs": 0, "dense_code": 0, "sparse_lexical": 0}))


@pytest.mark.specification("000 §12 knobs", "000 §5.3 limits")
async def test_limits_of_no_template_are_refused():
    with pytest.raises(ConfigError, match=r"E\.final"):
        await retriever(settings=with_settings(limits={"E.final": 3}))
    document = await pack(settings=with_settings(limits={"A.final": 3}))
    assert document["stats"]["candidates_received"] == 3


def crowd():
    """Two hundred chunks, many of them equal in what they say."""
    draw = random.Random(7)  # noqa: S311 - the same draw each time
    words = ["agent", "tool", "state", "schema", "loop", "sequence", "session", "event"]
    return [
        make_chunk(
            f"{'src' if n % 2 else 'docs'}/{n // 8}.{'py' if n % 2 else 'md'}",
            20 * n + 1,
            20 * n + 12,
            " ".join(draw.choices(words, k=3)),
        )
        for n in range(200)
    ]


QUESTIONS = ["build a loop agent", "what is session state", "FunctionTool parameters", "an example of a tool", "event"]


async def answers(rows, store, *, ranked=False):
    search = HybridSearch(store, CountedDense(), FakeSparseEmbedder(), VectorSettings()) if ranked else None
    one, _ = await retriever(rows, EvidenceSettings() if ranked else SETTINGS, store=store, search=search)
    packs = [await one.retrieve(request(query, None, top_k=20), EVERYONE) for query in QUESTIONS]
    return [json.dumps(one.to_dict(), sort_keys=False) for one in packs]


@pytest.fixture(scope="module")
def orders():
    rows = crowd()
    shuffled = rows[:]
    random.Random(3).shuffle(shuffled)  # noqa: S311 - the same draw each time
    return [rows, rows[::-1], shuffled]


@pytest.mark.parametrize("ranked", [False, True])
@pytest.mark.specification("000 §2 deterministic")
async def test_byte_for_byte_the_same_in_any_order_of_insertion_on_the_fake(orders, ranked):
    first, *others = [await answers(rows, WatchedStore(), ranked=ranked) for rows in orders for _ in range(2)]
    assert others == [first] * 5
    assert len(set(first)) == len(QUESTIONS)


@pytest.mark.parametrize("ranked", [False, True])
@pytest.mark.specification("000 §2 deterministic")
async def test_byte_for_byte_the_same_in_any_order_of_insertion_on_edge(orders, ranked, tmp_path):
    dimension = FakeDenseEmbedder().dimension
    got = []
    for number, rows in enumerate(orders):
        vectors = {DENSE_DOCS: dimension, DENSE_CODE: dimension}
        store = EdgeVectorStore.create(tmp_path / str(number), vectors=vectors, namespace="n")
        got += [await answers(rows, store, ranked=ranked) for _ in range(2)]
        await store.close()
    assert got == [got[0]] * 6


@pytest.mark.specification("000 §8.1 item")
async def test_points_without_lines_are_shown_without(tmp_path):
    row = make_chunk("docs/book.md", 0, 0, "A chapter about agents.")
    store = WatchedStore()
    await store.upsert(await points([row]))
    [one] = (await pack(rows=[row], store=store))["evidence"]
    assert (one["start_line"], one["text"]) == (None, "A chapter about agents.")


class Edited(ProjectFolder):
    """A project's folder in which these paths have changed."""

    def __init__(self, project, changed):
        super().__init__(Path(project), {})
        self.project, self.changed = project, changed

    def has_changed(self, path):
        return (self.project, path) in self.changed

    def count_changed(self):
        return sum(project == self.project for project, _ in self.changed)


def edited(changed):
    return {row.project: Edited(row.project, changed) for row in ROWS}


@pytest.mark.specification("000 §8.1 item", "000 §10 step 8", "000 §12 result cache")
async def test_a_piece_of_a_file_that_has_changed_says_so_in_a_remembered_pack_too():
    changed = set()
    made = (await retriever(folders=edited(changed)))[0]
    first = await made.retrieve(request(), EVERYONE)
    chunk = first.evidence[0].chunk
    changed.add((chunk.project, chunk.path))
    again = (await made.retrieve(request(), EVERYONE)).to_dict()
    assert {(row["repo"], row["path"]) for row in again["evidence"] if row.get("stale")} == {(chunk.repo, chunk.path)}
    assert again["stats"]["changed"] == {chunk.project: 1}
    assert not any("stale" in row for row in first.to_dict()["evidence"])
    assert "changed" not in first.to_dict()["stats"]


@pytest.mark.specification("000 §12 result cache")
async def test_a_pack_that_was_made_while_a_file_had_changed_is_not_remembered():
    changed = {(chunk.project, chunk.path) for chunk in ROWS}
    made = (await retriever(folders=edited(changed)))[0]
    await made.retrieve(request(), EVERYONE)
    changed.clear()
    for hits in (0, 1):
        await made.retrieve(request(), EVERYONE)
        assert made.memory.packs.hits == hits
