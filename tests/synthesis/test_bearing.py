from __future__ import annotations

import pytest

from synthesis.bearing import COMMON, Ground, faults, misquoted

KEY = Ground("id UUID PRIMARY KEY,", "[vector:billing/db/schema.sql:3-3]\nbilling", "CREATE TABLE customers (id UUID)")
RETRY = Ground(
    "for attempt in range(MAX_ATTEMPTS):", "class PaymentAdapter:\ndef process_payment(self):", "import time"
)


@pytest.mark.parametrize(
    ("claim", "ground"),
    [
        ("Billing has a UUID as primary key", KEY),
        ("The key is `id UUID PRIMARY KEY`", KEY),
        ("`PaymentAdapter.process_payment` tries up to `MAX_ATTEMPTS` times", RETRY),
        ("`process_payment()` makes MAX_ATTEMPTS attempts", RETRY),
    ],
)
def test_borne(claim, ground):
    assert faults(claim, [ground]) == [None]


@pytest.mark.parametrize(
    ("claim", "ground", "fault"),
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
def test_not_borne(claim, ground, fault):
    assert (misquoted(claim, [ground]) or faults(claim, [ground])[0]) == fault


def test_markers_side_by_side_bear_a_sentence_together():
    other = Ground("email TEXT PRIMARY KEY,")
    claim = "The keys are `id` and `email`"
    assert faults(claim, [KEY, other]) == [None, None]
    assert misquoted(claim, [KEY, other]) is None
    assert misquoted(claim, [KEY]) == "the cited lines do not say email"


def test_one_of_them_that_adds_nothing_is_refused():
    # five terms (keys are key): each of two markers has to share 0.25 * 5 / 2 = 0.625, which is one of them
    assert COMMON == 0.25
    assert faults("Customers have a UUID as key", [KEY, Ground("rain and wind")]) == [
        None,
        "the cited lines speak of something else",
    ]
