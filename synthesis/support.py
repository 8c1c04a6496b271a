"""Whether the cited lines bear a sentence that somebody else wrote (docs/design.md#citations).

Our own statements are made from their lines; a language model's are not, so more is asked of them. What they quote has
to stand in the lines (`misquoted`). What they say has to be what the lines or the relation say (`check_support`): their
names, numbers with units, denials, the relation's type and direction, and most of the words that are left. Markers side
by side bear their sentence together.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from string import ascii_uppercase
from typing import TYPE_CHECKING, Final

from memory.entities import VERBS, Relationship, sentence
from memory.observations import Location
from memory.text.units.code import indent
from synthesis.answer import parse_markers
from synthesis.literals import NUMBERS, QUOTED, literals, misnumbered, says
from synthesis.polarity import DENIALS, contradicted
from synthesis.relating import misstated, verbs_of
from synthesis.terms import terms, tokens
from synthesis.verification import edge_named, proofs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memory.files import FileText
    from memory.observations import NormalizedObservation
    from synthesis.answer import Citation


COMMON: Final = 0.2
"""The share of a sentence's terms that its lines have to have, all markers of the sentence together; it is invented
where no more of its words, but for names, are known to the lines, what is around them or the relation.
"""
_FEW: Final = 3
_BASE: Final = 5
_WORDS: Final = """
    take takes taken go goes make makes made get gets give gives given come comes put keep
    keeps because since although whenever after before another between behind against across along among instead
"""
_LIGHT: Final = frozenset(_WORDS.split())
"""Words that say little by themselves, beside those that no term is made of."""
_SELF_NAMES: Final = {"self", "cls", "this"}  # what follows one of these is a line of code, not a member's name
_NAME = re.compile(r"(?<![\w/])[^\W\d]\w*(?:-\w+)*")
_HUMP = re.compile(r"[^\WA-Z\d_][A-Z]|[A-Z]{2}[a-z]{2}|\d[A-Z][a-z]|(?<=\w)_(?=\w)")
_CONTRACTED = re.compile(r"n['\u2019]t\b")
_VERBS = "|".join(verb.split()[0] for verb in VERBS.values())
_ACTS = re.compile(rf"\s+(?:is|are|was|were|has|gets|does|can|may|must|will|{_VERBS})\b")
_OPENS = re.compile(r"(?:^|[.:;!?]\s+|[(\n*•-]\s*)$")


@dataclass(frozen=True, slots=True)
class CitedEvidence:
    """What one marker leads to: the text of its lines, the names it goes by (path, project, symbol), what else its
    source says around the lines, and the relations it proves.
    """

    text: str
    named: str = ""
    around: str = ""
    relations: tuple[Relationship, ...] = ()


def misquoted(claim: str, evidence: list[CitedEvidence]) -> str | None:
    """What a sentence quotes and its lines do not say, as a reason; None when they say all of it."""
    text = " ".join(one.text for one in evidence)
    named = " ".join(one.named for one in evidence)
    around = " ".join(part for one in evidence for part in (one.text, one.named, one.around))
    lacking = [literal for literal in literals(claim) if not _occurs(literal, text, named, around)]
    return f"the cited lines do not say {lacking[0]}" if lacking else None


def check_support(claim: str, evidence: list[CitedEvidence]) -> list[str | None]:
    """For each marker of a sentence why it does not bear it, None where it does."""
    claim = _CONTRACTED.sub(" not", claim)
    text = " ".join(one.text for one in evidence)
    relations = [edge for one in evidence for edge in one.relations]
    around = " ".join(part for one in evidence for part in (one.text, one.named, one.around))
    fault = (
        _stranger(claim, around, related=bool(relations))
        or misnumbered(QUOTED.sub(" ", claim), text, len(evidence))
        or misstated(claim, relations, text)
        or _denied(claim, text, relations)
        or _invented(claim, around, relations)
    )
    if fault:
        return [fault] * len(evidence)
    wanted = terms(claim)
    return [_apart(wanted, one, len(evidence)) for one in evidence]


def _apart(wanted: frozenset[str], one: CitedEvidence, markers: int) -> str | None:
    shared = len(wanted & terms(f"{one.text} {one.named}"))
    return "the cited lines speak of something else" if shared < COMMON * len(wanted) / markers else None


def _stranger(claim: str, around: str, *, related: bool) -> str | None:
    """A name that is known nowhere around: one as code writes it, or a word with a capital that opens no sentence.

    related: a relation is cited, so what opens the sentence and does something is looked up too.
    """
    plain, known = QUOTED.sub(" “ ", claim), terms(around)
    for match in _NAME.finditer(plain):
        name = match[0]
        if _HUMP.search(name):
            base = name.rstrip(ascii_uppercase)  # `postgres` knows PostgreSQL
            lacks = not says(around, name) and not (_BASE <= len(base) < len(name) and base.lower() in around.lower())
        else:
            opens = _OPENS.search(plain, 0, match.start()) and not (related and _ACTS.match(plain, match.end()))
            named = name[0].isupper() and len(name) > 1 and not opens
            lacks = named and bool(terms(name)) and not _is_known(name, known, around)
        if lacks:
            return f"the cited lines do not know {name}"
    return None


def _is_known(name: str, known: frozenset[str], around: str) -> bool:
    """By itself, by its first word (`timed-out`),
    or in another name where it is an abbreviation (`API` in `openapi`).
    """
    name = name[:-1] if name.endswith("s") and name[:-1].isupper() else name
    first = terms(name.partition("-")[0])
    return not known.isdisjoint({token.whole for token in tokens(name)}) or (
        (bool(first) and first <= known) or (name.isupper() and name.casefold() in around.casefold())
    )


def _denied(claim: str, text: str, relations: list[Relationship]) -> str | None:
    sentences = " ".join(f"{sentence(edge)} {' '.join(verbs_of(edge.type))}" for edge in relations)
    word = contradicted(claim, f"{sentences}\n{text}")
    return f"the cited lines say the opposite of “{word}”" if word else None


def _invented(claim: str, around: str, relations: list[Relationship]) -> str | None:
    sentences = " ".join(sentence(edge) for edge in relations)
    known = terms(f"{around} {sentences}").union(*(verbs_of(edge.type) for edge in relations))
    plain = [word for word in _NAME.findall(claim) if not _HUMP.search(word)]
    words = {term for word in plain if word.lower() not in _LIGHT | DENIALS | NUMBERS.keys() for term in terms(word)}
    lacking = sorted(word for word in words if word.isalpha() and not _has(known, word))
    if len(lacking) < _FEW or len(words) - len(lacking) > COMMON * len(words):
        return None
    return f"the cited lines say nothing of {', '.join(lacking[:_FEW])}"


def _has(known: frozenset[str], word: str) -> bool:
    """Whether a word, one of its family (`register`, `registration`) or what code shortens it to (`doc`,
    `dict`) is known.
    """
    return word in known or any(
        (len(other) > 2 and word.startswith(other)) or (len(word) > 5 and other.startswith(word[:5])) for other in known
    )


def _occurs(literal: str, text: str, named: str, around: str) -> bool:
    """A call may be named with its brackets, the lines by their own name,
    and a member with its owner, who is written further up.
    """
    bare = literal.strip().removesuffix("()")
    if says(text, literal) or says(text, bare):
        return True
    owner, _, member = bare.rpartition(".")
    if not bare.replace(".", "").isidentifier() or owner in _SELF_NAMES:
        return False
    return says(named, bare) or (bool(owner) and says(f"{text} {named}", member) and says(around, owner))


def labels(observation: NormalizedObservation) -> set[str]:
    """What an observation's entities may be called, with their project and without."""
    ends = [end for edge in observation.relationships for end in (edge.source, edge.target)]
    named = {end.name for end in ends}
    own = [name for name in observation.entities_mentioned if name not in named]
    projects = {observation.source_project, *(at.project for at in observation.locations)}
    found = {end.label for end in ends} | {f"{project}/{name}" for project in projects for name in own}
    return found | {*observation.entities_mentioned}


