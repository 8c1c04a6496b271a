from __future__ import annotations

from memory.query import QueryType
from synthesis.extractive.answerer import ExtractiveAnswerer


async def test_what_is_near_in_meaning_is_shown_as_that(org):
    org.texts["rain/units.py"] = "def inches(mm):\n    return mm / 25.4\n"
    observations = [
        org.seen("billing/CLAUDE.md", 7, 9),
        org.seen("rain/units.py"),
        org.seen("crm/db/schema.sql", score=0.3),
    ]
    asked = org.asked("Convert precipitation?", QueryType.PATTERN)
    answer = await ExtractiveAnswerer().answer(asked.query, observations, classification=asked, files=org.files)
    assert answer.text.split("\n") == [
        "No text holds the question's words. Nearest in meaning:",
        "- rain: `def inches(mm):` [vector:rain/units.py:1-1] `inches`: `return mm / 25.4` [vector:rain/units.py:2-2]",
    ]
    assert all(citation.verified for citation in answer.citations)
