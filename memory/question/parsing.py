"""A question's text to a `ParsedQuestion`. Syntax alone is recognised here; what is meant is not."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from operator import itemgetter
from typing import Final, Literal

from memory.embedders.english import ENGLISH
from memory.question.described import find_described
from memory.question.parsed import ParsedQuestion, Pasted, Word, WordKind
from memory.question.pasted import find_pasted, foreign, frames_in, thrown_in

_WORD: Final = re.compile(
    r"`(?P<ticked>[^`\n]{1,60})`"
    r"|\"(?P<double>[^\"\n]{2,60})\""
    r"|\N{LEFT DOUBLE QUOTATION MARK}(?P<curly>[^\N{RIGHT DOUBLE QUOTATION MARK}\n]{2,60})\N{RIGHT DOUBLE QUOTATION MARK}"  # noqa: E501 - a pattern
    r"|(?<!\w)'(?P<single>[^'\n]{2,60})'(?!\w)"
    r"|(?P<word>\w(?:(?:[\w./-]|::(?=\w))*\w)?)"
)
_IN_PHRASE: Final = re.compile(r"\w(?:[\w./-]*\w)?")
_URL: Final = re.compile(r"\b(?:(?:https?|ftp)://|www\.|mailto:)\S+", re.IGNORECASE)
_CAMEL: Final = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]")
_SNAKE: Final = re.compile(r"\w_\w|^_\w")
_DOTTED: Final = re.compile(r"^[^\W\d].*(?:\w\.[^\W\d]|::)")
_VERSIONED: Final = re.compile(r"^[A-Z][a-z]*\d[a-z]\w*$")
"""`Neo4j`, `K8s`."""
_NUMBERS: Final = re.compile(r"(?=[^\d]*\d)[\da-fA-F-]+")
"""`2024-05-01`, and a UUID."""
_JOINED: Final = re.compile(r"[_\-./]|\d[a-zA-Z]")
_ABBREVIATION: Final = re.compile(r"^(?:[a-z]\.)+[a-z]$", re.IGNORECASE)
_WORDS_OF_A_LETTER: Final = frozenset({"A", "I"})
_BEFORE: Final = 8
"""How many characters in front of a word say whether a sentence begins with it."""
_STOPS: Final = ".!?:\n"
_NO_STOPS: Final = ("vs.", "e.g.", "i.e.")
_TOKEN: Final = re.compile(r"[^\s`'\"()\[\]{}<>,;]+")
_FILE: Final = re.compile(
    r"(?:^|/)\.[a-z][\w.-]*$|(?:^|/)(?:requirements|constraints)[\w-]*\.in$"
    r"|\.(?:mod|markdown|asciidoc|jsonl|gql|ddl|cql|mk|mts|cts|cxx|hxx|rake|gemspec|dockerfile|png|jpe?g|webp|py|pyi|ipynb|js|jsx|mjs|cjs|ts|tsx|vue|svelte|java|kt|kts|scala|groovy|gradle|clj|cs|fs|vb|go|rs|rb|erb|php|ex"
    r"|exs|erl|hs|lua|pl|sh|bash|c|h|cc|hh|cpp|hpp|m|mm|swift|dart|r|jl|sql|proto|graphql|html|css|scss|md|mdx|rst|adoc|txt|json"
    r"|ya?ml|toml|ini|cfg|conf|env|xml|tf|hcl|properties|lock|csv|tpl|bazel|cmake)$",
    re.IGNORECASE,
)

_ONLY_IN: Final = re.compile(
    r"(?<!\bnot )(?<!\bthe )\bonly\b[^.?!\n]{0,40}?\b(?:in|from|within|of)\s+([^?!:;\n]+)", re.IGNORECASE
)
_LIMIT_END: Final = re.compile(r"[.,]?\s(?:not|but|except)\b|\.(?:\s|$)", re.IGNORECASE)
_CORPUS: Final = r"(?<![\w/-])(code|docs|documentation|documents)(?![\w/-])"
"""Not `docs` of a name, as `adk-docs`."""
_ONLY_KIND: Final = re.compile(rf"(?<!\bnot )(?<!\bthe )\bonly\b[^.?!\n]{{0,40}}?{_CORPUS}", re.IGNORECASE)
_KIND_END: Final = re.compile(r"[.?!:;\n]|\s(?:not|but|except)\b")
_KIND: Final = re.compile(_CORPUS, re.IGNORECASE)
_WH: Final = r"(?:which|what|what's|where|where's|who|whose|how|why|when|does|do|did|is|are|can|could|should)"
_CLAUSE_END: Final = re.compile(
    rf"(?<=[?!])\s+|(?<=[.;])\s+(?=\S)|\n+|,?\s+(?:and|or|but|then|plus)\s+(?=(?:(?:from|to|in|by|with|on|for)\s+)?{_WH}\b)"
    rf"|,\s+(?={_WH}\b)",
    re.IGNORECASE,
)
_LEAST_WORDS: Final = 2

_COURTESIES: Final = frozenset([
    "hello", "hi", "hey", "yo", "hiya", "thanks", "thank", "thx", "ty", "cheers", "please", "pls", "ok",
    "okay", "yes", "yeah", "yep", "nope", "bye", "goodbye", "morning", "evening", "afternoon", "welcome",
    "sorry", "good", "great", "cool", "nice", "help", "howdy", "greetings", "much", "lot",
])  # fmt: skip
"""What people say that is no search, beside the stop words."""


def find_words(text: str, pasted: Sequence[tuple[int, int]]) -> tuple[Word, ...]:
    """The words in their order, without those of web addresses.

    Args:
        text: the question.
        pasted: from where to where what its writer did not write is, in order and apart.
    """
    away = [match.span() for match in _URL.finditer(text)]
    shouts = text.isupper() and len(text.split()) > 1  # then capitals say nothing
    found = []
    for token in _WORD.finditer(text):
        if not _within(token.start(), away):
            word = _written(token, text, shouts=shouts)
            if word is not None:
                found.append(Word(*word, _within(token.start(), pasted), token["ticked"] is not None))
    return tuple(found)


def find_paths(text: str) -> tuple[str, ...]:
    """What has a `/` between its words, or a file's ending, each once; web addresses are none."""
    tokens = (token.rstrip(".:!?") for token in _TOKEN.findall(_URL.sub(" ", text)))
    paths = (re.sub(r"(?<=[a-z]):\d+(?:-\d+|:.*)?$", "", token) for token in tokens)
    return tuple(dict.fromkeys(path for path in paths if re.search(r"\w/|/\w", path) or _FILE.search(path)))


