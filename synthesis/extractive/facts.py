"""Relations that cover the question: which of them answer, and from which end they are asked for."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from memory.entities import OWNING, STRUCTURAL
from memory.text import is_test
from synthesis.extractive.ends import agreement, words_naming, words_naming_end
from synthesis.extractive.statements import verb
from synthesis.terms import terms

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from memory.entities import Entity
    from synthesis.extractive.sources import CitedEdge
    from synthesis.extractive.weighted_question import WeightedQuestion

COVERS: Final = 0.5
"""The share of the question that a relation has to hold to answer it."""
COVERS_BOTH: Final = 0.35
"""The same where the question names both its ends."""
_NEAR: Final = 0.9
_RELATED: Final = 0.15
_NEAR_RELATED: Final = 0.7
_MOST_RELATED: Final = 8
_STEPS: Final = 3
_WEAK: Final = frozenset({"IMPORTS"})
_SETTINGS: Final = frozenset({"READS"})


@dataclass(frozen=True, slots=True)
class Fact:
    """A relation, or a way over several, and how it meets the question.

    coverage: the share (0..1) of the question that its sentence holds; asks_source, asks_target: whether the question
    names these ends; inside_source, inside_target: whether it names no more of them than their project; is_idle:
    whether it covers too little to answer, or is an import and nothing asks for imports; agrees: 1 where the question's
    words stand in the relation's order, -1 where in the other, 0 where they tell nothing; beyond: the share of the
    question that its sentence holds beside the names of its ends; answers: whether these are the very steps that the
    question asks for.
    """

    edges: tuple[CitedEdge, ...]
    coverage: float
    asks_source: bool
    asks_target: bool
    agrees: int
    is_idle: bool = False
    beyond: float = 0.0
    answers: bool = False
    inside_source: bool = False
    inside_target: bool = False

    @property
    def names_source(self) -> bool:
        """Whether the question names what it starts from itself."""
        return self.asks_source and not self.inside_source

    @property
    def names_target(self) -> bool:
        """Whether the question names what it leads to itself."""
        return self.asks_target and not self.inside_target

    @property
    def is_among_projects(self) -> bool:
        """Whether it says of a project what it does to another, whichever things in them do it."""
        return self.inside_target or not self.answers

    @property
    def source(self) -> Entity:
        """Where it starts."""
        return self.edges[0].relation.source

    @property
    def target(self) -> Entity:
        """Where it ends."""
        return self.edges[-1].relation.target

    @property
    def type(self) -> str:
        """The relation's type; of a way, the last's."""
        return self.edges[-1].relation.type


def facts_of(asked: WeightedQuestion, chains: Iterable[Sequence[CitedEdge]]) -> list[Fact]:
    """Each relation once, the one that holds most of the question first; a way over several counts as one.

    What makes a service do something is left out where the same line proves it of the service.
    """
    found: dict[tuple[object, ...], Fact] = {}
    for chain in chains:
        metadata = chain[0].observation.metadata
        if "listed" in metadata:
            among = metadata["listed"] == "projects"
            found |= {(*edge.relation.ends,): _listed(edge, among=among) for edge in chain}
            continue
        answers = "answers" in metadata
        for edges in [tuple(chain)] if answers or is_way(chain) else [(edge,) for edge in chain]:
            if not answers and any(_says_little(edge) for edge in edges):
                continue
            fact = _step(edges) if answers else _fact(asked, edges)
            key = tuple((*edge.relation.ends, edge.location) for edge in edges)
            if key not in found or found[key].coverage < fact.coverage:
                found[key] = fact
    by_service = {_shown(fact) for fact in found.values() if fact.source.kind == "service"}
    kept = [f for f in found.values() if f.source.kind == "service" or _shown(f) not in by_service]
    beyond = {_act(fact): fact.target.name for fact in kept if fact.target.project not in {"", fact.source.project}}
    kept = [f for f in kept if f.target.project != f.source.project or not _is_there_too(f, beyond.get(_act(f)))]
    if not any(fact.asks_source and fact.asks_target for fact in kept):
        kept += [_fact(asked, way) for way in _ways(asked, [f.edges[0] for f in kept if len(f.edges) == 1])]
    spelt = {word.text for word in asked.question.words}
    folded = {text.casefold() for text in spelt}

    def is_spelt_otherwise(fact: Fact) -> bool:  # `cartservice` is not `CartService`
        return any(end.name not in spelt and end.key in folded for end in (fact.source, fact.target))

    return sorted(kept, key=lambda f: (-f.coverage, is_test(f.edges[0].relation.path), is_spelt_otherwise(f)))


def answering(facts: Sequence[Fact], projects: Collection[str] = ()) -> list[Fact]:
    """The facts that answer: they cover the question, name one of its things, and run in the direction that is asked.

    Of those that name both ends, or run as asked, the others are left out. Where the question names projects, what is
    of none of them says of others what is asked of these.
    """
    steps = [fact for fact in facts if fact.answers]
    if steps:
        return steps
    named = [f for f in facts if (f.asks_source or f.asks_target) and not f.is_idle]
    if projects:
        named = [fact for fact in named if _concerns(fact, projects)]
    both = [f for f in named if f.asks_source and f.asks_target and f.source.id != f.target.id]
    if any(fact.type not in OWNING for fact in both):  # who says whose a thing is asks for something else of it
        return both
    best = max((fact.coverage for fact in named), default=0.0)
    kept = [fact for fact in named if fact.coverage >= _NEAR * best]
    agreed = max((fact.agrees for fact in kept), default=0)
    return [fact for fact in kept if fact.agrees == agreed >= 0]


def related(facts: Sequence[Fact], projects: Collection[str]) -> list[Fact]:
    """The facts of these projects that speak of what the question names, where none answers:
    those that hold most of it.
    """
    named = [f for f in facts if f.asks_target or (f.asks_source and f.type not in _SETTINGS)]
    kept = [f for f in named if f.coverage >= _RELATED and f.type not in _WEAK]
    kept = [f for f in kept if (edge := f.edges[0].relation).project in projects and not is_test(edge.path)]
    best = max((fact.coverage for fact in kept), default=0.0)
    kept = [fact for fact in kept if fact.coverage >= _NEAR_RELATED * best]
    steps = {edge for fact in kept if len(fact.edges) > 1 for edge in fact.edges}
    return [fact for fact in kept if len(fact.edges) > 1 or fact.edges[0] not in steps][:_MOST_RELATED]


def _concerns(fact: Fact, projects: Collection[str]) -> bool:
    """Whether it leads through one of these projects, or through what is called like one where it is deployed."""
    ends = [end for edge in fact.edges for end in (edge.relation.source, edge.relation.target)]
    return any(end.project in projects or end.name in projects for end in ends)


def _says_little(edge: CitedEdge) -> bool:
    """Whether a relation says nothing of use: where a thing stands, or that a worker takes the jobs called like it."""
    relation = edge.relation
    source, target = relation.source, relation.target
    return relation.type in STRUCTURAL or (source.name == target.name and target.project in {"", source.project})


def _shown(fact: Fact) -> tuple[object, ...]:
    return fact.edges[0].location, fact.type, fact.target.label


def _act(fact: Fact) -> tuple[object, ...]:
    """Who does what at which line."""
    return fact.source.id, fact.type, len(fact.edges), fact.edges[0].location


def _is_there_too(fact: Fact, beyond: str | None) -> bool:
    """Whether the same act leads to what another project has under the name; a project's own stands for it as well."""
    return beyond is not None and (beyond == fact.target.name or fact.target.kind == "remote_endpoint")


