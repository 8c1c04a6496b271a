"""Pictures of a project: which files are, which of them a Markdown document shows, and how they and the documents get
into one space of the vector store, so that either finds the other (003 scenario 3).

Documents show them as `![alt](target)`, `![alt][ref]` and `<img>`.
"""

from __future__ import annotations

import html
import posixpath
import re
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING
from urllib.parse import unquote

import anyio.to_thread

from indexing.chunks import ChunkDraft, Provenance, chunk_of, embedded_text, language_of
from indexing.reading import NO_LIMIT, FileState, Skipped, read_bytes
from memory.embedders import EmbeddingCache, EncoderSource, ImageEmbedder, embed_bulk
from memory.embedders.images import decoded
from memory.errors import InvalidInputError
from memory.text import split_identifier
from memory.text.lines import read_outline, split_lines
from memory.together import batches
from memory.vector.port import IMAGE, Chunk, Point, SparseVector, VectorStore

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_INLINE = re.compile(r"!\[(?P<alt>[^\]]{0,1000})\]\(\s*<?(?P<target>[^)>\s]{1,1000})>?(?:\s+[\"'(][^)]{0,1000})?\)")
_REFERENCE = re.compile(r"!\[(?P<alt>[^\]]{0,1000})\](?:\[(?P<ref>[^\]]{0,1000})\])?(?!\()")
_DEFINITION = re.compile(r"^ {0,3}\[(?P<ref>[^\]]+)\]:\s*<?(?P<target>[^\s>]+)>?")
_TAG = re.compile(r"<img\b[^>]{0,4000}>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"\b(?P<name>src|alt)\s*=\s*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)')", re.IGNORECASE)
_FENCE = re.compile(r"^\s*(?:`{3,}|~{3,})")
_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|//", re.IGNORECASE)
_MARKUP = re.compile(
    r"!\[([^\]]{0,1000})\](?:\([^)]{0,1000}\)|\[[^\]]{0,1000}\])?|<[^>]{0,1000}>|\[([^\]]{0,1000})\]\([^)]{0,1000}\)"
)
_MOST_CHARS = 600
_LOOKED_AT = 6 * _MOST_CHARS
"""Of the text around a picture: a line may be a megabyte, and hold a thousand pictures."""
_ENDS = (".png", ".jpg", ".jpeg", ".webp")
_IDS = uuid.uuid5(uuid.NAMESPACE_URL, "hybrid-retrieval:picture")
_NO_TERMS = SparseVector((), ())
_PIECE = 64


@dataclass(frozen=True, slots=True)
class Shown:
    """A place that shows a picture. target: its path in the project; around: the heading above and the text beside."""

    target: str
    path: str
    line: int
    alt: str
    around: str


def shown_pictures(path: str, text: str) -> list[Shown]:
    """Every picture of this project that the document at `path` shows, in order; not those in code blocks."""
    lines = split_lines(text)
    outline = read_outline(lines, "markdown")
    words = ["" if n in outline.fenced or _FENCE.match(line) else line for n, line in enumerate(lines, 1)]
    references = {found["ref"].casefold(): found["target"] for line in lines if (found := _DEFINITION.match(line))}
    places: list[Shown] = []
    beside = cache(partial(_words_of, words))  # every line of a paragraph has the same around it
    for number, line in enumerate(lines, 1):
        if number in outline.fenced or ("![" not in line and "<img" not in line.lower()):
            continue
        title = next((heading.title for heading in reversed(outline.headings) if heading.line <= number), "")
        text = beside(_paragraph(words, number, -1), _paragraph(words, number, 1))
        around = " ".join(filter(None, (title, text)))[:_MOST_CHARS].strip()
        for alt, written in _in_line(line, references):
            target = _resolved(path, written)
            if target is not None:
                places.append(Shown(target, path, number, html.unescape(" ".join(alt.split())), around))
    return places


def _in_line(line: str, references: dict[str, str]) -> Iterator[tuple[str, str]]:
    for found in _INLINE.finditer(line):
        yield found["alt"], found["target"]
    for found in _REFERENCE.finditer(line):
        target = references.get((found["ref"] or found["alt"]).casefold())
        if target:
            yield found["alt"], target
    for tag in _TAG.findall(line):
        values = {one["name"].lower(): one["double"] or one["single"] or "" for one in _ATTRIBUTE.finditer(tag)}
        if values.get("src"):
            yield values.get("alt", ""), html.unescape(values["src"])


def _resolved(document: str, target: str) -> str | None:
    """The path in the project; None for what lies elsewhere."""
    if _ELSEWHERE.match(target):
        return None
    plain = unquote(re.split(r"[?#]", target, maxsplit=1)[0])
    folder = "" if plain.startswith("/") else posixpath.dirname(document)
    path = posixpath.normpath(posixpath.join(folder, plain.lstrip("/")))
    return None if path.startswith("..") else path


