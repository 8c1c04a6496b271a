"""`QueryAnalyzer`: a question's types, the entities it names, and the paths it takes (001 §3, §7.1).

`routing.yaml` has a row of paths for each type.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import anyio

from configs import Unplanned
from configs.documents import read_yaml
from memory.attempt import attempt, attempt_now
from memory.query import PathRole, QueryClassification, RetrievalPath
from memory.question import QueryType, read_question
from memory.together import AsyncLRUCache

if TYPE_CHECKING:
    from memory.query import TaskContext
    from memory.question import ParsedQuestion
    from synthesis.language_model import LanguageModel

_WEIGHT = {"skip": 0, "secondary": 1, "primary": 2}


_LIKELY: Final = 0.5
"""A type counts beside the leading one from this share of its vote on."""


@dataclass(frozen=True, slots=True)
class Route:
    """The paths that are planned (✅ and ⚡), the role of every agent that is started, and whether the graph scopes."""

    paths: tuple[RetrievalPath, ...]
    roles: Mapping[RetrievalPath, PathRole]
    graph_scopes_vector: bool


@dataclass(frozen=True, slots=True)
class _Table:
    rows: Mapping[QueryType, Mapping[RetrievalPath, int]]
    scoping: frozenset[QueryType]
    priority: tuple[QueryType, ...]
    otherwise: QueryType


@cache
def _table() -> _Table:
    data = read_yaml(Path(__file__).with_name("routing.yaml").read_text(encoding="utf-8"))
    return _Table(
        rows={QueryType(t): {p: _WEIGHT[row[p.value]] for p in RetrievalPath} for t, row in data["matrix"].items()},
        scoping=frozenset(QueryType(t) for t, row in data["matrix"].items() if row.get("graph_scopes_vector")),
        priority=tuple(QueryType(t) for t in data["priority"]),
        otherwise=QueryType(data["otherwise"]),
    )


def otherwise() -> QueryType:
    """The type of a question that is like no example."""
    return _table().otherwise


def route(types: Iterable[QueryType], unplanned: Unplanned = "may") -> Route:
    """The union of the types' rows: ✅ in one is must, else ⚡ is may, and ❌ is may too unless `never`."""
    table, chosen = _table(), set(types)
    weights = {path: max(table.rows[t][path] for t in chosen) for path in RetrievalPath}
    never = unplanned == "never"
    return Route(
        paths=tuple(path for path, weight in weights.items() if weight),
        roles={
            p: PathRole.MUST if w == _WEIGHT["primary"] else PathRole.MAY for p, w in weights.items() if w or not never
        },
        graph_scopes_vector=bool(chosen & table.scoping),
    )


class QueryAnalyzer:
    """Reads a question once: types by the nearest example questions, the matrix in `routing.yaml`. No model, no store.

    unplanned: whether agents the matrix skips may join all the same (`may`), or are left out (`never`).
    """

    def __init__(self, *, unplanned: Unplanned = "may") -> None:
        self._unplanned: Unplanned = unplanned

    def classify(self, query: str) -> QueryClassification:
        """The likely types, the likeliest first; the union of their paths; why, in plain words."""
        question = read_question(query)
        likely = [vote for vote in question.types if vote.share >= _LIKELY * question.types[0].share]
        likely.sort(key=lambda vote: (-round(vote.share, 1), _table().priority.index(vote.query_type)))
        types = tuple(vote.query_type for vote in likely) or (otherwise(),)
        routed = route(types, self._unplanned)
        reasons = [f"{vote.query_type.value}: like {vote.example!r} ({vote.share:.0%})" for vote in likely]
        return QueryClassification(
            query=query,
            query_types=types,
            paths=routed.paths,
            roles=routed.roles,
            entities=question.mentions,
            graph_scopes_vector=routed.graph_scopes_vector,
            reasons=tuple(reasons) or (f"{types[0].value}: like no example, so every agent looks",),
            question=question,
        )

    def extract_entities(self, query: str) -> list[str]:
        """What the question names: identifiers, quoted phrases, capitalised words inside a sentence."""
        return list(read_question(query).mentions)

    def determine_paths(self, classification: QueryClassification) -> list[RetrievalPath]:
        """The planned paths of a classification's types, in the order local, graph, vector."""
        return list(route(classification.query_types, self._unplanned).paths)


