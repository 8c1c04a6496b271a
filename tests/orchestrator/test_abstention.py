"""The verdict, and what is said where there is no answer."""

from __future__ import annotations

from dataclasses import replace

import pytest

from memory.entities import Entity, Relationship
from memory.observations import Location, NormalizedObservation
from memory.query import PathRole, TaskContext
from memory.question import read_question
from memory.vocabulary import UnknownWords
from orchestrator.abstention import judge, lack_text, lacking_text, not_found_text, unlisted_text
from orchestrator.coverage import Coverage
from orchestrator.specs import AgentOutcome

NOBODY = Coverage((), frozenset())
QUESTION = read_question("Refund an order by the WebHook: does it retry?")
WEIGHTS = {"refund": 5.0, "webhook": 4.0, "retry": 3.0, "order": 1.0}


def found(content, path="a.py", confidence=0.1):
    return NormalizedObservation(
        content,
        "vector:x",
        "billing",
        confidence,
        "code",
        id=path,
        locations=(Location("billing", path, 1, 4),),
    )


def between(*projects):
    ends = [Entity(name, "project", name) for name in projects]
    return tuple(Relationship(ends[0], "DEPENDS_ON", end) for end in ends)


@pytest.mark.parametrize(
    ("query", "projects", "text"),
    [
        ("Which tables does billing have?", ("billing",), "the graph knows no table of billing"),
        ("Show all settings", (), "the graph knows no setting"),
        ("How are the projects connected?", (), "the graph knows no relation between projects"),
        (
            "Who calls billing?",
            ("billing",),
            "the graph knows nothing in another project that calls or invokes billing",
        ),
        ("What depends on crm?", ("crm",), "the graph knows nothing in another project that depends on crm"),
        ("How are crm and pos related?", ("crm", "pos"), "the graph knows no direct relation between crm and pos"),
        ("Does crm call pos?", ("crm", "pos"), "the graph knows no such relation between crm and pos"),
        ("Which apps use crm?", ("crm",), "the graph knows nothing in another project that uses crm"),
        ("Who has a table?", (), ""),
    ],
)
def test_a_list_that_the_graph_has_not_is_said_to_be_none(query, projects, text):
    question = replace(read_question(query), projects=projects)
    assert unlisted_text(question, TaskContext(), [found("x")]) == text
    listed = replace(found("x"), metadata={"listed": "things"}, relationships=between(*projects or ("crm",)))
    assert unlisted_text(question, TaskContext(), [listed]) == ""


def test_which_of_several_projects_have_nothing_to_do_with_the_others_is_said():
    question = replace(read_question("How are crm, pos and hr related?"), projects=("crm", "pos", "hr"))
    listed = replace(found("x"), metadata={"listed": "projects"}, relationships=between("crm", "pos"))
    text = "the graph knows no direct relation between hr and the others"
    assert unlisted_text(question, TaskContext(), [listed]) == text


def verdict(observations=(), **unknown):
    return judge(observations, UnknownWords(**unknown), floor=0.45, most_unknown=0.35, question=read_question("why?"))


@pytest.mark.parametrize(
    ("confidence", "share", "pointed", "answers"),
    [(0.45, 0.34, False, True), (0.44, 0.0, False, False), (0.9, 0.35, False, False), (0.1, 0.9, True, True)],
)
def test_what_is_sure_or_what_a_trace_points_at_answers(confidence, share, pointed, answers):
    seen = [found("x", confidence=confidence)]
    assert verdict(seen, names=("Ledger",), share=share, is_pointed=pointed).found is answers
    assert not verdict([], is_pointed=True).found


def test_what_only_a_trace_names_is_not_what_was_asked_for():
    seen = [found("x", confidence=0.9)]
    assert verdict(seen, share=0.9).found
    assert not verdict(seen, share=0.9, names=("Ledger",)).found


def test_the_rarest_words_that_are_not_found_together_are_said_with_the_nearest_lines():
    seen = [found("refund the order by a webhook"), found("retries", "b.py"), found("x", "c.py"), found("x", "d.py")]
    lack = lack_text(verdict(seen, weights=WEIGHTS), seen, QUESTION)
    assert not_found_text(NOBODY, lack, ["a.py:1: `refund`", "b.py:7: `x`"]) == (
        "No answer found: no file that was found has Refund, WebHook and retry together."
        "\n\nNearest:\n- a.py:1: `refund`\n- b.py:7: `x`"
    )


def test_who_could_not_look_is_not_everybody_where_another_did():
    late = AgentOutcome("local", PathRole.MUST, "error", reason="gone")
    assert (
        not_found_text(Coverage((late,), frozenset({"local"})), "") == "No answer: no agent could look (local: gone)."
    )
    looked = AgentOutcome("graph", PathRole.MAY, "ok", 1)
    text = not_found_text(Coverage((late, looked), frozenset({"local"})), "")
    assert text == "No answer: no agent that this is for could look (local: gone)."


