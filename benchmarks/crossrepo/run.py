"""Ask a system the questions of the sets, and score what it finds.

    .venv/bin/python benchmarks/crossrepo/run.py TREES... [--system bm25|hybrid|ours]... [--data FOLDER] [--json]

TREES/NUMBER holds what `checkout.py` wrote for the set of that number; a set without its trees is left out. `--data`
keeps the indexes of `ours`. The measures are ir-measures'.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import anyio
import ir_measures

from benchmarks.crossrepo.sets import SETS, Question, read_questions
from benchmarks.crossrepo.systems.bm25 import Bm25
from benchmarks.crossrepo.systems.hybrid import PlainHybrid
from benchmarks.crossrepo.systems.ours import Ours
from benchmarks.crossrepo.systems.port import Found, System

SYSTEMS: Mapping[str, Callable[[Path], System]] = {
    "bm25": lambda _: Bm25(),
    "hybrid": lambda _: PlainHybrid(),
    "ours": Ours,
}
"""How each system is made from a folder that it may keep things in. A new one is a row here and an adapter."""

_RECALL, _MRR = ir_measures.R @ 10, ir_measures.RR @ 10


async def ask(system: System, trees: Path, questions: Sequence[Question]) -> dict[str, Found]:
    """What a system finds for each question, by its id."""
    await system.index(trees)
    try:
        return {question.id: await system.search(question.query, question.project) for question in questions}
    finally:
        await system.close()


def score(questions: Sequence[Question], found: Mapping[str, Found]) -> dict[str, float | int | None]:
    """The figures of one set.

    `recall@10` and `mrr@10` are of the files, over the questions that can be answered; files that are also acceptable
    neither count nor cost. `proofs_shown` is the mean share of a question's proving lines that lie in what is shown.
    `abstained` counts the right abstentions, `wrongly_abstained` those from questions that can be answered.
    """
    answerable = [question for question in questions if question.expected]
    absent = [question for question in questions if not question.expected]
    qrels = [ir_measures.Qrel(question.id, file, 1) for question in answerable for file in question.expected]
    run = [
        ir_measures.ScoredDoc(question.id, file, -rank)
        for question in answerable
        for rank, file in enumerate(file for file in found[question.id].files if file not in question.also)
    ]
    values = ir_measures.calc_aggregate([_RECALL, _MRR], qrels, run)
    return {
        "questions": len(questions),
        "recall@10": round(float(values[_RECALL]), 3),
        "mrr@10": round(float(values[_MRR]), 3),
        "proofs_shown": _mean([_shown(question, found[question.id]) for question in answerable]),
        "absent": len(absent),
        "abstained": sum(not found[question.id].files for question in absent),
        "wrongly_abstained": sum(not found[question.id].files for question in answerable),
    }


def _shown(question: Question, found: Found) -> float:
    held = [
        any(lines.file == proof.file and lines.start <= proof.line <= lines.end for lines in found.shown)
        for proof in question.proofs
    ]
    return sum(held) / len(held) if held else 0.0


def _mean(values: Sequence[float]) -> float | None:
    return round(math.fsum(values) / len(values), 3) if values else None


async def _run(trees: Path, systems: Sequence[str], data: Path) -> list[dict[str, Any]]:
    rows = []
    for folder in sorted(SETS.iterdir()):
        if (trees / folder.name).is_dir():
            questions = read_questions(folder)
            for name in systems:
                system = SYSTEMS[name](data / folder.name)
                row = score(questions, await ask(system, trees / folder.name, questions))
                rows.append({"set": folder.name, "system": name, **row})
    return rows


def table(rows: Sequence[Mapping[str, Any]]) -> str:
    """The figures as a table of Markdown."""
    columns = list(rows[0])
    lines = ["| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
    return "\n".join(lines + ["| " + " | ".join(str(row[column]) for column in columns) + " |" for row in rows])


def main(arguments: list[str]) -> int:
    """The command; 2 where no set has its trees."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("trees", type=Path)
    parser.add_argument("--system", action="append", choices=SYSTEMS, help="one of them; all when left out")
    parser.add_argument("--data", type=Path)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as temporary:
        data = options.data or Path(temporary)
        rows = anyio.run(_run, options.trees, options.system or list(SYSTEMS), data)
    if not rows:
        print(f"No set of {SETS} has its trees in {options.trees}. Write them with checkout.py.", file=sys.stderr)
        return 2
    print(json.dumps(rows, indent=1) if options.json else table(rows))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
