"""Regression questions: the arithmetic over a file of questions, and which of its fields are looked at."""

from __future__ import annotations

from agents.evidence.intents import Intent
from agents.evidence.pack import EvidencePack
from evaluation import Question, QuestionFile
from interfaces.cli.evidence_evaluation import evaluate_evidence
from tests.agents.evidence.making import items


def question(id_, *expected, **rest):
    return Question(id_, f"question {id_}", "pattern", expected, **rest)


async def test_means_over_the_questions_that_have_an_answer():
    found = {"a": ["a.py", "b.md"], "b": ["c.py", "x.md", "a.py"], "c": []}

    async def retrieve(request, asked):
        assert (request.query, request.intent, request.top_k) == (asked.query, None, 7)
        evidence = tuple(items(*found[asked.id]))
        return EvidencePack(Intent.CONCEPTUAL, request.query, evidence, 9, (), 256, exact=False, missing={"docs": 2})

    file = QuestionFile(
        (
            question("a", "kit:a.py", "guide:b.md"),
            question("b", "kit:a.py", also_acceptable=("guide:x.md",)),
            question("c", "kit:a.py"),
            question("d", must_abstain=True),
        ),
        (),
    )
    got = await evaluate_evidence(file, retrieve, top_k=7)
    assert got["questions"] == 3
    assert {name: got["overall"][name] for name in ("recall@5", "recall@10", "mrr@10", "missing")} == {
        "recall@5": (1 + 1 + 0) / 3,
        "recall@10": (1 + 1 + 0) / 3,
        "mrr@10": (1 + 1 / 2 + 0) / 3,
        "missing": 6,
    }
    assert [row["missed"] for row in got["per_question"]] == [[], [], ["kit:a.py"]]
    assert got["per_question"][1]["files"] == ["kit:c.py", "kit:a.py"]
    nothing = await evaluate_evidence(QuestionFile((question("d", must_abstain=True),), ()), retrieve)
    assert (nothing["questions"], nothing["overall"]["recall@10"]) == (0, None)