def _words_of(lines: Sequence[str], start: int, end: int) -> str:
    """The words of these lines, without their markup and headings."""
    text = " ".join(line for line in lines[start - 1 : end] if not line.lstrip().startswith("#"))
    plain = _MARKUP.sub(lambda found: f" {found[1] or found[2] or ''} ", text[:_LOOKED_AT])
    return html.unescape(" ".join(plain.split()))


def _paragraph(lines: Sequence[str], number: int, step: int) -> int:
    """The last line, in one direction, of the paragraph next to the one that `number` is in."""
    blanks = 0
    while 1 <= number + step <= len(lines):
        blank = not lines[number + step - 1].strip()
        if blank and lines[number - 1].strip():
            blanks += 1
            if blanks == 2:
                break
        number += step
    return number


def is_picture(path: str) -> bool:
    """PNG, JPEG or WebP, by its name."""
    return path.lower().endswith(_ENDS)


def read_picture(path: Path, *, max_file_bytes: int = NO_LIMIT) -> FileState | Skipped:
    """The state of a file that holds a whole picture; `undecodable` where it holds none."""
    read = read_bytes(path, max_file_bytes)
    if isinstance(read, Skipped):
        return read
    data, state = read
    try:
        decoded(data)
    except InvalidInputError:
        return Skipped("undecodable")
    return state


def picture_chunks(provenance: Provenance, pictures: Iterable[tuple[str, str]], shown: Iterable[Shown]) -> list[Chunk]:
    """A chunk a picture, given as (path, hash of the file); ids are UUIDv5 of project, path, hash and text."""
    places: dict[str, list[Shown]] = {}
    for one in sorted(shown, key=lambda one: (one.path, one.line)):
        places.setdefault(one.target, []).append(one)
    return [_chunk(provenance, path, digest, places.get(path, ())) for path, digest in sorted(pictures)]


def _chunk(provenance: Provenance, path: str, digest: str, places: Sequence[Shown]) -> Chunk:
    draft = ChunkDraft(0, 0, "", "", "docs", "image", language_of(path), _text(path, places))
    return chunk_of(provenance, path, draft, _IDS, digest)


def _text(path: str, places: Sequence[Shown]) -> str:
    """What the documents say of it, each thing once, and where; of one that nothing shows, the words of its name."""
    if not places:
        return f"Picture: {' '.join(split_identifier(PurePosixPath(path).stem)) or path}"
    texts = dict.fromkeys(text for one in places for text in (one.alt, one.around) if text)
    where = ", ".join(f"{one.path}:{one.line}" for one in places)
    return "\n".join([*texts, f"Shown in {where}"])


@dataclass(frozen=True, slots=True)
class PictureModels:
    """The two halves of a model that puts pictures and texts into one space."""

    images: ImageEmbedder
    texts: EncoderSource


class PictureWriter:
    """One run's pictures. Each is embedded once, whatever documents say of it later: `cache` knows it by its bytes."""

    def __init__(self, models: PictureModels, cache: EmbeddingCache, *, workers: int) -> None:
        self._models = models
        self._cache = cache
        self._workers = workers

    async def add(self, store: VectorStore, root: Path, pictures: Sequence[Chunk], hashes: Mapping[str, str]) -> None:
        """Put a project's pictures into the store. hashes: their files', by path. Raises StoreError and ModelError."""
        for piece in batches(pictures, _PIECE):
            vectors = await self._vectors(root, {hashes[chunk.path]: chunk.path for chunk in piece})
            fields = {digest: {IMAGE: vector.tolist()} for digest, vector in vectors.items()}
            await store.upsert([Point(chunk, _NO_TERMS, fields.get(hashes[chunk.path], {})) for chunk in piece])

    async def relate(self, store: VectorStore, chunks: Sequence[Chunk]) -> None:
        """Give stored documents their vector in the pictures' space. Raises StoreError and ModelError."""
        documents = [chunk for chunk in chunks if chunk.corpus == "docs"]
        texts = [embedded_text(chunk) for chunk in documents]
        vectors = await embed_bulk(texts, self._models.texts, cache=self._cache, workers=self._workers)
        for piece in batches(list(zip(documents, vectors, strict=True)), _PIECE):
            await store.set_dense({chunk.id: {IMAGE: vector.tolist()} for chunk, vector in piece})

    async def _vectors(self, root: Path, paths: Mapping[str, str]) -> dict[str, NDArray[np.float32]]:
        """By hash; without those that changed since they were looked at, which the next run sees."""
        model = self._models.images
        vectors = self._cache.get(model.cache_key, paths, model.dimension)
        for digest in paths.keys() - vectors.keys():
            look = partial(read_bytes, root / paths[digest], NO_LIMIT)
            read = await anyio.to_thread.run_sync(look, abandon_on_cancel=True)
            if not isinstance(read, Skipped) and read[1].hash == digest:
                [vectors[digest]] = await model.embed_images([read[0]])
                self._cache.put(model.cache_key, {digest: vectors[digest]})
        return vectors
