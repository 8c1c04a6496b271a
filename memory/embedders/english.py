"""Words of English: the stop words, whether a word is one, and how rare it is there.

What an index lacks of English says little, and what else it lacks is a name. `ever` and `someone` are rare in code, and
say nothing of what is asked for all the same.

The words are those that bge-small-en-v1.5's vocabulary holds whole (`bge_small/tokenizer.json`, 30,522 word pieces),
with their inflections by the stemmer of BM25, and what is a slip of the pen away from one. The vocabulary is BERT's, in
the order of how often its words occur, from `the` on. By Zipf's law the word of rank r is one in r · H of all words:

    idf(w) = ln(1 / p)      p = 1 - exp(-1000 / (r H)): the share of texts of a thousand words that hold it
                            H = 10.9, that of 30,000 ranks

J. Devlin et al.: BERT (NAACL 2019), §3; G. K. Zipf: Human Behavior and the Principle of Least Effort (1949).
"""

from __future__ import annotations

import difflib
import json
import math
import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from string import ascii_lowercase
from typing import Final

_TOKENIZER: Final = Path(__file__).parent / "bge_small" / "tokenizer.json"
_SHORT: Final = 6
"""A shorter word is a letter away from many, and more often an abbreviation than misspelt: `ldap`, `totp`."""
_LONGEST: Final = 64
"""A longer word has too many slips to look up, and is nobody's name."""
_SHORTEST: Final = 5
"""Of a word of five letters only a double letter is taken for a slip: `realy`, `hapen`."""
_DOUBLE: Final = re.compile(r"(.)\1+")
_LETTERS: Final = re.compile(r"[^\W\d_]+")
_TELLING: Final = 8
"""So many words say which language they are of."""
_FIRST: Final = "the"
_TEXT: Final = 1000
_HARMONIC: Final = 10.9
_PREFIXES: Final = ("re", "un", "de", "pre", "non", "mis", "dis", "over", "under", "auto", "multi", "inter", "sub")
_LEAST_ROOT: Final = 5
"""Behind a prefix stands a word of so many letters: `resubmit`; `redash` and `retool` are names."""
_USUAL, _LEAST_USUAL = 500, 5
"""Of so many of the commonest words, those of so many letters, a short slip of the pen is known: `wich`, `oftn`."""
_LIKE: Final = 0.84
"""The least similarity of a misspelt word (`seperate` has .875 of `separate`)."""


@lru_cache(maxsize=1_000)
def is_english(word: str) -> bool:
    """Whether a word or its stem is one of English, or it is misspelt and was one."""
    word = word.casefold()
    roots = (word.removeprefix(prefix) for prefix in _PREFIXES if word.startswith(prefix))
    if _is_whole(word) or word in _short_slips() or any(_is_whole(r) for r in roots if len(r) >= _LEAST_ROOT):
        return True
    if len(word) < _SHORT:
        return len(word) >= _SHORTEST and _once(word) in _words_once()
    near = [other for length in range(len(word) - 1, len(word) + 2) for other in _alike().get((word[0], length), ())]
    return bool(difflib.get_close_matches(word, near, n=1, cutoff=_LIKE))


def is_in_english(text: str) -> bool:
    """Whether a text of eight words or more is in English: a tenth of them are stop words. A shorter one counts as
    English.

    Of the questions of benchmarks/crossrepo in English one has fewer, of pasted code; that in French has none.
    """
    words = _LETTERS.findall(text.casefold())
    return len(words) < _TELLING or sum(word in ENGLISH for word in words) * 10 >= len(words)


def _is_whole(word: str) -> bool:
    return word in _words() or stemmer()(word) in _stems()


@lru_cache(maxsize=10_000)
def rarity(word: str) -> float:
    """The IDF of a word among texts of English, that of its most usual inflection; inf for what is no such word."""
    rank = _ranks().get(stemmer()(word.casefold()))
    return math.inf if rank is None else abs(math.log(-math.expm1(-_TEXT / (rank * _HARMONIC))))


def is_misspelt(word: str) -> bool:
    """Whether a word is a slip of the pen: it is like one of English, and is none."""
    return math.isinf(rarity(word)) and is_english(word)


def spelled_like(word: str, other: str) -> str:
    """The other word, in small letters, with the first one's capitals where they agree: `PaymentGatway` and
    `paymentgateway` make `PaymentGateway`.
    """
    pairs = difflib.SequenceMatcher(None, word.casefold(), other, autojunk=False).get_opcodes()
    return "".join(word[i:j] if same == "equal" else other[k:last] for same, i, j, k, last in pairs)


