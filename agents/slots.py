"""Where a question names the end of a relation: `What calls X`, `does X use`, `between X and Y`, `What is X?`.

An ordinary lower-case word is a name only there: services, tables and topics are written so, and in any other place of a
sentence the same word is a verb or a thing of every day (design §5a: loose links cost more than they bring).
"""

from __future__ import annotations

import re

from agents.direction import VERB

__all__ = ["SLOT_KINDS", "named_ends"]

SLOT_KINDS = ("service", "project", "package", "table", "topic")
"""What is named in lower case."""

_NAME = r"(?:(?:the|our)\s+)?([a-z][\w-]+)"
_NO_NAME = r"(?:is|are|was|were|be|has|have|had|also|else|it|they|we|you|he|she|can|could|should|must|may|might|would|will|only|both|all|each|every)\b"
_MEETS = r"connect|talk|notify|speak|relate|reach|need|send|belong"
_HAS = r"have|contain|offer|provide|serve|emit|consist of|listen to"
_SLOTS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"^\W*(?:what(?:'s|\s+is|\s+are)|where(?:'s|\s+is)|describe|explain)\s+{_NAME}\W*$",
        rf"\b(?:does|do|did)\s+{_NAME}\s+(?:(?:in|of)\s+[\w.-]+\s+)?(?:{VERB}|{_MEETS}|{_HAS}|do)\b",
        rf"\b(?:called|invoked|owned|exposed|offered|published|consumed|read|used|needed|imported)\s+by\s+{_NAME}",
        rf"\bthat\s+(?!{_NO_NAME}){_NAME}\s+(?:{VERB})\b",
        rf"(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bbe )\b(?:{VERB})\s+{_NAME}(?=\W*$|\s*[,?]|\s+(?:and|or|directly|too)\b|\s+(?:in|of)\s+[\w.-]+\W*$)",
        rf"\b(?:{_MEETS})(?:s|es|ed)?\s+(?:to|with|by)\s+{_NAME}",
        rf"\b(?:between|from)\s+{_NAME}\s+(?:and|to)\s+{_NAME}",
    )
)


def named_ends(question: str) -> frozenset[str]:
    """The words that stand in such places, casefolded."""
    return frozenset(
        word.casefold() for slot in _SLOTS for match in slot.finditer(question) for word in match.groups() if word
    )
