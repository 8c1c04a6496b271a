"""Whether there is something to answer from: how much of the question the evidence holds, and what of it is known
nowhere.

Both limits are calibrated in docs/abstention.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, TypeAlias

from memory.embedders.english import is_misspelt
from memory.entities import VERBS
from memory.files import is_instruction_file
from memory.question import ParsedQuestion
from memory.question.listed import OF_PROJECTS, find_listed
from memory.text import split_identifier
from memory.vocabulary import UnknownWords
from synthesis.terms import terms
from wiring.catalogue import files_called

if TYPE_CHECKING:
    from memory.observations import NormalizedObservation
    from memory.project_folder import ProjectFolder
    from memory.query import TaskContext
    from orchestrator.coverage import Coverage

FindUnknown: TypeAlias = Callable[[ParsedQuestion, frozenset[str]], UnknownWords]
"""What of a question occurs nowhere within a permission."""

IDLE: Final = (
    "There is nothing to search for in that. Ask what a part is or does, what calls, uses or publishes it, how something is"  # noqa: E501 - text that is read whole
    " done or which projects do it; a stack trace may be pasted."
)
"""The answer to a question without a word that could be looked up."""

_WORD_FOR: Final = {"config_key": "setting"}
_DISTINCT: Final = frozenset({"identifier", "hyphenated"})
_NAMED: Final = 0.8
_SOUGHT: Final = 3
_ROUNDED: Final = 1e-6
_LACKING, _RARE = 0.1, 3.5
"""From this share of the question and this IDF on, a word that the project in hand lacks is what may be asked for."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether there is something to answer from, and what of the question occurs nowhere."""

    found: bool
    unknown: UnknownWords = field(default_factory=UnknownWords)

    @property
    def absent(self) -> tuple[str, ...]:
        """The unknown names; without one the ordinary words that occur nowhere, where nothing was found or there are no
        others.
        """
        unknown = self.unknown
        if unknown.names or not unknown.absent:
            return unknown.names
        mass = math.fsum(_weight(word, unknown) for word in unknown.absent)
        is_all = mass >= math.fsum(unknown.weights.values()) - _ROUNDED
        return unknown.absent if is_all or not self.found else ()

    @property
    def missing(self) -> tuple[str, ...]:
        """A sentence for each of them."""
        return tuple(f"{word} occurs nowhere in the indexed text you may see" for word in self.absent)


def judge(
    observations: Sequence[NormalizedObservation],
    unknown: UnknownWords,
    *,
    floor: float,
    most_unknown: float,
    question: ParsedQuestion,
) -> Verdict:
    """The verdict on what was found. What a pasted trace points at answers, however little else is known. A name that
    stands in lines that were found, within a longer one, is not said to occur nowhere; what a caller hands over has no
    lines.

    Args:
        observations: what was found.
        unknown: what of the question occurs nowhere.
        floor: the least confidence of an observation that answers; a little less will do of one that has a name of the
            question, as it is written there.
        most_unknown: from this share of the question's IDF mass on, the names that are unknown are what was asked for.
        question: the question as it was read.
    """
    names = [name.text for name in question.names if name.kind in _DISTINCT]
    best = max(
        (o.confidence / (_NAMED if any(_holds(o, name) for name in names) else 1.0) for o in observations), default=0.0
    )
    located = [o for o in observations if o.locations]
    absent = tuple(name for name in unknown.names if not any(_holds(o, name) for o in located))
    sure = best >= floor and not (absent and unknown.share >= most_unknown)
    return Verdict(sure or (unknown.is_pointed and bool(observations)), replace(unknown, names=absent))


def _holds(observation: NormalizedObservation, name: str) -> bool:
    return name.casefold() in observation.content.casefold()


def lack_text(verdict: Verdict, observations: Sequence[NormalizedObservation], question: ParsedQuestion) -> str:
    """Why what was found is no answer: what occurs nowhere or not together, else that nothing is clear enough.

    Args:
        verdict: what of the question occurs nowhere.
        observations: what was found.
        question: the question as it was read; its words are spelled as there.
    """
    absent = verdict.absent
    if absent:
        occur = "occurs" if len(absent) == 1 else "occur"
        return f"{', '.join(absent)} {occur} nowhere in the indexed text you may see"
    apart = () if verdict.unknown.names else _apart(verdict.unknown, observations, question)
    if apart:
        return f"no file that was found has {', '.join(apart[:-1])} and {apart[-1]} together"
    return "nothing that was found speaks of this clearly enough"


