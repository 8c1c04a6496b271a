"""The routing matrix, row by row (001 §3.2), and what a language model reads in a question."""

from __future__ import annotations

import json
from dataclasses import replace

import anyio
import pytest

from memory.errors import ModelError
from memory.query import PathRole, RetrievalPath
from memory.question import QueryType, read_question
from orchestrator.analysis import ModelReader, QueryAnalyzer, classify_query, route
from synthesis.language_model import ScriptedLanguageModel

ROLES = {"✅": PathRole.MUST, "⚡": PathRole.MAY}
ROWS = {  # local, graph, vector, as the specification prints them
    "ENTITY_LOOKUP": "⚡✅❌",
    "RELATIONSHIP": "❌✅❌",
    "SIMILARITY": "❌❌✅",
    "PATTERN": "⚡✅✅",
    "CROSS_PROJECT": "❌✅✅",
    "LOCAL_ONLY": "✅❌❌",
    "MULTI_HOP": "❌✅⚡",
}


@pytest.mark.specification("001 §3.2 ENTITY_LOOKUP", "001 §3.2 RELATIONSHIP", "001 §3.2 SIMILARITY", "001 §8 fallback")
@pytest.mark.specification("001 §3.2 PATTERN", "001 §3.2 CROSS_PROJECT", "001 §3.2 LOCAL_ONLY", "001 §3.2 MULTI_HOP")
@pytest.mark.parametrize("name", ROWS)
def test_a_row(name):
    planned = {p: ROLES[sign] for p, sign in zip(RetrievalPath, ROWS[name], strict=True) if sign in ROLES}
    letter, ours = (route([QueryType[name]], unplanned) for unplanned in ("never", "may"))
    assert letter.roles == planned
    assert letter.paths == ours.paths == tuple(planned)
    assert ours.roles == {**dict.fromkeys(RetrievalPath, PathRole.MAY), **planned}
    assert letter.graph_scopes_vector is (name == "CROSS_PROJECT")


def test_the_matrix_has_a_row_for_each_type():
    assert set(ROWS) == {kind.name for kind in QueryType}


@pytest.mark.specification("001 §3.3 order")
def test_several_types_take_the_union_of_their_rows():
    both = route([QueryType.RELATIONSHIP, QueryType.SIMILARITY], "never")
    assert both.roles == {RetrievalPath.GRAPH: PathRole.MUST, RetrievalPath.VECTOR: PathRole.MUST}


LOCAL, GRAPH, VECTOR = RetrievalPath
MUST, MAY = PathRole.MUST, PathRole.MAY


def types(query):
    return [kind.value for kind in classify_query(query).query_types]


def paths(query):
    return [path.value for path in classify_query(query).paths]


@pytest.mark.specification("001 §3.1 types", "001 §3.3 relationship", "001 §3.3 similarity")
@pytest.mark.parametrize(
    ("query", "leading", "planned"),
    [
        ("What is CustomerService?", "entity_lookup", ["local", "graph"]),
        ("What does the accounting service do?", "entity_lookup", ["local", "graph"]),
        ("Where is the retry policy defined?", "entity_lookup", ["local", "graph"]),
        ("How does OrderService connect to PaymentGateway?", "relationship", ["graph"]),
        ("What calls the quote service?", "relationship", ["graph"]),
        ("Which services consume orders.created?", "relationship", ["graph"]),
        ("What depends on httpcore?", "relationship", ["graph"]),
        ("What uses customer_accounts?", "relationship", ["graph"]),
        ("Find code similar to this error handling pattern", "similarity", ["vector"]),
        ("Show me functions that retry with backoff", "similarity", ["vector"]),
        ("What other projects use Kafka?", "cross_project", ["graph", "vector"]),
        ("Which projects store the cart in Redis?", "cross_project", ["graph", "vector"]),
        ("What does our CLAUDE.md say about reviews?", "local_only", ["local"]),
        ("What do our docs say about how long messages are kept?", "local_only", ["local"]),
        ("Does our schema say how long a name may be?", "local_only", ["local"]),
        ("Which port does our vets-service publish in docker-compose?", "local_only", ["local"]),
        ("What calls the service that uses Customer?", "multi_hop", ["graph", "vector"]),
        ("Which database does billing read, and which services write to it?", "multi_hop", ["graph", "vector"]),
        ("How do I build a workflow with tools and state?", "pattern", ["local", "graph", "vector"]),
    ],
)
def test_wordings(query, leading, planned):
    assert types(query)[0] == leading
    assert paths(query) == planned


