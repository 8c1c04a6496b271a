"""An observation's way through the stages, told from the result alone."""

from __future__ import annotations

import pytest

from memory.errors import InvalidInputError
from replay import why


def at(path):
    return {"project": "p", "path": path, "start_line": 1, "end_line": 2}


def shown(id_, rank, **more):
    return {
        "id": id_,
        "rank": rank,
        "score": 0.5,
        "agent": "vector",
        "source": "vector:qdrant",
        "confidence": 0.75,
        "locations": [at(f"{id_}.py")],
        "duplicates": [],
        "corroborated_by": [],
        "metadata": {},
        **more,
    }


def gone(id_, stage, into=None, location=None):
    return {"id": id_, "agent": "local", "stage": stage, "into": into, "location": location}


RESULT = {
    "observations": [
        shown(
            "a",
            1,
            duplicates=[{"source": "local:c.py", "location": at("c.py"), "similarity": 1.0}],
            corroborated_by=["local"],
        ),
        shown("b", 2, metadata={"also": [{"id": "e"}]}, locations=[]),
    ],
    "citations": [
        {"observation_id": "a", "verified": True},
        {"observation_id": "a", "verified": False},
    ],
    "conflicts": [
        {"winner": "a", "losers": ["b"], "reason": "it is newer"},
        {"winner": None, "losers": ["b", "d"], "reason": "both may hold"},
    ],
    "metrics": {
        "dropped": [
            gone("c", "deduplicate", "a", at("c.py")),
            gone("d", "limits"),
            gone("e", "limits", "b"),
            gone("f", "deduplicate"),
        ]
    },
}


def test_one_that_is_cited():
    told = why(RESULT, "a")
    assert (told.kept, told.stage) == (True, "answer")
    assert told.stages == (
        ("found", "by vector at p/a.py:1-2, confidence 0.75"),
        ("deduplicate", "kept for local:c.py p/c.py:1-2, 1.00 alike; local agree"),
        ("conflicts", "won over b: it is newer"),
        ("rank", "place 1 of 2, score 0.500"),
        ("limits", "shown"),
        ("answer", "cited 2 times, 1 verified"),
    )


def test_one_that_is_shown_and_not_cited():
    assert why(RESULT, "b").stages == (
        ("found", "by vector at vector:qdrant, confidence 0.75"),
        ("deduplicate", "nothing else says the same"),
        ("conflicts", "lost to a: it is newer"),
        ("conflicts", "shown beside the other: both may hold"),
        ("rank", "place 2 of 2, score 0.500"),
        ("limits", "shown, with 1 more hits in its file"),
        ("answer", "not cited: others say it, or say it first"),
    )


@pytest.mark.parametrize(
    ("id_", "stages"),
    [
        (
            "c",
            [("found", "by local at p/c.py:1-2"), ("deduplicate", "says what a, place 1 says, which was kept for it")],
        ),
        (
            "d",
            [
                ("found", "by local"),
                ("deduplicate", "nothing else says the same"),
                ("conflicts", "shown beside the other: both may hold"),
                ("limits", "ranked below the last that is shown"),
            ],
        ),
        (
            "e",
            [
                ("found", "by local"),
                ("deduplicate", "nothing else says the same"),
                ("limits", "folded into b, place 2, the best of its file"),
            ],
        ),
        ("f", [("found", "by local"), ("deduplicate", "says what another says, which was kept for it")]),
    ],
)
def test_one_that_was_dropped(id_, stages):
    told = why(RESULT, id_)
    assert (told.kept, list(told.stages)) == (False, stages)
    assert told.to_dict()["stage"] == stages[-1][0]
    assert told.lines()[0] == f"{id_} was dropped by: {stages[-1][0]}"


def test_one_that_nobody_reported():
    with pytest.raises(InvalidInputError, match="No agent reported x") as told:
        why(RESULT, "x")
    assert told.value.hint == "Reported were: a, b, c, d, e, f."
