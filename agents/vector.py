"""`VectorRetrievalAgent`: semantic and lexical search over all projects, steered by the graph's scope (001 §4.3)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from agents.candidates import Candidate
from agents.search import HybridSearch
from configs import ScopeStrength
from memory.entities import Scope
from memory.files import WholeFiles
from memory.observations import Location, VectorObservation
from memory.query import TaskContext
from memory.question import question_of
from memory.question.listed import find_listed
from memory.text import stated_day
from memory.vector.port import Chunk, DenseVector, Hit

_FURTHER: Final = 5
_TYPES: dict[str, Literal["example", "documentation", "code"]] = {"doc": "documentation", "example": "example"}


class VectorRetrievalAgent:
    """Hybrid search with the scope soft or strict, one observation a file, each with the text around it in `files`.

    A scope that is guessed steers nothing.
    Raises StoreError and ModelError of its parts.
    """

    comparable_ratings: Final = True

    def __init__(
        self,
        search: HybridSearch,
        files: Callable[[frozenset[str]], WholeFiles],
        *,
        strength: ScopeStrength = "soft",
        max_observations: int,
        max_per_file: int = 1,
        context_lines: int = 3,
    ) -> None:
        self._search = search
        self._files = files
        self._strength = strength
        self._max_observations = max_observations
        self._max_per_file = max_per_file
        self._context_lines = context_lines

    async def retrieve(self, query: str, context: TaskContext, scope: Scope | None = None) -> list[VectorObservation]:
        """The best chunks, best first; `similarity_score` is a confidence (docs/design.md#confidence)."""
        question = question_of(query, context)
        listed = find_listed(question, context.project)
        candidates = await self._search.search(
            question,
            listed.searched(context.permission) if listed else context.permission,
            scope=None if scope is not None and scope.guessed else scope,
            strict=self._strength == "strict",
            in_hand=context.project,
        )
        kept = one_a_file(candidates, self._max_per_file)[: self._max_observations]
        files = self._files(context.permission)
        await files.read_ahead((one.chunk.project, one.chunk.path) for one, _ in kept)
        return [self._observe(one, places, await self._context(one.chunk, files)) for one, places in kept]

    async def nearest(self, vector: DenseVector, permission: frozenset[str], limit: int) -> list[Hit]:
        """The chunks nearest to a vector of the documents' model, by cosine alone: what 002 and 004 are made of.

        Raises InvalidInputError for a vector of another length than the model's, and StoreError.
        """
        return await self._search.nearest(vector, permission, limit)

    def _observe(self, candidate: Candidate, places: OtherPlaces, around: str | None) -> VectorObservation:
        chunk = candidate.chunk
        metadata = {**metadata_of(chunk), "in_scope": candidate.in_scope}
        if candidate.evidence:
            metadata["evidence"] = candidate.evidence
        if places.further:
            metadata["also"] = [{"start_line": at.start_line, "end_line": at.end_line} for at in places.further]
        return VectorObservation(
            content=chunk.text,
            source_file=chunk.path,
            source_project=chunk.project,
            similarity_score=candidate.confidence,
            chunk_context=around,
            observation_type=_TYPES.get(chunk.chunk_kind, "code"),
            locations=(place_of(chunk), *places.copies),
            entities_mentioned=(chunk.symbol,) if chunk.symbol else (),
            embedding=candidate.dense,
            embedding_model=candidate.model,
            metadata=metadata,
        )

    async def _context(self, chunk: Chunk, files: WholeFiles) -> str | None:
        """A few lines before and after a chunk, in its file; None where it does not stand there any more."""
        lines = await files.file(chunk.project, chunk.path) or []
        if "\n".join(lines[chunk.start_line - 1 : chunk.end_line]).strip() != chunk.text.strip():
            return None  # the file is not what was indexed
        before = lines[max(0, chunk.start_line - 1 - self._context_lines) : chunk.start_line - 1]
        after = lines[chunk.end_line : chunk.end_line + self._context_lines]
        return "\n".join([*before, "…", *after]) if any(line.strip() for line in (*before, *after)) else None


def place_of(chunk: Chunk) -> Location:
    """Where a chunk is."""
    return Location(chunk.project, chunk.path, chunk.start_line, chunk.end_line)


def metadata_of(chunk: Chunk) -> dict[str, Any]:
    """What a chunk is, as observations say it beside its text."""
    return {name: getattr(chunk, name) for name in ("symbol", "section", "chunk_kind", "corpus", "lang")}


@dataclass(frozen=True, slots=True)
class OtherPlaces:
    """Where else: `copies` of the same text in other files, and `further` lines of the same file that were left out."""

    copies: list[Location] = field(default_factory=list)
    further: list[Location] = field(default_factory=list)


def one_a_file(candidates: Sequence[Candidate], most: int) -> list[tuple[Candidate, OtherPlaces]]:
    """The first `most` candidates of each file, in order; equal texts are one, with the places of all.

    The first of a file carries the places of those left out. Another dated version of a section that is kept is kept
    too: which of them holds is for the merger to say.
    """
    kept: list[tuple[Candidate, OtherPlaces]] = []
    first: dict[tuple[str, str], OtherPlaces] = {}
    texts: dict[str, OtherPlaces] = {}
    counts: dict[tuple[str, str], int] = {}
    dated: set[tuple[str, str, str]] = set()
    for candidate in candidates:
        chunk = candidate.chunk
        file = (chunk.project, chunk.path)
        section = (*file, chunk.section)
        counts[file] = counts.get(file, 0) + 1
        if counts[file] <= most or (section in dated and stated_day(chunk.text)):
            if chunk.text_hash in texts:
                texts[chunk.text_hash].copies.append(place_of(chunk))
                first.setdefault(file, texts[chunk.text_hash])
                continue
            places = texts[chunk.text_hash] = OtherPlaces()
            first.setdefault(file, places)
            kept.append((candidate, places))
            if chunk.section and stated_day(chunk.text):
                dated.add(section)
        elif len(first[file].further) < _FURTHER:
            first[file].further.append(place_of(chunk))
    return kept
