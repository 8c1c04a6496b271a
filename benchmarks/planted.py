"""What three agents might find, with planted duplicates and a planted contradiction: real text, made-up projects.

The text is that of the standard library's modules, cut at definitions into pieces of 300 to 1,500 characters; what the
graph says is a sentence for a relation, as its agent writes it. Vectors are random directions, a near copy's is its
original's with a little noise. Every seed has text objects of its own, so nothing computed for one set helps another.
"""

from __future__ import annotations

import random
import re
import sysconfig
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from memory.entities import Entity, Relationship
from memory.observations import GraphObservation, LocalObservation, Location, Observation, VectorObservation

AGENTS = ("local", "graph", "vector")
PROJECTS = ("auth", "billing", "catalog", "gateway", "orders", "search")
DIMENSIONS = 384
DUPLICATES = 0.3
MODEL = "bge-small-en-v1.5"

_SHORTEST, _LONGEST = 300, 1500
_NAME = re.compile(r"(?:def|class) (\w+)")
_SCHEMA = (
    "CREATE TABLE customers (\n    id {type} PRIMARY KEY,\n    email text NOT NULL,\n    created_at timestamp\n);\n"
)
_DOCUMENT = "## Customer table\n\nEvery customer has one row, written by the sign-up and never deleted.\n\n```sql\n{schema}```\n"  # noqa: E501 - text that is read whole


@dataclass(frozen=True, slots=True)
class Found:
    """What each agent returns for one request, and how many of it are copies."""

    by_agent: dict[str, list[Observation]]
    copies: int


def plant(seed: int, *, each: int = 25, vectors: Callable[[Any], Any] = lambda vector: vector) -> Found:
    """`each` observations an agent, 30 % of them copies of what an agent reported before;
    `vectors` shapes the vectors.
    """
    make = _Maker(random.Random(seed), np.random.default_rng(seed), vectors)  # noqa: S311 - no secret
    found: dict[str, list[Observation]] = {agent: [] for agent in AGENTS}
    found["local"].append(make.local(_DOCUMENT.format(schema=_SCHEMA.format(type="bigint")), "docs/schema.md"))
    found["vector"].append(make.vector(_SCHEMA.format(type="uuid"), "db/schema.sql"))
    for agent in AGENTS:
        originals = each - round(each * DUPLICATES)
        while len(found[agent]) < originals:
            found[agent].append(make.anew(agent))
    copies = 0
    for agent in AGENTS:
        texts = [*found["local"][1:], *found["vector"][1:]] if agent != "graph" else found["graph"]
        for original in make.random.sample(texts, each - len(found[agent])):
            found[agent].append(make.copy(agent, original))
            copies += 1
    return Found(found, copies)


class _Maker:
    def __init__(self, rng: random.Random, noise: np.random.Generator, vectors: Callable[[Any], Any]) -> None:
        self.random, self._noise, self._vectors = rng, noise, vectors
        self._project = "billing"

    def anew(self, agent: str) -> Observation:
        self._project = self.random.choice(PROJECTS)
        if agent == "graph":
            return self.graph()
        path, text = self._piece()
        return self.local(text, path) if agent == "local" else self.vector(text, path)

    def copy(self, agent: str, original: Observation) -> Observation:
        """The same lines found by this agent, the same text elsewhere, or nearly the same text in the project."""
        if isinstance(original, GraphObservation):
            at = original.locations[0]
            elsewhere = replace(at, start_line=at.start_line + 40, end_line=at.end_line + 40)
            return replace(original, content=f"{original.content} ", locations=(elsewhere,))
        at, text, vector = original.locations[0], original.content, np.asarray(original.embedding)
        self._project = at.project
        how = self.random.choice(("lines", "text", "near"))
        if how == "text":
            self._project = self.random.choice(PROJECTS)
        if how == "near":
            text = text.replace("return", "yield", 1)
            vector = vector + self._noise.normal(0, 0.02 / DIMENSIONS**0.5, DIMENSIONS).astype(np.float32)
        path = at.path if how == "lines" else f"copied/{at.path}"
        make = self.local if agent == "local" else self.vector
        return make("".join(text), path, np.array(vector), at.start_line)

    def local(self, text: str, path: str, vector: Any = None, line: int = 1) -> LocalObservation:
        return LocalObservation(
            text, path, None, self._rating(), "fact", self._project, **self._beside(text, path, vector, line)
        )

    def vector(self, text: str, path: str, vector: Any = None, line: int = 1) -> VectorObservation:
        return VectorObservation(
            text, path, self._project, self._rating(), None, "code", **self._beside(text, path, vector, line)
        )

    def graph(self) -> GraphObservation:
        path, text = self._piece()
        line = self.random.randrange(1, 400)
        source, target = (self._entity(text, path), self._entity(*reversed(self._piece())))
        said = text.splitlines()[0].strip()
        return GraphObservation(
            f"{source.label} calls {target.label} ({path}:{line}). {path} says `{said}`.",
            [source, target],
            [Relationship(source, "CALLS", target, self._project, path, (line,))],
            list(dict.fromkeys((source.project, target.project))),
            1,
            self._rating(),
            "relationship",
            locations=(Location(self._project, path, line, line),),
            metadata={"path": [source.label, target.label]},
        )

    def _entity(self, text: str, path: str) -> Entity:
        name = _NAME.search(text)
        return Entity(
            name[1] if name else path, "function", self.random.choice(PROJECTS), path, 1, text.count("\n") + 1
        )

    def _beside(self, text: str, path: str, vector: Any, line: int) -> dict[str, Any]:
        name = _NAME.search(text)
        if vector is None:
            vector = self._noise.normal(size=DIMENSIONS).astype(np.float32)
        return {
            "locations": (Location(self._project, path, line, line + text.count("\n")),),
            "entities_mentioned": (name[1],) if name else (),
            "embedding": self._vectors(vector / np.linalg.norm(vector)),
            "embedding_model": MODEL,
            "metadata": {"symbol": name[1] if name else "", "chunk_kind": "code", "lang": "python"},
        }

    def _piece(self) -> tuple[str, str]:
        path, text = self.random.choice(_pieces())
        return f"src/{self.random.randrange(1000)}/{path}", "".join(text)

    def _rating(self) -> float:
        return round(self.random.uniform(0.3, 0.9), 6)


@cache
def _pieces() -> list[tuple[str, str]]:
    library = Path(sysconfig.get_path("stdlib"))
    return [piece for file in sorted(library.glob("*.py")) for piece in _cut(file)]


def _cut(file: Path) -> Iterator[tuple[str, str]]:
    for definition in re.split(r"\n(?=(?:    )?(?:async def|def|class) )", file.read_text("utf-8", "replace")):
        text = definition[:_LONGEST].rpartition("\n")[0].strip("\n")
        if len(text) >= _SHORTEST:
            yield file.name, text
