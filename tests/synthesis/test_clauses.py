from __future__ import annotations

import pytest

from synthesis.clauses import clauses_of, meaning_of, shared


def cut(text):
    return [" ".join(clause.words) for clause in clauses_of(text)]


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("It is closed, never deleted.", ["it is closed", "never deleted"]),
        ("It charges and publishes, but does not pack", ["it charges", "publishes", "does not pack"]),
        ("A test that sleeps is sent back", ["a test is sent back", "sleeps"]),
        ("A room that it has not seen", ["a room", "it has not seen"]),
        ("An agent that goes on never ends", ["an agent never ends", "goes on"]),
        ("A class whose type can't be told is left out", ["a class is left out", "type ca not be told"]),
        ("If it is down, say so", ["it is down", "say"]),
        ("raise UnknownInvoice(order)\nreturn 1", ["raise unknowninvoice", "order", "return 1"]),
        ("def get(self) -> str | None:\n    pass", ["def get", "self", "str", "pass"]),
        ("email TEXT NOT NULL", ["email text required"]),
        ("It waits 1.5 s in a.b", ["it waits 1.5 s in a.b"]),
    ],
)
def test_clauses(text, clauses):
    assert cut(text) == clauses


@pytest.mark.parametrize("opener", ["if", "when", "that", "whoever", "unless"])
def test_supposed(opener):
    first, second = clauses_of(f"It waits {opener} nobody asks")
    assert not first.supposed
    assert second.supposed


def test_which_behind_a_comma_states():
    assert not any(clause.supposed for clause in clauses_of("It calls the adapter, which calls the gateway"))


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("It does not call it", {"call"}),
        ("Invoice numbers have no gaps", {"gap"}),
        ("A subtree knows nobody", {"know"}),
        ("titles do not", set()),
    ],
)
def test_what_a_denial_is_about(text, about):
    [clause] = clauses_of(text)
    [place] = clause.denials
    assert clause.denied(place) == about


@pytest.mark.parametrize("text", ["not only orders", "not much of it", "no matter who", "no more than two"])
def test_no_denials(text):
    assert not clauses_of(text)[0].denials


def test_meaning():
    assert meaning_of(["the", "paymentadapter", "retries", "it", "down"]) == {"paymentadapter", "retry", "down"}
    assert meaning_of(["on_hand", "three", "one"]) == {"hand", "3", "one"}


def test_a_family_shares_its_beginning():
    assert shared(frozenset({"registration", "cat"}), frozenset({"register", "cats"})) == {"registration"}
