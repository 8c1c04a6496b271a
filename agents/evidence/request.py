"""What is asked of the evidence retriever, checked and settled before anything is embedded (000 §9.2, §10 step 1)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeGuard

from agents.evidence.catalogue import BOTH, EvidenceCatalogue, IndexedFile
from agents.evidence.intents import Intent, classify_intent, likely_symbol, parse_intent
from memory.errors import InvalidInputError
from memory.question import ParsedQuestion, clean_query, only_projects, read_question
from memory.text.output import is_encodable
from memory.vector.port import Corpus

MIN_TOP_K: Final = 5
MAX_TOP_K: Final = 30
"""000 §10: beyond that the model is overfed."""
_LARGEST: Final = 1_000_000
"""A number beyond it is taken as it: Python writes out none of thousands of digits."""
MAX_CHARS: Final = 8000
_FORCED: Final[Mapping[Intent, Corpus]] = {Intent.CODE_ONLY: "code", Intent.DOCS_ONLY: "docs"}


@dataclass(frozen=True, slots=True)
class EvidenceRequest:
    """The parameters of 000 §9.2; an intent that is none is classified, `top_k` is clamped."""

    query: str
    intent: str | None = None
    top_k: int = MAX_TOP_K
    repo_scope: tuple[str, ...] = ()
    path_scope: tuple[str, ...] = ()
    commit: str | None = None
    include_tests: bool = True
    min_rank_fusion: int | None = None


@dataclass(frozen=True, slots=True)
class SettledRequest:
    """A request as it is carried out.

    projects: where it is searched; files: those it is limited to, where the index knows them, with their paths in
    path_scope; symbol: what an API_LOOKUP is about, '' for nothing; quotas: whether both corpora can have a share;
    notes: what was done other than asked.
    """

    question: ParsedQuestion
    intent: Intent
    top_k: int
    projects: frozenset[str]
    repo_scope: tuple[str, ...]
    path_scope: tuple[str, ...]
    files: tuple[IndexedFile, ...]
    commit: str | None
    include_tests: bool
    min_rank_fusion: int | None
    symbol: str
    quotas: bool
    notes: tuple[str, ...]

    @property
    def query(self) -> str:
        """The question as it was asked."""
        return self.question.text

    @property
    def corpus(self) -> Corpus | None:
        """The only corpus that is wanted."""
        return _FORCED.get(self.intent)

    def holds(self, project: str, path: str) -> bool:
        """Whether a file is among those that the request is limited to."""
        return not self.files or (project, path) in self.files


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
    if not isinstance(include_tests, bool | None):
        raise InvalidInputError(f"include_tests is {include_tests!r}.", "Say true or false.")
    least = None if min_rank_fusion is None else _whole("min_rank_fusion", min_rank_fusion)
    if least is not None and least < 1:
        raise InvalidInputError(f"min_rank_fusion is {least}.", "Ranks begin with 1.")
    return EvidenceRequest(
        query=clean_query(query, MAX_CHARS),
        intent=_text("intent", intent),
        top_k=_whole("top_k", top_k),
        repo_scope=_texts("repo_scope", repo_scope),
        path_scope=_texts("path_scope", path_scope),
        commit=_text("commit", commit) or None,
        include_tests=include_tests is not False,
        min_rank_fusion=least,
    )


def settle_request(
    request: EvidenceRequest,
    catalogue: EvidenceCatalogue,
    permission: frozenset[str],
) -> SettledRequest:
    """Intent, projects, files and top_k as they are used; every departure from what was asked becomes a note.

    Any text is a question: a path in it that is not indexed is text like the rest.

    Args:
        request: what was asked.
        catalogue: what is indexed.
        permission: the projects that may be seen.

    Raises:
        InvalidInputError: repo_scope or path_scope names something that is not indexed.
    """
    catalogue.check_repos(request.repo_scope, permission)
    question = read_question(request.query)
    intent, notes = _intent(request, question)
    projects = catalogue.of_repos(request.repo_scope, permission) if request.repo_scope else permission
    if limited := only_projects(question, projects):
        projects = limited
        notes.append(f"only in {', '.join(sorted(limited))}, as the question says")
    elif question.only_in and only_projects(question, permission):
        notes.append(f"{question.only_in!r} is outside repo_scope: looked for in that")
    elif question.only_in:
        where = "repo_scope" if request.repo_scope else "all"
        notes.append(f"{question.only_in!r} names no indexed project: looked for in {where}")
    known = projects & catalogue.projects.keys()
    files: tuple[IndexedFile, ...] = ()
    if intent is Intent.TARGETED_FILE and not request.path_scope:
        files = next((own for path in question.paths if (own := catalogue.find(path, known))), ())
        if not files:
            intent = Intent.HOW_TO_IMPLEMENT
            notes.append(_no_file(request, question.paths, catalogue, known))
    top_k = min(max(request.top_k, MIN_TOP_K), MAX_TOP_K)
    if top_k != request.top_k:
        notes.append(f"top_k {request.top_k} clamped to {top_k}")
    if request.path_scope and catalogue.has_files(permission & catalogue.projects.keys()):
        found = catalogue.resolve(request.path_scope, known)
        notes += [f"path {given} read as {own[0][1]}" for given, own in found.items() if own[0][1] != given]
        files = tuple(dict.fromkeys(one for own in found.values() for one in own))
    elif files:
        notes.append(f"the file is {files[0][1]}")
    intent, said = _limited(intent, question, catalogue.corpora(known, files) if files else BOTH)
    notes += said
    return SettledRequest(
        question=question,
        intent=intent,
        top_k=top_k,
        projects=frozenset(project for project, _ in files) or projects,
        repo_scope=request.repo_scope,
        path_scope=tuple(dict.fromkeys(path for _, path in files)) or request.path_scope,
        files=files,
        commit=request.commit,
        include_tests=request.include_tests,
        min_rank_fusion=request.min_rank_fusion,
        symbol=likely_symbol(question) if intent is Intent.API_LOOKUP and catalogue.has_symbols else "",
        quotas=intent not in _FORCED and len(catalogue.corpora(known, files)) > 1,
        notes=tuple(notes),
    )


def _intent(request: EvidenceRequest, question: ParsedQuestion) -> tuple[Intent, list[str]]:
    given = parse_intent(request.intent)
    if given is not None:
        return given, []
    intent, words = classify_intent(question)
    asked = f"intent {request.intent!r} is none of the nine" if request.intent else "no intent given"
    because = f" by {words!r}" if words else ", as no rule matched"
    return intent, [f"{asked}: classified {intent.value}{because}"]


def _limited(intent: Intent, question: ParsedQuestion, corpora: frozenset[Corpus]) -> tuple[Intent, list[str]]:
    """The intent of a question that limits itself to a corpus, where what it may search has that; notes of it."""
    if intent in _FORCED:
        corpus = _FORCED[intent]
        return intent, [] if corpus in corpora else [f"path_scope has no {corpus}: {intent} finds nothing in it"]
    kind = question.only_kind
    if not question.only_in or not kind:
        return intent, []
    if kind not in corpora:
        return intent, [f"what is meant has no {kind}: 'only … {kind}' is passed over"]
    if intent is Intent.TARGETED_FILE and corpora == {kind}:
        return intent, []
    forced = Intent.CODE_ONLY if kind == "code" else Intent.DOCS_ONLY
    return forced, [f"{forced} by 'only … {kind}'"]


def _no_file(
    request: EvidenceRequest, paths: Sequence[str], catalogue: EvidenceCatalogue, projects: frozenset[str]
) -> str:
    what = f"{paths[0]!r} {catalogue.why_not(paths[0], projects)}" if paths else "the question names no file"
    wanted = paths and parse_intent(request.intent) is Intent.TARGETED_FILE
    near = f"; nearest: {catalogue.nearest(paths[0], projects)}" if wanted else ""
    return f"{what}: taken as HOW_TO_IMPLEMENT{near}"


def _whole(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value // 1:
        raise InvalidInputError(f"{name} is {value!r}.", "Give a whole number.")
    return max(-_LARGEST, min(int(value), _LARGEST))


def _text(name: str, value: Any) -> str | None:
    if value is not None and not _is_text(value):
        raise InvalidInputError(f"{name} is {value!r}.", "Give a text.")
    return value


def _is_text(value: object) -> TypeGuard[str]:
    """Whether it can be stored and sent: half of a pair can't."""
    return isinstance(value, str) and is_encodable(value)


def _texts(name: str, value: Any) -> tuple[str, ...]:
    values = [value] if isinstance(value, str) else [] if value is None else value
    if not isinstance(values, list | tuple) or not all(_is_text(one) and one.strip() for one in values):
        raise InvalidInputError(f"{name} is {value!r}.", "Give a list of texts.")
    return tuple(dict.fromkeys(values))