@pytest.mark.specification("001 §10 A1-2", "001 §3.3 cross-project")
def test_scenario_a_is_cross_project_and_pattern_with_all_paths():
    c = classify_query("What patterns do other teams use for customer tables?")
    assert set(c.query_types) == {QueryType.CROSS_PROJECT, QueryType.PATTERN}
    assert c.paths == (LOCAL, GRAPH, VECTOR)
    assert c.graph_scopes_vector
    assert c.roles == {LOCAL: MAY, GRAPH: MUST, VECTOR: MUST}


@pytest.mark.specification("001 §3.3 relationship")
@pytest.mark.parametrize(
    "query",
    [
        "How does the till connect to the bank?",
        "What calls charge?",
        "What uses charge?",
        "Which part depends on charge?",
        "Is there a relationship between orders and payments?",
    ],
)
def test_a_relationship_is_among_the_types(query):
    c = classify_query(query)
    assert QueryType.RELATIONSHIP in c.query_types
    assert GRAPH in c.paths


@pytest.mark.specification("001 §3.3 entities")
def test_a_name_alone_plans_no_path():
    c = QueryAnalyzer(unplanned="never").classify("Find code similar to OrderService")
    assert (c.entities, c.paths) == (("OrderService",), (VECTOR,))


@pytest.mark.specification("001 §3.3 relationship")
@pytest.mark.parametrize(
    ("query", "kind", "paths"),
    [
        ("Show me what calls customers?", "similarity", (VECTOR,)),
        (
            "What is the relationship between the retry queue and our checkout in production?",
            "entity_lookup",
            (LOCAL, GRAPH),
        ),
    ],
)
def test_of_another_kind_where_the_examples_are_nearer_to_it(query, kind, paths):
    assert (types(query), classify_query(query).paths) == ([kind], paths)


@pytest.mark.specification("001 §3.3 similarity")
@pytest.mark.parametrize(
    "query", ["Code similar to charge", "Code like this", "Give examples of retries", "Find a service that uses Redis"]
)
def test_likeness_is_among_the_types(query):
    c = classify_query(query)
    assert QueryType.SIMILARITY in c.query_types
    assert VECTOR in c.paths


@pytest.mark.specification("001 §3.3 order")
def test_of_about_equally_likely_types_the_priority_leads():
    c = classify_query("How do the packages find out which async library is running?")
    voted = {vote.query_type: vote.share for vote in c.question.types}
    assert voted[QueryType.PATTERN] > voted[QueryType.CROSS_PROJECT]  # both a fifth
    assert c.query_types.index(QueryType.CROSS_PROJECT) < c.query_types.index(QueryType.PATTERN)


@pytest.mark.specification("001 §3.3 cross-project")
@pytest.mark.parametrize(
    "query",
    [
        "what do other teams do for retries",
        "which other projects retry",
        "other services with a queue",
        "across the whole org, who retries",
        "timeouts across the company",
        "who retries, across our enterprise?",
        "how do teams handle retries",
        "how do services handle retries",
        "How do orders and payments handle timeouts?",
        "patterns for retries",
        "is there a pattern for tables",
    ],
)
def test_questions_about_others_let_the_graph_scope_the_search(query):
    c = classify_query(query)
    assert QueryType.CROSS_PROJECT in c.query_types
    assert {GRAPH, VECTOR} <= set(c.paths)
    assert c.graph_scopes_vector


