"""What a project's code does about failure where a question asks how it tries again: the function that does it, told."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from synthesis.extractive.features import features, told
from synthesis.extractive.statements import Claim
from synthesis.extractive.terms import terms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from synthesis.extractive.features import Feature
    from synthesis.extractive.sources import Source
    from synthesis.extractive.topic import Topic

__all__ = ["asks_how_it_retries", "retrying"]

_SIGNS: Final = ("except", "catch", "rescue", "retry")
_ASKED: Final = terms("retry back-off attempt")


def asks_how_it_retries(topic: Topic) -> bool:
    """Whether trying again is what the question is about."""
    return bool(topic.strong & _ASKED) and not topic.is_value


def retrying(sources: Sequence[Source]) -> dict[str, Claim]:
    """For each project the function that does most about failure and does try again; cited from its first line of that
    to its last.
    """
    best: dict[str, tuple[int, Claim]] = {}
    for source in sources:
        for name, found in _by_function(source).items():
            kinds = {feature.kind for feature in found}
            again = "retried" in kinds or ("catches" in kinds and kinds & {"tries", "waits"})
            if again and len(kinds) > best.get(source.project, (0, None))[0]:
                best[source.project] = (len(kinds), _claim(source, name, found))
    return {project: claim for project, (_, claim) in best.items()}


def _by_function(source: Source) -> dict[str, list[Feature]]:
    may = source.is_code and source.location and any(word in source.text for word in _SIGNS)
    does = features(source.lines) if may else []
    if not does:
        return {}
    owner = {n: p.context for p in source.passages() for n in range(p.first, p.last + 1)}
    functions: dict[str, list[Feature]] = {}
    for feature in does:
        if owner.get(feature.line):
            functions.setdefault(owner[feature.line], []).append(feature)
    return functions


def _claim(source: Source, name: str, found: Sequence[Feature]) -> Claim:
    first, last = min(f.line for f in found), max(f.line for f in found)
    text = f"`{name}` {told(found)}."
    said = f"{name} {told(found)}"
    return Claim(text, (source.citation(said, "\n".join(source.lines[first : last + 1]).strip(), first, last),))
