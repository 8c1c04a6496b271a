from __future__ import annotations

from dataclasses import replace

import anyio
import pytest

from memory.errors import InvalidAnswerError
from memory.observations import Location
from synthesis.answer import Answer
from synthesis.citing import LONGEST_TEXT, checked_answer, checked_text, cite
from tests.linear import grows_with_its_length

VECTOR = "[vector:billing/db/schema.sql:3-3]"
PATH = "[graph:OrderService→PaymentAdapter→PaymentGateway]"


def test_a_marker_finds_its_observation_and_the_line_that_bears_the_claim(org):
    seen = org.seen("billing/db/schema.sql", 2, 6)
    [citation] = cite(f"Much is known. Billing has a UUID as primary key. {VECTOR}", [seen])
    assert citation.claim == "Billing has a UUID as primary key."
    assert citation.quote == "id UUID PRIMARY KEY,"
    assert citation.location == Location("billing", "db/schema.sql", 3, 3)
    assert not citation.verified


def test_an_abbreviation_ends_no_sentence(org):
    claim = "Billing has the key `nothing` (e.g. UUID, i.e. Random, cf. RFC 4122)."
    [citation] = cite(f"Much is known. {claim} {VECTOR}", [org.seen("billing/db/schema.sql", 2, 6)])
    assert citation.claim == claim


def test_a_path_has_one_row_for_each_edge_under_one_marker(org):
    rows = cite(f"Orders reach the gateway {PATH}.", [org.graph(*org.path)])
    assert [(row.marker, row.location.path, row.location.start_line) for row in rows] == [
        (PATH, "orders/service.py", 5),
        (PATH, "orders/adapter.py", 9),
    ]


def test_what_nobody_found_is_kept_and_says_so(org):
    text = "Secret. [vector:elsewhere/x.py:1-2] [graph:Nobody] [graph:A→B] [vector:billing/db/schema.sql:1-99]"
    citations = cite(text, [org.seen("billing/db/schema.sql", 2, 6), org.graph(*org.path)])
    assert [c.reason for c in citations] == [
        "no such observation", "no such observation", "no such relation", "no such observation",
    ]  # fmt: skip


def test_observations_without_lines_are_cited_by_their_path(org):
    local = replace(org.seen("billing/CLAUDE.md", agent="local"), locations=())
    [citation] = cite("[local:CLAUDE.md] Two reviewers are needed for a refund.", [local])
    assert citation.claim == "Two reviewers are needed for a refund."
    assert citation.quote == "Every refund needs two reviewers. Nobody reviews alone."
    assert citation.location is None


def test_what_another_agent_found_is_cited_as_what_it_is(org):
    wiki = replace(org.seen("billing/CLAUDE.md", agent="local"), agent="wiki", locations=())
    told = replace(wiki, source="jira:memory", agent="jira", kind="jira", metadata={"source_file": "SHOP-7"})
    path = replace(org.graph(*org.path), agent="atlas")
    text = f"A [local:CLAUDE.md] b [vector:{told.source_project}/SHOP-7] c {PATH}."
    assert [c.reason for c in cite(text, [wiki, told, path])] == ["not checked"] * 4


async def test_a_text_with_a_false_citation_loses_its_marker(org):
    seen, graph = org.seen("billing/db/schema.sql", 2, 6), org.graph(*org.path)
    text = f"The key is a UUID {VECTOR}. The weather is fine {'[vector:billing/db/schema.sql:5-5]'}. Called {PATH}."
    checked, citations = await checked_text(text, [seen, graph], org.files)
    assert VECTOR in checked
    assert PATH in checked
    assert "The weather is fine [vector:billing/db/schema.sql:5-5] (not supported)." in checked
    assert [c.verified for c in citations] == [True, False, True, True]
    assert citations[1].reason == "the cited lines speak of something else"
    assert citations[3].quote == "return gateway.charge(amount)"


async def test_an_entity_is_cited_by_what_is_said_of_it(org):
    known = org.known(org.path[1].target)
    checked, [citation] = await checked_text("It is a class [graph:payments/PaymentGateway].", [known], org.files)
    assert citation.verified
    assert citation.quote == "PaymentGateway is a class of payments."
    assert checked.endswith("[graph:payments/PaymentGateway].")


async def test_an_edge_without_a_file_to_look_into_does_not_hold(org):
    _, citations = await checked_text(f"Called {PATH}.", [org.graph(*org.path)])
    assert not any(c.verified for c in citations)


