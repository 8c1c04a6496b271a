from __future__ import annotations

from dataclasses import replace

import pytest

from memory.observations import Location
from synthesis.answer import Citation
from synthesis.support import COMMON, CitedEvidence, check_support, evidence_of, labels, misquoted
from synthesis.verification import ObservedFiles

KEY = CitedEvidence(
    "id UUID PRIMARY KEY,", "[vector:billing/db/schema.sql:3-3]\nbilling", "CREATE TABLE customers (id UUID)"
)
RETRY = CitedEvidence(
    "for attempt in range(MAX_ATTEMPTS):", "class PaymentAdapter:\ndef process_payment(self):", "import time"
)


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("Billing has a UUID as primary key", KEY),
        ("The key is `id UUID PRIMARY KEY`", KEY),
        ("`PaymentAdapter.process_payment` tries up to `MAX_ATTEMPTS` times", RETRY),
        ("`process_payment()` makes MAX_ATTEMPTS attempts", RETRY),
        (
            "The UUIDs are the keys of a six-part row in PostgreSQL",
            CitedEvidence("id UUID PRIMARY KEY -- six parts, postgres"),
        ),
        ("It doesn't make a second attempt", CitedEvidence("a second attempt is never made")),
    ],
)
def test_borne(claim, evidence):
    assert check_support(claim, [evidence]) == [None]


@pytest.mark.parametrize(
    ("claim", "evidence", "fault"),
    [
        ("The key is `email`", KEY, "the cited lines do not say email"),
        ("It is primary key number 7", KEY, "the cited lines do not say 7"),
        ("OrderSaga has a UUID as primary key", KEY, "the cited lines do not know OrderSaga"),
        ("HTTP2Pool has a UUID as primary key", KEY, "the cited lines do not know HTTP2Pool"),
        (
            "`PaymentLedger.process_payment` makes attempts",
            RETRY,
            "the cited lines do not say PaymentLedger.process_payment",
        ),
        ("`self.process_payment()` makes attempts", RETRY, "the cited lines do not say self.process_payment()"),
        ("`x = y` makes attempts", RETRY, "the cited lines do not say x = y"),
        ("Rain fell", KEY, "the cited lines speak of something else"),
        ("Weather is fine and warm today", KEY, "the cited lines say nothing of fin, today, warm"),
    ],
)
def test_not_borne(claim, evidence, fault):
    assert (misquoted(claim, [evidence]) or check_support(claim, [evidence])[0]) == fault


def test_markers_side_by_side_bear_a_sentence_together():
    other = CitedEvidence("email TEXT PRIMARY KEY,")
    claim = "The keys are `id` and `email`"
    assert check_support(claim, [KEY, other]) == [None, None]
    assert misquoted(claim, [KEY, other]) is None
    assert misquoted(claim, [KEY]) == "the cited lines do not say email"


def test_one_of_them_that_adds_nothing_is_refused():
    # four terms (keys are key): each of two markers has to share 0.2 * 4 / 2 = 0.4, which is one of them
    assert COMMON == 0.2
    assert check_support("Customers have a UUID as key", [KEY, CitedEvidence("rain and wind")]) == [
        None,
        "the cited lines speak of something else",
    ]


def test_a_word_is_known_by_what_code_shortens_it_to():
    claim = "`made_of` takes a dictionary, arguments and a document"
    assert check_support(claim, [CitedEvidence("def made_of(doc, data: dict, *args): ...")]) == [None]
    assert check_support(claim, [CitedEvidence("def made_of(event, data, *more): ...")]) == [
        "the cited lines say nothing of argument, dictionary, document"
    ]


def test_more_than_a_fifth_of_the_words_are_to_be_known():
    retry = CitedEvidence("retry()")  # of four words one is 0.25, of five 0.2
    assert check_support("Retry with careful patience yonder", [retry]) == [None]
    assert check_support("Retry with careful patience yonder tomorrow", [retry]) == [
        "the cited lines say nothing of careful, patienc, tomorrow"
    ]


def test_a_number_is_none_of_the_words():
    assert check_support("`retry_all` decides between two gladly", [CitedEvidence("retry_all()")]) == [None]


@pytest.mark.parametrize("verb", ["call", "use", "depend on"])
def test_a_relation_that_is_there_is_not_denied(org, verb):
    called = CitedEvidence(
        "self.adapter.process_payment(amount)", "OrderService\nPaymentAdapter", relations=(org.path[0],)
    )
    [fault] = check_support(f"OrderService does not {verb} PaymentAdapter", [called])
    assert fault == f"the cited lines say the opposite of “{verb.split()[0]}”"
    assert check_support(f"OrderService does {verb} PaymentAdapter", [called]) == [None]


def cited(observation, marker, first, last):
    at = observation.locations[0]
    return Citation(marker, observation.id, "c", "q", Location(at.project, at.path, first, last))


async def test_lines_and_the_definitions_they_stand_in(org):
    seen = org.seen("orders/orders/adapter.py", metadata={"symbol": "PaymentAdapter"})
    found = await evidence_of(cited(seen, "[vector:orders/orders/adapter.py:9-9]", 9, 9), [seen], org.files)
    assert found.text == "                return gateway.charge(amount)"
    assert found.named.splitlines()[-4:] == [
        "try:",
        "for attempt in range(3):",
        "def process_payment(self, amount: int) -> str:",
        "class PaymentAdapter:",
    ]
    assert found.around == seen.content


async def test_a_signature_over_several_lines_is_found(org):
    org.texts["orders/long.py"] = "def place(\n    self,\n) -> None:\n    return 1\n"
    seen = org.seen("orders/long.py")
    found = await evidence_of(cited(seen, "[vector:orders/long.py:4-4]", 4, 4), [seen], org.files)
    assert found.named.splitlines()[-2:] == [") -> None:", "def place("]


async def test_without_lines_the_content_is_the_ground(org):
    bare = replace(org.seen("billing/CLAUDE.md", agent="local"), locations=())
    found = await evidence_of(Citation("[local:CLAUDE.md]", bare.id, "c", "q", None), [bare], org.files)
    assert found.text == bare.content


async def test_a_relation_has_all_lines_that_prove_it_and_what_is_said_of_it(org):
    first, second = org.path
    again = replace(first, lines=(3,))
    graph = [org.graph(first, second), org.graph(again)]
    marker = "[graph:orders/OrderService→orders/PaymentAdapter]"
    citation = Citation(marker, graph[0].id, "c", "q", Location("orders", "orders/service.py", 5, 5))
    found = await evidence_of(citation, [org.seen("billing/CLAUDE.md"), *graph], org.files)
    assert "return self.adapter.process_payment(amount)" in found.text
    assert "OrderService.place calls PaymentAdapter.process_payment" in found.text
    assert "gateway.charge" not in found.text
    assert "orders/PaymentAdapter" in found.named


async def test_an_entity_has_every_place_its_observations_name(org):
    known = org.known(org.path[1].target)
    citation = Citation("[graph:payments/PaymentGateway]", known.id, "c", "q", None)
    found = await evidence_of(citation, [known], org.files)
    assert "def refund" in found.text
    assert "PaymentGateway is a class of payments." in (await evidence_of(citation, [known], ObservedFiles([]))).text


def test_an_entity_is_called_by_its_own_project_alone(org):
    assert labels(org.known(org.path[1].target)) == {"PaymentGateway", "payments/PaymentGateway"}
    assert labels(org.graph(*org.path)) == {
        "OrderService", "PaymentAdapter", "PaymentGateway",
        "orders/OrderService", "orders/PaymentAdapter", "payments/PaymentGateway",
    }  # fmt: skip
