"""What a session's state holds for us: the project in hand, which the application puts there, and the last question.

A question that leans on the last one is made to stand alone by rules, so that no model is needed.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

from memory.embedders.english import ENGLISH
from memory.question import ParsedQuestion, named_projects, read_question

ASKED: Final = "hybrid_retrieval:asked"
"""The key of the last question, for the next one to lean on."""


def project_in_hand(state: Mapping[str, Any]) -> str | None:
    """The state's `project`; None where there is none."""
    project = state.get("project")
    return project if isinstance(project, str) and project else None


def asked_in(state: Mapping[str, Any], text: str, projects: Collection[str] = ()) -> str:
    """What the user asks, made to stand alone by the session's last question."""
    return standing_alone(text, LastQuestion.from_state(state.get(ASKED)), projects)


def asked_state(question: str) -> dict[str, Any]:
    """What the state keeps of a question; nothing of one that asks nothing."""
    last = LastQuestion.of(question)
    return {ASKED: last.to_state()} if last is not None else {}


_PLACE: Final = frozenset({"there", "here"})
_THING: Final = frozenset({"it", "they", "them"})
_OWNER: Final = frozenset({"its", "their"})
_POINTING: Final = frozenset({"this", "that", "these", "those"})
_LEANING: Final = _PLACE | _THING | _OWNER | _POINTING
_MANY: Final = frozenset({"they", "them", "their", "these", "those"})
_BEING: Final = frozenset({"is", "are", "was", "were"})
_DETERMINERS: Final = frozenset({"the", "a", "an", "our", "my", "each", "every"})
_ASKING: Final = frozenset({"what", "who", "where", "when", "why", "how"})
_MORE: Final = frozenset({"show", "tell", "explain", "code", "details", "example", "examples", "elaborate"})
"""What asks for more of the same, beside the stop words."""
_OPENING: Final = re.compile(r"(?:(?:and|or|but|also),? +)?(?:what|how) about\b|(?:and|or|but|also)\b,?", re.IGNORECASE)
_PREPOSITION: Final = re.compile(r"(?:about|at|by|during|for|from|in|of|on|to|under|with)\b", re.IGNORECASE)
_SHORT: Final = 4
_CHARS: Final = 300
_LONGEST: Final = 2_000
"""What is longer, be it for the names that it gets, is no follow-up, and takes long to read."""
_NAMES: Final = 4


@dataclass(frozen=True, slots=True)
class LastQuestion:
    """What a conversation keeps of its last question: the text, complete in itself, and the names in it."""

    text: str
    names: tuple[str, ...] = ()

    @classmethod
    def of(cls, text: str) -> Self | None:
        """None for a text that asks nothing, such as a greeting: the question before it stays the last one."""
        read = read_question(text)
        if read.is_idle:
            return None
        asking = " ".join(one for one in read.clauses if _own_words(read_question(one)) - _MORE) or read.prose
        return cls(asking[:_CHARS], tuple(name.text for name in read.names)[:_NAMES])

    @classmethod
    def from_state(cls, kept: object) -> Self | None:
        """What `to_state` made; None for anything else."""
        if not isinstance(kept, Mapping) or not isinstance(kept.get("text"), str):
            return None
        names = kept.get("names")
        listed = names if isinstance(names, list | tuple) else ()
        return cls(kept["text"][:_CHARS], tuple(name[:_CHARS] for name in listed if isinstance(name, str))[:_NAMES])

    def to_state(self) -> dict[str, Any]:
        return {"text": self.text, "names": list(self.names)}


def standing_alone(question: str, last: LastQuestion | None, projects: Collection[str] = ()) -> str:
    """The question with what it leans on.

    One that only says what else ("And in crm?") is the last one with that in its place. A pronoun stands for the last
    one's names: of two a place ("there") is the first and a thing ("it") the second, so that after "How does Orders
    reach Payments?" what times out is what is reached. What else says nothing of its own has the last one before it.
    One that names something, or has what its pronoun means before it, stays as it is.

    Args:
        question: what was asked.
        last: the question before it.
        projects: those that may be seen, by which their names are known in either.
    """
    if last is None or len(question) > _LONGEST:
        return question
    read = read_question(question)
    if not read.words or read.is_courtesy or read.pasted or read.paths:
        return question
    opening = _OPENING.match(question.strip())
    if opening is not None and (told := _in_its_place(question.strip()[opening.end() :].strip(), last, projects)):
        return told
    if read.names or named_projects(question, projects):
        return question
    leaning = _pronouns(read)
    if leaning and last.names:
        told = re.sub(r"\w+", lambda word: _named(word, leaning, last.names), question)
        return told if len(told) <= max(len(question), _LONGEST) else question
    alone = opening is None and not leaning and _own_words(read) - _MORE
    return question if alone else f"{last.text} {question}"


def _in_its_place(rest: str, last: LastQuestion, projects: Collection[str]) -> str:
    """The last question with a project, a name or the words behind a preposition exchanged; '' where none can be."""
    read = read_question(rest)
    named = named_projects(rest, projects)
    words = _own_words(read) - {part.casefold() for name in named for part in re.split(r"\W", name)}
    bare = not words - {name.text.casefold() for name in read.names} and not _ASKING & _folded(read)
    if bare and named:
        before = named_projects(last.text, projects)
        exchanged = _exchanged(last.text, before[-1], named[0]) if before else ""
        return exchanged or f"{last.text.rstrip(' ?.!')} in {named[0]}?"
    if bare and read.names and last.names:
        return _exchanged(last.text, last.names[-1], read.names[0].text)
    preposition = _PREPOSITION.match(rest)
    if preposition is None:
        return ""
    places = [found.start() for found in re.finditer(rf"\b{preposition[0]}\b", last.text, re.IGNORECASE)]
    if places and len(last.text[places[-1] :].split()) <= _SHORT:
        return last.text[: places[-1]] + rest
    return ""


def _exchanged(text: str, old: str, new: str) -> str:
    """The text with each place of a name as another; '' where it has none."""
    changed, places = re.subn(rf"(?<!\w){re.escape(old)}(?!\w)", lambda _: new, text, flags=re.IGNORECASE)
    return changed if places else ""


def _folded(read: ParsedQuestion) -> frozenset[str]:
    return frozenset(word.text.casefold() for word in read.words)


def _own_words(read: ParsedQuestion) -> frozenset[str]:
    """What it says beside stop words."""
    return _folded(read) - ENGLISH


def _pronouns(read: ParsedQuestion) -> frozenset[str]:
    """The words that point outside of the question: those for one thing, where it has any."""
    words = [word.text.casefold() for word in read.words]
    found = set[str]()
    for number, word in enumerate(words):
        if word in _DETERMINERS and not found:
            return frozenset()
        # "topics that are published": behind a word of its own it points at that
        before = words[number - 1] if number else ""
        inside = word in _POINTING and before and before not in ENGLISH and number < len(words) - 1
        if word in _LEANING and not inside and not (word == "there" and before in _BEING):
            found.add(word)
    return frozenset(found - _MANY or found)


def _named(match: re.Match[str], leaning: frozenset[str], names: tuple[str, ...]) -> str:
    word = match[0].casefold()
    if word not in leaning:
        return match[0]
    if word in _PLACE:
        return f"in {names[0]}"
    return f"{names[-1]}'s" if word in _OWNER else names[-1]
