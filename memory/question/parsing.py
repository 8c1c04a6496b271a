"""A question's text to a `ParsedQuestion`. Syntax alone is recognised here; what is meant is not."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from memory.embedders.stopwords import ENGLISH
from memory.question.parsed import ParsedQuestion, Pasted
from memory.question.pasted import find_pasted, foreign
from memory.question.words import find_paths, find_words
from memory.text.frames import frames_in, thrown_in

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Literal

    from memory.question.parsed import Word

__all__ = ["parse_question"]

_URL: Final = re.compile(r"\bhttps?://\S+")
_ONLY_IN: Final = re.compile(r"\bonly\b[^.?!\n]{0,40}?\b(?:in|from|within|of)\s+([^?!\n]+)", re.IGNORECASE)
_ONLY_KIND: Final = re.compile(r"\bonly\b[^.?!\n]{0,20}?\b(code|docs|documentation)\b", re.IGNORECASE)
_WH: Final = r"(?:which|what|what's|where|where's|who|whose|how|why|when|does|do|did|is|are|can|could|should)"
_CLAUSE_END: Final = re.compile(
    rf"(?<=[?!])\s+|(?<=[.;])\s+(?=\S)|\n+|,?\s+(?:and|or|but|then|plus)\s+(?=(?:(?:from|to|in|by|with|on|for)\s+)?{_WH}\b)"
    rf"|,\s+(?={_WH}\b)",
    re.IGNORECASE,
)
_LEAST_WORDS: Final = 2
_COURTESIES: Final = frozenset(
    [
        "hello",
        "hi",
        "hey",
        "yo",
        "hiya",
        "thanks",
        "thank",
        "thx",
        "ty",
        "cheers",
        "please",
        "pls",
        "ok",
        "okay",
        "yes",
        "yeah",
        "yep",
        "nope",
        "bye",
        "goodbye",
        "morning",
        "evening",
        "afternoon",
        "welcome",
        "sorry",
        "good",
        "great",
        "cool",
        "nice",
        "help",
        "howdy",
        "greetings",
    ]
)
"""What people say that is no search, beside the stop words."""


def parse_question(text: str) -> ParsedQuestion:
    """What stands in a question."""
    spans = find_pasted(text)
    words = find_words(text, foreign(text, spans))
    prose = _prose(text, [(start, end) for start, end, _ in spans])
    limit, kind = _ONLY_IN.search(prose), _ONLY_KIND.search(prose)
    only_kind: Literal["code", "docs", ""] = "" if kind is None else "code" if kind[1].lower() == "code" else "docs"
    return ParsedQuestion(
        text=text,
        prose=prose,
        pasted=tuple(Pasted(kind_, text[start:end].strip()) for start, end, kind_ in spans),
        frames=tuple(frames_in(text)),
        thrown=thrown_in(text),
        words=words,
        paths=find_paths(text),
        clauses=_clauses(prose),
        only_in=limit[1] if limit else "",
        only_kind=only_kind,
        is_idle=not any(_weighs(word) for word in words),
    )


def _prose(text: str, pasted: Iterable[tuple[int, int]]) -> str:
    pieces, at = list[str](), 0
    for start, end in pasted:
        pieces.append(text[at : max(at, start)])
        at = max(at, end)
    return re.sub(r"\s*\n\s*", "\n", _URL.sub(" ", "\n".join([*pieces, text[at:]]))).strip()


def _clauses(prose: str) -> tuple[str, ...]:
    """The questions that a compound one is made of: split at sentence ends and before a further question word."""
    clauses = list[str]()
    for piece in _CLAUSE_END.split(prose):
        if len(piece.split()) >= _LEAST_WORDS or not clauses:
            clauses.append(piece.strip())
        else:
            clauses[-1] = f"{clauses[-1]} {piece.strip()}"
    return tuple(clause for clause in clauses if clause)


def _weighs(word: Word) -> bool:
    return not {word.text.casefold(), *word.text.casefold().split()} & (ENGLISH | _COURTESIES)
