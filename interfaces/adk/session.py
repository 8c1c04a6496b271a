"""What a session's state holds for us: the project in hand, which the application puts there, and the last question.

A question that leans on the last one is made to stand alone by rules, so that no model is needed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

from memory.question import ParsedQuestion, read_question

ASKED: Final = "hybrid_retrieval:asked"
"""The key of the last question, for the next one to lean on."""


def project_in_hand(state: Mapping[str, Any]) -> str | None:
    """The state's `project`; None where there is none."""
    project = state.get("project")
    return project if isinstance(project, str) and project else None


def asked_in(state: Mapping[str, Any], text: str) -> str:
    """What the user asks, made to stand alone by the session's last question."""
    return standing_alone(text, LastQuestion.from_state(state.get(ASKED)))


def asked_state(question: str) -> dict[str, Any]:
    """What the state keeps of a question; nothing of one that asks nothing."""
    last = LastQuestion.of(question)
    return {ASKED: last.to_state()} if last is not None else {}


_PLACE: Final = frozenset({"there", "here"})
_THING: Final = frozenset({"it", "they", "them"})
_OWNER: Final = frozenset({"its", "their"})
_POINTING: Final = frozenset({"this", "that", "these", "those"})
_LEANING: Final = _PLACE | _THING | _OWNER | _POINTING
_DETERMINERS: Final = frozenset({"the", "a", "an", "our", "my", "each", "every"})
_OPENING: Final = re.compile(r"(?:and|or|but|also|what about|how about)\b", re.IGNORECASE)
_CHARS: Final = 300
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
        return cls(read.prose[:_CHARS], tuple(name.text for name in read.names)[:_NAMES])

    @classmethod
    def from_state(cls, kept: object) -> Self | None:
        """What `to_state` made; None for anything else."""
        if not isinstance(kept, Mapping) or not isinstance(kept.get("text"), str):
            return None
        names = kept.get("names")
        listed = names if isinstance(names, list | tuple) else ()
        return cls(kept["text"][:_CHARS], tuple(name for name in listed if isinstance(name, str))[:_NAMES])

    def to_state(self) -> dict[str, Any]:
        return {"text": self.text, "names": list(self.names)}


def standing_alone(question: str, last: LastQuestion | None) -> str:
    """The question with what it leans on: the names of the last one in the place of its pronouns, or the last one
    before it.

    One that names something, or has what its pronoun means before it, stays as it is. Of two names a place ("there") is
    the first and a thing ("it") the second: after "How does Orders reach Payments?", what times out is what is reached.
    """
    read = read_question(question)
    if last is None or read.is_courtesy or read.names or read.pasted or read.paths:
        return question
    pronoun = _pronoun(read)
    opens = _OPENING.match(question.strip()) is not None
    if pronoun is None and not opens:
        return question
    if pronoun is None or not last.names:
        return f"{last.text} {question}"
    return re.sub(r"\w+", lambda word: _named(word, question, last.names), question)


def _pronoun(read: ParsedQuestion) -> str | None:
    """The first word that points outside of the question."""
    words = [word.text.casefold() for word in read.words]
    for number, word in enumerate(words):
        if word in _DETERMINERS:
            return None
        if word in _LEANING and (word not in _POINTING or number == len(words) - 1):
            return word
    return None


def _named(match: re.Match[str], question: str, names: tuple[str, ...]) -> str:
    word = match[0].casefold()
    if word in _PLACE:
        return f"in {names[0]}"
    if word in _OWNER:
        return f"{names[-1]}'s"
    ends = not re.search(r"\w", question[match.end() :])
    return names[-1] if word in _THING or (word in _POINTING and ends) else match[0]
