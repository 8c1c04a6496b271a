"""A picture as a chunk: no lines, and for a text what documents say where they show it."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from indexing.chunks import header, language_of
from indexing.images.shown import Shown
from indexing.points import Provenance
from memory.text.identifiers import split_identifier
from memory.vector.port import Chunk

__all__ = ["picture_chunks"]

_IDS = uuid.uuid5(uuid.NAMESPACE_URL, "hybrid-retrieval:picture")


def picture_chunks(provenance: Provenance, pictures: Iterable[tuple[str, str]], shown: Iterable[Shown]) -> list[Chunk]:
    """A chunk a picture, given as (path, hash of the file); ids are UUIDv5 of project, path, hash and text."""
    places: dict[str, list[Shown]] = {}
    for one in sorted(shown, key=lambda one: (one.path, one.line)):
        places.setdefault(one.target, []).append(one)
    return [_chunk(provenance, path, digest, places.get(path, ())) for path, digest in sorted(pictures)]


def _chunk(provenance: Provenance, path: str, digest: str, places: Sequence[Shown]) -> Chunk:
    text = _text(path, places)
    hashed = hashlib.sha256(text.encode()).hexdigest()
    return Chunk(
        id=str(uuid.uuid5(_IDS, f"{provenance.project}\n{path}\n{digest}\n{hashed}")),
        project=provenance.project,
        repo=provenance.repo,
        path=path,
        commit=provenance.commit,
        corpus="docs",
        lang=language_of(path),
        chunk_kind="image",
        symbol="",
        section="",
        start_line=0,
        end_line=0,
        text=text,
        header=header(provenance.project, path, ()),
        text_hash=hashed,
    )


def _text(path: str, places: Sequence[Shown]) -> str:
    """What is said of it, each thing once, and where; of one that nothing shows, the words of its name."""
    if not places:
        return f"Picture: {' '.join(split_identifier(PurePosixPath(path).stem)) or path}"
    said = dict.fromkeys(text for one in places for text in (one.alt, one.around) if text)
    where = ", ".join(f"{one.path}:{one.line}" for one in places)
    return "\n".join([*said, f"Shown in {where}"])
