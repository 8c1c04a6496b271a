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


def test_who_calls_imports_or_reads_a_thing_uses_it_and_who_brings_it_into_being_does_not():
    used = read_question("What calls the service that uses Customer?").described.first.types
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
        "```\nthe class that calls Till\n```\nWhat calls this?",  # pasted
    ],
)
def test_what_describes_nothing(question):
    assert read_question(question).described is None
