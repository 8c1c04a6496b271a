"""Whether a word is one of English."""

from __future__ import annotations

import pytest

from memory.embedders.english import is_english


@pytest.mark.parametrize("word", ["retention", "Meanwhile", "reconcilers", "seperate", "recieve", "stripe"])
def test_words_their_inflections_and_slips_of_the_pen_are(word):
    assert is_english(word)


@pytest.mark.parametrize(
    "word", ["pagerduty", "clickhouse", "hazelcast", "keycloak", "snowflake", "kafka", "ldap", "totp"]
)
def test_products_and_abbreviations_are_not(word):
    assert not is_english(word)
