"""The port to a language model: text as it is written, tokens as they are reported; and a fake that follows a
script.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

import anyio

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence


@dataclass(frozen=True, slots=True)
class TextDelta:
    """The next piece of text; `tokens` are those reported with it (prompt and completion together)."""

    text: str
    tokens: int = 0


class LanguageModel(Protocol):
    """Writes an answer to a prompt. Raises ModelError (memory.errors) when it is out of reach."""

    @property
    def name(self) -> str:
        """What `answerer` says."""
        ...

    def stream(self, prompt: str) -> AsyncIterator[TextDelta]:
        """The answer, piece by piece."""
        ...


@dataclass
class ScriptedLanguageModel:
    """Says its script word for word, whatever it is asked; keeps the prompts. For tests and replays.

    script: what it says when it is first asked, then: at each further turn, the last of all again and again; `error` is
    raised after a turn, `hang` seconds pass before each piece.
    """

    script: Sequence[TextDelta | str]
    name: str = "scripted"
    error: Exception | None = None
    hang: float = 0.0
    prompts: list[str] = field(default_factory=list)
    then: Sequence[Sequence[TextDelta | str]] = ()

    async def stream(self, prompt: str) -> AsyncIterator[TextDelta]:
        """The script of this turn."""
        turns = (self.script, *self.then)
        pieces = turns[min(len(self.prompts), len(turns) - 1)]
        self.prompts.append(prompt)
        for piece in pieces:
            await anyio.sleep(self.hang)
            yield TextDelta(piece) if isinstance(piece, str) else piece
        if self.error is not None:
            raise self.error
