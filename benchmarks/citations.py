"""Planted false citations: how many are caught, and how many true ones are flagged (docs/benchmarks.md).

    python benchmarks/citations.py DATA_DIR [--each 40] [--true 200] [--misread 200] [--seed 7] [--json]

Asks questions about what is indexed in DATA_DIR, made of the names that it holds; the verified citations of the answers
are written down as a language model would, as they are and with one thing wrong, and checked like a model's. So are two
hundred true sentences in free wording about this repository (`true_sentences.jsonl`), and misreadings of them.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path
from typing import Any

import anyio

from benchmarks.free_wording import HELD_OUT, Sentence, free_sentences, quoted_files
from benchmarks.misreading import MISREADINGS, misread
from benchmarks.planting import KINDS, Source, plant, stated
from orchestrator import HybridRetrievalOrchestrator
from synthesis import checked_text

THEMES = (
    "errors",
    "retries",
    "timeouts",
    "configuration",
    "logging",
    "streams",
    "tests",
    "connections",
    "locks",
    "parsing",
)
MOST_QUESTIONS = 400


async def gathered(orchestrator: HybridRetrievalOrchestrator, wanted: int, seed: int) -> list[Source]:
    """Verified citations, of questions on themes and then on the names that came up."""
    rng = random.Random(seed)  # noqa: S311 - no secret
    questions = [f"How do teams handle {theme}?" for theme in THEMES]
    asked: set[str] = set()
    sources: dict[tuple[str, str, str], Source] = {}
    while questions and len(asked) < MOST_QUESTIONS and len(sources) < wanted:
        question = questions.pop(0)
        asked.add(question)
        result = await orchestrator.retrieve(question)
        for citation in result.citations:
            if citation.verified:
                key = (citation.marker, citation.claim, citation.quote)
                sources.setdefault(key, Source(citation, result.observations))
        names = sorted({name for o in result.observations for name in o.entities_mentioned if len(name) > 4})
        rng.shuffle(names)
        made = [f"What is {name}?" for name in names[:3]] + [
            f"How does {one} connect to {two}?" for one, two in zip(names[3:5], names[5:7], strict=False)
        ]
        questions += [question for question in made if question not in asked and question not in questions]
    return list(sources.values())


async def measured(data: Path, each: int, true: int, seed: int) -> dict[str, Any]:
    """The whole measurement."""
    async with HybridRetrievalOrchestrator.open(data, wait_for_mays=True) as orchestrator:
        sources = await gathered(orchestrator, 3 * true, seed)
        files = orchestrator.lines_of(orchestrator.projects)
        told = random.Random(seed).sample(sources, min(true, len(sources)))  # noqa: S311 - no secret
        flagged = [
            {"text": stated(source.citation), "reason": reason}
            for source in told
            if (reason := await fault(stated(source.citation), source.observations, files))
        ]
        document: dict[str, Any] = {"true": len(told), "flagged": len(flagged), "flagged_texts": flagged, "planted": {}}
        for kind in KINDS:
            planted = plant(kind, sources, each, seed)
            missed = [one.text for one in planted if not await fault(one.text, one.observations, files)]
            document["planted"][kind] = {
                "planted": len(planted),
                "caught": len(planted) - len(missed),
                "missed": missed,
            }
        return document


async def read_freely(each: int, seed: int) -> dict[str, Any]:
    """The same of the sentences in free wording, which need no index."""
    sentences = free_sentences()
    unseen = free_sentences(HELD_OUT)
    files = quoted_files([*sentences, *unseen])

    async def held(some: list[Sentence]) -> list[str]:
        return [one.text for one in some if not await fault(one.text, one.observations, files)]

    held_true = set(await held(sentences))
    document: dict[str, Any] = {
        "true": len(sentences),
        "flagged": len(sentences) - len(held_true),
        "flagged_texts": [
            {"text": one.text, "reason": await fault(one.text, one.observations, files)}
            for one in sentences
            if one.text not in held_true
        ],
        "held_out": len(unseen),
        "held_out_flagged": len(unseen) - len(await held(unseen)),
        "planted": {},
    }
    for kind in MISREADINGS:
        planted = misread(kind, sentences, each, seed)
        missed = await held(planted)
        document["planted"][kind] = {"planted": len(planted), "caught": len(planted) - len(missed), "missed": missed}
    return document


async def fault(text: str, observations: Any, files: Any) -> str | None:
    """Why a text's citations do not hold, None when they do."""
    _, citations = await checked_text(text, observations, files)
    return next((c.reason for c in citations if not c.verified), None) if citations else "nothing is cited"


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data_dir", type=Path)
    parser.add_argument("--each", type=int, default=40)
    parser.add_argument("--true", type=int, default=200)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--misread", type=int, default=200)
    given = parser.parse_args()
    document = anyio.run(measured, given.data_dir, given.each, given.true, given.seed)
    document["free_wording"] = anyio.run(read_freely, given.misread, given.seed)
    if given.json:
        print(json.dumps(document, ensure_ascii=False))
        return
    free = document["free_wording"]
    print(f"true, held out: {free['held_out_flagged']} of {free['held_out']} flagged")
    for title, part in (("of answers", document), ("in free wording", document["free_wording"])):
        print(f"true, {title}: {part['flagged']} of {part['true']} flagged")
        for row in part["flagged_texts"]:
            print(f"  {row['reason']}: {row['text']}")
        for kind, row in part["planted"].items():
            print(f"{kind}: {row['caught']} of {row['planted']} caught")
            for text in row["missed"]:
                print(f"  {text}")


if __name__ == "__main__":
    main()
