"""`TapedLanguageModel`: what a language model wrote, behind a tape."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from orchestrator.replay.tape import Tape
    from synthesis.language_model import LanguageModel, TextDelta

__all__ = ["TapedLanguageModel"]


class TapedLanguageModel:
    """The port; an answer comes in the pieces in which it came, all of them at its end."""

    def __init__(self, tape: Tape, name: str, live: LanguageModel | None) -> None:
        self.name = name
        self._tape = tape
        self._live: Any = live

    async def stream(self, prompt: str) -> AsyncIterator[TextDelta]:
        async def fetch(_: list[int]) -> list[Any]:
            return [[piece async for piece in self._live.stream(prompt)]]

        [pieces] = await self._tape.ask("model.stream", [{"model": self.name, "prompt": prompt}], fetch)
        for piece in pieces:
            yield piece
