"""How many of the lines that prove the answers lie in a pack of a given size, and how much of a pack is repeated.

    python benchmarks/packs.py QUESTIONS.jsonl... --data-dir INDEX [--tokens 4000] [--top-k 30] [--set NAME=VALUE]

A question's proofs are its `evidence`: project, path, lines. Questions without one are left out, and so are proofs in
projects that are not indexed. One JSON document is printed.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import anyio

from agents.evidence import EvidenceItem, EvidencePack, EvidenceRequest
from configs import load_config
from evaluation import percentile
from memory.text import estimate_tokens

Line: TypeAlias = tuple[str, str, int]
"""Project, path, number."""


def proofs(question: Mapping[str, Any], indexed: frozenset[str]) -> list[frozenset[Line]]:
    """The lines of each piece of a question's evidence; the same lines twice are one."""
    found = [
        frozenset((one["project"], one["path"], number) for number in one["lines"])
        for one in question.get("evidence", ())
        if one["project"] in indexed
    ]
    return list(dict.fromkeys(lines for lines in found if lines))


def covered(pack: Sequence[EvidenceItem]) -> list[Line]:
    """Every line that the pieces show, as often as they show it."""
    return [
        (item.chunk.project, item.chunk.path, number)
        for item in pack
        for number in range(item.start_line, item.end_line + 1)
    ]


def named(pack: Sequence[EvidenceItem]) -> frozenset[Line]:
    """The lines that are not shown but named as the places of copies."""
    found: set[Line] = set()
    for item in pack:
        for place in item.also_in:
            file, _, lines = place.rpartition(":")
            project, _, path = file.partition("/")
            first, _, last = lines.partition("-")
            found.update((project, path, number) for number in range(int(first), int(last) + 1))
    return frozenset(found)


def row(question: Mapping[str, Any], pack: EvidencePack, indexed: frozenset[str]) -> dict[str, Any]:
    """What one pack shows of a question's proofs, and how large it is."""
    expected = proofs(question, indexed)
    lines = sorted(frozenset[Line]().union(*expected))
    shown = covered(pack.evidence)
    seen = frozenset(shown)
    known = seen | named(pack.evidence)
    files = {(project, path) for project, path, _ in shown}
    return {
        "id": question["id"],
        "query": question["query"],
        "proof_lines": len(lines),
        "in_pack": sum(line in seen for line in lines),
        "shown_or_named": sum(line in known for line in lines),
        "proofs": len(expected),
        "proofs_in_pack": sum(one <= seen for one in expected),
        "files_in_pack": sum((project, path) in files for project, path in {line[:2] for line in lines}),
        "files": len({line[:2] for line in lines}),
        "pieces": len(pack.evidence),
        "tokens": sum(estimate_tokens(item.text) for item in pack.evidence),
        "lines": len(shown),
        "repeated_lines": len(shown) - len(seen),
        "missed": [
            f"{project}/{path}:{number}" for project, path, number in lines if (project, path, number) not in seen
        ],
    }


def totals(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The shares over all questions; by lines each line counts, by questions each question."""

    def share(part: str, whole: str) -> float | None:
        every = sum(one[whole] for one in rows)
        return round(sum(one[part] for one in rows) / every, 4) if every else None

    each = [one["in_pack"] / one["proof_lines"] for one in rows]
    return {
        "questions": len(rows),
        "proof_lines": sum(one["proof_lines"] for one in rows),
        "lines_in_pack": share("in_pack", "proof_lines"),
        "lines_in_pack_or_named": share("shown_or_named", "proof_lines"),
        "proofs_in_pack": share("proofs_in_pack", "proofs"),
        "files_in_pack": share("files_in_pack", "files"),
        "mean_of_questions": round(math.fsum(each) / len(each), 4) if each else None,
        "repeated_lines": share("repeated_lines", "lines"),
        "pieces": round(sum(one["pieces"] for one in rows) / len(rows), 1) if rows else None,
        "tokens": round(sum(one["tokens"] for one in rows) / len(rows)) if rows else None,
        "most_tokens": max((one["tokens"] for one in rows), default=None),
    }


async def measure(
    files: Sequence[Path], data: Path, *, tokens: int, top_k: int, overrides: Sequence[str]
) -> dict[str, Any]:
    """Ask every question once."""
    from wiring.evidence import open_evidence  # noqa: PLC0415 - not needed for --help

    config = load_config("embedded", overrides=overrides)
    config = replace(config, evidence=replace(config.evidence, max_tokens=tokens, remembered_packs=0))
    rows: dict[str, list[dict[str, Any]]] = {}
    times = []
    async with open_evidence(data, config=config) as retriever:
        indexed = frozenset(retriever.catalogue.projects)
        for file in files:
            questions = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
            own = rows[f"{file.parent.name}/{file.stem}"] = []
            for question in questions:
                if not proofs(question, indexed):
                    continue
                began = time.perf_counter()
                pack = await retriever.retrieve(EvidenceRequest(question["query"], top_k=top_k), indexed)
                times.append((time.perf_counter() - began) * 1000)
                own.append(row(question, pack, indexed))
    return {
        "tokens": tokens,
        "top_k": top_k,
        "overall": totals([one for own in rows.values() for one in own]),
        "by_file": {name: totals(own) for name, own in rows.items()},
        "latency_p50_ms": percentile(times, 50),
        "latency_p95_ms": percentile(times, 95),
        "per_question": rows,
    }


def main() -> int:
    """Print the document."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("questions", nargs="+", type=Path)
    parser.add_argument("--data-dir", required=True, type=Path)
    parser.add_argument("--tokens", type=int, default=4000)
    parser.add_argument("--top-k", type=int, default=30)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", dest="overrides")
    given = parser.parse_args()
    document = anyio.run(
        lambda: measure(
            given.questions, given.data_dir, tokens=given.tokens, top_k=given.top_k, overrides=given.overrides
        )
    )
    print(json.dumps(document, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
