"""What a setting's value may be: its type from the dataclass, its range from one table."""

from __future__ import annotations

import math
import sys
import types
from typing import Any, Literal, Union, get_args, get_origin

from configs.documents import DocumentError, parse_yaml, shown
from configs.settings import AGENTS

CONFLICTS = ("factual", "temporal", "scope")
STRATEGIES = ("latest_wins", "highest_confidence", "source_priority", "ask_user", "include_both")
SHARE = (0.0, 1.0)
RANGES: dict[str, tuple[float, float]] = {
    "max_observations_per_agent": (1, 1000),
    "max_total_observations": (1, 1000),
    "max_context_tokens": (1, math.inf),
    "max_per_file": (1, math.inf),
    "max_query_chars": (1, 1_000_000),
    "max_running": (0, 1000),
    "max_waiting": (0, 100_000),
    "similarity_threshold": SHARE,
    "vector.dimension": (1, 65_536),
    "vector.max_tokens": (1, math.inf),
    "vector.rrf_k": (1, 1_000_000),
    "vector.candidates": (1, math.inf),
    "vector.min_score": (-1.0, 1.0),
    "vector.dense_weight": SHARE,
    "vector.document_weight": SHARE,
    "vector.aside_weight": SHARE,
    "vector.in_hand_weight": (1.0, 10.0),
    "vector.scope_weight": (1.0, 10.0),
    "ranking.most_unknown": SHARE,
    "vector.qdrant.retries": (0, 20),
    "vector.qdrant.shards": (1, 1000),
    "vector.qdrant.replicas": (1, 100),
    "vector.qdrant.followers_s": (0, 60),
    "hosted.retries": (0, 20),
    "hosted.batch_size": (0, 2048),
    "graph.max_path_hops": (1, 4),
    "graph.hop_decay": SHARE,
    "graph.neo4j.max_connections": (1, 10_000),
    "graph.neo4j.batch_rows": (1, 1_000_000),
    "indexing.max_file_bytes": (1, math.inf),
    "indexing.chunk_chars": (100, math.inf),
    "indexing.workers": (1, 256),
    "indexing.file_memory_mb": (256, math.inf),
    "scope.max_projects": (1, math.inf),
    "scope.min_confidence": SHARE,
    "ranking.confidence_floor": SHARE,
    "mcp.max_chars": (2_000, 1_000_000),
    "mcp.keep_open_s": (1, 86_400),
    "mcp.requests_per_minute": (1, 1_000_000),
    "mcp.max_running": (1, 1000),
    "mcp.max_waiting": (0, 100_000),
    "mcp.max_body_bytes": (1000, 100_000_000),
    "mcp.request_timeout_ms": (1, 3_600_000),
    "mcp.shutdown_timeout_ms": (1, 3_600_000),
    "mcp.max_connections": (1, 100_000),
    "evidence.hnsw_ef": (1, 65_536),
    "evidence.rrf_k": (1, 1_000_000),
    "evidence.quota": (0.0, 0.5),
    "evidence.near_duplicate": SHARE,
    "evidence.rerank_candidates": (1, 1000),
}
LARGEST = 1e18  # what has no bound of its own has this one: beyond, arithmetic fails


def range_of(key: str) -> tuple[float, float]:
    """What a number may be: a deadline is one, and no setting there is makes sense below zero."""
    return RANGES.get(key, (1 if key.endswith("timeout_ms") else 0, math.inf))


class SettingError(ValueError):
    """A setting that is unknown or ill-typed: which key, where it is written, what is wrong, what to do."""

    def __init__(self, key: str, where: str, problem: str, hint: str = "") -> None:
        super().__init__(f"{where}: {key}: {problem} {hint}".strip())
        self.given = key, where, problem, hint


def from_text(key: str, where: str, text: str, kind: Any) -> Any:
    """The value that a text in the environment or on the command line means; `a,b` is a list."""
    if kind is str or get_origin(kind) is Literal:
        return text
    if get_origin(kind) is list and not text.startswith("["):
        return [part.strip() for part in text.split(",") if part.strip()]
    try:
        return parse_yaml(text)
    except DocumentError:
        raise SettingError(key, where, f"{shown(text)} is not {called(kind)}") from None


def checked(key: str, where: str, value: Any, kind: Any) -> Any:
    """The value if its type and range fit (an int passes for a float); raises SettingError otherwise."""
    if not fits(value, kind):
        raise SettingError(key, where, f"{shown(value)} is not {called(kind)}")
    if isinstance(value, int | float) and not isinstance(value, bool):
        low, high = range_of(key)
        if not low <= value <= min(high, LARGEST):
            unbounded = math.isinf(high) and value < low
            bounds = f"at least {low:g}" if unbounded else f"from {low:g} to {min(high, LARGEST):g}"
            raise SettingError(key, where, f"{value} is out of range.", f"It is {bounds}.")
        return float(value) if kind is float else value
    if key == "fallback_order":
        _members(key, where, value, AGENTS)
        if len(set(value)) != len(value):
            raise SettingError(key, where, "names an agent twice.", f"Each of {', '.join(AGENTS)} at most once.")
    if get_origin(kind) is dict:
        value = {name: checked(f"{key}.{name}", where, one, get_args(kind)[1]) for name, one in value.items()}
    if key == "conflict_strategy":
        _members(key, where, value, CONFLICTS)
        _members(key, where, value.values(), STRATEGIES)
    return value


def _members(key: str, where: str, given: Any, known: tuple[str, ...]) -> None:
    for name in given:
        if name not in known:
            raise SettingError(key, where, f"unknown {name!r}.", f"Known: {', '.join(known)}.")


def fits(value: Any, kind: Any) -> bool:  # noqa: PLR0911 - one line a kind of type
    """Whether a value is of an annotated type, and all that is in it."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Literal:
        return isinstance(value, str) and value in inner
    if origin in (Union, types.UnionType):
        return any(fits(value, one) for one in inner)
    if origin in (list, frozenset):
        return isinstance(value, origin) and all(fits(one, inner[0]) for one in value)
    if origin is tuple:
        return isinstance(value, tuple) and _all_fit(value, inner)
    if origin is dict:
        return isinstance(value, dict) and all(fits(k, inner[0]) and fits(v, inner[1]) for k, v in value.items())
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, kind)


def _all_fit(values: tuple[Any, ...], kinds: tuple[Any, ...]) -> bool:
    """Those of a tuple: `tuple[int, float]`, or any number of them (`tuple[str, ...]`)."""
    kinds = kinds[:1] * len(values) if kinds[1:] == (...,) else kinds
    return len(values) == len(kinds) and all(map(fits, values, kinds))


def called(kind: Any) -> str:
    """A type for people: "a whole number"."""
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Literal:
        return f"one of {', '.join(inner)}"
    if origin in (Union, types.UnionType):
        return " or ".join(called(one) for one in inner)
    if origin is list:
        return "a list of texts"
    if origin is dict:
        return f"a mapping whose values are each {called(inner[1])}"
    names = {int: "a whole number", float: "a number", bool: "true or false", str: "a text", dict: "a mapping"}
    return names.get(origin or kind, "empty")
