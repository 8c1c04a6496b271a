"""Whether a word is one of English, and how rare it is there."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from memory.embedders import english
from memory.embedders.english import is_english, is_in_english, rarity, short_slips, slips, spelled_like


@pytest.mark.parametrize(
    "word",
    [
        "retention",
        "Meanwhile",
        "reconcilers",
        "seperate",
        "recieve",
        "realy",
        "hapen",
        "stripe",
        "wich",
        "oftn",
        "resubmit",
        "redeployed",
    ],
)
def test_words_their_inflections_and_slips_of_the_pen_are(word):
    assert is_english(word)


@pytest.mark.parametrize(
    "word",
    [
        "pagerduty",
        "clickhouse",
        "hazelcast",
        "keycloak",
        "snowflake",
        "kafka",
        "redis",
        "noop",
        "ldap",
        "totp",
        "waht",
        "redash",
        "retool",
        "username",
    ],
)
def test_products_and_abbreviations_are_not(word):
    assert not is_english(word)


def test_rarity_is_idf_by_the_rank_of_the_word():
    pieces = json.loads((Path(english.__file__).parent / "bge_small/tokenizer.json").read_bytes())["model"]["vocab"]
    rank = pieces["ever"] - pieces["the"] + 1
    expected = 1000 / (rank * 10.9)  # occurrences of `ever` in a text of a thousand words
    assert rarity("ever") == pytest.approx(-math.log(1 - math.exp(-expected)))
    assert rarity("the") < rarity("ever") < rarity("twice") < rarity("queue") < math.inf


def test_an_inflection_is_as_usual_as_its_most_usual_one():
    assert rarity("talked") == rarity("talk") == rarity("Talking")


def test_what_is_no_word_of_english_is_as_rare_as_can_be():
    assert rarity("freinet") == rarity("tls") == math.inf


def test_a_word_without_an_end_has_no_slips():
    assert slips("a" * 64)
    assert slips("a" * 65) == []


@pytest.mark.parametrize(
    ("word", "meant"),
    [("tabel", ["table"]), ("Faild", ["failed"]), ("kafka", []), ("redis", []), ("tabl", []), ("custmer", [])],
)
def test_a_short_slip_is_a_letter_less_or_two_exchanged_of_a_word_of_english(word, meant):
    assert short_slips(word) == meant


def test_slips_are_one_letter_more_less_or_other_or_two_exchanged_behind_the_first():
    found = slips("abcdef")
    less, exchanged, more, other = 5, 4, 6 * 26, 5 * 25
    assert len(found) == less + exchanged + more - 5 + other  # a letter that is doubled is made twice
    assert {"abcdf", "abdcef", "abcdefg", "abcdez"} <= {*found}
    assert slips("okta") == []  # a letter from `octa`


def test_another_spelling_keeps_the_capitals_where_both_agree():
    assert spelled_like("PaymentGatway", "paymentgateway") == "PaymentGateway"
    assert spelled_like("order.Plced", "order.placed") == "order.Placed"


def test_a_text_in_english_has_stop_words_of_it():
    assert is_in_english("which of our services sends the mail to the town hall")
    assert not is_in_english("code pin mairie jamais reçu, qui envoie le mail, nous ou le dépôt")
    assert is_in_english("mairie jamais reçu")  # too short to say