async def evidence_of(
    citation: Citation, observations: Sequence[NormalizedObservation], files: FileText
) -> CitedEvidence:
    """The lines behind a citation that is sound, the definitions around them,
    and the whole piece they were found in.
    """
    if citation.marker.startswith("[graph:"):
        return await _graph_evidence(citation, observations, files)
    observation = next(o for o in observations if o.id == citation.observation_id)
    at = citation.location
    lines = await files.lines(at) if at else None
    text = observation.content if lines is None else "\n".join(lines)
    symbol = str(observation.metadata.get("symbol") or "")
    named = [citation.marker, observation.source_project or "", symbol, *observation.entities_mentioned]
    if at and lines:
        named += await _above(at, lines, files)
    return CitedEvidence(text, "\n".join(named), observation.content)


async def _graph_evidence(
    citation: Citation, observations: Sequence[NormalizedObservation], files: FileText
) -> CitedEvidence:
    """All that the graph's observations say of an entity, or of the relations between these two."""
    [marker] = parse_markers(citation.marker)
    steps, texts, named, spots = list(pairwise(marker.names)), list[str](), [citation.marker], list[Location]()
    relations: list[Relationship] = []
    for observation in observations:
        edges = [e for e in observation.relationships if not steps or any(edge_named(e, *step) for step in steps)]
        if observation.kind != "graph" or not (edges if steps else marker.names[0] in labels(observation)):
            continue
        texts += [observation.content, *(evidence.says for edge in edges for evidence in edge.own_evidence)]
        relations += edges
        spots += [place for edge in edges for place in proofs(edge)]
        spots += [] if steps else _own_places(observation, marker.names[0])
        named += [end.label for edge in edges for end in (edge.source, edge.target)]
    for place in dict.fromkeys(spots):
        lines = await files.lines(place) or []
        texts += lines
        named += await _above(place, lines, files)
    return CitedEvidence("\n".join(texts), "\n".join(named), relations=tuple(relations))


def _own_places(observation: NormalizedObservation, name: str) -> list[Location]:
    """Where an entity itself is, not what it is related to."""
    ends = [end for edge in observation.relationships for end in (edge.source, edge.target)]
    own = [end for end in ends if name in {end.label, end.name} and end.path]
    found = [Location(end.project, end.path, end.start_line, end.end_line) for end in own]
    return found or [*observation.locations]


async def _above(at: Location, lines: Sequence[str], files: FileText) -> list[str]:
    if at.start_line == 1:
        return []
    above = await files.lines(Location(at.project, at.path, 1, at.start_line - 1))
    return _opened(above or [], lines)


def _opened(above: Sequence[str], lines: Sequence[str]) -> list[str]:
    """The lines above that are less and less indented:
    what opens the classes and functions that these lines stand in.
    """
    found: list[str] = []
    depth = min((indent(line) for line in lines if line.strip()), default=0)
    for line in reversed(above):
        if depth == 0:
            break
        if line.strip() and indent(line) < depth:
            closes = line.lstrip()[0] in ")]}"  # of a signature over several lines: what it closes is as far in
            depth = indent(line) + closes
            found.append(line.strip())
    return found
