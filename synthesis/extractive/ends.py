"""The ends of a relation as a question has them: which it names, and which way it asks."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

from memory.text import split_identifier
from synthesis.extractive.statements import verb
from synthesis.terms import stem, terms

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memory.entities import Entity
    from synthesis.extractive.sources import CitedEdge
    from synthesis.extractive.weighted_question import WeightedQuestion

_BE: Final = frozenset({"is", "are", "was", "were", "be", "being", "gets", "get"})
_PARTICIPLES: Final = frozenset({"sent", "written", "read", "built", "made", "run", "set"})
_CLOSE: Final = 2


def words_naming(asked: WeightedQuestion, entity: Entity) -> frozenset[int]:
    """Which of the question's words are an entity's name, but for what it is: `payment` is `payment-service`."""
    path = entity.name.partition(" ")[2]
    name = path if path.startswith("/") and asked.names_file(path) else entity.name  # whatever its method
    parts = [stem(part) for part in split_identifier(name)]
    needed = [part for part in parts if part != stem(entity.kind)] or parts
    joined = "".join(split_identifier(name))
    wholes = {stem(joined), "".join(needed), stem(f"{joined}{entity.kind}")}
    as_one = [place for place, word in enumerate(asked.words) if word.whole in wholes]
    asked_terms = {word.whole for word in asked.words}
    if as_one or not parts or not asked_terms.issuperset(needed):
        return frozenset(as_one)
    return frozenset(place for place, word in enumerate(asked.words) if word.whole in needed)


def words_naming_end(asked: WeightedQuestion, end: Entity, *, between: bool) -> tuple[frozenset[int], bool]:
    """Which of the question's words name an end, and whether that is no more than its project.

    between: it leads to or from another project: what a project does to another, it does by something in it.
    """
    own = words_naming(asked, end)
    if not between or not asked.names(end.project):
        return own, False
    project = frozenset(asked.places(terms(end.project)))
    return own or project, own in {frozenset(), project}


def agreement(asked: WeightedQuestion, edges: Sequence[CitedEdge], own: frozenset[int], *, before: bool) -> int:
    """Whether the words around the end that is named stand where the relation has them: behind what it starts from, in
    front of what it leads to. Its own verb decides where the question has it, else the words that are no names.
    """
    ends = [edges[0].relation.source, edges[-1].relation.target]
    names = terms(" ".join(f"{end.name} {end.kind} {end.project}" for end in ends))
    types = {edge.relation.type for edge in edges}
    verbs = asked.places(frozenset().union(*map(terms, map(verb, types))) - names | asked.verbs_of(types))
    others = verbs or [n for n, word in enumerate(asked.words) if n not in own and word.held(names | _showing()) == 0.0]
    behind, ahead = any(n > max(own) for n in others), any(n < min(own) for n in others)
    if behind == ahead:
        return 0
    return 1 if (behind != (_is_agent(asked, own) or _is_acted_on(asked, own))) == before else -1


@cache
def _showing() -> frozenset[str]:
    """Words that ask for a thing itself, and for nothing that leads to it."""
    return terms("show code explain describe definition implementation")


def _is_agent(asked: WeightedQuestion, own: frozenset[int]) -> bool:
    """Whether `by` precedes a name: what acts follows its verb."""
    return any("by" in before[-2:] for before, _ in _around(asked, own))


def _is_acted_on(asked: WeightedQuestion, own: frozenset[int]) -> bool:
    """Whether a name is between `is` and a participle: "where is X published?" asks who does it."""
    return any(
        not _BE.isdisjoint(before[-_CLOSE:]) and any(_is_participle(token) for token in behind[:_CLOSE])
        for before, behind in _around(asked, own)
    )


def _is_participle(token: str) -> bool:
    return token.endswith("ed") or token in _PARTICIPLES


def _around(asked: WeightedQuestion, own: frozenset[int]) -> list[tuple[list[str], list[str]]]:
    """The tokens before a name and behind it, wherever it stands."""
    tokens = [word.text.lower() for word in asked.question.words]
    names = frozenset().union(*({asked.words[place].whole} for place in own))
    return [(tokens[:n], tokens[n + 1 :]) for n, token in enumerate(tokens) if terms(token) & names]
