from __future__ import annotations

from math import log

import pytest

from memory.entities import Evidence
from memory.statements import FoundStatement, StatementIndex
from tests.memory.stated import (
    FRONTEND,
    LEDGER,
    MAIL,
    PAYMENTS,
    WORDS,
    asked,
    calls,
    indexed,
    service,
    written,
)

EVERYONE = frozenset({"shop", "bank"})
SHOP = frozenset({"shop"})


def idf(population: int, holding: int) -> float:
    return log(1 + (population - holding + 0.5) / (holding + 0.5))


def told(found: list[FoundStatement]) -> list[tuple[str, str]]:
    return [(one.relation.source.name, one.relation.target.name) for one in found]


def test_a_statement_covers_the_share_of_the_questions_idf_mass_that_it_holds(tmp_path):
    index = indexed(tmp_path, {"shop": [calls(FRONTEND, PAYMENTS), calls(FRONTEND, MAIL)]})
    found = index.search(asked("frontend payments"), SHOP)
    everywhere, once = idf(2, 2), idf(2, 1)  # frontend is in both of two, payments in one
    assert told(found) == [("frontend", "payments"), ("frontend", "mail")]
    assert [one.coverage for one in found] == [
        1.0,
        pytest.approx(everywhere / (everywhere + once), abs=1e-6),  # .1823 of .8755
    ]


def test_a_word_that_no_statement_holds_counts_against_all(tmp_path):
    index = indexed(tmp_path, {"shop": [calls(FRONTEND, PAYMENTS)]})
    [found] = index.search(asked("payments zyzzyva"), SHOP)
    assert found.coverage == pytest.approx(idf(1, 1) / (idf(1, 1) + idf(1, 0)), abs=1e-6)


def test_given_weights_take_the_place_of_the_statements_own(tmp_path):
    index = indexed(tmp_path, {"shop": [calls(FRONTEND, PAYMENTS), calls(FRONTEND, MAIL)]})
    weights = {WORDS["frontend"]: 1.0, WORDS["payments"]: 2.0, WORDS["bank"]: 1.0}
    found = index.search(asked("frontend payments bank"), SHOP, weights=weights)
    assert [one.coverage for one in found] == [0.75, 0.25]  # 1 + 2 of 4, 1 of 4
    assert index.search(asked("frontend payments"), SHOP, weights={}) == []


def test_what_holds_more_of_the_question_is_before_what_bm25_prefers(tmp_path):
    # bank is the rarer word; what the question weighs says that frontend matters more
    index = indexed(tmp_path, {"shop": [calls(FRONTEND, MAIL), calls(FRONTEND, PAYMENTS), calls(PAYMENTS, LEDGER)]})
    plain = index.search(asked("frontend bank"), EVERYONE)
    assert told(plain)[0] == ("payments", "ledger")
    weights = {WORDS["frontend"]: 3.0, WORDS["bank"]: 1.0}
    assert told(index.search(asked("frontend bank"), EVERYONE, weights=weights))[-1] == ("payments", "ledger")


def test_only_those_between_a_project_and_others_are_asked_for(tmp_path):
    index = indexed(
        tmp_path, {"shop": [calls(FRONTEND, PAYMENTS), calls(PAYMENTS, LEDGER)], "bank": [calls(LEDGER, LEDGER)]}
    )
    found = index.search(asked("payments ledger calls"), EVERYONE, between=SHOP)
    assert told(found) == told(index.search(asked("payments ledger calls"), EVERYONE, between=frozenset({"bank"})))
    assert told(found) == [("payments", "ledger")]
    whole = index.search(asked("payments ledger calls"), EVERYONE)
    assert [one.coverage for one in found] == [whole[0].coverage]  # what is left out counts as before
    assert index.search(asked("payments ledger calls"), SHOP, between=SHOP) == []  # the other end is not to be seen
    assert index.search(asked("payments"), EVERYONE, between=frozenset({"elsewhere"})) == []


def test_of_equal_coverage_bm25_decides(tmp_path):
    long = service("mail shop bank calls", "shop")  # four words more
    index = indexed(tmp_path, {"shop": [calls(FRONTEND, long), calls(FRONTEND, PAYMENTS)]})
    found = index.search(asked("frontend"), SHOP)
    assert [one.coverage for one in found] == [1.0, 1.0]
    assert told(found) == [("frontend", "payments"), ("frontend", "mail shop bank calls")]


