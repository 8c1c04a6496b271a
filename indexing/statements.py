"""Relations in words, in the terms of the chunks that prove them: document expansion without a model.

A question in anybody's words then finds the lines that prove a relation, whatever those lines are written in. Only
relations inside one project count, since a chunk is seen by whoever may see its project. Dense vectors stay as they
are.

R. Nogueira, W. Yang, J. Lin, K. Cho: Document Expansion by Query Prediction (2019), with relations in place of
predictions.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Final, TypeAlias

from memory.entities import Relationship, sentence
from memory.vector.port import Chunk

_MOST: Final = 20
"""More sentences than this say nothing new of one chunk."""

Sentences: TypeAlias = "Mapping[str, tuple[tuple[int, str], ...]]"
"""By path: the lines that prove relations, each with the relation's sentence, in order."""


def sentences_of(project: str, relations: Iterable[Relationship]) -> Sentences:
    """What the confirmed relations inside a project say, at each line that proves one."""
    found: defaultdict[str, dict[tuple[int, str], None]] = defaultdict(dict)
    for relation in relations:
        inside = relation.source.project == project == relation.target.project
        if not inside or relation.status != "confirmed" or relation.type == "DEFINES":
            continue
        text = sentence(relation)
        places = [(relation.path, line) for line in relation.lines]
        places += [(piece.path, piece.line) for piece in relation.evidence if piece.project == project]
        for path, line in places:
            found[path][line, text] = None
    return {path: tuple(sorted(text)) for path, text in found.items()}


def spoken_of(chunk: Chunk, sentences: Sentences) -> str:
    """The sentences of the relations that a chunk's lines prove, a line each; '' where there are none."""
    inside = (text for line, text in sentences.get(chunk.path, ()) if chunk.start_line <= line <= chunk.end_line)
    return "\n".join(list(dict.fromkeys(inside))[:_MOST])


def digests(sentences: Sentences) -> dict[str, str]:
    """The digest of each file's statements, so that they can be compared later."""
    return {path: hashlib.sha256(json.dumps(own).encode()).hexdigest()[:16] for path, own in sorted(sentences.items())}


def changed_files(before: Mapping[str, str], now: Mapping[str, str], paths: Iterable[str]) -> list[str]:
    """Those of the paths whose statements have changed, by the digests, sorted."""
    return sorted(path for path in paths if before.get(path) != now.get(path))