def slips(word: str) -> list[str]:
    """What a word that is neither short nor endless may have been meant to be: a letter more, less or other, or two
    exchanged, behind its first.

    P. Norvig: How to write a spelling corrector (2007).
    """
    word = word.casefold()
    if not _SHORT <= len(word) <= _LONGEST:
        return []
    halves = _halves(word)
    more = [before + letter + behind for before, behind in halves for letter in ascii_lowercase]
    other = [before + letter + behind[1:] for before, behind in halves if behind for letter in ascii_lowercase]
    return sorted({*_quick_slips(word), *more, *other} - {word})


def short_slips(word: str) -> list[str]:
    """What a word of five letters, which is like many, may have been meant to be: one of English with a letter more, or
    with two exchanged, behind its first (`faild`, `tabel`).
    """
    word = word.casefold()
    if len(word) != _SHORTEST:
        return []
    more = {before + letter + behind for before, behind in _halves(word) for letter in ascii_lowercase}
    exchanged = {slip for slip in _quick_slips(word) if len(slip) == len(word)}
    return sorted(slip for slip in more | exchanged if slip in _words() and slip != word)


def _quick_slips(word: str) -> set[str]:
    """A letter less, or two exchanged, behind the first."""
    halves = _halves(word)
    less = {before + behind[1:] for before, behind in halves if behind}
    return less | {before + behind[1] + behind[0] + behind[2:] for before, behind in halves if len(behind) > 1}


def _halves(word: str) -> list[tuple[str, str]]:
    return [(word[:at], word[at:]) for at in range(1, len(word) + 1)]


@lru_cache(maxsize=1)
def _short_slips() -> frozenset[str]:
    """Quick slips of the commonest words."""
    first = _words()[_FIRST]
    usual = (word for word, place in _words().items() if first <= place < first + _USUAL and len(word) >= _LEAST_USUAL)
    return frozenset(slip for word in usual for slip in _quick_slips(word))


@lru_cache(maxsize=1)
def _words() -> dict[str, int]:
    """By word, its place in the vocabulary."""
    pieces = json.loads(_TOKENIZER.read_bytes())["model"]["vocab"]
    return {piece: place for piece, place in pieces.items() if piece.isalpha()}


@lru_cache(maxsize=1)
def _alike() -> dict[tuple[str, int], list[str]]:
    """The words by their first letter and their length."""
    found: dict[tuple[str, int], list[str]] = {}
    for word in _words():
        found.setdefault((word[0], len(word)), []).append(word)
    return found


@lru_cache(maxsize=1)
def _words_once() -> frozenset[str]:
    return frozenset(map(_once, _words()))


def _once(word: str) -> str:
    """The word with every double letter written once."""
    return _DOUBLE.sub(r"\1", word)


@lru_cache(maxsize=1)
def _ranks() -> dict[str, int]:
    """By stem, the rank of its most usual word; letters alone, which come before all words, are none."""
    words, ranks = _words(), dict[str, int]()
    for word, place in sorted(words.items(), key=lambda one: one[1]):
        if place >= words[_FIRST]:
            ranks.setdefault(stemmer()(word), place - words[_FIRST] + 1)
    return ranks


@lru_cache(maxsize=1)
def _stems() -> frozenset[str]:
    return frozenset(map(stemmer(), _words()))


@lru_cache(maxsize=1)
def stemmer() -> Callable[[str], str]:
    """What makes the stem of a word, in small letters (Snowball's for English)."""
    from py_rust_stemmers import SnowballStemmer  # type: ignore[import-untyped]  # noqa: PLC0415 - ships no types; lazy

    stem: Callable[[str], str] = SnowballStemmer("english").stem_word
    return stem


_WORDS = """
    i me my myself we our ours ourselves you you're you've you'll you'd your yours yourself yourselves he him his
    himself she she's her hers herself it it's its itself they them their theirs themselves what which who whom this
    that that'll these those am is are was were be been being have has had having do does did doing a an the and but
    if or because as until while of at by for with about against between into through during before after above below
    to from up down in out on off over under again further then once here there when where why how all any both each
    few more most other some such no nor not only own same so than too very s t can will just don don't should
    should've now d ll m o re ve y ain aren aren't couldn couldn't didn didn't doesn doesn't hadn hadn't hasn hasn't
    haven haven't isn isn't ma mightn mightn't mustn mustn't needn needn't shan shan't shouldn shouldn't wasn wasn't
    weren weren't won won't wouldn wouldn't
"""

ENGLISH = frozenset(_WORDS.split())
