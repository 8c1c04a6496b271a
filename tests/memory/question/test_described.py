"""What a question describes by its relation to another thing: two steps, each with its direction."""

from __future__ import annotations

import pytest

from memory.question import read_question
from memory.question.described import Described, Step

CALL = frozenset({"CALLS", "INVOKES"})
HEAR = frozenset({"CONSUMES", "SUBSCRIBES"})
SAY = frozenset({"PUBLISHES"})
BACK_CALL, ON_CALL = Step(CALL, onward=False), Step(CALL, onward=True)


@pytest.mark.parametrize(
    ("question", "described"),
    [
        ("What calls the class that calls Till?", Described("class", "", ("Till",), BACK_CALL, BACK_CALL)),
        ("What is called by the class that calls Till?", Described("class", "", ("Till",), BACK_CALL, ON_CALL)),
        ("What does the class that calls Till call?", Described("class", "", ("Till",), BACK_CALL, ON_CALL)),
        ("What calls the class that Till calls?", Described("class", "", ("Till",), ON_CALL, BACK_CALL)),
        ("What calls a class which is called by Till?", Described("class", "", ("Till",), ON_CALL, BACK_CALL)),
        (
            "Which services publish the event that the StockKeeper consumes?",
            Described("event", "services", ("StockKeeper",), Step(HEAR, onward=True), Step(SAY, onward=False)),
        ),
        (
            "What calls the service that owns the buyers table?",
            Described("service", "", ("buyers", "table"), Step(frozenset({"OWNS_TABLE"}), onward=False), BACK_CALL),
        ),
    ],
)
def test_two_relations_one_behind_the_other(question, described):
    assert read_question(question).described == described


@pytest.mark.parametrize(
    ("question", "described"),
    [
        (
            "What calls the class that calls the module that calls Till?",
            Described("module", "", ("Till",), BACK_CALL, BACK_CALL, (("class", BACK_CALL),)),
        ),
        (
            "What does the class that calls the module that Till calls call?",
            Described("module", "", ("Till",), ON_CALL, ON_CALL, (("class", BACK_CALL),)),
        ),
        (
            "Who publishes the event which is consumed by the class that calls the module that calls Till?",
            Described(
                "module",
                "",
                ("Till",),
                BACK_CALL,
                Step(SAY, onward=False),
                (("class", BACK_CALL), ("event", Step(HEAR, onward=True))),
            ),
        ),
        (
            "What calls the class that calls the service that is called Till?",
            Described("class", "", ("service", "called", "Till"), BACK_CALL, BACK_CALL),
        ),
        (
            "What calls the class that calls Till and the class that calls Desk?",
            Described("class", "", ("Till", "class", "calls", "Desk"), BACK_CALL, BACK_CALL),
        ),
    ],
)
def test_a_clause_inside_a_clause_is_one_relation_more(question, described):
    assert read_question(question).described == described


def test_who_calls_imports_or_reads_a_thing_uses_it_and_who_brings_it_into_being_does_not():
    used = read_question("What calls the service that uses Customer?").described.first.types
    for asked in ("Which services call services that use Customer?", "What calls a service that's using Customer?"):
        assert read_question(asked).described.first.types == used
    assert read_question("Which topics that are published have no consumer?").described is None
    assert used >= {"CALLS", "IMPORTS", "READS", "USES_TABLE"}
    assert used.isdisjoint({"DEFINES", "OWNS_TABLE"})


@pytest.mark.parametrize(
    "question",
    [
        "What calls PaymentGateway?",
        "How do I fix the test that breaks?",  # no relation
        "Is there a setting which says how long the wait is?",
        "What happens to the order that was called?",  # nothing else is named
        "Why is it that the service calls Customer?",  # nothing is described
        "What calls the consumer that the order shows?",
        "What calls the class that the class that calls Till calls?",  # a clause in the middle of another
        "```\nthe class that calls Till\n```\nWhat calls this?",  # pasted
    ],
)
def test_what_describes_nothing(question):
    assert read_question(question).described is None