def classify_query(query: str, context: Mapping[str, Any] | TaskContext | None = None) -> QueryClassification:  # noqa: ARG001 - 001 §3.3's signature; the wording alone decides
    """001 §3.3's function: `QueryAnalyzer().classify(query)`."""
    return QueryAnalyzer().classify(query)


class SafeAnalyzer:
    """The analyzer in hand: one that fails, or gives no classification, is replaced by ours for the question.

    note: why it was, '' where it was not.
    """

    def __init__(self, analyzer: Any) -> None:
        self._analyzer = analyzer
        self.note = ""

    def classify(self, query: str) -> QueryClassification:
        """What the question is taken for."""
        done = attempt_now(partial(self._analyzer.classify, query))
        if isinstance(done.value, QueryClassification):
            return done.value
        reason = done.reason or f"it returned a {type(done.value).__name__}"
        self.note = f"the analyzer gave nothing ({reason}): the question was read by the product's own"
        return QueryAnalyzer().classify(query)


_PROMPT: Final = """\
A developer asks a search engine for source code the question below. Do not answer it. Reply with one JSON object, nothing else:
{{"clauses": ["each question it is made of, in its own words"],
 "names": ["each service, project, class, function, file, table or topic it names, as it is written there"],
 "wordings": ["the whole question in other words, at most three"]}}

QUESTION:
{question}
"""  # noqa: E501 - its lines are what is sent or printed
_MOST: Final = {"clauses": 8, "names": 12, "wordings": 3}
_Said: TypeAlias = dict[str, tuple[str, ...]]
_LONGEST: Final = 400
_REMEMBERED: Final = 8


class ModelReader:
    """Adds to a question what a model reads in it; a question is asked about once.

    seconds: how long the model may take.
    """

    def __init__(self, model: LanguageModel, *, seconds: float) -> None:
        self._model = model
        self._seconds = seconds
        self._said: AsyncLRUCache[_Said | None] = AsyncLRUCache(_REMEMBERED)

    async def read(self, question: ParsedQuestion, until: float) -> ParsedQuestion:
        """The question with the clauses, names and wordings of the model; as it was where that fails.

        until: the event loop's time at which the question itself is late.
        """
        # What the model says is of the text alone; which projects it names is of who asks.
        said = await self._said.get(question.text, partial(self._ask, question.text, until))
        if said is None:
            return question
        clauses = said["clauses"] or question.clauses
        return replace(question, clauses=clauses, added_names=said["names"], wordings=said["wordings"])

    async def _ask(self, text: str, until: float) -> _Said | None:
        due = min(until, anyio.current_time() + self._seconds)
        done = await attempt(partial(self._reply, text), due)
        return _checked(done.value, text) if done.status == "ok" else None

    async def _reply(self, text: str) -> str:
        return "".join([delta.text async for delta in self._model.stream(_PROMPT.format(question=text))])


def _checked(reply: str, asked: str) -> _Said | None:
    """The reply's three lists; None where it is anything else.
    A name that the question does not spell out is left out.
    """
    start, end = reply.find("{"), reply.rfind("}")
    try:
        given: Any = json.loads(reply[start : end + 1])
    except ValueError:
        return None
    if not isinstance(given, dict) or given.keys() != _MOST.keys():
        return None
    if not all(isinstance(value, list) and all(map(_is_text, value)) for value in given.values()):
        return None
    spelt = _letters(asked)
    given["names"] = [name for name in given["names"] if _letters(name) and _letters(name) in spelt]
    return {key: tuple(dict.fromkeys(value))[: _MOST[key]] for key, value in given.items()}


def _is_text(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value.strip()) <= _LONGEST


def _letters(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())
