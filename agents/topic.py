"""What a question is about, without the words that say where to look.

`Which other projects support trio?` is about trio support: the embedders would spend most of the question on projects.
"""

from __future__ import annotations

import re

__all__ = ["asks_for_tests", "topic"]

_WHERE = r"(?:projects?|teams?|packages?|repos(?:itor(?:y|ies))?|librar(?:y|ies)|codebases?|services)"
_WHOSE = r"(?:which|what|other|all|any|each|every|different|our|the|these|those|of)"
_FRAMES = re.compile(
    rf"\b(?:how do|what patterns? (?:do|are used)|what do)\s+(?:{_WHOSE}\s+)*{_WHERE}\s+(?:use|handle|do)\s+(?:for\s+)?"
    rf"|\b(?:(?:in|of|by|across|among|from)\s+)?(?:{_WHOSE}\s+)+{_WHERE}\b",
    re.IGNORECASE,
)
_TESTS = re.compile(r"\b(?:tests?|tested|testing|specs?|fixtures?)\b", re.IGNORECASE)


def asks_for_tests(question: str) -> bool:
    """Whether tests are what it is after, which otherwise stand behind what they test."""
    return _TESTS.search(question) is not None


def topic(question: str) -> str:
    """The question without its frame; the question itself where nothing would be left."""
    first, *snippet = question.split("\n", 1)
    rest = " ".join(_FRAMES.sub(" ", first).split())
    if len(re.findall(r"\w+", rest)) < 2:
        return question
    return "\n".join([rest, *snippet])
