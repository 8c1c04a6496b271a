"""What the tools return, as clients see it in `outputSchema`. `left_out` is what did not fit, in sentences."""

from __future__ import annotations

from typing import Any, Literal, NotRequired

from typing_extensions import TypedDict


class Answered(TypedDict):
    """`answer` with citation markers such as [vector:billing/docs/schema.md:3-9]; each of `citations` says whether it
    holds; `changed`: how many files of a cited project have changed since it was indexed.
    """

    status: Literal["answered", "partial", "not_found"]
    answer: str
    answered_by: str
    missing: list[str]
    citations: list[dict[str, Any]]
    conflicts: list[str]
    projects: list[str]
    agents: dict[str, str]
    evidence: list[str]
    changed: dict[str, int]
    left_out: list[str]


class Evidence(TypedDict):
    """`evidence`: rank, project, path, lines (such as "3-9"), kind, text (exactly these lines), found_by, and stale
    where the file has changed since it was indexed; best first. `changed`: how many files have, by project.
    """

    intent: str
    evidence: list[dict[str, Any]]
    changed: dict[str, int]
    notes: list[str]
    left_out: list[str]


class FoundEntity(TypedDict):
    """`match`: how the name fits; `stale`: its file has changed since it was indexed; `uses`, `used_by`: the first
    sentences, with their file and line, of so many known.
    """

    name: str
    kind: str
    project: str
    path: str
    lines: str
    summary: str
    stale: bool
    match: Literal["exact", "begins", "similar"]
    uses: list[str]
    uses_known: int
    used_by: list[str]
    used_by_known: int


class Entities(TypedDict):
    """The best matches first. `notes`: what is not there, and what is nearest; `changed`: how many files have changed
    since they were indexed, by project.
    """

    entities: list[FoundEntity]
    notes: list[str]
    changed: dict[str, int]
    left_out: list[str]


class Edge(TypedDict):
    """One relation, in its stored direction, and the line that proves it; `stale`: that file has changed since it was
    indexed.
    """

    source: str
    relation: str
    target: str
    project: str
    path: str
    lines: list[int]
    stale: bool


class Path(TypedDict):
    """`text` tells it in sentences, with what the evidence says."""

    hops: int
    text: str
    edges: list[Edge]


class PathAnswer(TypedDict):
    """`direction`: whether the paths run as asked or the other way round; `none` without any, and `notes` then say what
    is nearest. `changed`: how many files have changed since they were indexed, by project.
    """

    source: str
    target: str
    direction: Literal["as_asked", "reversed", "none"]
    paths: list[Path]
    notes: list[str]
    changed: dict[str, int]
    left_out: list[str]


class Projects(TypedDict):
    """`projects`: name, root (its folder here), commit, files, chunks, languages; `changed`: how many files have
    changed since they were indexed, by project.
    """

    projects: list[dict[str, Any]]
    changed: dict[str, int]
    left_out: list[str]


class Refreshed(TypedDict):
    """`changed`: the projects of which files were added, changed or removed, and how many; `absent`: those whose folder
    is not there, which stay as they were indexed; `generation`: the index's number, for who may see all of it.
    """

    generation: NotRequired[int]
    changed: list[dict[str, Any]]
    absent: list[str]
    left_out: list[str]