def _within(place: int, spans: Sequence[tuple[int, int]]) -> bool:
    """Whether a place is inside one of these, which are in their order and apart."""
    before = bisect_right(spans, place, key=itemgetter(0))
    return before > 0 and place < spans[before - 1][1]


def _written(token: re.Match[str], text: str, *, shouts: bool) -> tuple[str, WordKind] | None:
    if token["ticked"]:
        name = token["ticked"].partition("(")[0].strip()
        kind = _kind(name)
        return (name, kind if kind and kind != "joined" else "identifier") if name else None
    if quoted := (token["double"] or token["curly"] or token["single"]):
        phrase = quoted.strip()
        return (phrase, _kind(phrase) or "quoted") if phrase else None
    word = token["word"]
    kind = _kind(word)
    if kind == "joined" and _VERSIONED.search(word):
        return word, "capitalised"
    if kind is None and not shouts and _ABBREVIATION.search(word) is None:
        within = word[0].isupper() and word not in _WORDS_OF_A_LETTER and not _begins_sentence(text, token.start())
        if word[1:] != word[1:].lower() or within:
            kind = "capitalised"
    return word, kind or ""


def _begins_sentence(text: str, place: int) -> bool:
    before = text[max(0, place - _BEFORE) : place].rstrip(" \t\r\"'(`")
    if not before:
        return place <= _BEFORE
    return before[-1] in _STOPS and not before.casefold().endswith(_NO_STOPS)


def _kind(word: str) -> WordKind | None:
    if " " in word or _ABBREVIATION.search(word):
        return None
    if _CAMEL.search(word) or _SNAKE.search(word) or _DOTTED.match(word):
        return "identifier"
    if "-" in word and not _NUMBERS.fullmatch(word):
        return "hyphenated"
    return "joined" if _JOINED.search(word) else None


def parse_question(text: str) -> ParsedQuestion:
    """What is in a question."""
    spans = find_pasted(text)
    words = find_words(text, foreign(text, spans))
    prose = _prose(text, [(start, end) for start, end, _ in spans])
    limit = _ONLY_IN.search(prose)
    idle = not any(_weighs(word) for word in words)
    return ParsedQuestion(
        text=text,
        prose=prose,
        pasted=tuple(Pasted(kind_, text[start:end].strip()) for start, end, kind_ in spans),
        frames=tuple(frames_in(text)),
        thrown=thrown_in(text),
        words=words,
        paths=find_paths(text),
        clauses=_clauses(prose),
        only_in=_LIMIT_END.split(limit[1], maxsplit=1)[0] if limit else "",
        only_kind=_only_kind(prose),
        described=find_described([word for word in words if not word.pasted]),
        is_idle=idle,
        is_courtesy=idle and any(word.text.casefold() in _COURTESIES for word in words),
    )


def _only_kind(prose: str) -> Literal["code", "docs", ""]:
    """The corpus that a question limits itself to: none where it names both."""
    limit = _ONLY_KIND.search(prose)
    if limit is None:
        return ""
    behind = _KIND_END.split(prose[limit.start(1) :], maxsplit=1)[0]
    named = {"code" if kind.lower() == "code" else "docs" for kind in _KIND.findall(behind)}
    return "" if len(named) > 1 else "code" if "code" in named else "docs"


def _prose(text: str, pasted: Iterable[tuple[int, int]]) -> str:
    pieces, at = list[str](), 0
    for start, end in pasted:
        pieces.append(text[at : max(at, start)])
        at = max(at, end)
    return re.sub(r"(?<!\s)\s*\n\s*", "\n", _URL.sub(" ", "\n".join([*pieces, text[at:]]))).strip()


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
    """Whether a word, or any word of a phrase, is one to search for."""
    text = word.text.casefold()
    return not (ENGLISH | _COURTESIES).issuperset(_IN_PHRASE.findall(text) or [text])