async def test_each_marker_has_what_stands_before_it_and_a_full_stop_in_a_quotation_ends_nothing(org):
    billing, auth = org.seen("billing/db/schema.sql", 2, 6), org.seen("auth/db/schema.sql", 2, 5)
    text = (
        "Billing has `id UUID PRIMARY KEY` [vector:billing/db/schema.sql:3-3], auth has `email TEXT PRIMARY KEY` "
        "[vector:auth/db/schema.sql:3-3]. It says “Who is billed. Nobody else”. [vector:billing/db/schema.sql:2-6]"
    )
    _, citations = await checked_text(text, [billing, auth], org.files)
    assert [c.claim for c in citations] == [
        "Billing has `id UUID PRIMARY KEY`",
        "auth has `email TEXT PRIMARY KEY`",
        "It says “Who is billed. Nobody else”.",
    ]
    assert [c.verified for c in citations] == [True, True, False]


async def test_markers_side_by_side_share_their_sentence(org):
    billing, auth = org.seen("billing/db/schema.sql", 2, 6), org.seen("auth/db/schema.sql", 2, 5)
    text = "The keys are `id` and `email`. [vector:billing/db/schema.sql:3-3], [vector:auth/db/schema.sql:3-3]"
    checked, citations = await checked_text(text, [billing, auth], org.files)
    assert [c.verified for c in citations] == [True, True]
    assert checked == text


async def test_of_one_marker_written_twice_only_the_false_one_is_replaced(org):
    seen = org.seen("billing/db/schema.sql", 2, 6)
    checked, _ = await checked_text(f"The key is a UUID {VECTOR}. It is `email` {VECTOR}.", [seen], org.files)
    assert checked == f"The key is a UUID {VECTOR}. It is `email` (not verified)."


async def test_places_that_an_observation_merely_names_are_quoted_from_the_file(org):
    seen = org.seen("billing/db/schema.sql", 2, 3, metadata={"also": [{"start_line": 5, "end_line": 5}]})
    _, [citation] = await checked_text("It has `created_at`. [vector:billing/db/schema.sql:5-5]", [seen], org.files)
    assert (citation.verified, citation.quote) == (True, "created_at TIMESTAMP NOT NULL")


async def test_an_entity_of_another_project_is_not_the_one(org):
    known = org.known(org.path[1].target)
    _, [citation] = await checked_text("PaymentGateway is a class. [graph:auth/PaymentGateway]", [known], org.files)
    assert citation.reason == "no such observation"


def test_of_what_stands_behind_a_marker_no_more_is_read_than_a_sentence_may_be_long(org):
    [citation] = cite(f"{VECTOR} {'word ' * 1_000}", [org.seen("billing/db/schema.sql", 2, 6)])
    assert citation.claim == ("word " * 200).strip()


def test_an_answer_with_twice_as_many_markers_is_read_in_twice_the_time(org):
    seen, text = [org.seen("billing/db/schema.sql", 2, 6)], f"The key is a UUID {VECTOR}. "
    assert grows_with_its_length(lambda text: cite(text, seen), text * 2_000, text * 4_000)


async def test_whoever_waits_beside_a_check_has_a_turn_at_each_sentence(org):
    with anyio.CancelScope() as late:
        late.cancel()
        await checked_text(
            f"The key is a UUID {VECTOR}. It is a UUID {VECTOR}.", [org.seen("billing/db/schema.sql", 2, 6)]
        )
    assert late.cancelled_caught


async def test_an_answer_that_nobody_would_read_is_not_checked(org):
    seen = [org.seen("billing/db/schema.sql", 2, 6)]
    for check in (checked_text("x" * (LONGEST_TEXT + 1), seen), checked_answer(Answer("x" * (LONGEST_TEXT + 1)), seen)):
        with pytest.raises(InvalidAnswerError, match="200,001 characters"):
            await check


async def test_of_very_many_markers_the_first_are_checked_and_the_others_say_that_they_are_not(org):
    seen, claim = [org.seen("billing/db/schema.sql", 2, 6), org.graph(*org.path)], "Billing has a UUID as primary key"
    text = f"{claim}. {VECTOR} " * 500
    checked, citations = await checked_text(f"{text}Orders reach it {PATH}. {claim} {VECTOR}.", seen, org.files)
    assert checked == f"{text}Orders reach it (not verified). {claim} (not verified)."
    assert [one.verified for one in citations] == [True] * 500 + [False] * 3
    assert {one.reason for one in citations[500:]} == {"not checked: it comes behind 500 others"}
    answer = await checked_answer(Answer(text, tuple(citations[:500]) * 2), seen, org.files)
    assert [one.verified for one in answer.citations] == [True] * 500
