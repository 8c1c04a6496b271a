from __future__ import annotations

import pytest

from memory.entities import Entity, Relationship
from memory.sentences import VERBS, sentence

FRONTEND = Entity("frontend", "service", "shop")
PAYMENTS = Entity("payments", "service", "shop")


def said(source: Entity, relation: str, target: Entity) -> str:
    return sentence(Relationship(source, relation, target))


def test_a_relation_names_both_ends_with_their_kind_and_the_sources_project():
    assert said(FRONTEND, "CALLS", PAYMENTS) == "service frontend of shop calls service payments"


def test_the_targets_project_is_named_where_it_is_another():
    ledger = Entity("ledger_entries", "table", "bank")
    assert said(FRONTEND, "USES_TABLE", ledger) == "service frontend of shop uses table ledger_entries of bank"


def test_a_project_is_named_once():
    shop, bank = Entity("shop", "project", "shop"), Entity("bank", "project", "bank")
    assert said(shop, "DEPENDS_ON", bank) == "project shop depends on project bank"


def test_a_target_without_a_project_is_nobodys():
    assert said(FRONTEND, "READS", Entity("PORT", "config_key", "")) == "service frontend of shop reads config key PORT"


@pytest.mark.parametrize(
    ("relation", "verb"),
    [("SUBSCRIBES", "subscribes to"), ("INHERITS", "inherits from"), ("IS_OWNED_BY", "is owned by")],
)
def test_a_type_without_a_verb_is_written_as_its_name(relation, verb):
    assert said(FRONTEND, relation, PAYMENTS) == f"service frontend of shop {verb} service payments"
    assert (relation in VERBS) == (relation != "IS_OWNED_BY")