@pytest.mark.specification("001 §3.3 cross-project")
def test_how_we_handle_something_is_about_no_others():
    assert types("How do we handle retries?") == ["pattern"]
    assert not classify_query("How do we handle retries?").graph_scopes_vector


@pytest.mark.specification("001 §10 B1-2", "001 §7.1 QueryAnalyzer")
def test_scenario_b_is_relationship_by_the_graph_and_the_others_may_join():
    c = classify_query("How does OrderService connect to PaymentGateway?")
    assert (c.query_type, c.paths) == (QueryType.RELATIONSHIP, (GRAPH,))
    assert c.roles == {LOCAL: MAY, GRAPH: MUST, VECTOR: MAY}
    assert c.entities == ("OrderService", "PaymentGateway")


@pytest.mark.specification("001 §10 C1-2")
def test_scenario_c_looks_at_the_prose_and_not_at_the_snippet():
    c = classify_query(
        "Find code similar to this error handling: for attempt in range(3): try: send() except TimeoutError: uses(depends_on)"
    )
    assert (c.query_type, c.paths, c.entities) == (QueryType.SIMILARITY, (VECTOR,), ())


@pytest.mark.specification("001 §3.3 order", "001 §3.1 types")
def test_how_do_teams_handle_is_both_pattern_and_cross_project():
    assert set(types("How do teams handle retries?")) == {"pattern", "cross_project"}
    assert types("How do teams handle X?") == ["cross_project", "pattern"]


@pytest.mark.specification("001 §3.1 types", "001 §3.3 relationship")
@pytest.mark.parametrize(
    ("query", "kind"),
    [
        ("What is CustomerService?", "entity_lookup"),
        ("How does X connect to Y?", "relationship"),
        ("Find code similar to this", "similarity"),
        ("What other projects use X?", "cross_project"),
        ("What does our CLAUDE.md say?", "local_only"),
        ("What calls the service that uses Customer?", "multi_hop"),
    ],
)
def test_the_other_examples_are_of_their_type_alone(query, kind):
    assert types(query) == [kind]


@pytest.mark.specification("001 §2.2 step 2")
def test_the_example_of_the_data_flow():
    c = classify_query("What patterns do other teams use for customer authentication?")
    assert (c.query_type, c.paths) == (QueryType.CROSS_PROJECT, (LOCAL, GRAPH, VECTOR))
    assert set(c.query_types) == {QueryType.CROSS_PROJECT, QueryType.PATTERN}
    assert c.entities == ()  # plain words: the graph may know them


def test_other_projects_rule_local_only_out():
    assert "local_only" not in types("Which other projects follow our CLAUDE.md?")


@pytest.mark.specification("001 §3.3 order")
def test_the_likely_types_are_those_with_half_of_the_first_ones_vote():
    read = classify_query("Which database does billing read, and which services write to it?")
    shares = [vote.share for vote in read.question.types]
    assert shares == sorted(shares, reverse=True)
    assert {vote.query_type for vote in read.question.types[: len(read.query_types)]} == set(read.query_types)
    least = shares[0] / 2
    assert len(read.query_types) == sum(share >= least for share in shares)


@pytest.mark.specification("001 §3.2 LOCAL_ONLY", "001 §3.3 local", "001 §3.2 ENTITY_LOOKUP", "001 §2.1 analyzer")
def test_never_leaves_the_unplanned_out_and_no_type_does():
    assert QueryAnalyzer(unplanned="never").classify("What uses X?").roles == {GRAPH: MUST}
    assert classify_query("What does our CLAUDE.md say?").roles == {LOCAL: MUST, GRAPH: MAY, VECTOR: MAY}
    assert QueryAnalyzer(unplanned="never").classify("What does our CLAUDE.md say?").roles == {LOCAL: MUST}


