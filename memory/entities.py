"""What the graph knows: entities, relations with their evidence and as sentences, and the scope drawn from them.

See docs/design.md#graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from types import MappingProxyType
from typing import Final, Literal

from memory.text.output import one_line

BY_NAMES = "name at both ends"
"""The rule of evidence that no rule gave: a name that one place makes and another spells out."""

STRUCTURAL: Final = frozenset({"DEFINES"})
"""Types of relations that say where a thing is, and nothing of what it does."""
OWNING: Final = frozenset({"EXPOSES", "OWNS_TABLE"})
"""Types of relations that say whose a thing is, which others use."""

VERBS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "CALLS": "calls",
        "IMPORTS": "imports",
        "INHERITS": "inherits from",
        "DEPENDS_ON": "depends on",
        "DEFINES": "defines",
        "OWNS_TABLE": "owns",
        "USES_TABLE": "uses",
        "READS": "reads",
        "STORES_IN": "stores in",
        "EXPOSES": "exposes",
        "INVOKES": "invokes",
        "PUBLISHES": "publishes",
        "SUBSCRIBES": "subscribes to",
        "CONSUMES": "consumes",
        "DEPLOYS": "deploys",
        "REFERENCES": "refers to",
    }
)
"""How a relation's type is written in a sentence; another type is written as its own name in small letters."""

ALSO: Final[Mapping[str, str]] = MappingProxyType(
    {
        "CALLS": "invokes asks hands passes delegates wraps raises creates",
        "INVOKES": "calls",
        "INHERITS": "extends subclasses",
        "DEFINES": "declares",
        "EXPOSES": "offers serves",
        "PUBLISHES": "emits sends sent announces",
        "SUBSCRIBES": "listens consumes handles handled",
        "CONSUMES": "subscribes listens handles handled",
        "OWNS_TABLE": "defines",
        "USES_TABLE": "reads writes updates touches",
        "STORES_IN": "maps",
    }
)
"""Other verbs by which people tell a relation of that type, in the same direction."""

RelationStatus = Literal["confirmed", "candidate"]


def _is_broken(text: str) -> bool:
    """Whether a text is more than one printable line; what is no text at all is refused where an agent gives it."""
    return isinstance(text, str) and not text.isprintable()


@dataclass(frozen=True, slots=True)
class Entity:
    """A named thing in one project: a class, a table, a service (000 §6.3's symbol, made a node).

    `kind` is one of project, package, service, module, class, function, method, table, column, endpoint, topic,
    config_key, resource. The name and the summary are one line without control characters, whatever a file says.
    `id` is made from project, kind and name unless given; lines start at 1 and include both ends.
    """

    name: str
    kind: str = "class"
    project: str = ""
    path: str = ""
    start_line: int = 0
    end_line: int = 0
    summary: str = ""
    commit: str = ""
    id: str = ""

    def __post_init__(self) -> None:
        if _is_broken(self.name):
            object.__setattr__(self, "name", one_line(self.name))
        if _is_broken(self.summary):
            object.__setattr__(self, "summary", one_line(self.summary))
        if not self.id:
            object.__setattr__(self, "id", f"{self.project}/{self.kind}/{self.path}/{self.name}")

    @property
    def key(self) -> str:
        """The name as look-ups compare it."""
        return self.name.casefold()

    @property
    def label(self) -> str:
        """`PROJECT/NAME`, as citations write it."""
        return f"{self.project}/{self.name}" if self.project else self.name


def spelt_nearly(key: str, entities: Iterable[Entity], *, most: int, least: float) -> list[Entity]:
    """Those of the entities that have one of the `most` names nearest to a key in spelling.

    least: the least similarity of a name, as difflib measures it.
    """
    entities = list(entities)
    near = get_close_matches(key, sorted({entity.key for entity in entities}), n=most, cutoff=least)
    return [entity for entity in entities if entity.key in near]


