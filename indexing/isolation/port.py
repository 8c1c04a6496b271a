"""What is asked of one file, what comes back, and who answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, Protocol, Self, TypeAlias

from extraction.facts import FileFacts, row_of
from indexing.chunks import Provenance
from indexing.images import Shown
from indexing.reading import FileState
from memory.vector.port import Chunk

Purpose: TypeAlias = Literal["text", "picture", "shown", "secret"]


@dataclass(frozen=True, slots=True)
class Look:
    """One file, relative to root, and what it is looked at for.

    `text`: its facts and chunks; `picture`: whether it is one; `shown`: the pictures that a document shows; `secret`:
    the addresses that a secret holds. url: where a machine that lacks the root at this commit fetches it from.
    """

    purpose: Purpose
    root: str
    path: str
    provenance: Provenance
    url: str = ""

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        return cls(**{**data, "provenance": Provenance(**data["provenance"])})


@dataclass(frozen=True, slots=True)
class Found:
    """What a look brought. skipped: why the file is left out, or ''; because: what its reader met, if that was why."""

    skipped: str = ""
    because: str = ""
    state: FileState | None = None
    facts: FileFacts | None = None
    chunks: tuple[Chunk, ...] = ()
    shown: tuple[Shown, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {
            "skipped": self.skipped,
            "because": self.because,
            "state": self.state and row_of(self.state),
            "facts": self.facts and self.facts.to_dict(),
            "chunks": [row_of(chunk) for chunk in self.chunks],
            "shown": [row_of(one) for one in self.shown],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        return cls(
            skipped=data["skipped"],
            because=data["because"],
            state=data["state"] and FileState(**data["state"]),
            facts=data["facts"] and FileFacts.from_dict(data["facts"]),
            chunks=tuple(Chunk(**chunk) for chunk in data["chunks"]),
            shown=tuple(Shown(**one) for one in data["shown"]),
        )


class Readers(Protocol):
    """Whoever looks at files."""

    @property
    def at_once(self) -> int:
        """Of how many projects looks may be asked for at the same time."""
        ...

    async def look(self, looks: Sequence[Look]) -> list[Found]:
        """What each brought, in their order; a file that can't be looked at is left out as `unreadable`. Raises
        ConfigError for a rule of the user's own that makes a mistake.
        """
        ...


class Noted:
    """Readers, and what they met in files that they could not look at, by project and path."""

    def __init__(self, readers: Readers) -> None:
        self._readers = readers
        self.because: dict[tuple[str, str], str] = {}

    @property
    def at_once(self) -> int:
        return self._readers.at_once

    async def look(self, looks: Sequence[Look]) -> list[Found]:
        found = await self._readers.look(looks)
        for look, one in zip(looks, found, strict=True):
            if one.because:
                self.because[look.provenance.project, look.path] = one.because
        return found
