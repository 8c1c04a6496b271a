from __future__ import annotations

from dataclasses import replace

import pytest

from memory.question import read_question
from synthesis.extractive.weighted_question import WeightedQuestion
from synthesis.terms import terms

WEIGHTS = {"payment_gateway": 6.0, "payment": 3.0, "gateway": 4.0, "retries": 2.0}


@pytest.fixture
def asked():
    return WeightedQuestion.of(read_question("How does PaymentGateway do retries?"), WEIGHTS, [])


def test_a_name_of_several_words_weighs_once(asked):
    assert asked.total == 8.0
    assert asked.share(terms("class PaymentGateway")) == 6 / 8


def test_its_parts_say_less_than_the_name_and_one_part_little(asked):
    assert asked.mass(terms("a gateway for a payment")) == pytest.approx(0.85 * 6)
    assert asked.mass(terms("a gateway")) == pytest.approx(0.5 * 6 / 2)


def test_words_with_which_one_asks_say_little():
    asked = WeightedQuestion.of(read_question("Which teams use Kafka?"), {"teams": 4.0, "use": 2.0, "kafka": 5.0}, [])
    assert asked.share(terms("our team")) == pytest.approx(1.0 / 6.5)


def test_without_weights_the_texts_tell_what_is_rare():
    asked = WeightedQuestion.of(read_question("refund port"), None, ["a port", "a port", "a port and a refund"])
    assert asked.mass({"refund"}) > asked.mass({"port"}) > 0


def test_a_question_of_stop_words_holds_nothing():
    asked = WeightedQuestion.of(read_question("What is it?"), None, ["x"])
    assert (asked.total, asked.share(terms("what is it")), asked.places(terms("it"))) == (0, 0.0, [])


def test_a_name_is_held_however_its_parts_are_joined():
    for question in ("the bell-tower of crm", "bell tower?", "bell_tower", "BellTower"):
        assert WeightedQuestion.of(read_question(question), None, ()).names("bell-tower"), question
    assert not WeightedQuestion.of(read_question("a bell"), None, ()).names("bell-tower")


def test_a_file_is_named_by_its_path_or_the_end_of_it():
    asked = WeightedQuestion.of(read_question("What does our CLAUDE.md say?"), None, ())
    assert asked.names_file("CLAUDE.md")
    assert asked.names_file("docs/CLAUDE.md")
    assert not asked.names_file("docs/NOT-CLAUDE.md")


def test_what_introduces_a_project_is_named_by_who_asks_what_it_is():
    question = replace(read_question("What is crm?"), projects=("crm",))
    assert WeightedQuestion.of(question, None, ()).names_file("README.rst")
    assert not WeightedQuestion.of(question, None, ()).names_file("docs/README.md")
    assert not WeightedQuestion.of(read_question("What is crm?"), None, ()).names_file("README.rst")


def test_where_words_stand(asked):
    assert asked.places(terms("retry")) == [1]
    assert asked.places(terms("PaymentGateway")) == [0]


def test_a_text_without_the_beginning_of_a_word_is_not_parsed(asked):
    assert asked.held("paying_gateways") == {"gateway"}
    assert asked.held("payable") == frozenset()
    assert asked.held("nothing of it") is None


def test_the_verbs_of_the_prose_ask_for_relations_but_for_those_that_ask_for_any():
    asked = WeightedQuestion.of(read_question("Who consumes and uses orders?"), {"consumes": 2.0, "orders": 4.0}, [])
    assert asked.verbs_of({"SUBSCRIBES"}) == terms("consumes")
    assert asked.verbs_of({"CALLS"}) == frozenset()
