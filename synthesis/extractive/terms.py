"""The words a text is compared by: identifiers in parts and whole, stop words out, endings off."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from memory.text import split_identifier

__all__ = ["beginnings", "question_terms", "searchable", "stem", "terms", "words_held"]

_AGAIN = re.compile(r"\btr(?:y|ies|ied|ying) (?:\w+ ){0,3}again\b", re.IGNORECASE)
_HYPHENED = re.compile(r"\b([^\W\d_]+)-([^\W\d_]+)\b")

_FOREIGN_SIGN = re.compile(
    r"^\W*(?:wie|warum|welche[rs]?|wo|wer|qu[eé]|c[oó]mo|cu[aá]l|d[oó]nde|por qu[eé]|qui[eé]n|comment|pourquoi|quel(?:le)?s?|qui|o[uù]"
    r"|was (?:ist|sind|macht|tut)|qu'est|come|perch[eé])\b",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"[^\W_](?:\w*[^\W_])?")
_STOP: Final = frozenset(
    _TOKEN.findall(
        """a about all also an and any are as at be been before but by can could did do does each for from had has have
        how i if in into is it its like may me more most much my no not of on one only or other our over own same shall
        should so some such than that the their them then there these they this those to up upon us use used uses using
        via was we were what when where which while who whom whose why will with within without would you your"""
    )
)
_FOREIGN: Final = frozenset(
    _TOKEN.findall(
        """al as au aux avec ce como con cual dans das de del dem den der des dies diese dieser du ein eine einem einen einer
        el en es est et fue hace il ist je la las le les los mit oder para parce pas por pour qu que quel quelle qui qué se
        sie sind sont sur un una und une von warum welche welcher werden wie wird wo zu zum zur y él cómo dónde"""
    )
)
"""Words of other languages that say as little, and that code is full of by chance (`javax.el`, a variable `de`)."""
_ASKING: Final = frozenset(
    _TOKEN.findall(
        """across anything code company connect connects convert different each example examples explain find framework
        frameworks give handle handles handling happen happens libraries library list look organisation organization package
        packages pattern patterns people project projects relationship repo repos repository say says service services
        show similar team teams tell thing things way ways work works"""
    )
)


@lru_cache(maxsize=8192)
def stem(word: str) -> str:
    """A word without its common English endings: `retries`, `retrying` and `retry` are one, `tables` and `table`,
    `notification` and `notify`.
    """
    if len(word) > 4 and word.endswith(("ies", "ied")):
        return word[:-3] + "y"
    for ending in ("ings", "ing", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith(("ss", "us", "is")):
            word = word[: -len(ending)]
            if ending in {"ings", "ing", "ed"} and word[-1] == word[-2] and word[-1] not in "ls":
                word = word[:-1]
            break
    if word.endswith("ification"):
        word = f"{word[:-9]}ify"
    return word[:-1] if len(word) > 3 and word.endswith("e") else word


@lru_cache(maxsize=8192)
def terms(text: str) -> frozenset[str]:
    """The terms of a text: `PaymentAdapter` is `payment`, `adapter` and `paymentadapter`.

    Words joined by a hyphen are one term too (`back-off`, `backoff`), and to try again is to retry.
    """
    found = {stem((one + two).lower()) for one, two in _HYPHENED.findall(text)} if "-" in text else set()
    if "again" in text.lower() and _AGAIN.search(text):
        found.add("retry")
    return frozenset(found.union(*map(_terms_of, _TOKEN.findall(text))))


@lru_cache(maxsize=8192)
def _terms_of(token: str) -> frozenset[str]:
    parts = split_identifier(token)
    whole = token.lower()
    own = {stem(part) for part in parts or [whole] if part not in _STOP and len(part) > 1}
    return frozenset({*own, whole} if len(parts) > 1 else own)


def searchable(text: str) -> str:
    """A text in which each of its terms' beginnings (`beginnings`) is found as it stands: a look without parsing."""
    folded = text.casefold()
    return f"{folded} {folded.replace('-', '')}" if "-" in folded else folded


def beginnings(wanted: frozenset[str]) -> tuple[str, ...]:
    """What the words of these terms begin with: a stem ends where they differ, but for `y`."""
    again = ("again",) if "retry" in wanted else ()
    return (*sorted(term.removesuffix("y") for term in wanted), *again)


def words_held(text: str, wanted: frozenset[str]) -> list[str]:
    """The words of a text that are among the wanted terms, as they are written there but in small letters, each once."""
    held: dict[str, str] = {}
    for token in _TOKEN.findall(text):
        for part in split_identifier(token) or [token.lower()]:
            if stem(part) in wanted and part not in _STOP:
                held.setdefault(stem(part), part)
    return list(held.values())


def question_terms(question: str) -> frozenset[str]:
    """The terms a question is about: without the words that only ask, unless nothing else is left."""
    everything = terms(question)
    asking = _ASKING | _FOREIGN if _FOREIGN_SIGN.search(question) else _ASKING
    return everything - {stem(word) for word in asking} or everything