def test_ties_are_in_the_order_of_the_relations_ids(tmp_path):
    edges = [calls(FRONTEND, PAYMENTS, f"{name}.py") for name in ("c", "a", "b")]
    for order in (edges, edges[::-1]):
        index = indexed(tmp_path, {"shop": order})
        assert [one.relation.path for one in index.search(asked("payments"), SHOP)] == ["a.py", "b.py", "c.py"]
        assert [one.relation.path for one in index.search(asked("payments"), SHOP, limit=2)] == ["a.py", "b.py"]


def test_the_limit_cuts_the_last(tmp_path):
    index = indexed(tmp_path, {"shop": [calls(FRONTEND, PAYMENTS, f"{n:02}.py") for n in range(60)]})
    assert len(index.search(asked("payments"), SHOP)) == 50
    assert len(index.search(asked("payments"), SHOP, limit=60)) == 60


def test_a_statement_is_not_seen_by_who_may_not_see_all_it_speaks_of(tmp_path):
    index = indexed(tmp_path, {"shop": [calls(FRONTEND, LEDGER), calls(FRONTEND, PAYMENTS)], "bank": []})
    assert told(index.search(asked("frontend ledger"), SHOP)) == [("frontend", "payments")]
    assert told(index.search(asked("ledger"), SHOP)) == []
    assert told(index.search(asked("ledger"), frozenset({"bank"}))) == []
    assert told(index.search(asked("ledger"), EVERYONE)) == [("frontend", "ledger")]
    assert index.search(asked("ledger"), frozenset()) == []


def test_idf_counts_what_may_be_seen_alone(tmp_path):
    mine = [calls(FRONTEND, PAYMENTS), calls(FRONTEND, MAIL)]
    hidden = [calls(PAYMENTS, LEDGER, f"{n}.py") for n in range(9)]  # proven in shop, but they speak of bank
    alone = indexed(tmp_path, {"shop": mine}).search(asked("frontend payments"), SHOP)
    beside = indexed(tmp_path, {"shop": [*mine, *hidden], "bank": [calls(LEDGER, service("payments", "bank"))]})
    assert beside.search(asked("frontend payments"), SHOP) == alone
    assert [one.coverage for one in beside.search(asked("frontend payments"), EVERYONE)][:2] != [
        one.coverage for one in alone
    ]


def test_evidence_that_may_not_be_seen_is_no_place(tmp_path):
    edge = calls(FRONTEND, PAYMENTS, "app.py", Evidence("env", "bank", ".env", 3), Evidence("env", "shop", "b.yaml", 5))
    index = indexed(tmp_path, {"shop": [edge], "bank": []})
    [narrow] = index.search(asked("payments"), SHOP)
    assert narrow.files == (("shop", "app.py"), ("shop", "b.yaml"))
    assert narrow.places == ((("shop", "app.py"), 4), (("shop", "app.py"), 9), (("shop", "b.yaml"), 5))
    [wide] = index.search(asked("payments"), EVERYONE)
    assert wide.files == (("shop", "app.py"), ("bank", ".env"), ("shop", "b.yaml"))


def test_what_tests_alone_prove_covers_seven_tenths_of_what_it_holds(tmp_path):
    index = indexed(tmp_path, {"shop": [calls(FRONTEND, PAYMENTS, "tests/test_app.py"), calls(FRONTEND, PAYMENTS)]})
    found = index.search(asked("frontend payments"), SHOP)
    assert [(one.relation.path, one.coverage) for one in found] == [("app.py", 1.0), ("tests/test_app.py", 0.7)]


def test_a_project_is_read_once(tmp_path):
    folder = written(tmp_path, {"shop": [calls(FRONTEND, PAYMENTS)], "bank": []})
    read = []

    def segment(project):
        read.append(project)
        return folder.segment(project)

    index = StatementIndex(segment)
    assert index.search(asked("payments"), SHOP) == index.search(asked("payments"), EVERYONE)
    assert read == ["shop", "bank"]


def test_nothing_is_found_without_a_word_or_a_match(tmp_path):
    index = indexed(tmp_path, {"shop": [calls(FRONTEND, PAYMENTS)]})
    assert index.search({}, SHOP) == []
    assert index.search(asked("zyzzyva"), SHOP) == []
    assert indexed(tmp_path / "x", {}).search(asked("payments"), SHOP) == []


def test_a_statement_says_what_its_relation_says(tmp_path):
    [found] = indexed(tmp_path, {"shop": [calls(FRONTEND, PAYMENTS)]}).search(asked("payments"), SHOP)
    assert found.sentence == "service frontend of shop calls service payments"
