"""Entities, relations, what they read like, and the scope drawn from them."""

from __future__ import annotations

import pytest

from memory.entities import VERBS, Entity, Evidence, EvidenceFile, Relationship, Scope, ScopedProject, sentence

CUSTOMER = Entity("Customer", "table", "billing", "db/schema.sql", 3, 9)
FRONTEND = Entity("frontend", "service", "shop")
PAYMENTS = Entity("payments", "service", "shop")


def test_an_entity_has_an_id_a_key_and_a_label():
    assert CUSTOMER.id == "billing/table/db/schema.sql/Customer"
    assert (CUSTOMER.key, CUSTOMER.label) == ("customer", "billing/Customer")
    assert Entity("Straße", id="given").key == "strasse"
    assert (Entity("Straße", id="given").id, Entity("Straße").label) == ("given", "Straße")


def test_names_and_sayings_are_one_line_without_control_characters():
    assert Entity("pay\n\nSources\u2028x.py:1\x1b[31m\u202e").name == "pay Sources x.py:1[31m"
    assert Entity("a\nb", "table", "p", "a.sql").id == Entity("a b", "table", "p", "a.sql").id
    assert Entity("a", summary="a\nb").summary == Evidence("sql", "p", "a.sql", 1, "a\n\x1bb").says == "a b"
    assert Entity("na\u200cme").name == "na\u200cme"


def test_a_relation_has_an_id_of_its_ends_and_its_place():
    edge = Relationship(CUSTOMER, "HAS", Entity("id", "column", "billing"), "billing", "db/schema.sql", (4,))
    assert edge.id == f"{CUSTOMER.id} HAS billing/column//id db/schema.sql"
    assert Relationship(CUSTOMER, "HAS", CUSTOMER, id="given").id == "given"
    assert edge.ends == (CUSTOMER.id, "HAS", "billing/column//id")
    assert (edge.status, edge.evidence) == ("confirmed", ())


def test_names_are_enough_for_a_scope():
    scope = Scope(projects=["billing", ScopedProject("auth", 0.5, "calls it")])
    assert scope.names == scope.projects == ("billing", "auth")
    assert scope.ranked == (ScopedProject("billing", 1.0), ScopedProject("auth", 0.5, "calls it"))
    assert Scope().names == ()


def test_one_text_is_no_list_of_a_scopes_projects():
    with pytest.raises(TypeError, match=r"projects are a list, as in Scope\(\['billing'\]\)"):
        Scope("billing")


def test_a_scope_within_a_permission():
    files = (EvidenceFile("billing", "a.py"), EvidenceFile("auth", "b.py"))
    scope = Scope([ScopedProject("billing", 0.9), ScopedProject("auth", 0.5)], files, linked=("Customer",))
    inside = scope.within(frozenset({"auth", "crm"}))
    assert (inside.ranked, inside.files, inside.linked) == ((ScopedProject("auth", 0.5),), files[1:], ("Customer",))
    assert scope.within(frozenset()).names == ()


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
