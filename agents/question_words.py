"""`QuestionWords`: what a question's words weigh within a permission, and which of them occur nowhere.

How sure a hit is must not depend on what else was found: a maximum-normalised score would give the best hit of a
nonsense question 1.0. The share of the question's IDF mass that a file holds (`covered`) says how much of the question
it speaks of.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from agents.messages import Message, words_in
from agents.term_lookup import CONTRACTED, OF_ASKING, WITHOUT_APOSTROPHE, TermLookup
from memory.embedders import Bm25Sparse
from memory.embedders.english import is_in_english, rarity
from memory.embedders.port import SparseEmbedder
from memory.question import ParsedQuestion
from memory.text import split_identifier
from memory.vector.port import DenseVector
from memory.vocabulary import UnknownWords, Words

_REMEMBERED: Final = 8
"""Questions whose words are remembered: the search and the verdict ask for the same one."""

_LEAST_PART, _LEAST_TERMS = 0.2, 3
"""A part with less of the question's IDF mass, or with fewer terms, says too little to be found by, as "why is
that?".
"""

_THROWN: Final = re.compile(r"[A-Z]\w*(?:Exception|Error)")
"""The class of an error: what happened, mostly a library's, and not what is asked for, so that it weighs nothing."""

_AMOUNT: Final = re.compile(r"\d[\d.,_]*[^\W\d_]{1,5}")
"""`120MB`, `72h`: a file may write it otherwise (`120.megabytes`), so that it weighs nothing."""

_DIGIT: Final = re.compile(r"\d")
"""A word with one that occurs nowhere is what a message was filled with."""

_UNSAID: Final = CONTRACTED | OF_ASKING
"""What is not said to occur nowhere."""


def covered(weights: Mapping[int, float], held: Collection[int]) -> float:
    """The share (0..1) of the question's IDF mass whose terms are among these; 0 for a question without terms."""
    total = math.fsum(weights.values())
    return math.fsum(weight for term, weight in weights.items() if term in held) / total if total > 0 else 0.0


def cosine(query: Mapping[str, DenseVector | NDArray[np.float64]], dense: Mapping[str, DenseVector]) -> float:
    """The best cosine of unit vectors over the fields both have; 0 where there is none."""
    return max((float(np.dot(query[name], vector)) for name, vector in dense.items() if name in query), default=0.0)


@dataclass(frozen=True, slots=True)
class QuestionPart:
    """A part of a question by which it may be found: its terms with their IDF, and the share of their mass (0..1) that
    is ordinary words which the index does not know.
    """

    weights: Mapping[int, float]
    ordinary: float = 0.0

    def certainty(self, held: Collection[int], likeness: float) -> float:
        """How sure a file with these terms is: the share of the mass that it holds; for the ordinary words that the
        index does not know, and so cannot find, the cosine speaks.
        """
        return min(1.0, covered(self.weights, held) + self.ordinary * max(0.0, likeness))


