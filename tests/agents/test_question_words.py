"""What a question's words weigh, part by part, and which of them occur nowhere."""

from __future__ import annotations

import pytest

from agents.question_words import QuestionPart, QuestionWords, cosine, covered
from memory.embedders import Bm25Sparse
from memory.embedders.english import rarity
from memory.question import read_question
from memory.vocabulary import FileTerms, ProjectTerms, Vocabulary, idf


def test_what_is_covered_is_a_share_of_the_mass():
    assert covered({1: 3.0, 2: 1.0}, {1, 9}) == pytest.approx(0.75)
    assert covered({1: 3.0, 2: 1.0}, ()) == 0.0
    assert covered({}, {1}) == 0.0


def test_the_best_cosine_of_the_fields_both_have():
    query = {"dense_docs": [1.0, 0.0], "dense_code": [0.0, 1.0]}
    assert cosine(query, {"dense_docs": [0.6, 0.8]}) == pytest.approx(0.6)
    assert cosine(query, {"dense_code": [0.6, 0.8]}) == pytest.approx(0.8)
    assert cosine(query, {"image": [1.0, 0.0]}) == 0.0


ALL = frozenset({"arena"})
BM25 = Bm25Sparse()
TRACE = (
    "after a deploy players leave the lobby\n"
    "** (KeyError) key :signer not found in: %{}\n"
    "    (arena) lib/arena/gateway_signer.ex: Arena.GatewaySigner.handle_call/3\n"
    "what is it waiting for"
)


def words(*texts, has_file=lambda _name, _projects: False):
    """By a vocabulary of these texts, each a chunk."""
    terms = ProjectTerms.of([FileTerms(1, dict.fromkeys(BM25.embed_document(text).indices, 1)) for text in texts])
    return QuestionWords(BM25, Vocabulary(lambda _: terms), has_file)


def test_a_part_is_as_sure_as_the_mass_that_is_held():
    assert QuestionPart({1: 3.0, 2: 1.0}).certainty({1}, 0.9) == 0.75
    assert QuestionPart({1: 3.0, 2: 1.0}, ordinary=0.25).certainty({1}, 0.4) == pytest.approx(0.75 + 0.25 * 0.4)


def parts(question, *texts):
    read = read_question(question)
    return words(*texts).parts(read, [BM25.embed_query(text).indices for text in read.parts], ALL)


def test_prose_and_what_was_pasted_count_apart():
    whole, prose, pasted = parts(TRACE, "a till")
    assert whole.weights.keys() == prose.weights.keys() | pasted.weights.keys()
    assert prose.weights.keys() == set(
        BM25.embed_query("after a deploy players leave the lobby what is it waiting for").indices
    )


def test_a_part_that_says_too_little_does_not_count():
    assert (
        len(parts("why is that\n```\nsigner = gateway.lobby(players)\n```", "signer")) == 2
    )  # all of it, and the code


@pytest.mark.parametrize(
    ("question", "foreign"),
    [
        ("where do the pdfs of the supplier go", ()),
        ("which letter of the supplier goes, pls", ()),
        ("where do the zqfs of the supplier go", ("zqfs",)),
    ],
)
def test_an_acronym_with_an_s_and_a_please_are_no_foreign_words(question, foreign):
    assert words("the pdf of a letter goes to the supplier").unknown(read_question(question), ALL).names == foreign


@pytest.mark.parametrize(
    ("question", "foreign"),
    [
        ("is a basket ever overwriten", ()),  # a letter less
        ("is a basket ever oevrwritten", ()),  # two exchanged
        ("is a basket ever klaxonised", ("klaxonised",)),
        ("is a basket put on okta", ("okta",)),  # too short for a slip of `octa`
    ],
)
def test_a_slip_of_a_word_that_occurs_is_no_foreign_word(question, foreign):
    read = words("def overwritten(basket): octa").unknown(read_question(question), ALL)
    assert read.names == foreign
    assert not any(word.startswith("o") for word in read.absent)  # nor one that is said to be nowhere


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("what is PaymentGatway", {"PaymentGatway": "PaymentGateway"}),
        ("what is PaymentGateway", {}),
        ("who consumes order.plced", {"order.plced": "order.placed"}),
        ("what does charge_crd do", {"charge_crd": "charge_card"}),
        ("what is PaymentGatwy", {}),  # two letters
        ("how do we use Valkey", {}),  # a word alone: it is no `valley`
        ("who signs with BankID", {}),  # both parts occur: it is no `BanId`
    ],
)
def test_an_identifier_is_taken_for_the_one_that_it_is_a_slip_of(asked, meant):
    there = words(
        "class PaymentGateway: valley", "BankIdOrder of BanId", 'publish("order.placed")', "def charge_card(): ..."
    )
    assert there.spellings(read_question(asked), ALL) == meant


def test_in_another_language_no_ordinary_word_is_a_name():
    there = words("code pin de la mairie, envoie un mail")
    asked = "code pin mairie jamais reçu, qui envoie le mail ? nous ou le dépôt KafkaDepot"
    assert there.unknown(read_question(asked), ALL).names == ("KafkaDepot",)
    assert there.unknown(read_question("who sends the mail with the pin code, is it qwertz?"), ALL).names == ("qwertz",)


def test_an_error_that_happened_is_not_what_is_asked_for():
    read = words("timeout of a job = 180").unknown(read_question("the job dies with JobTimeoutException at 180"), ALL)
    assert (read.names, read.share, read.absent) == ((), 0.0, ("dies",))


