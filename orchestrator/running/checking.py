"""Whether what an agent reports is an observation that the rest can work with: the one place that looks at all of it.

Sizes are bounded here, so that no single observation costs what a thousand do, and text that cannot be encoded (half a
surrogate pair, as JSON and file names may hold it) is mended here.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass, replace
from itertools import chain, islice
from operator import attrgetter
from typing import Any, Final

from memory.entities import Entity, Evidence, EvidenceFile, Relationship, Scope, ScopedProject
from memory.errors import InvalidAnswerError, InvalidInputError
from memory.observations import GraphObservation, LocalObservation, Location, Observation, VectorObservation
from memory.query import is_number
from memory.text.output import encodable, is_encodable

MOST_CHARS: Final = 16_000
"""Of an observation's content: half of what an answer's whole context has. The rest is cut off."""

_MOST_BESIDE: Final = 100_000  # characters of all its other texts
_MOST_PARTS: Final = 1_000  # of one list, or of the metadata
_DEEPEST: Final = 20
_LONGEST_VECTOR: Final = 65_536
_LARGEST: Final = 2**63  # what every store and every reader of JSON takes for a whole number


_PLACE = attrgetter("project", "path")
_LINES = attrgetter("start_line", "end_line")
_ENTITY = attrgetter("name", "kind", "project", "path", "summary", "commit", "id")
_EDGE = attrgetter("type", "project", "path", "status", "id")
_PROOF = attrgetter("rule", "project", "path", "says")


def checked(given: object) -> tuple[Observation, float]:
    """The observation, whole and of bounded size, and its agent's own rating.
    Raises InvalidAnswerError for what is none.
    """
    rating, texts = _looked_through(given)
    observation: Any = given
    beside = _joined(texts)
    if len(beside) > _MOST_BESIDE:
        raise InvalidAnswerError(f"more than {_MOST_BESIDE} characters beside its content")
    content = observation.content
    if len(content) > MOST_CHARS:
        observation = replace(observation, content=content[:MOST_CHARS].rstrip() or content.strip()[:MOST_CHARS])
    if not is_encodable(content) or not is_encodable(beside):
        observation = _mended(observation)
    return observation, rating


def checked_scope(given: object) -> Scope:
    """The scope, whole and of bounded size, each project once. Raises InvalidAnswerError for what is none."""
    if not isinstance(given, Scope):
        raise InvalidAnswerError(f"{named(given)} is not a Scope")
    _all(given.ranked, ScopedProject, "projects")
    _all(given.files, EvidenceFile, "files")
    _all(given.linked, str, "linked")
    because = attrgetter("project", "because")
    texts = [*chain.from_iterable(map(because, given.ranked)), *given.linked]
    for file in given.files:
        texts += (file.project, file.path, file.because)
    beside = _joined(texts)
    if len(beside) > _MOST_BESIDE:
        raise InvalidAnswerError(f"a scope of more than {_MOST_BESIDE} characters")
    if not all(is_number(one.confidence) and 0 <= one.confidence <= 1 for one in given.ranked):
        raise InvalidAnswerError("projects: a confidence there is no number from 0 to 1")
    once: dict[str, ScopedProject] = {}
    for one in given.ranked:
        once.setdefault(one.project, one)
    if len(once) < len(given.ranked):
        given = replace(given, projects=[*once.values()])
    if is_encodable(beside):
        return given
    return replace(given, projects=_mended(given.ranked), files=_mended(given.files), linked=_mended(given.linked))


def given_scope(scope: object) -> Scope:
    """The scope that a caller gave. Raises InvalidInputError for what is none."""
    try:
        return checked_scope(scope)
    except InvalidAnswerError as wrong:
        raise InvalidInputError(f"The scope can't be used: {wrong}.", "Give one as Scope(['billing']).") from None


def named(value: object) -> str:
    """What it is, for people."""
    return "None" if value is None else f"a value of type {type(value).__name__}"


def _looked_through(given: object) -> tuple[float, list[str]]:
    """The agent's own rating, and every text but the content;
    written for speed, since every observation passes here.
    """
    if isinstance(given, GraphObservation):
        _all(given.entities, Entity, "entities")
        _all(given.relationships, Relationship, "relationships")
        _all(given.source_projects, str, "source_projects")
        _numbers((given.hop_depth,), "hop_depth")
        texts = [given.engine, *given.source_projects]
        rating = given.confidence
        _entities(given.entities, texts)
        _edges(given.relationships, texts)
    elif isinstance(given, VectorObservation):
        texts = _text(given, given.source_project)
        if given.chunk_context is not None:
            texts.append(given.chunk_context)
        rating = given.similarity_score
    elif isinstance(given, LocalObservation):
        texts = _text(given, given.project or "")
        if given.section is not None:
            texts.append(given.section)
        rating = given.relevance_score
    else:
        raise InvalidAnswerError(f"{named(given)} is no observation")
    _all(given.locations, Location, "locations")
    for at in given.locations:
        texts += _PLACE(at)
        _numbers(_LINES(at), "locations")
    texts.append(given.observation_type)
    if type(given.metadata) is not dict and not isinstance(given.metadata, Mapping):
        raise InvalidAnswerError("metadata: is no mapping")
    if given.metadata:
        texts += _texts_in(given.metadata)
    return float(rating), texts


def _text(given: VectorObservation | LocalObservation, project: object) -> list[str]:
    if not (isinstance(given.source_file, str) and isinstance(project, str)):
        raise InvalidAnswerError("source_file and project: something there is no str")
    _all(given.entities_mentioned, str, "entities_mentioned")
    if given.embedding is not None:
        _embedding(given.embedding)
    return [given.source_file, project, given.embedding_model, *given.entities_mentioned]


def _entities(entities: Iterable[Entity], texts: list[str]) -> None:
    for entity in entities:
        texts += _ENTITY(entity)
        _numbers(_LINES(entity), "entities")


def _edges(edges: Iterable[Relationship], texts: list[str]) -> None:
    for edge in edges:
        _all((edge.source, edge.target), Entity, "relationships")
        _entities((edge.source, edge.target), texts)
        texts += _EDGE(edge)
        _all(edge.lines, int, "relationships")
        _numbers(edge.lines, "relationships")
        _all(edge.evidence, Evidence, "relationships")
        for proof in edge.evidence:
            texts += _PROOF(proof)
            _numbers((proof.line,), "relationships")


def _all(items: object, kind: type, name: str) -> None:
    """Whether this is a list of that kind."""
    if (
        type(items) is not tuple
        and type(items) is not list
        and (isinstance(items, str) or not isinstance(items, Sequence))
    ):
        raise InvalidAnswerError(f"{name}: is no list")
    if len(items) > _MOST_PARTS:
        raise InvalidAnswerError(f"{name}: {len(items)} are more than {_MOST_PARTS}")
    for item in items:
        if not isinstance(item, kind):
            raise InvalidAnswerError(f"{name}: something there is no {kind.__name__}")


def _numbers(numbers: Iterable[object], name: str) -> None:
    for number in numbers:
        if not isinstance(number, int) or not -_LARGEST < number < _LARGEST:
            raise InvalidAnswerError(f"{name}: something there is no whole number")


def _embedding(vector: Any) -> None:
    try:
        float(vector[0])
        length = len(vector)
    except (TypeError, ValueError, LookupError) as wrong:
        raise InvalidAnswerError("embedding: is no vector of numbers") from wrong
    if length > _LONGEST_VECTOR:
        raise InvalidAnswerError(f"embedding: {length} numbers are more than {_LONGEST_VECTOR}")


def _texts_in(metadata: Mapping[str, Any]) -> list[str]:
    """Every text of the metadata, its keys too; what JSON has no form for by its own text, as it will be shown."""
    texts: list[str] = []
    level: list[Any] = [metadata]
    parts = 0
    for _ in range(_DEEPEST):
        below: list[Any] = []
        for value in level:
            inside = _inside(value, texts)
            parts += len(inside)
            if parts > _MOST_PARTS:
                raise InvalidAnswerError(f"metadata: more than {_MOST_PARTS} values")
            below += inside
        if not below:
            return texts
        level = below
    raise InvalidAnswerError(f"metadata: nested deeper than {_DEEPEST}")


def _inside(value: Any, texts: list[str]) -> Collection[Any]:
    """What a value holds; a text joins the texts."""
    if isinstance(value, str):
        texts.append(value)
    elif isinstance(value, int):
        _numbers((value,), "metadata")
    elif isinstance(value, Mapping):
        texts += map(str, islice(value, _MOST_PARTS))
        return value.values()
    elif isinstance(value, list | tuple | AbstractSet):
        return value
    elif is_dataclass(value) and not isinstance(value, type):
        return [getattr(value, field.name) for field in fields(value)]
    elif hasattr(value, "tolist"):  # numpy's numbers and arrays
        return range(value.size)
    elif not (value is None or isinstance(value, float)):
        texts.append(str(value))
    return ()


def _joined(texts: Sequence[str]) -> str:
    try:
        return "".join(texts)
    except TypeError as wrong:
        raise InvalidAnswerError("something there is no text") from wrong


def _mended(given: Any) -> Any:
    """The same with every half of a surrogate pair replaced, wherever it is."""
    made = given
    if isinstance(given, str):
        made = encodable(given)
    elif is_dataclass(given) and not isinstance(given, type):
        texts = {field.name: getattr(given, field.name) for field in fields(given) if field.init}
        made = replace(given, **{name: _mended(part) for name, part in texts.items() if name != "embedding"})
    elif isinstance(given, Mapping):
        made = {_mended(key): _mended(part) for key, part in given.items()}
    elif isinstance(given, Sequence) and not isinstance(given, bytes | bytearray | range):
        made = [_mended(part) for part in given]
        made = tuple(made) if isinstance(given, tuple) else made
    elif isinstance(given, AbstractSet):
        made = frozenset(map(_mended, given))
    elif not isinstance(given, int | float | None) and not is_encodable(str(given)):
        made = encodable(str(given))
    return made
