"""What a question is: its types, the paths it takes, and the context it is asked in.

See 001 §3, docs/design.md#must-and-may.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, Self, TypeGuard

from configs.documents import shown
from memory.errors import InvalidInputError
from memory.question.parsed import QueryType

if TYPE_CHECKING:
    from memory.question import ParsedQuestion

_LARGEST: Final = 10**18


class RetrievalPath(Enum):
    """Which agent a question takes (001 §3.3); the value is the agent's id."""

    LOCAL = "local"
    GRAPH = "graph"
    VECTOR = "vector"


class PathRole(Enum):
    """Whether the answer waits for an agent: the run's one distinction (docs/design.md#must-and-may)."""

    MUST = "must"
    MAY = "may"


@dataclass(frozen=True, slots=True)
class QueryClassification:
    """What the analyzer read from a question.

    `query_types` are the likely ones, the leading one first; `paths` those the routing matrix plans (✅ and ⚡);
    `roles` names every agent that is started, planned or not; one that is missing there is not started; `question` is
    the question as it was read, None where an analyzer of one's own reads none.
    """

    query: str
    query_types: tuple[QueryType, ...]
    paths: tuple[RetrievalPath, ...]
    roles: Mapping[RetrievalPath, PathRole] = field(default_factory=dict)
    entities: tuple[str, ...] = ()
    graph_scopes_vector: bool = False
    reasons: tuple[str, ...] = ()
    question: ParsedQuestion | None = None

    @property
    def query_type(self) -> QueryType:
        """The leading type."""
        return self.query_types[0]


class DoorDefault(Enum):
    """Stands where the caller gave no permission: the door decides (docs/design.md#permission)."""

    PERMISSION = "the door's default"


DOOR_DEFAULT: Final = DoorDefault.PERMISSION


@dataclass(frozen=True, slots=True)
class RecentItem:
    """Something the caller has at hand right now (001 §4.1's in-memory context)."""

    content: str
    title: str = ""


@dataclass(frozen=True, slots=True)
class TaskContext:
    """Who asks, from where, and what they may see.

    project: the project in hand; allowed_projects: the permission, a set of names that no store call leaves;
    deadline: seconds this question may take (None: the settings'); mentions: entities already known to be meant;
    question: as it was read at the door, which sets it.
    Raises InvalidInputError on an unknown key, or when the permission is None: leave it out, or name projects.
    """

    project: str | None = None
    allowed_projects: frozenset[str] | DoorDefault = DOOR_DEFAULT
    deadline: float | None = None
    request_id: str = ""
    principal: str = ""
    recent: tuple[RecentItem, ...] = ()
    mentions: tuple[str, ...] = ()
    question: ParsedQuestion | None = None

    def __post_init__(self) -> None:
        if self.allowed_projects is None:
            raise InvalidInputError("allowed_projects is None.", "Leave it out for the default, or give the names.")
        if not isinstance(self.allowed_projects, DoorDefault):
            object.__setattr__(self, "allowed_projects", allowed_names(self.allowed_projects))
        object.__setattr__(self, "mentions", _texts("mentions", self.mentions))
        object.__setattr__(self, "recent", tuple(_recent(item) for item in _listed("recent", self.recent)))
        if not (self.project is None or isinstance(self.project, str)):
            raise InvalidInputError(f"project is {shown(self.project)}.", "Give a project's name.")
        for name in ("request_id", "principal"):
            if not isinstance(value := getattr(self, name), str):
                raise InvalidInputError(f"{name} is {shown(value)}.", "Give a text.")
        if self.deadline is not None and not is_number(self.deadline):
            raise InvalidInputError(f"deadline is {shown(self.deadline)}.", "Give seconds above zero.")

    @classmethod
    def from_mapping(cls, given: Mapping[str, Any] | TaskContext | None) -> TaskContext:
        """A context from what a caller passed; the same rules as the constructor's."""
        if given is None:
            return cls()
        if isinstance(given, TaskContext):
            return given
        if not isinstance(given, Mapping):
            raise InvalidInputError(
                f"The context is a value of type {type(given).__name__}.", "Give a mapping, or a TaskContext."
            )
        known = {f.name for f in fields(cls)} - {"question"}
        unknown = sorted(str(key) for key in set(given) - known)
        if unknown:
            raise InvalidInputError(
                f"Unknown key in the context: {', '.join(unknown)}.", f"Known: {', '.join(sorted(known))}."
            )
        return cls(**given)

    @property
    def permission(self) -> frozenset[str]:
        """The projects this question may touch; empty when the door gave none."""
        return self.stated_permission or frozenset()

    @property
    def stated_permission(self) -> frozenset[str] | None:
        """The same; None where it is left to the door."""
        return None if isinstance(self.allowed_projects, DoorDefault) else self.allowed_projects

    def allowing(self, projects: frozenset[str], **changes: Any) -> Self:
        """This context with the permission settled by the door."""
        values = {f.name: getattr(self, f.name) for f in fields(self)}
        return type(self)(**{**values, "allowed_projects": projects, **changes})


def allowed_names(given: Iterable[str] | None) -> frozenset[str] | None:
    """The projects that a door allows; None: all that are indexed.

    Raises:
        InvalidInputError: It is one text, which would be taken for its letters, or no list of names.
    """
    return None if given is None else frozenset(_texts("allowed_projects", given))


def is_number(value: object) -> bool:
    """Whether it is one that arithmetic with seconds can bear."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    return isinstance(value, float) or abs(value) <= _LARGEST


def is_count(value: object, least: int = 1) -> TypeGuard[int]:
    """Whether it is a whole number from `least` on; true and false are none."""
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def _listed(name: str, value: Any) -> Iterable[Any]:
    """The items of a list; None has none. A text is one thing, not its letters."""
    if isinstance(value, str):
        raise InvalidInputError(f"{name} is one text.", "Give a list.")
    if not (value is None or isinstance(value, Iterable)):
        raise InvalidInputError(f"{name} is {shown(value)}.", "Give a list.")
    return value or ()


def _texts(name: str, value: Any) -> tuple[str, ...]:
    return tuple(_text(name, item) for item in _listed(name, value))


def _text(name: str, item: Any) -> str:
    if not isinstance(item, str):
        raise InvalidInputError(f"{name} holds {shown(item)}, which is no text.", "Give a list of names.")
    return item


def _recent(item: Any) -> RecentItem:
    if isinstance(item, RecentItem):
        return item
    if isinstance(item, str):
        return RecentItem(item)
    raise InvalidInputError(f"recent holds {shown(item)}.", "Give texts, or RecentItem(content, title).")