def test_without_a_vocabulary_nothing_is_misspelt():
    blind = QuestionWords(BM25, None, lambda _name, _projects: False)
    assert blind.spellings(read_question("what is PaymentGatway"), ALL) == {}


def test_the_names_of_a_trace_are_never_reported():
    read = words("signer players").unknown(read_question(TRACE), ALL)
    assert read.names == ()
    inline = read_question("AttributeError: 'NoneType' object has no attribute 'id'\nwho makes TillDesk")
    assert words("object attribute").unknown(inline, ALL).names == ("TillDesk",)


def test_the_part_that_knows_most_says_how_much_is_unknown():
    asked = "Does TillDesk open KassaDesk\n```\nplayers leave the lobby again\n```"
    assert words("players", "leave", "lobby", "open").unknown(read_question(asked), ALL).share == 0.0
    assert words("open").unknown(read_question("Does TillDesk open KassaDesk"), ALL).share > 0.5


def test_a_trace_points_at_an_indexed_file_or_symbol():
    question = read_question(TRACE)
    assert not words("players").unknown(question, ALL).is_pointed
    assert words("defmodule GatewaySigner", "def handle_call").unknown(question, ALL).is_pointed
    asked = []

    def has_file(name, projects):
        asked.append((name, projects))
        return name == "gateway_signer.ex"

    assert words("players", has_file=has_file).unknown(question, ALL).is_pointed
    assert {projects for _, projects in asked} == {ALL}


def test_ordinary_words_that_are_absent_are_known_by_name():
    read = words("a till").unknown(read_question("dont flux the till, whats that"), ALL)
    assert (read.names, read.absent) == ((), ("flux",))


def test_a_contraction_without_its_apostrophe_weighs_nothing():
    [whole] = parts("the bell couldnt ring", "bell", "ring")
    assert whole.weights.keys() == set(BM25.embed_query("bell ring").indices)
    assert "couldnt" not in words("bell").unknown(read_question("the bell couldnt ring"), ALL).weights
    [whole] = parts("a bell thats ring theyre", "bell thats", "ring")
    assert whole.weights.keys() == set(BM25.embed_query("bell ring").indices)


def test_a_product_in_lower_case_is_a_name_and_an_english_word_or_a_slip_is_none():
    unknown = words("schedule a job").unknown(read_question("whats the pagerduty escalation of a seperate job"), ALL)
    assert unknown.names == ("pagerduty",)
    assert unknown.absent == ("escalation", "seperate")
    idf = unknown.weights
    assert unknown.share == pytest.approx(idf["pagerduty"] / (idf["pagerduty"] + idf["job"]))


def test_a_question_in_another_language_has_no_names_for_that():
    unknown = words("schedule a job").unknown(read_question("welcher geplante auftrag scheitert gelegentlich"), ALL)
    assert unknown.names == ()
    assert unknown.share == 0.0


def test_a_word_of_words_that_occur_is_not_missed_and_weighs_nothing():
    asked = words("a stand for the queue, in memory")
    read = read_question("which stand-in has the queue")
    assert asked.unknown(read, ALL).names == ()
    [whole] = asked.parts(read, [BM25.embed_query(read.text).indices], ALL)
    assert whole.weights.keys() == set(BM25.embed_query("stand queue").indices)


def test_a_coined_name_whose_parts_occur_is_said_to_occur_nowhere_and_takes_no_answer():
    asked = words("the collector of ghsa", "another-ghsa")
    unknown = asked.unknown(read_question("what does collector-ghsa do, and another-ghsa"), ALL)
    assert unknown.names == ("collector-ghsa",)
    assert unknown.share == 0.0


def test_a_value_is_said_to_be_missing_and_is_not_what_is_asked_for():
    unknown = words("the block of a key").unknown(read_question("why is key 8c1f on the block list"), ALL)
    assert unknown.names == ("8c1f",)
    assert unknown.share == 0.0


@pytest.mark.parametrize(
    ("query", "is_asked_for"),
    [
        ("the first 40 that use key_block", False),
        ("who used key_block in 2019", False),
        ("what does block 4711 mean", True),
    ],
)
def test_a_number_beside_a_name_that_occurs_is_a_value(query, is_asked_for):
    unknown = words("the key_block of a key").unknown(read_question(query), ALL)
    assert len(unknown.names) == 1
    assert unknown.names[0].isdigit()
    assert (unknown.share > 0.0) is is_asked_for


def test_an_amount_is_no_name_and_weighs_nothing():
    amounts, asked = read_question("why is a key of 120MB or 1.5GB on the block for 72h"), words("the block of a key")
    unknown = asked.unknown(amounts, ALL)
    assert (unknown.names, unknown.absent, unknown.share) == ((), (), 0.0)
    [whole] = asked.parts(amounts, [BM25.embed_query(amounts.text).indices], ALL)
    assert whole.weights.keys() == set(BM25.embed_query("key block").indices)


def test_a_word_that_is_usual_in_english_weighs_no_more_than_there():
    texts = ["freinet someone", *["other"] * 50]
    question = read_question("does someone talk to freinet?")
    [part] = words(*texts).parts(question, [BM25.embed_query(question.text).indices], ALL)
    weights = {word: part.weights[term] for word, term in BM25.terms(question.text).items()}
    assert weights["someone"] == rarity("someone") < weights["freinet"]
    assert weights["talk"] == rarity("talk")
    assert weights["freinet"] == pytest.approx(idf(51, 1))