def test_as_many_words_are_said_as_nothing_holds_together():
    seen = [found("refund webhooks, retried")]
    apart = lack_text(verdict(seen, weights=WEIGHTS), seen, QUESTION)
    assert "has Refund, WebHook, retry and order together" in apart
    all_held = [found("refund webhook retry order")]
    unclear = lack_text(verdict(all_held, weights=WEIGHTS), all_held, QUESTION)
    assert "speaks of this clearly enough" in unclear


def test_what_is_absent_is_named():
    said = lack_text(verdict(names=("Kafka",), absent=("zyzzyva",), weights={"kafka": 9.0}), (), QUESTION)
    assert said == "Kafka occurs nowhere in the indexed text you may see"
    said = lack_text(verdict(absent=("flux", "capacitor"), weights={"flux": 9.0}), (), QUESTION)
    assert said == "flux, capacitor occur nowhere in the indexed text you may see"


@pytest.mark.parametrize(
    ("content", "confidence", "answers"), [("x", 0.4, False), ("Ring-Bell", 0.4, True), ("ring-bell", 0.3, False)]
)
def test_a_little_less_will_do_of_what_has_a_name_of_the_question(content, confidence, answers):
    question = read_question("when does ring-bell sound")
    seen = [found(content, confidence=confidence)]
    assert judge(seen, UnknownWords(), floor=0.45, most_unknown=0.35, question=question).found is answers


class TestLacking:
    """Words that weigh 6.0 of 10 and 4.0 of 10, of which the project in hand has none."""

    SEEN = UnknownWords(weights={"webhook": 6.0, "quota": 4.0})

    def lacking(self, query="Who sends the webhook over quota?", seen=SEEN, **there):
        return lacking_text(read_question(query), seen, UnknownWords(**there), "billing")

    def test_they_are_said(self):
        said = '"webhook", "quota" occur nowhere in what was indexed of billing'
        assert self.lacking(absent=("webhook", "quota")) == said
        assert self.lacking() == ""

    @pytest.mark.parametrize(("weight", "is_said"), [(3.4, False), (3.5, True)])
    def test_a_usual_word_tells_the_story(self, weight, is_said):
        seen = UnknownWords(weights={"quota": weight})
        assert bool(self.lacking(seen=seen, absent=("quota",))) is is_said

    @pytest.mark.parametrize(("others", "is_said"), [(36.0, True), (37.0, False)])
    def test_a_word_that_is_little_of_the_question_is_not_said(self, others, is_said):
        seen = UnknownWords(weights={"quota": 4.0, "webhook": others})
        assert bool(self.lacking(seen=seen, absent=("quota",))) is is_said

    @pytest.mark.parametrize("word", ["supression", "8c1f"])
    def test_a_slip_of_the_pen_and_a_value_are_not_said(self, word):
        assert self.lacking(seen=UnknownWords(weights={word: 9.0}), absent=(word,)) == ""

    def test_a_name_that_others_have_makes_the_question_one_about_them(self):
        query = "Does OrderService send the webhook?"
        assert self.lacking(query, absent=("webhook",), names=("OrderService",)) == ""
        nowhere = UnknownWords(weights=self.SEEN.weights, names=("OrderService",))
        assert self.lacking(query, nowhere, absent=("webhook",), names=("OrderService",)) != ""

    def test_a_word_that_is_no_english_is_said_as_others_are(self):
        assert self.lacking(names=("webhook",)) == '"webhook" occurs nowhere in what was indexed of billing'

    def test_of_a_pasted_trace_not_every_word_is_asked_about(self):
        trace = 'webhook\nTraceback (most recent call last):\n  File "a.py", line 3, in charge\nValueError: quota'
        assert self.lacking(trace, absent=("webhook",)) == ""


def test_a_name_within_a_longer_one_that_was_found_is_not_said_to_occur_nowhere():
    seen = [found("name: SHOP__CARD_TIMEOUT", confidence=0.9)]
    assert verdict(seen, names=("CARD_TIMEOUT", "CARD_LIMIT")).missing == (
        "CARD_LIMIT occurs nowhere in the indexed text you may see",
    )


@pytest.mark.specification("001 §4.1 recent")
def test_a_name_in_what_a_caller_hands_over_is_still_said_to_occur_nowhere():
    told = replace(found("The capacitor migration is on Friday.", confidence=0.9), locations=())
    assert verdict([told], names=("capacitor",)).missing == (
        "capacitor occurs nowhere in the indexed text you may see",
    )
