"""`TermLookup`: which words and names occur within a permission, be it in another spelling."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from pathlib import PurePosixPath
from typing import Final

from memory.embedders.english import ENGLISH, is_english, short_slips, slips, spelled_like
from memory.question.pasted import Frame
from memory.text import split_identifier
from memory.vocabulary import Words

CONTRACTED: Final = {word.replace("'", "") for word in ENGLISH} | {f"{word}s" for word in ENGLISH}
"""`dont` and `whats`: stop words that the index's own list lacks."""

_MEMBER: Final = re.compile(r"\w+")
"""Of `order.placed` each of the two."""

OF_ASKING: Final = frozenset([
    "codebase", "codebases", "repo", "repos", "monorepo", "monorepos", "microservice", "microservices", "snippet",
    "snippets",
])  # fmt: skip
"""What people call where they look and what they paste: no words of English, and no name of what is asked for."""

_LACKING: Final = """
    thats whats whos wheres whens whys hows theres heres lets hes cant im ive weve theyve theyre
    pls plz thx btw fyi asap afaik iirc imo
"""
WITHOUT_APOSTROPHE: Final = frozenset([*_LACKING.split(), *(w.replace("'", "") for w in ENGLISH if "'" in w)])
"""Contractions that are no other word, the usual ones that the index's list lacks among them: they weigh nothing."""


class TermLookup:
    """Looks words up in an index's vocabulary.

    terms: the words of a text and the ids of their terms; vocabulary: None takes every word as known; has_file: whether
    a file of these projects is called so.
    """

    def __init__(
        self,
        terms: Callable[[str], Mapping[str, int]],
        vocabulary: Words | None,
        has_file: Callable[[str, frozenset[str]], bool],
    ) -> None:
        self._terms = terms
        self._vocabulary = vocabulary
        self._has_file = has_file

    def known(self, terms: set[int], permission: frozenset[str]) -> Collection[int]:
        """Those of the terms that occur."""
        return self._vocabulary.known(terms, permission) if terms and self._vocabulary is not None else terms

    def strange(self, plain: Collection[str], known: Collection[int]) -> frozenset[str]:
        """The ordinary words that occur nowhere and are not English."""
        terms = {word: set(self._terms(word).values()) for word in plain}
        return frozenset(word for word, ids in terms.items() if ids and not ids & {*known} and _is_foreign(word))

    def is_coined(self, word: str, permission: frozenset[str]) -> bool:
        """Whether a hyphenated word is a name that occurs in no spelling, as its last part is no word of English."""
        return _is_foreign(word.rpartition("-")[2]) and not self.holds(word, permission)

    def is_known_otherwise(self, word: str, permission: frozenset[str]) -> bool:
        """Whether it is a known word with an s, as `pdfs`, which the stemmer leaves since it has no vowel; or a slip
        of the pen of one.
        """
        assert self._vocabulary is not None, "nothing is unknown without one"
        others = [*slips(word), *short_slips(word), word[:-1] if word.endswith("s") else ""]
        return bool(self._vocabulary.known(self._terms(" ".join(others)).values(), permission))

    def meant(self, name: str, permission: frozenset[str]) -> str:
        """The name that this one is a slip of: it occurs, and so does each of its parts."""
        assert self._vocabulary is not None, "nothing is unknown without one"
        members = {slip: _MEMBER.findall(slip) for slip in slips(name)}
        whole = self._terms(" ".join(members))
        occurring = self._vocabulary.known(whole.values(), permission)
        likely = [
            slip for slip, own in members.items() if occurring.issuperset(whole[one] for one in own if one in whole)
        ]
        terms = {slip: list(self._terms(spelled_like(name, slip)).values()) for slip in likely}
        known = self._vocabulary.known((term for own in terms.values() for term in own), permission)
        weights = self._vocabulary.weights(known, permission)
        there = [slip for slip, own in terms.items() if len(own) > 1 and known.issuperset(own)]
        best = min(there, key=lambda slip: (weights[terms[slip][0]], slip), default="")
        return spelled_like(name, best) if best else ""

    def is_indexed(self, frame: Frame, permission: frozenset[str]) -> bool:
        """Whether a trace's file is one of the index, or its function a name that occurs there;
        words as `main` say nothing.
        """
        path = PurePosixPath(frame.file)
        endings = {"/".join(part for part in path.parts[-2:] if part != "/")} if len(path.parts) > 1 else set[str]()
        endings |= {path.name} if len(split_identifier(path.stem)) > 1 else set()
        if any(self._has_file(ending, permission) for ending in sorted(endings)):
            return True
        members = [member for member in frame.function.split(".") if len(split_identifier(member)) > 1]
        return bool(members) and all(self.holds(member, permission) for member in members[-2:])

    def holds(self, name: str, permission: frozenset[str]) -> bool:
        """Whether each member of a dotted name or a path occurs, `payment-service` also as `paymentservice`."""
        for member in filter(None, name.replace("/", ".").split(".")):
            parts = split_identifier(member)
            spellings = {member, "".join(parts), "_".join(parts)}
            terms = [next(iter(self._terms(spelling).values()), 0) for spelling in spellings if spelling]
            if self._vocabulary is not None and not self._vocabulary.known(terms, permission):
                return False
        return True


def _is_foreign(word: str) -> bool:
    """Whether it is no word of English: a product, a protocol or a service, written as people write in a hurry."""
    folded = word.casefold()
    is_usual = folded in CONTRACTED or folded in WITHOUT_APOSTROPHE or folded in OF_ASKING
    return not (is_usual or is_english(word))
