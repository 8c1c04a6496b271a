"""`InProcess`: files are looked at here, at once, for tests of all else. A crash or a hang of a parser is one of this process."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Self

from configs.settings import IndexingSettings
from indexing.isolation.looking import Looking
from indexing.isolation.port import Found, Look
from memory.errors import ConfigError

__all__ = ["InProcess"]


class InProcess:
    """Looks at files where it is called, as a process of `ReadingProcesses` would, with the same answers."""

    at_once = 1

    def __init__(self, settings: IndexingSettings) -> None:
        self._settings = settings
        self._looking: Looking | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self._looking = None

    async def look(self, looks: Sequence[Look]) -> list[Found]:
        """What each brought, in their order. Raises ConfigError."""
        from indexing.isolation.looking import Looking  # noqa: PLC0415 - every rule and parser

        self._looking = self._looking or Looking(self._settings)
        answers = [json.loads(self._looking.answer(look.to_dict())) for look in looks]
        for answer in answers:
            if "mistake" in answer:
                raise ConfigError(*answer["mistake"])
        return [Found.from_dict(answer) for answer in answers]
