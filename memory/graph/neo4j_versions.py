"""Versions of a graph on a Neo4j server (decision record 0080).

An entity, a relation and a mention have `since`, the version they came with, and `until`, the one they are not in any
more. A relation is there as long as both its ends are, at most. `(:Graph {namespace, versions})` names the versions
that are whole; `(:Touched {namespace, project})` names each project of which something has to be settled.
"""

from __future__ import annotations

import re
import uuid
from dataclasses import dataclass
from functools import cache
from typing import Final

__all__ = ["FOREVER", "SETTLE", "WHOLE", "GraphVersion", "of_version"]

FOREVER: Final = 2**31 - 1
WHOLE: Final = "MATCH (g:Graph {namespace: $namespace}) WHERE $name IN g.versions RETURN count(g) AS graphs"
_VERSIONED: Final = re.compile(r"\((\w):Entity\)|\[(\w):\w+\]| AS (e)\b")
_TOUCHED: Final = "a.project IN $names AND a.namespace = $namespace"
_SOME: Final = (
    f"MATCH (a:Entity)-[x]-() WHERE {_TOUCHED}",
    f"MATCH (a:File)-[x]-() WHERE {_TOUCHED}",
    f"MATCH (a:Entity) WHERE {_TOUCHED} WITH a AS x WHERE true",
)

SETTLE: Final = (
    *(
        f"{some} AND (x.since > $current OR x.until <= $oldest) "
        "WITH DISTINCT x LIMIT $limit DETACH DELETE x RETURN count(*) AS done"
        for some in _SOME
    ),
    *(
        f"{some} AND x.until > $current AND x.until < $forever "
        "WITH DISTINCT x LIMIT $limit SET x.until = $forever RETURN count(*) AS done"
        for some in _SOME
    ),
    f"MATCH (a:File) WHERE {_TOUCHED} AND NOT (a)--() WITH a LIMIT $limit DELETE a RETURN count(*) AS done",
)
"""What leaves of some projects what the versions from `oldest` to `current` have: what came later or had its end goes,
what was to end later goes on. In this order; each until it finds less than the limit.
"""


@dataclass(frozen=True, slots=True)
class GraphVersion:
    """One version of a graph. namespace: the graph's; run: distinguishes two that were made of the same one."""

    namespace: str
    number: int = 1
    run: str = ""

    @property
    def name(self) -> str:
        """What the server knows it by."""
        return f"{self.number}:{self.run}"

    @classmethod
    def first(cls, index: str) -> GraphVersion:
        """Of a new graph of this index."""
        return cls(f"{index}:{uuid.uuid4().hex}", 1, uuid.uuid4().hex)

    def next(self) -> GraphVersion:
        """The one to be made of it."""
        return GraphVersion(self.namespace, self.number + 1, uuid.uuid4().hex)


@cache
def of_version(text: str) -> str:
    """One of the `queries`, which reads nothing but what the version `$version` has."""
    found = sorted({name for names in _VERSIONED.findall(text) for name in names if name})
    living = "".join(f" AND {name}.since <= $version AND {name}.until > $version" for name in found)
    return text.replace("IN $permission", f"IN $permission{living}", 1)
