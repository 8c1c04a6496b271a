from __future__ import annotations

import pytest

from synthesis.polarity import clauses_of, contradicted, meaning_of, shared


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


@pytest.mark.parametrize(
    ("claim", "lines", "word"),
    [
        # the lines have the word that is denied, and do not deny it
        ("It is not unique", "the e-mail is unique", "uniqu"),
        ("It does not call the adapter", "service calls adapter", "call"),
        ("If a card is not declined, it is published", "a declined card is published", "declin"),
        ("A handler that does not raise is called again", "a handler that raises is called again", "rais"),
        ("It is not always taken first", "Take it first, always.", "alway"),
        ("Locks are never held for 90 days", "Locks stay 90 days", "held"),  # a number that is told
        ("The key is not three letters", "CHAR(3)", "3"),
        ("It never waits for a long lock", "it tries a long lock", "wait"),  # most of what is denied: 2 of 3 words
        ("A query is not refused", "refused is what has a query", "refus"),  # a word that denies is what is denied
        # behind `what` too
        ("It lists what it has not taken", "it lists all it takes, taken or given", "taken"),
        # the lines have its words, and nothing near denies
        ("Locks are never kept for orders", "Orders come in. Nothing is lost.", "not"),
        ("There is no limit", "a limit of length", "not"),
    ],
)
def test_wrongly_denied(claim, lines, word):
    assert contradicted(claim, lines) == word


@pytest.mark.parametrize(
    ("claim", "lines", "word"),
    [
        ("Numbers have gaps", "Invoice numbers have no gaps.", "gap"),
        ("Secrets are indexed", "Secrets are never indexed, but kept", "index"),
        ("A subtree knows others", "Every state knows more. A subtree knows nobody.", "know"),
        ("Where Python must write bytecode, it is quick", "slow where Python may not write bytecode", "writ"),
    ],
)
def test_wrongly_affirmed(claim, lines, word):
    assert contradicted(claim, lines) == word


@pytest.mark.parametrize(
    ("claim", "lines"),
    [
        ("It is not unique", "the e-mail is stored and is not\nunique"),
        ("Follow-ups are closed rather than deleted", "It is closed, never deleted."),
        ("The e-mail is the key", "email TEXT NOT NULL, PRIMARY KEY"),
        # in other words
        ("Reusing it is not accepted", "the same key again is refused"),
        ("Only a cancelled order may wake a phone", "Nothing but a cancelled order may wake a phone"),
        ("The relay never answers", "The relay takes all."),  # of what is denied the lines say nothing
        ("Readers need not wait", "nobody waits here"),
        # what is most like it restricts or denies anything itself
        ("Encodings other than chunked are not supported", "Only chunked is supported"),
        ("Parsed headers are not validated", "if not parsed: validate(headers)"),
        # a contrast, of which one half is affirmed
        ("It does not copy files but gives them a name", "files are under a name; what is copied is a tenth"),
        ("Tests may not sleep; the clock is frozen instead", "A test that sleeps is sent back."),
        ("It imports nothing except click", "it imports click"),
        ("Payments holds nothing but tokens", "we hold tokens"),
        ("It does not call the gateway directly", "it calls the adapter, which calls the gateway"),
        ("No pause is longer than 900 seconds", "LONGEST_PAUSE = 900.0"),
        # of others
        ("Repository methods take a tenant", "A method that does not take a tenant is a leak"),
        ("Articles that could not be taken are listed", "Take each line off the shelf."),
        ("It has 8 seconds to answer", "The acquirer did not answer in time"),
        ("Two cameras see distance", "One camera sees no distance. Two cameras see it."),
        ("Card numbers must never appear in code, fixtures or logs", "never in code: not in a fixture, not in a log"),
    ],
)
def test_both_say_the_same(claim, lines):
    assert contradicted(claim, lines) is None


@pytest.mark.parametrize(
    ("claim", "lines"),
    [
        ("It is `NOT NULL`, `never`", "it is required"),
        ("“An answer, not an error.” is said of it", "Running short is an answer, not an error."),
        ("def owner(self): `return task if task else None`", "return task if task else None"),
    ],
)
def test_what_is_quoted_denies_nothing(claim, lines):
    assert contradicted(claim, lines) is None


def test_a_line_of_code_beside_may_deny():
    lines = (
        "if self.session.get(email):\n    raise AddressTaken(email)\nself.session.add(customer)\nself.bus.publish(x)"
    )
    assert contradicted("It does not accept a session for an email", lines) is None
    assert contradicted("It does not send a bus for x to the bus", lines.partition("Taken(email)")[2]) == "not"
