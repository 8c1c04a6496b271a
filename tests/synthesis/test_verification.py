from __future__ import annotations

from dataclasses import replace

import pytest

from memory.observations import Duplicate, Location
from synthesis.answer import Citation
from synthesis.verification import ObservedFiles, verify, verify_all


@pytest.fixture
def seen(org):
    return org.seen("billing/db/schema.sql", 2, 6)


def cited(observation, quote: str, first: int, last: int, claim: str = "it says so", **more) -> Citation:
    at = observation.locations[0]
    return Citation("[vector:x]", observation.id, claim, quote, Location(at.project, at.path, first, last), **more)


async def fault(org, observation, citation):
    checked = await verify(citation, {observation.id: observation}, org.files)
    assert checked.verified is (checked.reason is None)
    return checked.reason


async def test_a_quotation_stands_in_its_lines_whatever_the_white_space(org, seen):
    assert await fault(org, seen, cited(seen, "id   UUID\nPRIMARY KEY", 3, 3)) is None


@pytest.mark.parametrize(
    ("quote", "first", "last", "claim", "reason"),
    [
        ("id UUID", 4, 4, "", "the quotation does not stand in the cited lines"),
        ("  ", 3, 3, "", "nothing is quoted"),
        ("id UUID", 1, 3, "", "the observation does not speak of these lines"),
        ("id UUID", 3, 3, "the key is `email`", "the cited lines do not say email"),
        ("id UUID", 3, 3, "it is tried 5 times", "the cited lines do not say 5"),
    ],
)
async def test_why_a_citation_fails(org, seen, quote, first, last, claim, reason):
    assert await fault(org, seen, cited(seen, quote, first, last, claim)) == reason


async def test_unknown_observations_and_lines_that_are_gone(org, seen):
    assert await fault(org, seen, replace(cited(seen, "id", 3, 3), observation_id="nobody")) == "no such observation"
    org.texts["billing/db/schema.sql"] = "short"
    assert await fault(org, seen, cited(seen, "id", 3, 3)) == "db/schema.sql has no lines 3-3"


async def test_without_lines_the_content_is_searched(org, seen):
    bare = replace(seen, locations=())
    good, bad = (Citation("[vector:x]", bare.id, "c", quote, None) for quote in ("id UUID PRIMARY", "email"))
    assert await fault(org, bare, good) is None
    assert await fault(org, bare, bad) == "the quotation does not stand in the cited lines"


async def test_an_edge_must_be_the_observations_and_proved_there(org):
    graph = org.graph(*org.path)
    marker = "[graph:orders/PaymentAdapter→payments/PaymentGateway]"
    at = Location("orders", "orders/adapter.py", 9, 9)
    good = Citation(marker, graph.id, "PaymentAdapter calls `PaymentGateway`", "gateway.charge(amount)", at)
    assert await fault(org, graph, good) is None
    wrong = replace(good, marker="[graph:orders/PaymentAdapter→payments/Till]")
    assert await fault(org, graph, wrong) == "the observation has no such relation"
    elsewhere = replace(good, location=Location("orders", "orders/adapter.py", 11, 11), quote="time.sleep")
    assert await fault(org, graph, elsewhere) == "these lines are not the relation's"


async def test_a_copy_counts_as_a_place(org, seen):
    copied = replace(seen, duplicates=(Duplicate("vector", Location("auth", "db/schema.sql", 4, 4), 1.0),))
    at = Location("auth", "db/schema.sql", 4, 4)
    assert await fault(org, copied, Citation("[vector:x]", copied.id, "c", "created_at TIMESTAMP", at)) is None


async def test_without_an_index_the_observations_hold_the_lines(seen):
    files = ObservedFiles([seen])
    assert await files.lines(Location("billing", "db/schema.sql", 3, 3)) == ["  id UUID PRIMARY KEY,"]
    assert await files.lines(Location("billing", "db/schema.sql", 1, 3)) is None
    [checked] = await verify_all([cited(seen, "id UUID", 3, 3)], [seen])
    assert checked.verified