def not_found_text(coverage: Coverage, lack: str, nearest: Sequence[str] = ()) -> str:
    """What to say when there is no answer.

    Args:
        coverage: which agents looked.
        lack: why what they found is no answer.
        nearest: the lines that come nearest and where they are.
    """
    if coverage.all_failed:
        reasons = "; ".join(f"{agent.agent}: {agent.reason}" for agent in coverage.agents if agent.failed)
        who = "no agent that this is for" if any(agent.status == "ok" for agent in coverage.agents) else "no agent"
        return f"No answer: {who} could look ({reasons})."
    near = "\n- ".join(["\n\nNearest:", *nearest]) if nearest else ""
    return f"No answer found: {lack}.{near}"


def lacking_text(question: ParsedQuestion, unknown: UnknownWords, there: UnknownWords, project: str) -> str:
    """That the project in hand has none of the words that weigh most in a question; empty where it has them, and where
    the question names what other projects have, and is about those.

    Args:
        question: the question as it was read; of a pasted trace not every word is asked about.
        unknown: what of it occurs nowhere in what may be seen.
        there: what of it occurs nowhere in the project.
        project: the project's name.
    """
    lacking = [word for word in (*there.names, *there.absent) if word not in unknown.names]
    named = {word.text for word in question.words if word.is_name}
    if question.frames or not named.isdisjoint(lacking):
        return ""
    least = max(_RARE, _LACKING * math.fsum(unknown.weights.values()))
    words = [word for word in lacking if _is_spelled(word) and _weight(word, unknown) >= least]
    quoted = ", ".join(f'"{word}"' for word in words)
    occur = "occurs" if len(words) == 1 else "occur"
    return f"{quoted} {occur} nowhere in what was indexed of {project}" if words else ""


def lacking_files(
    question: ParsedQuestion, project: str | None, folders: Mapping[str, ProjectFolder], permission: frozenset[str]
) -> tuple[str, ...]:
    """That the project in hand has no file of a name in the question: of instruction files, and of what others have."""
    if project is None or project not in folders:
        return ()
    own, in_hand = folders[project], frozenset({project})
    return tuple(
        f"{project} has no {name}"
        for name in question.named_paths
        if (is_instruction_file(name) or files_called(folders, name, permission))
        and all(own.has_changed(path) and own.has_lost(path) for _, path in files_called({project: own}, name, in_hand))
        and (own.has_lost(name) or not own.is_here)  # a link to another file of the project is not indexed
    )


def unlisted_text(question: ParsedQuestion, context: TaskContext, found: Sequence[NormalizedObservation]) -> str:
    """That the graph has none of the things of which a question asks for all, or of some projects nothing; empty where
    it has, or none are asked.
    """
    listed = find_listed(question, context.project)
    if listed is None:
        return ""
    known = [edge for one in found if "listed" in one.metadata for edge in one.relationships]
    if listed.is_between:
        met = {end.project for edge in known for end in (edge.source, edge.target)}
        alone = [project for project in listed.projects if project not in met]
        such, between = "such" if listed.types else "direct", " and ".join(alone)
        rest = "" if len(alone) == len(listed.projects) else " and the others"
        return f"the graph knows no {such} relation between {between}{rest}" if alone else ""
    if known:
        return ""
    if listed.among and listed.projects:
        verbs = ["uses"] if OF_PROJECTS.issubset(listed.types) else [VERBS[type_] for type_ in listed.types]
        return f"the graph knows nothing in another project that {' or '.join(verbs)} {listed.projects[0]}"
    what = "relation between projects" if listed.among else _WORD_FOR.get(listed.kind, listed.kind)
    return f"the graph knows no {what}{' of ' if listed.projects else ''}{' or '.join(listed.projects)}"


def _is_spelled(word: str) -> bool:
    """Whether a word is no slip of the pen, and no value."""
    return word.isalpha() and not is_misspelt(word)


def _weight(word: str, unknown: UnknownWords) -> float:
    return max(unknown.weights.get(part, 0.0) for part in (word.casefold(), *split_identifier(word)))


def _apart(
    unknown: UnknownWords, observations: Sequence[NormalizedObservation], question: ParsedQuestion
) -> tuple[str, ...]:
    """The rarest words of the question, as many as no observation holds together; none where one holds all."""
    weights = {word.text: _weight(word.text, unknown) for word in question.words if word.kind != "joined"}
    words = sorted(filter(weights.get, weights), key=lambda word: (-weights[word], word))
    held = [terms(" ".join([o.content, *(at.path for at in o.locations)])) for o in observations]
    for count in range(_SOUGHT, len(words) + 1):
        if not any(all(terms(word.casefold()) <= one for word in words[:count]) for one in held):
            return tuple(words[:count])
    return ()
