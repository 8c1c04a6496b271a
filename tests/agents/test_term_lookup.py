"""Which words and names occur, be it in another spelling."""

from __future__ import annotations

import pytest

from agents.term_lookup import TermLookup
from memory.embedders import Bm25Sparse
from memory.question.pasted import Frame
from memory.vocabulary import FileTerms, ProjectTerms, Vocabulary

ALL = frozenset({"arena"})
BM25 = Bm25Sparse()


def lookup(*texts, has_file=lambda _name, _projects: False):
    """In a vocabulary of these texts, each a chunk."""
    terms = ProjectTerms.of([FileTerms(1, dict.fromkeys(BM25.embed_document(text).indices, 1)) for text in texts])
    return TermLookup(BM25.terms, Vocabulary(lambda _: terms), has_file)


def test_a_dotted_name_or_a_path_occurs_where_each_member_does():
    there = lookup("payment_service charges the card")
    assert there.holds("payment-service", ALL)
    assert there.holds("payment_service.charges", ALL)
    assert not there.holds("payment_service.refunds", ALL)


def test_without_a_vocabulary_every_word_is_taken_as_known():
    blind = TermLookup(BM25.terms, None, lambda _name, _projects: False)
    assert blind.holds("anything.at_all", ALL)
    assert blind.known({1, 2}, ALL) == {1, 2}


def test_a_word_that_occurs_nowhere_is_strange_unless_it_is_english():
    there = lookup("the lobby opens")
    known = there.known(set(BM25.terms("lobby").values()), ALL)
    assert there.strange({"lobby", "kubevirt", "window", "whats", "repo"}, known) == {"kubevirt"}


@pytest.mark.parametrize(
    ("word", "known"), [("pdfs", True), ("lobbby", True), ("pathc", True), ("faild", False), ("kubevirt", False)]
)
def test_an_s_more_and_a_slip_of_the_pen_are_known_otherwise(word, known):
    assert lookup("the pdf of the patch is kept in the lobby").is_known_otherwise(word, ALL) is known


def test_a_slip_of_an_identifier_means_the_one_that_occurs():
    assert lookup("class PaymentGateway: charge").meant("PaymentGatway", ALL) == "PaymentGateway"
    assert lookup("class Payment: the Gateway").meant("PaymentGatway", ALL) == ""


def test_a_trace_is_indexed_by_its_file_or_by_a_function_of_several_words():
    frame = Frame("/srv/arena/gateway_signer.py", 3, "Signer.handle_call")
    assert lookup("x", has_file=lambda name, _projects: name == "gateway_signer.py").is_indexed(frame, ALL)
    assert lookup("def handle_call").is_indexed(frame, ALL)
    assert not lookup("x").is_indexed(frame, ALL)
    assert not lookup("main").is_indexed(Frame("/srv/main.py", 3, "main"), ALL)