def test_a_must_of_one_row_beats_a_may_of_another():
    assert route([QueryType.MULTI_HOP, QueryType.SIMILARITY]).roles[VECTOR] is MUST
    assert route([QueryType.MULTI_HOP]).roles[VECTOR] is MAY


def test_reasons_name_the_nearest_example():
    [reason] = classify_query("What is CustomerService?").reasons
    assert reason.startswith("entity_lookup: like 'What is CustomerService?' (")
    assert classify_query("foo_bar!").reasons == ("pattern: like no example, so every agent looks",)


@pytest.mark.specification("001 §7.1 QueryAnalyzer")
def test_determine_paths_follows_the_types():
    analyzer = QueryAnalyzer()
    assert analyzer.determine_paths(analyzer.classify("What is X?")) == [LOCAL, GRAPH]
    assert analyzer.extract_entities("How does OrderService connect to Redis?") == ["OrderService", "Redis"]


QUESTION = read_question("what does bank of anthos read and the ledger writer write")
REPLY = {
    "clauses": ["what does bank of anthos read", "what does the ledger writer write"],
    "names": ["bank-of-anthos", "LedgerWriter", "Kafka"],
    "wordings": ["inputs of bank of anthos, outputs of the ledger writer"],
}


async def read(model, within=60.0):
    return await ModelReader(model, seconds=1.5).read(QUESTION, anyio.current_time() + within)


async def test_clauses_names_and_wordings_join_the_question():
    found = await read(ScriptedLanguageModel([f"```json\n{json.dumps(REPLY)}\n```"]))
    assert found.clauses == tuple(REPLY["clauses"])
    assert found.added_names == ("bank-of-anthos", "LedgerWriter")  # the question spells no Kafka out
    assert found.wordings == tuple(REPLY["wordings"])
    assert found.mentions[-2:] == found.added_names


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "I think it asks about the bank.",
        "{",
        "[]",
        json.dumps({"names": ["bank"]}),
        json.dumps({**REPLY, "names": "bank"}),
        json.dumps({**REPLY, "names": [3]}),
        json.dumps({**REPLY, "clauses": [""]}),
        json.dumps({**REPLY, "wordings": ["x" * 401]}),
        json.dumps({**REPLY, "more": []}),
    ],
)
async def test_what_is_wrong_changes_nothing(reply):
    assert await read(ScriptedLanguageModel([reply])) is QUESTION


async def test_what_fails_or_is_late_changes_nothing():
    good = json.dumps(REPLY)
    assert await read(ScriptedLanguageModel([good], error=ModelError("down"))) is QUESTION
    assert await read(ScriptedLanguageModel([good], hang=1.6)) is QUESTION
    assert await read(ScriptedLanguageModel([good], hang=1.4)) is not QUESTION
    assert await read(ScriptedLanguageModel([good], hang=1.4), within=1.0) is QUESTION


async def test_a_question_is_asked_about_once():
    model = ScriptedLanguageModel([json.dumps(REPLY)])
    reader = ModelReader(model, seconds=1.5)
    first, second = [await reader.read(QUESTION, anyio.current_time() + 60) for _ in range(2)]
    assert first == second
    assert len(model.prompts) == 1
    assert QUESTION.text in model.prompts[0]


async def test_what_a_model_says_is_remembered_of_the_text_and_not_of_who_asked():
    reply = json.dumps({"clauses": [], "names": ["OrderService"], "wordings": []})
    reader = ModelReader(ScriptedLanguageModel([reply]), seconds=1.5)
    question, until = read_question("What does OrderService of vault do?"), anyio.current_time() + 9
    sees = await reader.read(replace(question, projects=("vault",)), until)
    sees_not = await reader.read(replace(question, projects=()), until)
    assert (sees.projects, sees_not.projects) == (("vault",), ())
    assert sees.added_names == sees_not.added_names == ("OrderService",)
