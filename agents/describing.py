"""Which files would say what a thing is, where a question asks just that: the READMEs that introduce it.

Manifests and sources hold a thing's name most often and say least of what it is for. A file proposed here need not
exist: it is a condition of the evidence leg (design §5a), and what is not indexed finds nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath

from agents.linking import Link, is_project
from memory.entities import EvidenceFile, Relationship
from memory.graph.port import FileMention

__all__ = ["asks_what_it_is", "describing_files"]

_ASKS = re.compile(
    r"^\W*(?:what(?:'s|\s+is|\s+are)\b(?!\s+(?:the\s+)?\w+\s+(?:of|for|between)\b)|what\s+(?:does|do)\b.{1,120}\bdo\W*$"
    r"|(?:define|describe|explain|tell me about)\b)",
    re.IGNORECASE,
)
_README = "README.md"
_ROOTS = (_README, "README.rst", "README.adoc", "README.txt", "README")
_FOLDER, _ROOT, _MENTIONED = 0.8, 1.0, 1.0


def asks_what_it_is(question: str) -> bool:
    """`What is X?`, `What does X do?`, `Describe X`; not `What is the version of X?`."""
    return _ASKS.search(question) is not None


def describing_files(
    links: Sequence[Link], edges: Sequence[Relationship], mentions: Iterable[FileMention]
) -> list[EvidenceFile]:
    """The opening of a project's README, of one in a folder that bears a thing's name, and the READMEs that mention it.

    A project that is named beside something else is where to look, not what is asked about.
    """
    things = [hit for hit in links if not is_project(hit.entity)] or [h for h in links if h.entity.kind == "project"]
    found = [file for hit in things for file in _own(hit, edges)]
    sure = {hit.entity.id: hit.confidence for hit in things}
    found += [
        EvidenceFile(mention.project, mention.path, _MENTIONED * sure[mention.entity_id], "introduces it")
        for mention in mentions
        if mention.entity_id in sure and _is_readme(mention.path)
    ]
    return list({(file.project, file.path): file for file in reversed(found)}.values())[::-1]


def _is_readme(path: str) -> bool:
    return PurePosixPath(path).name.casefold().startswith(("readme", "metadata"))


def _own(hit: Link, edges: Sequence[Relationship]) -> Iterator[EvidenceFile]:
    entity, because = hit.entity, f"introduces {hit.entity.name}"
    if entity.kind == "project":
        own = [entity.path] if _is_readme(entity.path) else []  # a distribution's METADATA holds it
        for path in [*own, *_ROOTS]:
            yield EvidenceFile(entity.project, path, _ROOT * hit.confidence, because, opening=True)
        return
    paths = [entity.path, *(e.path for e in edges if entity.id in {e.source.id, e.target.id})]
    for path in dict.fromkeys(paths):
        for folder in PurePosixPath(path).parents:
            if folder.name.casefold() == entity.key:
                place = f"{folder}/{_README}"
                yield EvidenceFile(entity.project, place, _FOLDER * hit.confidence, because, opening=True)
    if entity.kind == "service":  # its name is a plain word, which no document is known to mention
        yield EvidenceFile(entity.project, _README, _ROOT * hit.confidence, because)
