"""A question as it was read, once: its prose, what was pasted into it, its words and names, clauses and limits.

`clean_query`: what a question is cleaned of, and what is none. `read_question`: all that is read from it, also what
types it may be of and the projects that it names.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from textwrap import dedent
from typing import Final, Protocol

from configs.documents import read_yaml
from memory.embedders.english import ENGLISH, stemmer
from memory.errors import InvalidQueryError
from memory.question.parsed import OURS, ParsedQuestion, QueryType, Vote, Word
from memory.question.parsing import parse_question
from memory.text.output import encodable

__all__ = [
    "OURS",
    "ParsedQuestion",
    "QueryType",
    "Word",
    "clean_query",
    "named_projects",
    "only_projects",
    "question_of",
    "read_question",
]

_SEQUENCE: Final = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
    r"|(?:\x1b[]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x90\x98\x9b-\x9f]*(?:\x07|\x1b\\|\x9c)"
    r"|\x1b[ -/]*[0-~]"
)
"""A control sequence of a terminal, a control string with its end, and the other escapes (ECMA-48 §5.3 to §5.6)."""
_INDENTS: Final = ("    ", "\t")
"""What pasted code begins with, in Markdown too."""
_INTRODUCERS: Final = frozenset("\n\t\x07\x1b\x90\x98\x9b\x9c\x9d\x9e\x9f")

_NEAREST: Final = 15
_LEAST_EXAMPLES: Final = 2
"""A word is kept that so many of the examples have, a rarer one is masked."""
_NAME: Final = "<name>"
_WORD: Final = re.compile(r"[^\W_]+(?:['\N{RIGHT SINGLE QUOTATION MARK}]\w+)?")

_NAME_PART: Final = re.compile(r"[^\W_]+")
_MOST_WORDS: Final = 6


def clean_query(query: object, most: int) -> str:
    """The question without control characters, a terminal's sequences and the white space around it; code that it
    begins with stays indented.

    Raises InvalidQueryError when it is no text, blank, or longer than `most` characters.
    """
    text = question_text(query)
    if len(text) > most:
        raise InvalidQueryError(f"The question has {len(text)} characters; at most {most} are taken.", "Shorten it.")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not text.isprintable():
        text = _without_controls(_SEQUENCE.sub("", _without_controls(text, _INTRODUCERS)), frozenset("\n\t"))
    kept = dedent(text).strip("\n").rstrip()
    kept = kept if kept.startswith(_INDENTS) else kept.strip()
    if not any(character.isprintable() and not character.isspace() for character in kept):
        raise InvalidQueryError("The question is empty.", "Ask something.")
    return kept


def question_text(query: object) -> str:
    """The question, where it is a text. Raises InvalidQueryError."""
    if not isinstance(query, str):
        raise InvalidQueryError(f"The question is a value of type {type(query).__name__}.", "Give a text.")
    return query


def _without_controls(text: str, kept: frozenset[str]) -> str:
    return "".join(c for c in text if c in kept or unicodedata.category(c) not in {"Cc", "Cs"})


class Examples:
    """Example questions by type, to vote on others.

    nearest: how many of them vote.
    """

    def __init__(self, questions: Mapping[QueryType, Sequence[str]], *, nearest: int = _NEAREST) -> None:
        self._nearest = nearest
        types: dict[str, list[QueryType]] = {}
        for kind, asked in questions.items():
            for question in asked:
                types.setdefault(question, []).append(kind)
        self._types = types
        words = {question: _words(parse_question(question)) for question in types}
        counts = Counter(word for one in words.values() for word in set(one))
        self._kept = ENGLISH.union(word for word, count in counts.items() if count >= _LEAST_EXAMPLES) - {_NAME}
        features = {question: self._features(one) for question, one in words.items()}
        holding = Counter(feature for one in features.values() for feature in one)
        self._idf = {feature: math.log(1 + len(types) / count) for feature, count in holding.items()}
        self._unseen = math.log(1 + len(types))
        self._lengths = {question: self._length(one) for question, one in features.items()}
        self._holding: dict[str, list[str]] = {}
        for question, one in features.items():
            for feature in one:
                self._holding.setdefault(feature, []).append(question)

    def votes(self, question: ParsedQuestion) -> tuple[Vote, ...]:
        """The types of the nearest examples, the likeliest first; none for a question of names alone."""
        words = _words(question)
        if not self._kept.intersection(words):
            return ()
        features = self._features(words)
        shared: dict[str, float] = {}
        for feature in features:
            for example in self._holding.get(feature, ()):
                shared[example] = shared.get(example, 0.0) + self._idf[feature] ** 2
        length = self._length(features)
        likeness = {e: round(product / (length * self._lengths[e]), 6) for e, product in shared.items()}
        nearest = sorted(likeness, key=lambda example: (-likeness[example], example))[: self._nearest]
        shares: dict[QueryType, float] = {}
        first: dict[QueryType, str] = {}
        for example in nearest:
            for kind in self._types[example]:
                shares[kind] = shares.get(kind, 0.0) + likeness[example] ** 2
                first.setdefault(kind, example)
        total = math.fsum(shares.values())
        ordered = sorted(shares, key=lambda kind: (-shares[kind], kind.value))
        return tuple(Vote(kind, round(shares[kind] / total, 4), first[kind]) for kind in ordered if total > 0)

    def _features(self, words: Sequence[str]) -> frozenset[str]:
        masked = [word if word in self._kept else _NAME for word in words]
        run = [word for n, word in enumerate(masked) if word != _NAME or n == 0 or masked[n - 1] != _NAME]
        return frozenset([*run, *(f"{one} {two}" for one, two in pairwise(["^", *run, "$"]))])

    def _length(self, features: frozenset[str]) -> float:
        return math.sqrt(math.fsum(self._idf.get(feature, self._unseen) ** 2 for feature in features)) or 1.0


@cache
def shipped_examples() -> Examples:
    """Those of `examples.yaml`."""
    text = Path(__file__).with_name("examples.yaml").read_text(encoding="utf-8")
    return Examples({QueryType(name): questions for name, questions in read_yaml(text).items()})


def _words(question: ParsedQuestion) -> list[str]:
    """The words of the prose in small letters, the names among them masked."""
    stem = stemmer()
    names = {word.text.casefold() for word in question.words if word.kind}
    found = list[str]()
    for chunk in (question.prose or question.text).split():
        if chunk.strip("`'\"?!.,:;()").casefold() in names:
            found.append(_NAME)
            continue
        words = [word.casefold() for word in _WORD.findall(chunk)]
        found += [w if w in ENGLISH else _NAME if len(w) == 1 else stem(w) for w in words]
    return found


@lru_cache(maxsize=256)
def read_question(text: str) -> ParsedQuestion:
    """What is in a question, and its likely types. The same text is read once. Raises InvalidQueryError for no text."""
    question = parse_question(encodable(question_text(text)))
    return replace(question, types=shipped_examples().votes(question))


class _Context(Protocol):
    """What a question is asked in."""

    @property
    def question(self) -> ParsedQuestion | None: ...


def question_of(query: str, context: _Context) -> ParsedQuestion:
    """The question as the door read it; one that another text is asked for is read now."""
    read = context.question
    return read if read is not None and read.text == query else read_question(query)


def named_projects(text: str, visible: Collection[str]) -> tuple[str, ...]:
    """The projects a text names, in its order; of a spelling that several of them share it names none, and a part of an
    identifier (`map_httpcore_errors`) names none either.

    Args:
        text: what was written.
        visible: the projects that may be seen; no other changes the result.
    """
    bearers: dict[str, list[str]] = {}
    for project in sorted(visible):
        bearers.setdefault(_joined(project), []).append(project)
    parts = list(_NAME_PART.finditer(text))
    words = [part.group().casefold() for part in parts]
    found: list[str] = []
    place = 0
    while place < len(words):
        ends = range(min(len(words), place + _MOST_WORDS), place, -1)  # the longest name first
        end = next((end for end in ends if "".join(words[place:end]) in bearers), None)
        if end is not None and not _is_part(text, parts[place].start(), parts[end - 1].end()):
            bearing = bearers["".join(words[place:end])]
            found += bearing if len(bearing) == 1 else [one for one in bearing if one in text]
        place = end or place + 1
    return tuple(dict.fromkeys(found))


def _is_part(text: str, start: int, end: int) -> bool:
    """Whether what stands there goes on in front or behind as an identifier does."""
    return "_" in {text[start - 1 : start], text[end : end + 1]}


def only_projects(question: ParsedQuestion, visible: Collection[str]) -> frozenset[str]:
    """The projects to which a question limits itself: "only in billing and auth", "only show code from crm"."""
    return frozenset(named_projects(question.only_in, visible)) if question.only_in else frozenset()


def _joined(name: str) -> str:
    return "".join(_NAME_PART.findall(name)).casefold()
