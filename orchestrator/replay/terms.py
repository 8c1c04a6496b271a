"""What a generation says of words and relations, behind a tape: `TapedStatements` and `TapedVocabulary`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memory.statements import FoundStatement, Statements
    from memory.vocabulary import Words
    from orchestrator.replay.tape import Tape

__all__ = ["TapedStatements", "TapedVocabulary"]


class TapedStatements:
    """The port of the statements."""

    def __init__(self, tape: Tape, live: Statements | None) -> None:
        self._tape = tape
        self._live: Any = live

    def search(
        self,
        terms: Mapping[str, int],
        permission: frozenset[str],
        *,
        weights: Mapping[int, float] | None = None,
        limit: int = 50,
    ) -> list[FoundStatement]:
        found: list[FoundStatement] = self._tape.look(
            "statements.search",
            lambda: self._live.search(terms, permission, weights=weights, limit=limit) if self._live else [],
            terms=dict(terms),
            permission=permission,
            weights=None if weights is None else sorted(weights.items()),
            limit=limit,
        )
        return found


class TapedVocabulary:
    """The port of the vocabulary; without a live one nothing is rare and everything is known."""

    def __init__(self, tape: Tape, live: Words | None) -> None:
        self._tape = tape
        self._live: Any = live

    def weights(self, terms: Iterable[int], permission: Collection[str]) -> dict[int, float]:
        asked = sorted(set(terms))

        def fetch() -> list[tuple[int, float]]:
            found = self._live.weights(asked, permission) if self._live else dict.fromkeys(asked, 1.0)
            return sorted(found.items())

        rows = self._tape.look("vocabulary.weights", fetch, terms=asked, permission=frozenset(permission))
        return {int(term): float(weight) for term, weight in rows}

    def known(self, terms: Iterable[int], permission: Collection[str]) -> frozenset[int]:
        asked = sorted(set(terms))

        def fetch() -> list[int]:
            return sorted(self._live.known(asked, permission)) if self._live else asked

        return frozenset(self._tape.look("vocabulary.known", fetch, terms=asked, permission=frozenset(permission)))
