"""`ModelReader`: a language model reads the question too: its clauses, its names, other wordings (off by default).

One call under a deadline, answered by JSON that is checked. What is late, wrong or absent changes nothing.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import anyio

from memory.attempt import attempt
from memory.together import SharedWork

if TYPE_CHECKING:
    from memory.question import ParsedQuestion
    from synthesis.language_model import LanguageModel

__all__ = ["ModelReader"]

_PROMPT: Final = """\
A developer asks a search engine for source code the question below. Do not answer it. Reply with one JSON object, nothing else:
{{"clauses": ["each question it is made of, in its own words"],
 "names": ["each service, project, class, function, file, table or topic it names, as it is written there"],
 "wordings": ["the whole question in other words, at most three"]}}

QUESTION:
{question}
"""
_MOST: Final = {"clauses": 8, "names": 12, "wordings": 3}
_LONGEST: Final = 400
_REMEMBERED: Final = 8


class ModelReader:
    """Adds to a question what a model reads in it; a question is asked about once.

    seconds: how long the model may take.
    """

    def __init__(self, model: LanguageModel, *, seconds: float) -> None:
        self._model = model
        self._seconds = seconds
        self._asking: SharedWork[str, ParsedQuestion] = SharedWork()
        self._read: dict[str, ParsedQuestion] = {}

    async def read(self, question: ParsedQuestion, until: float) -> ParsedQuestion:
        """The question with the clauses, names and wordings of the model; as it was where that fails.

        until: the event loop's time at which the question itself is late.
        """
        if question.text in self._read:
            return self._read[question.text]
        return await self._asking.do(question.text, partial(self._ask, question, until))

    async def _ask(self, question: ParsedQuestion, until: float) -> ParsedQuestion:
        due = min(until, anyio.current_time() + self._seconds)
        done = await attempt(partial(self._reply, question.text), due)
        found = _checked(done.value, question.text) if done.status == "ok" else None
        if found is not None:
            clauses = found["clauses"] or question.clauses
            question = replace(question, clauses=clauses, added_names=found["names"], wordings=found["wordings"])
        if len(self._read) >= _REMEMBERED:
            self._read.clear()
        self._read[question.text] = question
        return question

    async def _reply(self, text: str) -> str:
        return "".join([delta.text async for delta in self._model.stream(_PROMPT.format(question=text))])


def _checked(reply: str, asked: str) -> dict[str, tuple[str, ...]] | None:
    """The reply's three lists; None where it is anything else. A name that the question does not spell out is left out."""
    start, end = reply.find("{"), reply.rfind("}")
    try:
        given: Any = json.loads(reply[start : end + 1])
    except ValueError:
        return None
    if not isinstance(given, dict) or given.keys() != _MOST.keys():
        return None
    if not all(isinstance(value, list) and all(map(_is_text, value)) for value in given.values()):
        return None
    spelt = _letters(asked)
    given["names"] = [name for name in given["names"] if _letters(name) and _letters(name) in spelt]
    return {key: tuple(dict.fromkeys(value))[: _MOST[key]] for key, value in given.items()}


def _is_text(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value.strip()) <= _LONGEST


def _letters(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())