class QuestionWords:
    """Reads questions by the index's own vocabulary.

    sparse: the index's embedder; vocabulary: how rare words are (None: all alike, and every word is taken as known);
    has_file: whether a file of these projects is called so.
    """

    def __init__(
        self, sparse: SparseEmbedder, vocabulary: Words | None, has_file: Callable[[str, frozenset[str]], bool]
    ) -> None:
        self._are_of_index = sparse.model == Bm25Sparse.model
        self._bm25 = sparse if self._are_of_index else Bm25Sparse()
        self._vocabulary = vocabulary
        self._has_file = has_file
        self._lookup = TermLookup(self.terms, vocabulary, has_file)
        self._unknown: dict[tuple[str, frozenset[str]], UnknownWords] = {}

    def terms(self, text: str) -> dict[str, int]:
        """The words of a text and the ids of their BM25 terms, whichever terms the index is made of."""
        return self._bm25.terms(text)

    def asks_for(self, question: ParsedQuestion) -> Callable[[str], bool]:
        """Tells whether the question's prose has a word, in any of its forms."""
        asked = frozenset(self.terms(question.prose).values())
        return cache(lambda word: not asked.isdisjoint(self.terms(word).values()))

    def statement_weights(self, question: ParsedQuestion, permission: frozenset[str]) -> dict[int, float] | None:
        """What the question's BM25 terms weigh; None where the index is made of other terms,
        which say nothing of these.
        """
        return self._weights(question, self.terms(question.text).values(), permission) if self._are_of_index else None

    def _weights(self, question: ParsedQuestion, terms: Iterable[int], permission: frozenset[str]) -> dict[int, float]:
        """How rare each of these terms of a question is:
        within the permission, or in English where it is more usual there.
        """
        ids = sorted(set(terms))
        if self._vocabulary is None:
            return dict.fromkeys(ids, 1.0)
        usual = {term: rarity(word) for word, term in self.terms(question.text).items()} if self._are_of_index else {}
        weights = self._vocabulary.weights(ids, permission)
        return {term: min(weight, usual.get(term, math.inf)) for term, weight in weights.items()}

    def parts(
        self, question: ParsedQuestion, terms: Iterable[Collection[int]], permission: frozenset[str]
    ) -> list[QuestionPart]:
        """The parts by which a question may be found, all of it first; those that say too little are left out.

        terms: those of each of the question's parts, in the index's terms.
        """
        unknown = self.unknown(question, permission)
        lacking, idle = unknown.ordinary, self._idle(question) | unknown.idle
        whole, *others = (self._weights(question, set(ids) - idle, permission) for ids in terms)
        kept = [whole, *(weights for weights in others if _says_enough(weights, whole))]
        return [
            QuestionPart(weights, 1.0 - covered(weights, weights.keys() - lacking) if lacking else 0.0)
            for weights in kept
        ]

    def messages(self, question: ParsedQuestion, permission: frozenset[str]) -> list[Message]:
        """The messages that the question quotes;
        none where the index is made of a model's terms, which are no words.
        """
        found = []
        for text in question.messages if self._are_of_index else ():
            words = words_in(text)
            terms = {word: set(self.terms(word).values()) for word in words}
            weights = self._weights(question, {term for own in terms.values() for term in own}, permission)
            filled = {term for word in words if _DIGIT.search(word) for term in terms[word]}
            absent = filled.difference(self._lookup.known(filled, permission))
            weights = {term: weight for term, weight in weights.items() if term not in absent}
            heavy = {word: max((weights.get(term, 0.0) for term in own), default=0.0) for word, own in terms.items()}
            if any(heavy.values()):
                found.append(Message(words, heavy, tuple(sorted(weights))))
        return found

    def reading(self, question: ParsedQuestion, permission: frozenset[str]) -> Callable[[str], dict[int, float]]:
        """What a text holds of a question: the terms, each with its weight; terms of another kind weigh alike."""
        weights = self.statement_weights(question, permission)
        weights = weights or dict.fromkeys(self.terms(question.text).values(), 1.0)

        def held(text: str) -> dict[int, float]:
            return {term: weights[term] for term in self.terms(text).values() if term in weights}

        return held

    def unknown(self, question: ParsedQuestion, permission: frozenset[str]) -> UnknownWords:
        """What of the question occurs nowhere within the permission: names as they are joined, ordinary words."""
        key = (question.text, permission)
        if key not in self._unknown:
            if len(self._unknown) >= _REMEMBERED:
                self._unknown.clear()
            self._unknown[key] = self._read(question, permission)
        return self._unknown[key]

    def _read(self, question: ParsedQuestion, permission: frozenset[str]) -> UnknownWords:
        if self._vocabulary is None or not self._are_of_index:
            return UnknownWords()
        own = self.terms(question.text)
        weights = self._weights(question, set(own.values()) - self._idle(question), permission)
        known = self._vocabulary.known(weights, permission)
        names, lacking, ordinary, absent = list[str](), set[int](), set[int](), list[str]()
        named = {word.text for word in question.words if word.is_name}
        kinds = {word.text: word.kind for word in question.words}
        pasted = {word.text for word in question.words if word.pasted}
        light = {word for word in kinds if _AMOUNT.fullmatch(word) or _THROWN.fullmatch(word)}
        idle = {term for word in light for term in self.terms(word).values()} - known
        plain = kinds.keys() - named
        strange = self._lookup.strange(plain, known)
        meant = frozenset(word for word in strange if self._lookup.is_known_otherwise(word, permission))
        is_english = len(strange - meant) <= len(plain) / 2 and is_in_english(question.prose)
        foreign = strange - meant if is_english else frozenset()
        for word in dict.fromkeys(word.text for word in question.words):
            terms = list(self.terms(word).values())
            if not terms or terms[0] in known or word in light:
                continue
            if kinds[word] == "hyphenated" and terms[1:] and known.issuperset(terms[1:]):
                idle.add(terms[0])  # `stand-in` is made of words that occur, and may be written apart
                names += [word] if word not in pasted and self._lookup.is_coined(word, permission) else []
            elif word in named and not (self._has_file(word, permission) or self._lookup.holds(word, permission)):
                lacking.update(set(terms) - known - (set(terms) if kinds[word] == "joined" else set()))
                names += [] if word in pasted else [word]  # what a trace names is not what is asked about
            elif word in foreign:
                lacking.update(terms)
                names += [] if word in pasted else [word]
            elif word not in named and not known.intersection(terms):
                ordinary.update(terms)
                absent += [] if word in pasted or word in meant or word.casefold() in _UNSAID else [word]
        lacking -= self._numbers(foreign) if named.difference(names, light, pasted) else set()  # values, beside a name
        shares = []
        for text in question.parts:
            mass = {term: weights[term] for term in self.terms(text).values() if term in weights}
            if text == question.text or _says_enough(mass, weights):
                shares.append(covered({t: w for t, w in mass.items() if t not in ordinary}, lacking))
        return UnknownWords(
            names=tuple(names),
            share=min(shares, default=0.0),
            ordinary=frozenset(ordinary & weights.keys()),
            absent=tuple(absent),
            idle=frozenset(idle),
            weights={word: weights[term] for word, term in own.items() if term in weights},
            is_pointed=any(self._lookup.is_indexed(frame, permission) for frame in question.frames),
        )

    def spellings(self, question: ParsedQuestion, permission: frozenset[str]) -> dict[str, str]:
        """The identifiers of a question that are a slip of the pen of one that occurs within the permission, each with
        that one; of several, the one that occurs most often. A single word is none (`valkey` is no `valley`), nor is
        one whose parts all occur (`BankID` is no `BanId`).
        """
        words = (word.text for word in question.words if word.kind == "identifier")
        written = {word for word in words if len(split_identifier(word)) > 1}
        names = [name for name in self.unknown(question, permission).names if name in written] if written else []
        names = [n for n in names if not all(self._lookup.holds(part, permission) for part in split_identifier(n))]
        found = {name: self._lookup.meant(name, permission) for name in names}
        return {name: meant for name, meant in found.items() if meant}

    def _numbers(self, words: Iterable[str]) -> set[int]:
        return {term for word in words if not any(map(str.isalpha, word)) for term in self.terms(word).values()}

    def _idle(self, question: ParsedQuestion) -> set[int]:
        return {term for word, term in self.terms(question.text).items() if word in WITHOUT_APOSTROPHE}


def _says_enough(part: Mapping[int, float], whole: Mapping[int, float]) -> bool:
    return len(part) >= _LEAST_TERMS and sum(part.values()) >= _LEAST_PART * sum(whole.values())