@dataclass(frozen=True, slots=True)
class Evidence:
    """One piece that speaks for a relation: which rule saw it, and where. `says` is short text for people."""

    rule: str
    project: str
    path: str
    line: int
    says: str = ""

    def __post_init__(self) -> None:
        if _is_broken(self.says):
            object.__setattr__(self, "says", one_line(self.says))


@dataclass(frozen=True, slots=True)
class Relationship:
    """A directed, typed edge. `path` and `lines` are where the source's side is and prove it."""

    source: Entity
    type: str
    target: Entity
    project: str = ""
    path: str = ""
    lines: tuple[int, ...] = ()
    status: RelationStatus = "confirmed"
    evidence: tuple[Evidence, ...] = ()
    id: str = ""

    def __post_init__(self) -> None:
        if not self.id:
            object.__setattr__(self, "id", f"{self.source.id} {self.type} {self.target.id} {self.path}")

    @property
    def is_by_names(self) -> bool:
        """Whether no rule found it, but a name at both ends alone."""
        return bool(self.evidence) and all(piece.rule == BY_NAMES for piece in self.evidence)

    @property
    def own_evidence(self) -> tuple[Evidence, ...]:
        """What stands in the source's own file; the rest is said at the other end, or on the way there."""
        home = self.project or self.source.project, self.path
        return tuple(piece for piece in self.evidence if (piece.project, piece.path) == home)

    @property
    def ends(self) -> tuple[str, str, str]:
        """What the edge says, whichever file proves it: the source's id, the type, the target's id."""
        return self.source.id, self.type, self.target.id


def sentence(edge: Relationship) -> str:
    """The relation in words: `service frontend of shop calls service payments`.

    The target's project is named where it is another than the source's.
    """
    verb = VERBS.get(edge.type, edge.type.casefold().replace("_", " "))
    target = _named(edge.target)
    if edge.target.project and edge.target.project != edge.source.project and edge.target.kind != "project":
        target += f" of {edge.target.project}"
    source = _named(edge.source)
    if edge.source.kind != "project":
        source += f" of {edge.source.project}"
    return f"{source} {verb} {target}"


def _named(entity: Entity) -> str:
    return f"{entity.kind.replace('_', ' ')} {entity.name}"


@dataclass(frozen=True, slots=True)
class ScopedProject:
    """One project of a scope, how sure the graph is, and why."""

    project: str
    confidence: float = 1.0
    because: str = ""


@dataclass(frozen=True, slots=True)
class EvidenceFile:
    """A file that counts as proven, and how much: the search ranks it with those that statements speak for."""

    project: str
    path: str
    weight: float = 1.0
    because: str = ""


@dataclass(frozen=True, slots=True)
class Scope:
    """The graph's ranked projects for a question, and the provenance files of the linked edges.

    `Scope(projects=["a"])` is enough to make one: names become ScopedProject with confidence 1.
    `linked` names the entities the question was linked to; `guessed`: it was linked to none, and these are the projects
    that its words fit. A guess is said and steers no search. Raises TypeError for one text as `projects`, which would
    be taken for its letters.
    """

    projects: Sequence[ScopedProject | str] = ()
    files: tuple[EvidenceFile, ...] = ()
    linked: tuple[str, ...] = ()
    guessed: bool = False
    ranked: tuple[ScopedProject, ...] = field(init=False, default=())

    def __post_init__(self) -> None:
        if isinstance(self.projects, str):
            raise TypeError(f"a scope's projects are a list, as in Scope([{self.projects!r}])")
        ranked = tuple(p if isinstance(p, ScopedProject) else ScopedProject(p) for p in self.projects)
        object.__setattr__(self, "ranked", ranked)
        object.__setattr__(self, "projects", tuple(p.project for p in ranked))

    @property
    def names(self) -> tuple[str, ...]:
        """The projects' names, best first."""
        return tuple(p.project for p in self.ranked)

    def within(self, permission: frozenset[str]) -> Scope:
        """This scope without what the caller may not see."""
        return replace(
            self,
            projects=[p for p in self.ranked if p.project in permission],
            files=tuple(f for f in self.files if f.project in permission),
        )
