"""Relations and terms that the tests of statements are made of; a term's id is its word's place in `WORDS`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from memory.entities import Entity, Evidence, Relationship
from memory.generation import Disk
from memory.generation.arrays import StatementsFolder
from memory.statements import StatementIndex

WORDS = {
    word: place for place, word in enumerate(("frontend", "payments", "ledger", "mail", "shop", "bank", "calls"), 1)
}


def ids(text: str) -> list[int]:
    """The known words of a text; kinds and joints are no terms."""
    return [WORDS[word] for word in text.split() if word in WORDS]


def asked(text: str) -> dict[str, int]:
    """A question's words; one that no statement holds has an id of its own."""
    return {word: WORDS.get(word, 1000 + place) for place, word in enumerate(text.split())}


def service(name: str, project: str) -> Entity:
    return Entity(name, "service", project, f"{name}.yaml", 1, 2)


def calls(
    source: Entity, target: Entity, path: str = "app.py", *evidence: Evidence, relation: str = "CALLS"
) -> Relationship:
    return Relationship(source, relation, target, source.project, path, (4, 9), evidence=evidence)


FRONTEND, PAYMENTS, MAIL = service("frontend", "shop"), service("payments", "shop"), service("mail", "shop")
LEDGER = service("ledger", "bank")


def written(root: Path, edges: Mapping[str, Iterable[Relationship]]) -> StatementsFolder:
    """The folder, with each project's relations."""
    folder = StatementsFolder(root / "statements")
    for project, own in edges.items():
        folder.write(Disk(), project, own, ids)
    return folder


def indexed(root: Path, edges: Mapping[str, Iterable[Relationship]]) -> StatementIndex:
    """An index of these relations, by the project that proves them."""
    return StatementIndex(written(root, edges).segment)
