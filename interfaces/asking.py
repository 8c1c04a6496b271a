"""What the doors for language models share: arguments checked, the permission narrowed, a result made small.
A limit in the question itself ("only show code from billing") is the orchestrator's to read, whichever door it comes
through.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from memory.errors import HybridRetrievalError, InvalidInputError, UnknownProjectError
from memory.text.output import shortened

if TYPE_CHECKING:
    from memory.attempt import Attempt
    from orchestrator.result import HybridResult
    from synthesis import Citation

MOST_CHARS: Final = 12_000
"""How long a result may be, as JSON: a model has to read it."""
LONGEST_ERROR: Final = 1_500
"""How much of what went wrong is said: it may quote an argument."""
_MOST_EVIDENCE, _EVIDENCE_CHARS = 6, 1_000
_NAMED = 5
NAME_CHARS = 90
_ROOM_FOR_NAMES = _NAMED * NAME_CHARS + 100
_ANSWER_SHARE = 0.5


def narrowed(only: object, allowed: frozenset[str] | None, indexed: frozenset[str]) -> frozenset[str] | None:
    """What may be seen, narrowed to what was asked for. None: whatever is indexed.

    allowed: what the door's owner set, None for all. Raises UnknownProjectError, which lists what may be seen, and
    InvalidInputError.
    """
    visible = indexed if allowed is None else allowed
    if only is None or only == []:
        return allowed
    if not isinstance(only, list) or not all(isinstance(name, str) for name in only):
        raise InvalidInputError(f"only_projects is {only!r}.", "Give a list of names.")
    for name in only:
        if name not in visible:
            raise UnknownProjectError(name, visible)
    return frozenset(only)


def permitted(only: object, allowed: frozenset[str] | None, indexed: frozenset[str]) -> frozenset[str]:
    """The indexed projects that a call may touch; arguments and errors are those of `narrowed`."""
    permission = narrowed(only, allowed, indexed)
    return indexed if permission is None else permission & indexed


def question_context(
    question: object, current: object, only: object, allowed: frozenset[str] | None, indexed: frozenset[str]
) -> dict[str, Any]:
    """The context to ask a question in; raises as `narrowed`, and InvalidInputError for a value of another type."""
    if not isinstance(question, str):
        raise InvalidInputError(f"question is a value of type {type(question).__name__}.", "Give a text.")
    if not (current is None or isinstance(current, str)):
        raise InvalidInputError(f"current_project is {current!r}.", "Give a project's name.")
    permission = narrowed(only, allowed, indexed)
    if permission is None:
        return {"project": current or None}
    visible = indexed if allowed is None else allowed
    elsewhere = current in visible - permission  # the project in hand, but not one that is asked about
    return {"project": None if elsewhere else current or None, "allowed_projects": permission}


def error_of(done: Attempt) -> dict[str, Any]:
    """What went wrong, for a model to read."""
    error = done.error
    if isinstance(error, HybridRetrievalError):
        message, hint = shortened(error.message, LONGEST_ERROR), shortened(error.hint, LONGEST_ERROR)
        return {"error": {"code": error.code, "message": message, "hint": hint}}
    return {"error": {"code": "error", "message": done.reason or "", "hint": "Go on without, and say so."}}


def compact_result(result: HybridResult, most_chars: int = MOST_CHARS) -> dict[str, Any]:
    """A result as small as a model needs it: plain values, at most `most_chars` as JSON, and what was left out."""
    text, most_text = result.answer.text, int(most_chars * _ANSWER_SHARE)
    small: dict[str, Any] = {
        "status": result.status,
        "answer": text[:most_text],
        "answered_by": result.answer.answerer,
        "missing": [],
        "citations": [],
        "conflicts": [],
        "projects": list(result.scope.scope.names)[:_MOST_EVIDENCE],
        "agents": {outcome.agent: outcome.status for outcome in result.coverage.agents},
        "evidence": [],
        "changed": result.metrics.changed,
        "left_out": [f"the answer's end, {len(text) - most_text} characters"] if len(text) > most_text else [],
    }
    fit(small, "missing", [(one, one) for one in result.missing], most_chars)
    fit(small, "citations", [(citation.marker, _citation(citation)) for citation in result.citations], most_chars)
    conflicts = [conflict.question or conflict.reason for conflict in result.conflicts]
    fit(small, "conflicts", [(text, text) for text in conflicts], most_chars)
    if result.status != "not_found":
        from synthesis import format_observation  # noqa: PLC0415 - an editor's window opens without it

        texts = [format_observation(o)[:_EVIDENCE_CHARS] for o in result.observations[:_MOST_EVIDENCE]]
        fit(small, "evidence", [(text.partition("\n")[0], text) for text in texts], most_chars)
    return small


def _citation(citation: Citation) -> dict[str, Any]:
    at = citation.location
    return {
        "marker": citation.marker,
        "project": at.project if at else None,
        "path": at.path if at else None,
        "lines": f"{at.start_line}-{at.end_line}" if at else None,
        "located": citation.located,
        "supported": citation.supported,
        "verified": citation.verified,
        "stale": citation.stale,
        **({} if citation.verified else {"reason": citation.reason}),
    }


def fit(document: dict[str, Any], key: str, rows: Iterable[tuple[str, Any]], most_chars: int) -> None:
    """Put under `key` those of the named rows, best first, with which the document stays within `most_chars` as JSON.

    One that does not fit is passed over and the next is tried; `left_out` says how many were, and the first ones'
    names.
    """
    room = most_chars - length(document) - _ROOM_FOR_NAMES
    kept, left = [], []
    for name, row in rows:
        cost = length(row) + 2
        if cost <= room:
            kept.append(row)
            room -= cost
        else:
            left.append(shortened(name, NAME_CHARS))
    document[key] = kept
    if left:
        more = f" and {len(left) - _NAMED} more" if len(left) > _NAMED else ""
        share = f"{len(left)} of {len(left) + len(kept)}"
        document["left_out"].append(f"{key}, {share} for want of room: {', '.join(left[:_NAMED])}{more}")


def length(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False))