def is_way(chain: Sequence[CitedEdge]) -> bool:
    """Whether several relations lead on from one to the next."""
    steps = pairwise(chain)
    return len(chain) > 1 and all(one.relation.target.id == two.relation.source.id for one, two in steps)


def _ways(asked: WeightedQuestion, edges: Sequence[CitedEdge]) -> list[tuple[CitedEdge, ...]]:
    """The shortest way over these relations from one thing that the question names to another;
    none where none leads there.
    """
    naming = {end.id: words_naming(asked, end) for e in edges for end in (e.relation.source, e.relation.target)}
    ways: list[tuple[CitedEdge, ...]] = [(edge,) for edge in edges if naming[edge.relation.source.id]]
    for _ in range(_STEPS):
        ways = [
            (*way, edge)
            for way in ways
            for edge in edges
            if edge.relation.source.id == way[-1].relation.target.id
            and edge.relation.target.id not in {step.relation.source.id for step in way}
        ]
        found = [
            w for w in ways if (end := naming[w[-1].relation.target.id]) and not end & naming[w[0].relation.source.id]
        ]
        if found:
            return found[:1]
    return []


def _step(edges: tuple[CitedEdge, ...]) -> Fact:
    """What the question asks for step by step; its last step names what the question names."""
    return Fact(edges, coverage=1.0, asks_source=False, asks_target=True, agrees=1, beyond=1.0, answers=True)


def _listed(edge: CitedEdge, *, among: bool) -> Fact:
    """One of all the relations of a project for which the question asks.

    among: it asks how projects relate to one another.
    """
    return Fact(
        (edge,),
        1.0,
        asks_source=True,
        asks_target=False,
        agrees=1,
        answers=True,
        inside_source=True,
        inside_target=among,
    )


def _fact(asked: WeightedQuestion, edges: tuple[CitedEdge, ...]) -> Fact:
    source, target = edges[0].relation.source, edges[-1].relation.target
    coverage = asked.share(_sentence(asked, edges))
    given = edges[0].observation.metadata.get("coverage")
    stated = float(given) if isinstance(given, int | float) else coverage
    if is_test(edges[0].relation.path):  # its name is a sentence, which says nothing of what it tests
        stated = min(stated, asked.share(_sentence(asked, edges, of_source=False)))
    between = source.project != target.project
    of_source, inside_source = words_naming_end(asked, source, between=between)
    of_target, inside_target = words_naming_end(asked, target, between=between)
    if of_source == of_target:
        of_target = frozenset()  # one word of the question cannot name both
    agrees = 0
    if bool(of_source) != bool(of_target):
        agrees = agreement(asked, edges, of_source or of_target, before=bool(of_source))
    idle = any(edge.relation.type in _WEAK for edge in edges) and not terms("imports") & asked.terms
    needed = COVERS_BOTH if of_source and of_target else COVERS
    named = frozenset(asked.words[place].whole for place in of_source | of_target)
    beyond = coverage - asked.share(named)
    return Fact(
        edges,
        coverage,
        bool(of_source),
        bool(of_target),
        agrees,
        idle or stated < needed,
        beyond,
        inside_source=inside_source and bool(of_source),
        inside_target=inside_target and bool(of_target),
    )


def _sentence(asked: WeightedQuestion, edges: Sequence[CitedEdge], *, of_source: bool = True) -> frozenset[str]:
    """The terms of what relations state, with the verbs by which the question asks for such relations."""
    types = {edge.relation.type for edge in edges}
    phrases = [f"{verb(type_)} {type_.replace('_', ' ')}" for type_ in types]
    ends = [end for edge in edges for end in (edge.relation.source, edge.relation.target)][not of_source :]
    named = [f"{end.kind} {end.name} {end.project}" for end in ends]
    return terms(" ".join([*phrases, *named])) | asked.verbs_of(types)
