"""What is asked of the evidence retriever, checked and settled before anything is embedded (000 §9.2, §10 step 1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from agents.evidence.catalogue import EvidenceCatalogue
from agents.evidence.intents import Intent, classify_intent, parse_intent
from agents.evidence.paths import looks_like_file, path_tokens, resolve_path, unknown_path
from agents.evidence.symbols import likely_symbol
from memory.errors import InvalidInputError, InvalidQueryError
from memory.vector.port import Corpus

__all__ = ["MAX_TOP_K", "MIN_TOP_K", "EvidenceRequest", "SettledRequest", "checked_request", "settle_request"]

MIN_TOP_K: Final = 5
MAX_TOP_K: Final = 30
"""000 §10: beyond that the model is overfed."""
MAX_CHARS: Final = 8000


@dataclass(frozen=True, slots=True)
class EvidenceRequest:
    """The parameters of 000 §9.2; an intent that is none is classified, `top_k` is clamped."""

    query: str
    intent: str | None = None
    top_k: int = 12
    repo_scope: tuple[str, ...] = ()
    path_scope: tuple[str, ...] = ()
    commit: str | None = None
    include_tests: bool = True
    min_rank_fusion: int | None = None


@dataclass(frozen=True, slots=True)
class SettledRequest:
    """A request as it is carried out. symbol: what an API_LOOKUP is about, '' for nothing; quotas: whether both corpora
    have their share; notes: what was done other than asked.
    """

    query: str
    intent: Intent
    top_k: int
    repo_scope: tuple[str, ...]
    path_scope: tuple[str, ...]
    commit: str | None
    include_tests: bool
    min_rank_fusion: int | None
    symbol: str
    quotas: bool
    notes: tuple[str, ...]


def checked_request(
    query: Any,
    intent: Any,
    top_k: Any,
    repo_scope: Any = None,
    path_scope: Any = None,
    commit: Any = None,
    include_tests: Any = None,
    min_rank_fusion: Any = None,
) -> EvidenceRequest:
    """The request that a caller meant who checks nothing, such as a language model.

    A whole number may come as 12.0, a list as one text. Raises InvalidQueryError and InvalidInputError.
    """
    if not isinstance(query, str) or not query.strip():
        raise InvalidQueryError("The query is empty or no text.", "Ask something.")
    if len(query) > MAX_CHARS:
        raise InvalidQueryError(f"The query has {len(query)} characters; at most {MAX_CHARS} are taken.", "Shorten it.")
    if not isinstance(include_tests, bool | None):
        raise InvalidInputError(f"include_tests is {include_tests!r}.", "Say true or false.")
    least = None if min_rank_fusion is None else _whole("min_rank_fusion", min_rank_fusion)
    if least is not None and least < 1:
        raise InvalidInputError(f"min_rank_fusion is {least}.", "Ranks begin with 1.")
    return EvidenceRequest(
        query=query.encode("utf-8", "replace").decode(),  # half a surrogate pair would break the models
        intent=_text("intent", intent),
        top_k=_whole("top_k", top_k),
        repo_scope=_texts("repo_scope", repo_scope),
        path_scope=_texts("path_scope", path_scope),
        commit=_text("commit", commit) or None,
        include_tests=include_tests is not False,
        min_rank_fusion=least,
    )


def settle_request(
    request: EvidenceRequest, catalogue: EvidenceCatalogue, permission: frozenset[str]
) -> SettledRequest:
    """Intent, top_k and paths as they are used; every departure from what was asked becomes a note.

    Raises InvalidInputError for an unknown repository, and for a path that no indexed file has.
    """
    catalogue.check_repos(request.repo_scope, permission)
    intent, notes = _intent(request)
    top_k = min(max(request.top_k, MIN_TOP_K), MAX_TOP_K)
    if top_k != request.top_k:
        notes.append(f"top_k {request.top_k} clamped to {top_k}")
    paths = catalogue.resolve(request.path_scope, permission, request.repo_scope)
    notes += [
        f"path {given} read as {path}" for given, path in zip(request.path_scope, paths, strict=False) if given != path
    ]
    settled = SettledRequest(
        query=request.query,
        intent=intent,
        top_k=top_k,
        repo_scope=request.repo_scope,
        path_scope=paths,
        commit=request.commit,
        include_tests=request.include_tests,
        min_rank_fusion=request.min_rank_fusion,
        symbol=likely_symbol(request.query) if intent is Intent.API_LOOKUP else "",
        quotas=False,
        notes=tuple(notes),
    )
    if intent is Intent.TARGETED_FILE and not paths:
        settled = _targeted(settled, request, catalogue, permission)
    forced = settled.intent in {Intent.CODE_ONLY, Intent.DOCS_ONLY}
    both: frozenset[Corpus] = catalogue.corpora(permission, settled.repo_scope, settled.path_scope)
    return replace(settled, quotas=not forced and len(both) > 1)


def _intent(request: EvidenceRequest) -> tuple[Intent, list[str]]:
    given = parse_intent(request.intent)
    if given is not None:
        return given, []
    intent, words = classify_intent(request.query)
    asked = f"intent {request.intent!r} is none of the nine" if request.intent else "no intent given"
    because = f" by {words!r}" if words else ", as no rule matched"
    return intent, [f"{asked}: classified {intent.value}{because}"]


def _targeted(
    settled: SettledRequest, request: EvidenceRequest, catalogue: EvidenceCatalogue, permission: frozenset[str]
) -> SettledRequest:
    """The request on the first token of the question that is an indexed path.

    Where nobody asked for a file and the tokens need not be files ("and/or"), it is a question like any other.
    """
    tokens = path_tokens(request.query)
    paths = catalogue.paths(permission, settled.repo_scope)
    found = next((path for token in tokens if (path := resolve_path(token, paths))), None)
    if found is not None:
        return replace(settled, path_scope=(found,), notes=(*settled.notes, f"the file is {found}"))
    if parse_intent(request.intent) is Intent.TARGETED_FILE or any(map(looks_like_file, tokens)):
        raise unknown_path(tokens, paths)
    note = f"{tokens[0]!r} is no indexed path: taken as HOW_TO_IMPLEMENT"
    return replace(settled, intent=Intent.HOW_TO_IMPLEMENT, notes=(*settled.notes, note))


def _whole(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value // 1:
        raise InvalidInputError(f"{name} is {value!r}.", "Give a whole number.")
    return int(value)


def _text(name: str, value: Any) -> str | None:
    if not isinstance(value, str | None):
        raise InvalidInputError(f"{name} is {value!r}.", "Give a text.")
    return value


def _texts(name: str, value: Any) -> tuple[str, ...]:
    values: Sequence[Any] = [value] if isinstance(value, str) else value or []
    if not isinstance(values, list | tuple) or not all(isinstance(one, str) and one.strip() for one in values):
        raise InvalidInputError(f"{name} is {value!r}.", "Give a list of texts.")
    return tuple(dict.fromkeys(values))
