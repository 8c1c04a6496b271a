"""Planted false citations: how many are caught, and how many true ones are flagged (docs/decisions/0054).

    python benchmarks/citations.py [DATA_DIR] [--each 40] [--true 200] [--misread 200] [--seed 7] [--json]

Asks questions about what is indexed in DATA_DIR, made of the names that it holds; the verified citations of the answers
are written down as a language model would, as they are and with one thing wrong, and checked like a model's. So are,
also without DATA_DIR, true sentences in free wording about this repository (`true_sentences.jsonl` and each set of
`unseen/`), and misreadings of them.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path
from typing import Any

import anyio

from benchmarks.free_wording import SENTENCES, UNSEEN, Sentence, free_sentences, quoted_files
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


async def read_freely(path: Path, each: int, seed: int) -> dict[str, Any]:
    """The same of a set of sentences in free wording, which needs no index."""
    sentences = free_sentences(path)
    files = quoted_files(sentences)

    async def faults(some: list[Sentence]) -> dict[str, str | None]:
        return {one.text: await fault(one.text, one.observations, files) for one in some}

    reasons = await faults(sentences)
    document: dict[str, Any] = {
        "true": len(sentences),
        "flagged": sum(reason is not None for reason in reasons.values()),
        "denying": sum(one.denies for one in sentences),
        "denying_flagged": sum(one.denies and reasons[one.text] is not None for one in sentences),
        "flagged_texts": [{"text": text, "reason": reason} for text, reason in reasons.items() if reason],
        "planted": {},
    }
    for kind in MISREADINGS:
        planted = await faults(misread(kind, sentences, each, seed))
        missed = [text for text, reason in planted.items() if reason is None]
        document["planted"][kind] = {"planted": len(planted), "caught": len(planted) - len(missed), "missed": missed}
    return document


async def fault(text: str, observations: Any, files: Any) -> str | None:
    """Why a text's citations do not hold, None when they do."""
    _, citations = await checked_text(text, observations, files)
    return next((c.reason for c in citations if not c.verified), None) if citations else "nothing is cited"


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data_dir", type=Path, nargs="?")
    parser.add_argument("--each", type=int, default=40)
    parser.add_argument("--true", type=int, default=200)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--misread", type=int, default=200)
    given = parser.parse_args()
    document: dict[str, Any] = {}
    if given.data_dir:
        document["of answers"] = anyio.run(measured, given.data_dir, given.each, given.true, given.seed)
    for path in (SENTENCES, *UNSEEN):
        document[f"{path.parent.name}/{path.stem}"] = anyio.run(read_freely, path, given.misread, given.seed)
    if given.json:
        print(json.dumps(document, ensure_ascii=False))
        return
    for title, part in document.items():
        denying = f", {part['denying_flagged']} of {part['denying']} that deny" if part.get("denying") else ""
        print(f"true, {title}: {part['flagged']} of {part['true']} flagged{denying}")
        for row in part["flagged_texts"]:
            print(f"  {row['reason']}: {row['text']}")
        for kind, row in part["planted"].items():
            print(f"{kind}: {row['caught']} of {row['planted']} caught")
            for text in row["missed"]:
                print(f"  {text}")


if __name__ == "__main__":
    main()
