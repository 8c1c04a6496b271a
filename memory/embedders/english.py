"""Whether a word is one of English: what an index lacks of those says little, and what else it lacks is a name.

The words are those that all-MiniLM-L6-v2's vocabulary holds whole (`minilm/tokenizer.json`, 30,522 word pieces), with
their inflections by the stemmer of BM25, and what is a slip of the pen away from one.
"""

from __future__ import annotations

import difflib
import json
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["is_english"]

_TOKENIZER: Final = Path(__file__).parent / "minilm" / "tokenizer.json"
_SHORT: Final = 6
"""A shorter word is a letter away from many, and more often an abbreviation than misspelt: `ldap`, `totp`."""
_LIKE: Final = 0.84
"""The least similarity of a misspelt word (`seperate` has .875 of `separate`)."""


@lru_cache(maxsize=1_000)
def is_english(word: str) -> bool:
    """Whether a word or its stem is one of English, or it is misspelt and was one."""
    word, stem = word.casefold(), _stemmer()
    words = _words()
    if word in words or stem(word) in _stems():
        return True
    if len(word) < _SHORT:
        return False
    near = [other for other in words if other[0] == word[0] and abs(len(other) - len(word)) <= 1]
    return bool(difflib.get_close_matches(word, near, n=1, cutoff=_LIKE))


@lru_cache(maxsize=1)
def _words() -> frozenset[str]:
    pieces = json.loads(_TOKENIZER.read_bytes())["model"]["vocab"]
    return frozenset(piece for piece in pieces if piece.isalpha())


@lru_cache(maxsize=1)
def _stems() -> frozenset[str]:
    return frozenset(map(_stemmer(), _words()))


@lru_cache(maxsize=1)
def _stemmer() -> Callable[[str], str]:
    from py_rust_stemmers import SnowballStemmer  # type: ignore[import-untyped]  # noqa: PLC0415 - ships no types; lazy

    stem: Callable[[str], str] = SnowballStemmer("english").stem_word
    return stem
